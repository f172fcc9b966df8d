/**
 * @typedef {import('@libp2p/interface').Stream} Stream
 * @typedef {import('uint8arraylist').Uint8ArrayList} Uint8ArrayList
 */

/**
 * opening gives what waits on a stream, as anybody has it who listens. A stream whose other side ends with that would end by it: that one is
 * left as it is.
 *
 * @param {Stream} stream - of the other side, to which nobody listens
 * @param {(bytes?: Uint8Array) => void} take - undefined: nothing waits, or it is not to be taken
 */
export function opening(stream, take) {
  const isOpen = stream.readStatus === 'readable' && stream.remoteWriteStatus === 'writable'
  if (!isOpen || stream.readBufferLength === 0) return take()
  const onMessage = (/** @type {{ data: Uint8Array | Uint8ArrayList }} */ { data }) => {
    stream.removeEventListener('message', onMessage)
    take(data.subarray())
  }
  stream.addEventListener('message', onMessage)
}
