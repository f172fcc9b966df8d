import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marksLeft } from '../../../../src/studies/matrix/view/marks-left.js'
import { sampleResult } from '../../../report/sample-result.js'

/** @param {number} own @param {number} waited */
const lateness = (own, waited) => ({
  hiccups: { count: 99, p99: { ms: 1.25 } },
  pressurePercent: 7,
  stealPercent: 0,
  processes: [
    { name: 'server', ownPercent: 90, waitedPercent: 50 },
    { name: 'worker 0', ownPercent: own, waitedPercent: waited },
    { name: 'worker 1', ownPercent: null, waitedPercent: null }
  ],
  series: []
})

/** @param {import('../../../../src/result/types.js').Warning[]} warnings @returns {any} */
const resultWith = warnings => {
  const result = sampleResult()
  return {
    ...result,
    run: { ...result.run, warnings, lateness: lateness(30, 4) },
    outcome: { ...result.outcome, latency: { lateness: lateness(12, 3) } }
  }
}

/** @type {any} */
const table = {
  id: 'load',
  rows: [
    { id: 'load/a', name: 'a' },
    { id: 'load/b', name: 'b' },
    {
      id: 'load/c',
      name: 'c',
      runs: 2,
      attempts: [1, 2].map(run => ({
        run,
        status: 'complete',
        result: `c${run}.json`,
        pressurePercent: 0,
        stealPercent: 0
      }))
    }
  ]
}
const mark = (/** @type {object} */ values) => ({
  code: 'PERCENTILES_DOUBTFUL',
  values: { type: 'REGISTER', percentiles: ['p50', 'p999'], cause: 'generator', ...values }
})

test('what is marked stands row by row, run by run, with who added to it and what was seen of that', () => {
  const results = new Map([
    ['load/a', resultWith([mark({}), mark({ cause: 'machine', part: 'latency' })])],
    ['load/b', resultWith([{ code: 'NOT_STATIONARY', values: {} }])],
    ['c1.json', resultWith([])],
    ['c2.json', resultWith([mark({ cause: 'unknown' })])]
  ])
  assert.deepEqual(marksLeft(table, results)?.rows, [
    ['a', 'REGISTER p50, p99.9', 'generator `*`', '30.0', '4.00', '7.00', '1.25'],
    ['a', 'latency of REGISTER p50, p99.9', 'machine `*m`', '12.0', '3.00', '7.00', '1.25'],
    ['c run 2', 'REGISTER p50, p99.9', 'not known `*?`', '30.0', '4.00', '7.00', '1.25']
  ])
})

test('of what was not seen there is a dash, and a cause of a later version stands as it is', () => {
  const earlier = resultWith([
    mark({ type: undefined, times: 'deliveries', cause: undefined }),
    mark({ cause: 'tides' })
  ])
  earlier.run.lateness = undefined
  const half = resultWith([mark({})])
  half.run.lateness = { ...lateness(30, 4), pressurePercent: null, hiccups: { count: 0, p99: null } }
  const results = new Map([
    ['load/a', earlier],
    ['load/b', half]
  ])
  const dashes = ['–', '–', '–', '–']
  assert.deepEqual(marksLeft(table, results)?.rows, [
    ['a', 'deliveries p50, p99.9', 'generator `*`', ...dashes],
    ['a', 'REGISTER p50, p99.9', 'tides', ...dashes],
    ['b', 'REGISTER p50, p99.9', 'generator `*`', '30.0', '4.00', '–', '–']
  ])
})

test('where no percentile is marked there is no list', () =>
  assert.equal(marksLeft(table, new Map([['load/a', resultWith([])]])), null))
