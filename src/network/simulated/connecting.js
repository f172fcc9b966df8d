/**
 * What stock libp2p hands a socket while two nodes connect and agree on protocols, with Noise and Yamux: bytes of each write. A frame of Yamux is
 * two, the length of its Noise message by itself. `test/network/simulated/connecting.test.js` holds it against stock nodes.
 *
 * @typedef {import('../links/wire-bytes.js').Written} Written
 */

/** A frame without content: a ping, an update of a window, the beginning or the end of a stream. */
const EMPTY = [2, 28]
/** The first line that both ends of a stream say, and the one with a protocol; both together from who opens it. */
const MULTISTREAM = [2, 48]
const AGREED_PROTOCOL = [2, 44]
const ASKED_PROTOCOL = [2, 64]
const IDENTIFY = [2, 425]

const times = (/** @type {number} */ count, /** @type {number[]} */ frame) => Array(count).fill(frame).flat()

/** ROUND_TRIPS of a handshake: TCP, of which SYN counts as a byte; the choice of Noise; Noise. */
export const ROUND_TRIPS = Object.freeze([
  { asked: [1], answered: [1] },
  { asked: [1, 19, 1, 7], answered: [1, 19, 1, 7] },
  { asked: [2, 32], answered: [2, 32, 48, 136] }
])

/** HELLO ends the handshake, which has chosen the muxer too, and asks for what the other one has to say of itself. */
export const HELLO = Object.freeze([2, 48, 136, ...times(2, EMPTY), ...ASKED_PROTOCOL])

/** KNOWN says it, and asks likewise. */
export const KNOWN = Object.freeze([
  ...times(4, EMPTY),
  ...ASKED_PROTOCOL,
  ...MULTISTREAM,
  ...AGREED_PROTOCOL,
  ...IDENTIFY,
  ...EMPTY
])

/** DONE says it in return. */
export const DONE = Object.freeze([
  ...times(5, EMPTY),
  ...MULTISTREAM,
  ...AGREED_PROTOCOL,
  ...EMPTY,
  ...IDENTIFY,
  ...EMPTY
])

/** HEARD answers DONE: what came was read. */
export const HEARD = Object.freeze(times(4, EMPTY))

/** OPEN begins a stream and asks for a protocol. */
export const OPEN = Object.freeze([...EMPTY, ...ASKED_PROTOCOL])

/** AGREED takes it. */
export const AGREED = Object.freeze([...EMPTY, ...MULTISTREAM, ...AGREED_PROTOCOL])
