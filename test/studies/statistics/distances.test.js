import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { kolmogorovSmirnov } from '../../../src/studies/statistics/kolmogorov-smirnov.js'
import { permutationTest } from '../../../src/studies/statistics/permutation-test.js'
import { totalVariation } from '../../../src/studies/statistics/total-variation.js'

/** @param {number} actual @param {number} expected */
const near = (actual, expected) =>
  assert.ok(Math.abs(actual - expected) < 1e-12, `${actual} is not ${expected}`)

/** Counted by hand. @type {[string, number[], number[], number, number][]} what, a, b, tolerance, distance */
const KS = [
  ['the same values', [1, 2, 3], [1, 2, 3], 0, 0],
  ['the same shares in another number of values', [1, 2], [1, 1, 1, 2, 2, 2], 0, 0],
  ['nothing in common', [1, 2], [3, 4], 0, 1],
  ['one of two elsewhere', [1, 3], [1, 2], 0, 1 / 2],
  ['one of four later', [1, 2, 3, 4], [1, 2, 3, 9], 0, 1 / 4],
  ['between: at 2, 2/3 of the one and 1/4 of the other', [1, 2, 5], [2, 3, 4, 6], 0, 2 / 3 - 1 / 4],
  ['a step that comes later, all of it', [1, 1, 2, 2], [1.05, 1.05, 2.05, 2.05], 0, 1 / 2],
  ['the same with a tolerance above it', [1, 1, 2, 2], [1.05, 1.05, 2.05, 2.05], 0.1, 0],
  ['at the tolerance itself', [1], [1.5], 0.5, 0],
  ['beyond the tolerance, whichever is later', [1.5], [1], 0.25, 1],
  ['a step that is missing, whatever the tolerance', [1, 1, 2, 2], [1, 2, 2, 2], 0.5, 1 / 4],
  ['latency that is doubled: all but what it began with', [1, 2, 2, 3], [2, 4, 4, 6], 0.1, 3 / 4],
  ['a single value each', [0], [0], 0, 0]
]

describe('the Kolmogorov–Smirnov distance', () => {
  for (const [what, a, b, tolerance, distance] of KS)
    test(`of ${what}`, () => {
      near(kolmogorovSmirnov(a, b, tolerance), distance)
      near(kolmogorovSmirnov(b, a, tolerance), distance)
    })
})

/** @type {[string, number[], number[], number][]} */
const TV = [
  ['the same counts', [0, 3, 1], [0, 3, 1], 0],
  ['the same shares', [1, 1], [50, 50], 0],
  ['nothing in common', [4], [0, 7], 1],
  ['a quarter moved', [2, 2], [1, 3], 1 / 4],
  ['a value that only one has', [1, 1], [1, 1, 2], 1 / 2],
  ['three values: ½(|.5−.2| + |.3−.3| + |.2−.5|)', [5, 3, 2], [2, 3, 5], 0.3]
]

describe('the total variation', () => {
  for (const [what, a, b, distance] of TV)
    test(`of ${what}`, () => {
      near(totalVariation(a, b), distance)
      near(totalVariation(b, a), distance)
    })
})

/** @param {number[]} values */
const distancesOf = values => values.map(a => values.map(b => Math.abs(a - b)))

/** @type {[string, number[], number, number][]} what, values, of the first group, p */
const P = [
  [
    'two groups apart: 1 of 126 splits, whichever group is called first',
    [1, 2, 3, 4, 5, 11, 12, 13, 14, 15],
    5,
    2 / 252
  ],
  ['groups of other sizes: 1 of 10 splits', [1, 2, 8, 9, 10], 2, 1 / 10],
  ['all the same: every split', [1, 1, 1, 1], 2, 1],
  ['groups that lie within each other: the least apart of all splits', [1, 4, 2, 3], 2, 1]
]

describe('the permutation test', () => {
  for (const [what, values, first, p] of P)
    test(`of ${what}`, () => near(permutationTest(distancesOf(values), first), p))

  test('of more groups than can be gone through draws from them, the same each time', () => {
    const apart = distancesOf(Array.from({ length: 24 }, (_, i) => i + (i < 12 ? 0 : 100)))
    assert.ok(permutationTest(apart, 12) < 0.001)
    const mixed = distancesOf(Array.from({ length: 24 }, (_, i) => (i * 7) % 24))
    const p = permutationTest(mixed, 12)
    assert.ok(p > 0.2, `${p}`)
    assert.equal(permutationTest(mixed, 12), p)
  })
})
