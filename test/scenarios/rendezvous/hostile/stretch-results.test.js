import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Histogram } from '../../../../src/measure/histogram.js'
import { StretchResults } from '../../../../src/scenarios/rendezvous/hostile/stretch-results.js'

/** @param {number} second @param {string} outcome @param {number} us @param {number} count @param {string} [type] */
function interval(second, outcome, us, count, type = 'DISCOVER') {
  const histogram = new Histogram()
  for (let i = 0; i < count; i++) histogram.record(us)
  return /** @type {any} */ ({ second, cells: [{ metric: 'rt', type, outcome, data: histogram.toData() }] })
}

/** @param {number} seconds @param {(second: number) => number} us */
function filled(seconds, us) {
  const results = new StretchResults({ everyMs: 5000, pairs: 2 })
  for (let second = 0; second < seconds; second++) results.add(interval(second, 'OK', us(second), 500))
  return results
}

const isHostile = (/** @type {number} */ second) => Math.floor(second / 5) % 2 === 1

describe('what clients experience in quiet and hostile stretches', () => {
  it('is compared by pairs of those that are over', () => {
    const results = filled(20, second => (isHostile(second) ? 4000 : 1000))
    results.observe(0, false, { longestTurnMs: 3 })
    results.observe(0, true, { longestTurnMs: 7, notSent: 0.25 })
    const { pairs, p50, p99, count, recoveryMs, notSent, longestTurnMs } = results.result([
      { atMs: 3000, cpuPercent: 10, rssBytes: 5 },
      { atMs: 8000, cpuPercent: 30, rssBytes: 6 },
      { atMs: 8500, cpuPercent: 50, rssBytes: 8 }
    ])
    assert.equal(pairs.length, 1)
    assert.deepEqual(count, { quiet: 1500, hostile: 1500 })
    for (const ratio of [p50, p99]) assert.ok(ratio !== null && Math.abs(ratio.ratio - 4) < 0.05)
    assert.equal(p99?.low, null, 'fewer than 6 pairs')
    assert.deepEqual(longestTurnMs, { quiet: 3, hostile: 7 })
    assert.deepEqual([recoveryMs, notSent], [0, 0.25])
    assert.deepEqual([pairs[0].hostile.cpuPercent, pairs[0].hostile.rssBytes], [40, 8])
  })

  it('counts an operation where it was due, not where it ended, and as at least what it waited', () => {
    const results = filled(20, () => 1000)
    results.add(interval(11, 'TIMEOUT', 3_000_000, 100))
    results.observe(0, true, { longestTurnMs: null })
    const { pairs, p99, failed } = results.result([])
    assert.deepEqual(failed, { quiet: 0, hostile: 100 })
    assert.deepEqual(pairs[0].hostile.failures, { TIMEOUT: 100 })
    assert.equal(p99?.atLeast, true)
  })

  it('recovers when seconds are as fast as quiet ones before', () => {
    const results = filled(20, second => (isHostile(second) || second === 10 || second === 11 ? 9000 : 1000))
    results.observe(0, true, { longestTurnMs: null })
    assert.equal(results.result([]).recoveryMs, 2000)
  })

  it('is not of connections, nor of messages that ask no server', () => {
    const results = new StretchResults({ everyMs: 5000, pairs: 2 })
    for (const type of ['CONNECT', 'PUBLISH']) results.add(interval(3, 'OK', 1000, 50, type))
    results.observe(0, true, { longestTurnMs: null })
    assert.deepEqual(results.result([]).count, { quiet: 0, hostile: 0 })
  })
})
