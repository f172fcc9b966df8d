import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { noWorse, scatterOf } from '../../../src/studies/statistics.js'

const MOST = { most: 1.1 }

describe('held against what it was', () => {
  test('passes what is the same, and what is better', () => {
    assert.equal(noWorse([10, 10.1, 9.9], [10, 10.1, 9.9], MOST).verdict, 'PASS')
    assert.equal(noWorse([10, 10.1, 9.9], [5, 5.1, 4.9], MOST).verdict, 'PASS')
  })

  test('fails what is surely worse by more than the margin', () => {
    const { verdict, ratio, interval } = noWorse([10, 10.1, 9.9], [13, 13.1, 12.9], MOST)
    assert.equal(verdict, 'FAIL')
    assert.ok(ratio !== null && Math.abs(ratio - 1.3) < 0.01)
    assert.ok(interval !== null && interval.low > 1.1 && interval.high < 1.5)
  })

  test('leaves undecided what scatters too far, and what is at the margin', () => {
    assert.equal(noWorse([5, 10, 20], [6, 11, 25], MOST).verdict, 'UNDECIDED')
    assert.equal(noWorse([10, 10.1, 9.9], [11, 11.2, 10.9], MOST).verdict, 'UNDECIDED')
  })

  test('leaves a single run undecided, unless the scatter of others is told', () => {
    assert.deepEqual(noWorse([10], [10], MOST), { verdict: 'UNDECIDED', ratio: 1, interval: null })
    const scatter = scatterOf([
      [10, 10.1, 9.9],
      [10, 10.1, 9.9]
    ])
    assert.equal(noWorse([10], [10], { ...MOST, scatter }).verdict, 'PASS')
  })

  test('says nothing of figures of 0, or of none', () => {
    assert.equal(noWorse([0, 1], [1, 1], MOST).ratio, null)
    assert.equal(noWorse([], [1], MOST).verdict, 'UNDECIDED')
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
    const failed = Array.from({ length: 1000 }, () => noWorse(runs(10), runs(11), MOST)).filter(
      ({ verdict }) => verdict === 'FAIL'
    ).length
    assert.ok(failed > 25 && failed < 80, String(failed))
  })
})
