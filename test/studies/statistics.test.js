import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  estimateDetectableChange,
  findDetectableChange,
  measureScatter,
  studentT,
  testNonInferiority
} from '../../src/studies/statistics.js'

const MOST = { maxRatio: 1.1 }

describe('held against what it was', () => {
  test('passes what is the same, and what is better', () => {
    assert.equal(testNonInferiority([10, 10.1, 9.9], [10, 10.1, 9.9], MOST).verdict, 'PASS')
    assert.equal(testNonInferiority([10, 10.1, 9.9], [5, 5.1, 4.9], MOST).verdict, 'PASS')
  })

  test('fails what is surely worse by more than the margin', () => {
    const { verdict, ratio, interval } = testNonInferiority([10, 10.1, 9.9], [13, 13.1, 12.9], MOST)
    assert.equal(verdict, 'FAIL')
    assert.ok(ratio !== null && Math.abs(ratio - 1.3) < 0.01)
    assert.ok(interval !== null && interval.low > 1.1 && interval.high < 1.5)
  })

  test('leaves undecided what scatters too far, and what is at the margin', () => {
    assert.equal(testNonInferiority([5, 10, 20], [6, 11, 25], MOST).verdict, 'UNDECIDED')
    assert.equal(testNonInferiority([10, 10.1, 9.9], [11, 11.2, 10.9], MOST).verdict, 'UNDECIDED')
  })

  test('leaves a single run undecided, unless the scatter of others is told', () => {
    assert.deepEqual(testNonInferiority([10], [10], MOST), { verdict: 'UNDECIDED', ratio: 1, interval: null })
    const scatter = measureScatter([
      [10, 10.1, 9.9],
      [10, 10.1, 9.9]
    ])
    assert.equal(testNonInferiority([10], [10], { ...MOST, scatter }).verdict, 'PASS')
  })

  test('says nothing of figures of 0, or of none', () => {
    assert.equal(testNonInferiority([0, 1], [1, 1], MOST).ratio, null)
    assert.equal(testNonInferiority([], [1], MOST).verdict, 'UNDECIDED')
  })

  test('of 1,000 pairs of releases that are at the margin, about 5 % are failed', () => {
    let seed = 1
    const random = () => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
      return (seed + 0.5) / 2 ** 32
    }
    const normal = () => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random())
    const runs = (/** @type {number} */ centre) =>
      Array.from({ length: 3 }, () => centre * Math.exp(0.1 * normal()))
    const failed = Array.from({ length: 1000 }, () => testNonInferiority(runs(10), runs(11), MOST)).filter(
      ({ verdict }) => verdict === 'FAIL'
    ).length
    assert.ok(failed > 25 && failed < 80, String(failed))
  })
})

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
  const of = { wanted: 0.05, maxPairs: 20 }

  test('is half the width of the interval, and what more pairs would make of it', () => {
    const seen = findDetectableChange({ low: 0.94, high: 1.11 }, 8, of)
    near(Number(seen?.change), 0.0867)
    assert.equal(seen?.pairs, 8)
    assert.ok(seen?.more && seen.more.pairs > 15 && seen.more.pairs <= 20 && seen.more.change <= 0.05)
  })

  test('is no more pairs where the change that is wanted shows, or none can be added', () => {
    assert.equal(findDetectableChange({ low: 0.97, high: 1.03 }, 8, of)?.more, null)
    assert.equal(findDetectableChange({ low: 0.5, high: 2 }, 20, of)?.more, null)
    const most = findDetectableChange({ low: 0.5, high: 2 }, 8, of)?.more
    assert.equal(most?.pairs, 20)
    assert.ok(Number(most?.change) > 0.05)
  })

  test('is nothing where nothing bounds the interval', () => {
    assert.equal(findDetectableChange({ low: 0, high: 2 }, 8, of), null)
    assert.equal(findDetectableChange({ low: 1, high: Number.POSITIVE_INFINITY }, 8, of), null)
  })

  test('is known beforehand of a scatter: half of Student’s interval of the mean of 8', () =>
    near(estimateDetectableChange(8, 0.1), Math.expm1((2.365 * 0.1) / Math.sqrt(8))))
})
