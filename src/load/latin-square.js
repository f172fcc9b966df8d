import { shuffled } from '../kit/shuffled.js'

/**
 * rowsOf is how many orders of items are balanced.
 *
 * @param {number} items - how many there are
 */
export const rowsOf = items => (items % 2 === 0 ? items : 2 * items)

/**
 * balancedOrders orders items in rows, so that none always finds what another one has warmed: each is once in every row, and comes right
 * after every other one as often. With an even number of them that takes one Latin square, with each item once in every place; with an odd
 * number a second one, whose rows are those of the first, mirrored (E. J. Williams, Aust. J. Sci. Res. A 2 (1949) 149–168).
 *
 * @template T
 * @param {readonly T[]} items - at least one
 * @param {() => number} random - uniform in [0, 1): which item is which, and the order of the rows of a square
 * @returns {T[][]} square after square
 */
export function balancedOrders(items, random) {
  const dealt = shuffled(items, random)
  const first = zigzag(items.length)
  const square = dealt.map((_, row) => first.map(place => dealt[(place + row) % dealt.length]))
  if (items.length % 2 === 0) return shuffled(square, random)
  const mirrored = square.map(row => row.toReversed())
  return [square, mirrored].flatMap(rows => shuffled(rows, random))
}

/** 0, 1, n − 1, 2, n − 2, …: every difference of neighbours once, if n is even. @param {number} n */
const zigzag = n =>
  Array.from({ length: n }, (_, place) => (place % 2 === 1 ? (place + 1) / 2 : (n - place / 2) % n))
