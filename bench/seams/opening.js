/** What libp2p keeps of a stream is read where it keeps it. @param {any} stream @param {(bytes?: Uint8Array) => void} take */
export function opening(stream, take) {
  const { readBuffer } = stream
  const isOpen = stream.readStatus === 'readable' && stream.remoteWriteStatus === 'writable'
  if (!isOpen || readBuffer.byteLength === 0) return take()
  const bytes = readBuffer.subarray()
  readBuffer.consume(bytes.length)
  take(bytes)
}
