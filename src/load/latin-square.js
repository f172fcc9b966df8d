import { shuffled } from '../kit/shuffled.js'

/**
 * latinSquare orders items in as many rows as there are items: each is once in every row, and once in every place. With an even number
 * of them each also comes right after every other one as often (E. J. Williams, Aust. J. Sci. Res. A 2 (1949) 149–168); with an odd
 * number that takes two squares. So none always finds what another one has warmed.
 *
 * @template T
 * @param {readonly T[]} items - at least one
 * @param {() => number} random - uniform in [0, 1): which item is which, and the order of the rows
 * @returns {T[][]}
 */
export function latinSquare(items, random) {
  const dealt = shuffled(items, random)
  const first = zigzag(items.length)
  const rows = dealt.map((_, row) => first.map(place => dealt[(place + row) % dealt.length]))
  return shuffled(rows, random)
}

/** 0, 1, n − 1, 2, n − 2, …: every difference of neighbours once, if n is even. @param {number} n */
const zigzag = n =>
  Array.from({ length: n }, (_, place) => (place % 2 === 1 ? (place + 1) / 2 : (n - place / 2) % n))
