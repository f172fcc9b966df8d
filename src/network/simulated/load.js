/**
 * What one end of a connection tells the other one. It is data alone, so that the two can be in different processes.
 *
 * @typedef {object} Load
 * @property {number} kind - one of KIND
 * @property {number} stream - number of the stream that it is about; 0 where it is about none
 * @property {string} text - protocols, each on a line
 * @property {Uint8Array | import('uint8arraylist').Uint8ArrayList | null} data - that a stream carries, and its node has to read
 */

/** KIND is what a load says. */
export const KIND = Object.freeze({
  /** A message of the handshake: the listener answers it by another one. */
  TRIP: 0,
  /** The connection stands: which protocols has the listener? */
  HELLO: 1,
  /** The listener's protocols. */
  KNOWN: 2,
  /** The dialler's. */
  DONE: 3,
  /** The connection has ended. */
  END: 4,
  /** A stream is opened, with one of these protocols. */
  OPEN: 5,
  /** It has this one. */
  AGREED: 6,
  /** There is none of them. */
  REFUSED: 7,
  /** Bytes of a stream. */
  DATA: 8,
  CLOSE_WRITE: 9,
  CLOSE_READ: 10,
  RESET: 11,
  /** What came was read, and as much may follow: nothing happens, but it takes its way. */
  WINDOW_UPDATE: 12
})

/** NO_BYTES are written with what is a frame of the muxer without content. */
export const NO_BYTES = 0

/** @param {number} kind @param {readonly string[]} [protocols] @returns {Load} about a connection */
export const aboutConnection = (kind, protocols = []) => ({
  kind,
  stream: 0,
  text: protocols.join('\n'),
  data: null
})

/** @param {number} kind @param {number} stream @param {readonly string[]} [protocols] @returns {Load} about a stream */
export const aboutStream = (kind, stream, protocols = []) => ({
  kind,
  stream,
  text: protocols.join('\n'),
  data: null
})

/** @param {number} stream @param {NonNullable<Load['data']>} data @returns {Load} that a stream carries */
export const carrying = (stream, data) => ({ kind: KIND.DATA, stream, text: '', data })

/** @param {Load} load */
export const protocolsOf = ({ text }) => (text === '' ? [] : text.split('\n'))
