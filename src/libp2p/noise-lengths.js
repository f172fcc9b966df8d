/** @typedef {{ decoder: { lengthDecoder: (bytes: import('uint8arraylist').Uint8ArrayList) => number } }} LengthReader */

const LENGTH_BYTES = 2
/** The longest message of Noise has so many, which are not there either. */
const LONGEST_BYTES = 0xffff

/**
 * lengthsWithoutExceptions has a connection that Noise encrypts notice without an exception that no further message has begun. By itself it
 * throws and catches one for each chunk that is read: a twentieth of what serving a short stream costs.
 *
 * @param {unknown} connection - of Noise
 */
export function lengthsWithoutExceptions(connection) {
  const { decoder } = /** @type {LengthReader} */ (connection)
  const { lengthDecoder } = decoder
  decoder.lengthDecoder = bytes => (bytes.byteLength < LENGTH_BYTES ? LONGEST_BYTES : lengthDecoder(bytes))
}
