/**
 * @typedef {import('./node-random.js').NodeRandom} NodeRandom
 * @typedef {(error: Error | null, value: unknown) => void} Done
 */

const MOST_BYTES = 65_536
const UINT48 = 2 ** 48

/** @param {ArrayBufferView} view */
const bytesOf = view => new Uint8Array(view.buffer, view.byteOffset, view.byteLength)

/** @param {Uint8Array} bytes - 16 */
function uuidOf(bytes) {
  bytes[6] = (bytes[6] & 0x0f) | 0x40
  bytes[8] = (bytes[8] & 0x3f) | 0x80
  const hex = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/**
 * virtualRandom makes the functions of Web Crypto and `node:crypto` that give random numbers, from those of the node whose turn it is.
 *
 * @param {NodeRandom} random
 * @param {(run: () => void) => unknown} later - setImmediate of virtual time, for the functions with a callback
 */
export function virtualRandom(random, later) {
  /** @template {ArrayBufferView} T @param {T} array @returns {T} */
  const getRandomValues = array => {
    const bytes = bytesOf(array)
    if (bytes.length > MOST_BYTES)
      throw new DOMException(`more than ${MOST_BYTES} bytes were asked for at once`, 'QuotaExceededError')
    random.fill(bytes)
    return array
  }
  const randomUUID = () => {
    const bytes = new Uint8Array(16)
    random.fill(bytes)
    return uuidOf(bytes)
  }
  const randomFillSync = (/** @type {any} */ target, offset = 0, size = undefined) => {
    const bytes = ArrayBuffer.isView(target) ? bytesOf(target) : new Uint8Array(target)
    random.fill(bytes.subarray(offset, size === undefined ? undefined : offset + size))
    return target
  }
  const inRange = (/** @type {number} */ low, /** @type {number} */ high) => {
    if (!(high - low > 0 && high - low < UINT48))
      throw new RangeError(`no whole number is in ${low} to ${high}`)
    return low + Math.floor(random.next() * (high - low))
  }

  return {
    web: { getRandomValues, randomUUID },
    // node:crypto hands getRandomValues on from Web Crypto
    node: {
      randomUUID,
      randomFillSync,
      randomBytes: (/** @type {number} */ size, /** @type {Done} */ done) =>
        given(randomFillSync(Buffer.alloc(size)), done),
      randomFill: (/** @type {any} */ target, /** @type {any[]} */ ...rest) =>
        given(randomFillSync(target, ...rest.slice(0, -1)), rest.at(-1)),
      randomInt: (/** @type {number} */ a, /** @type {any} */ b, /** @type {Done} */ done) =>
        typeof b === 'number' ? given(inRange(a, b), done) : given(inRange(0, a), b)
    }
  }

  /** @template T @param {T} value @param {Done | undefined} done */
  function given(value, done) {
    if (done === undefined) return value
    later(() => done(null, value))
  }
}
