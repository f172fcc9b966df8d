import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { seenIn, smallestShown, studentT } from '../../../src/studies/statistics.js'

/** @param {number} found @param {number} expected @param {number} [within] */
const near = (found, expected, within = 0.0005) =>
  assert.ok(Math.abs(found - expected) <= within, `${found}, not ${expected}`)

test("Student's distribution is that of the tables", () => {
  // NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2
  for (const [freedom, confidence, t] of [
    [1, 0.95, 12.706],
    [2, 0.95, 4.303],
    [3, 0.9, 2.353],
    [7, 0.95, 2.365],
    [10, 0.99, 3.169],
    [19, 0.95, 2.093],
    [100, 0.95, 1.984]
  ])
    near(studentT(freedom, confidence), t)
})

describe('what pairs could have seen', () => {
  const of = { wanted: 0.05, most: 20 }

  test('is half the width of the interval, and what more pairs would make of it', () => {
    const seen = seenIn({ low: 0.94, high: 1.11 }, 8, of)
    near(Number(seen?.change), 0.0867)
    assert.equal(seen?.pairs, 8)
    assert.ok(seen?.more && seen.more.pairs > 15 && seen.more.pairs <= 20 && seen.more.change <= 0.05)
  })

  test('is no more pairs where the change that is wanted shows, or none can be added', () => {
    assert.equal(seenIn({ low: 0.97, high: 1.03 }, 8, of)?.more, null)
    assert.equal(seenIn({ low: 0.5, high: 2 }, 20, of)?.more, null)
    const most = seenIn({ low: 0.5, high: 2 }, 8, of)?.more
    assert.equal(most?.pairs, 20)
    assert.ok(Number(most?.change) > 0.05)
  })

  test('is nothing where nothing bounds the interval', () => {
    assert.equal(seenIn({ low: 0, high: 2 }, 8, of), null)
    assert.equal(seenIn({ low: 1, high: Number.POSITIVE_INFINITY }, 8, of), null)
  })

  test('is known beforehand of a scatter: half of Student’s interval of the mean of 8', () =>
    near(smallestShown(8, 0.1), Math.expm1((2.365 * 0.1) / Math.sqrt(8))))
})
