// Seeded random numbers that are the same on every machine, with a separate sequence for each use.
import { createHash } from 'node:crypto'
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'

/**
 * makeSubStream gives the random numbers of one concern of a run, so that one more draw in one concern never shifts another.
 *
 * @param {number | string} seed - the plan's seed, or one of its own
 * @param {...(string | number)} name - the concern, for example `'arrivals'` or `'namespaces', client`
 * @returns {() => number} uniform in [0, 1)
 */
export function makeSubStream(seed, ...name) {
  const digest = createHash('sha256')
    .update([seed, ...name].join('/'))
    .digest()
  const generator = xoroshiro128plus(digest.readInt32LE(0))
  return () => uniformFloat64(generator)
}

/**
 * shuffle gives items in a random order, all equally likely (R. Durstenfeld, Algorithm 235, CACM 7 (1964) 420).
 *
 * @template T
 * @param {readonly T[]} items
 * @param {() => number} random - uniform in [0, 1)
 * @returns {T[]}
 */
export function shuffle(items, random) {
  const order = [...items]
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    const item = order[last]
    order[last] = order[other]
    order[other] = item
  }
  return order
}

/** Of the series, when its argument is at most 0.18: what is left out is below the last bit of the sum. */
const TERMS = 11

/** ln m = 2·(y + y³/3 + y⁵/5 + …) with y = (m − 1) / (m + 1). @param {number} m - from √½ to √2 */
function series(m) {
  const y = (m - 1) / (m + 1)
  let sum = 0
  for (let term = 2 * TERMS + 1; term > 0; term -= 2) sum = sum * y * y + 1 / term
  return 2 * y * sum
}

/**
 * computeLogarithm gives the natural logarithm in + − × ÷ only, whose results the standard fixes to the last bit; those of `Math.log` may
 * differ between engines, and with them the outcome of a simulation.
 *
 * @param {number} x - above 0, finite
 * @returns {number} with an error below 1e-13 or a relative one below 1e-13
 * @throws {RangeError} for anything else
 */
export function computeLogarithm(x) {
  if (!(x > 0 && x < Infinity)) throw new RangeError(`There is no logarithm of ${x}: it must be above 0`)
  let part = x
  let powerOf2 = 0
  for (; part > Math.SQRT2; powerOf2 += 1) part /= 2
  for (; part < Math.SQRT2 / 2; powerOf2 -= 1) part *= 2
  return series(part) + powerOf2 * Math.LN2
}
