import { decode, encode } from 'it-length-prefixed'

/** @typedef {import('./way.js').Request} Request */

const MOST_BYTES = 1024

/** requestBytes writes a request for a stream of libp2p. @param {Request} request */
export const requestBytes = request => encode.single(new TextEncoder().encode(JSON.stringify(request)))

/** readRequest reads it. @param {AsyncIterable<Uint8Array | import('uint8arraylist').Uint8ArrayList>} stream @returns {Promise<Request>} */
export async function readRequest(stream) {
  for await (const frame of decode(stream, { maxDataLength: MOST_BYTES }))
    return JSON.parse(new TextDecoder().decode(frame.subarray()))
  throw new Error('a stream was closed before it asked for anything')
}
