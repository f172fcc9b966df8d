import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { encodeHistogram } from '../../../src/measure/distribution.js'
import { readLoadPoint } from '../../../src/scenarios/rendezvous/saturation.js'
import { histogramOf } from '../../measure/samples.js'
import { operation, sampleResult, summary } from '../../report/sample-result.js'

const OPTIONS = { rate: '100/s', duration: '2s', nClients: 2 }

/** @param {number} second @param {number} count @param {string} [outcome] @param {string} [type] */
const ended = (second, count, outcome = 'OK', type = 'REGISTER') =>
  /** @type {any} */ ({ second, type, outcome, histogram: [[1000, count]] })

/** @param {number[]} times - µs */
const encoded = times => encodeHistogram(histogramOf(times))

describe('what a load came to', () => {
  it('counts what succeeded within the time, and what waited at the end of each second', () => {
    const result = sampleResult({
      options: OPTIONS,
      outcome: {
        operations: {
          REGISTER: operation({ count: 200, errors: 10, outcomes: { OK: 190, TIMEOUT: 8, DROPPED: 2 } })
        },
        perSecond: [ended(0, 80), ended(1, 70), ended(1, 10, 'TIMEOUT'), ended(2, 40)]
      }
    })
    const { due, achieved, failed, waiting } = readLoadPoint(result)
    assert.deepEqual([due, achieved, failed, waiting], [200, 150, 10, [20, 40]])
  })

  it('tells what waited of each second where a point covers several', () => {
    const result = sampleResult({
      options: { ...OPTIONS, duration: '4s' },
      outcome: {
        operations: { REGISTER: operation({ count: 400 }) },
        perSecond: [ended(0, 151), ended(2, 151), ended(4, 98)],
        secondsPerPoint: 2
      }
    })
    const { achieved, waiting } = readLoadPoint(result)
    assert.deepEqual([achieved, waiting], [302, [24, 49, 73, 98]])
  })

  it('does not count CONNECT, which is part of the operation after it', () => {
    const result = sampleResult({
      options: { ...OPTIONS, connectionPerOperation: true },
      outcome: {
        operations: { CONNECT: operation({ count: 200 }), REGISTER: operation({ count: 200 }) },
        perSecond: [ended(0, 100, 'OK', 'CONNECT'), ended(0, 100), ended(1, 100)]
      }
    })
    const { due, achieved } = readLoadPoint(result)
    assert.deepEqual([due, achieved], [200, 200])
  })

  it('has the times of all types together', () => {
    const result = sampleResult({
      options: { ...OPTIONS, benchmarkType: 'MIXED' },
      outcome: {
        operations: {
          REGISTER: operation({ count: 50, histograms: { OK: encoded(new Array(50).fill(1000)) } }),
          DISCOVER: operation({ count: 50, histograms: { OK: encoded(new Array(50).fill(3000)) } })
        }
      }
    })
    const { avg, p50, p99 } = readLoadPoint(result).rt
    assert.ok(Math.abs((avg?.ms ?? 0) - 2) < 0.01)
    assert.ok(Math.abs((p50?.ms ?? 0) - 1) < 0.01)
    assert.equal(p99, null, '100 operations are too few')
  })

  it('has what server and generator used', () => {
    const result = sampleResult({ options: { ...OPTIONS, server: 'docker', cpus: 0.5 } })
    result.run.health = [0.4, 0.7].map((utilization, worker) => ({
      worker,
      utilization,
      cpuPercent: 50,
      turns: summary(1),
      overhead: summary(1)
    }))
    const { utilization, serverCpuPercent, serverMemoryBytes, limitedBy } = readLoadPoint(result)
    assert.deepEqual([utilization, serverCpuPercent, serverMemoryBytes], [0.7, 31.2, 1_106e6])
    const actual = limitedBy?.shares.slice(0, 2).flatMap(({ name, percent }) => [name, Math.round(percent)])
    assert.deepEqual(actual, ['server CPU', 31, 'load generator', 50])
  })
})
