/**
 * readBody gives the body of a request piece by piece, up to a number of bytes.
 *
 * @param {AsyncIterable<Uint8Array>} request
 * @param {number} maxBytes
 * @throws {Error} for a longer one, when that many bytes were given out
 */
export async function* readBody(request, maxBytes) {
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new Error(`a body has at most ${maxBytes} bytes`)
    yield chunk
  }
}
