// CPython's random number generator (Mersenne Twister), so that generated topologies are equal to those of NetworkX.
const SIZE = 624
const SHIFT = 397
const UPPER_BIT = 0x80000000
const LOWER_BITS = 0x7fffffff

/**
 * @typedef {object} MersenneTwister
 * @property {(k: number) => number} getrandbits - a whole number of k random bits, k from 1 to 32
 * @property {<T>(items: ArrayLike<T>) => T} choice - one of the items, each as likely
 * @property {() => number} random - uniform in [0, 1), of 53 bits
 */

/**
 * mersenneTwister gives the random numbers of CPython's `random.Random(seed)`, which NetworkX makes its graphs from: MT19937
 * of Matsumoto and Nishimura (1998), seeded by array (2002).
 *
 * @param {number | bigint | string} seed - a whole number of any size, in digits where it is a string; as in CPython its sign does not count
 * @returns {MersenneTwister}
 * @throws {RangeError} the seed is not a whole number
 */
export function mersenneTwister(seed) {
  const state = seededByArray(BigInt(seed))
  let next = SIZE

  /** @param {number} k */
  function getrandbits(k) {
    if (!Number.isInteger(k) || k < 1 || k > 32) throw new RangeError(`${k} bits: must be from 1 to 32`)
    if (next === SIZE) {
      renew(state)
      next = 0
    }
    return tempered(state[next++]) >>> (32 - k)
  }

  /** @template T @param {ArrayLike<T>} items */
  function choice(items) {
    const k = 32 - Math.clz32(items.length)
    let index = getrandbits(k)
    while (index >= items.length) index = getrandbits(k)
    return items[index]
  }

  const random = () => (getrandbits(27) * 2 ** 26 + getrandbits(26)) / 2 ** 53

  return { getrandbits, choice, random }
}

/** @param {bigint} seed */
function seededByArray(seed) {
  // the 32-bit words of the seed, the lowest first; 0 is one word
  const key = []
  for (let rest = seed < 0n ? -seed : seed; rest > 0n || key.length === 0; rest >>= 32n)
    key.push(Number(rest & 0xffffffffn))
  const state = new Uint32Array(SIZE)
  state[0] = 19650218
  for (let index = 1; index < SIZE; index++)
    state[index] = Math.imul(1812433253, mixed(state[index - 1])) + index
  let i = 1
  const advance = () => {
    i++
    if (i < SIZE) return
    state[0] = state[SIZE - 1]
    i = 1
  }
  for (let k = 0; k < Math.max(SIZE, key.length); k++) {
    const j = k % key.length
    state[i] = (state[i] ^ Math.imul(mixed(state[i - 1]), 1664525)) + key[j] + j
    advance()
  }
  for (let k = 1; k < SIZE; k++) {
    state[i] = (state[i] ^ Math.imul(mixed(state[i - 1]), 1566083941)) - i
    advance()
  }
  state[0] = UPPER_BIT
  return state
}

/** @param {number} word */
const mixed = word => word ^ (word >>> 30)

/**
 * renew makes the next 624 words of the state from the last ones.
 *
 * @param {Uint32Array} state
 */
function renew(state) {
  for (let i = 0; i < SIZE; i++) {
    const bits = (state[i] & UPPER_BIT) | (state[(i + 1) % SIZE] & LOWER_BITS)
    state[i] = state[(i + SHIFT) % SIZE] ^ (bits >>> 1) ^ (bits & 1 ? 0x9908b0df : 0)
  }
}

/** @param {number} word */
function tempered(word) {
  let y = word
  y ^= y >>> 11
  y ^= (y << 7) & 0x9d2c5680
  y ^= (y << 15) & 0xefc60000
  return (y ^ (y >>> 18)) >>> 0
}
