import { subStream } from '../../kit/random.js'

/** More ways than this to split the items are drawn from instead of gone through. */
const MOST_SPLITS = 20_000
/** Distances that ought to be equal differ by rounding. */
const EPSILON = 1e-12

/** How many ways there are to choose k of n. @param {number} n @param {number} k */
function choose(n, k) {
  let ways = 1
  for (let i = 1; i <= k; i++) ways = (ways * (n - k + i)) / i
  return Math.round(ways)
}

/**
 * Every choice of k of n numbers.
 *
 * @param {number} n
 * @param {number} k
 * @param {number} [from]
 * @returns {Generator<number[]>}
 */
function* choices(n, k, from = 0) {
  if (k === 0) yield []
  else
    for (let first = from; first <= n - k; first++)
      for (const rest of choices(n, k - 1, first + 1)) yield [first, ...rest]
}

/** Choices at random, the same ones each time. @param {number} n @param {number} k @returns {Generator<number[]>} */
function* drawnChoices(n, k) {
  const random = subStream(1, 'permutation-test', String(n), String(k))
  for (let drawn = 0; drawn < MOST_SPLITS; drawn++) {
    const items = Array.from({ length: n }, (_, item) => item)
    for (let place = 0; place < k; place++) {
      const other = place + Math.floor(random() * (n - place))
      const item = items[place]
      items[place] = items[other]
      items[other] = item
    }
    yield items.slice(0, k)
  }
}

/**
 * How much further items of two groups are from each other than items of the same group: the energy statistic.
 *
 * @param {readonly (readonly number[])[]} distances
 * @param {readonly number[]} first - the items of the first group
 */
function separation(distances, first) {
  const isFirst = new Set(first)
  const sums = { first: 0, second: 0, across: 0 }
  for (let a = 0; a < distances.length; a++)
    for (let b = a + 1; b < distances.length; b++) {
      const group = isFirst.has(a) !== isFirst.has(b) ? 'across' : isFirst.has(a) ? 'first' : 'second'
      sums[group] += distances[a][b]
    }
  const [m, n] = [first.length, distances.length - first.length]
  return (2 * sums.across) / (m * n) - (2 * sums.first) / (m * m) - (2 * sums.second) / (n * n)
}

/**
 * permutationTest asks whether two groups of items are of the same kind: if they are, every split of all items into groups of these
 * sizes could as well have been the one that was seen. p is the share of splits in which the groups lie at least as far apart, by
 * the energy statistic (G. J. Székely, M. L. Rizzo, Testing for equal distributions in high dimension, InterStat 5 (2004)). It is exact
 * up to 8 and 8 items; beyond that splits are drawn, and the one that was seen counts as one of them.
 *
 * @param {readonly (readonly number[])[]} distances - between any two items, those of the first group first
 * @param {number} first - how many items the first group has, at least one and not all
 * @returns {number} p, never 0
 */
export function permutationTest(distances, first) {
  const items = distances.length
  const seen = separation(
    distances,
    Array.from({ length: first }, (_, item) => item)
  )
  const exact = choose(items, first) <= MOST_SPLITS
  let splits = exact ? 0 : 1
  let asFar = splits
  for (const split of exact ? choices(items, first) : drawnChoices(items, first)) {
    splits++
    if (separation(distances, split) >= seen - EPSILON) asFar++
  }
  return asFar / splits
}
