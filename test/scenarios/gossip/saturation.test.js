import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { encodeHistogram } from '../../../src/measure/distribution.js'
import { countWithinMs } from '../../../src/scenarios/gossip/measure/resource-usage.js'
import { GOSSIP_QA, readGossipPoint } from '../../../src/scenarios/gossip/saturation.js'
import { histogramOf } from '../../measure/samples.js'
import { aGossipPoint } from './a-gossip-point.js'
import { aGossipResult } from './a-gossip-result.js'

/** @typedef {import('../../../src/scenarios/gossip/outcome.js').GossipResult} GossipResult */

/** @param {number[]} ms */
const encoded = ms => encodeHistogram(histogramOf(ms.map(time => time * 1000)))

describe('countUpTo counts the values that are not above a limit', () => {
  /** @type {[string, number[], number, number][]} */
  const rows = [
    ['none', [], 1000, 0],
    ['all', [1, 2, 3], 3.1, 3],
    ['none of them', [10, 20], 5, 0],
    ['some', [10, 10, 10, 500, 1500, 1500], 1000, 4],
    ['one of many', [...Array(999).fill(2000), 1], 1000, 1],
    ['all but one of many', [...Array(9999).fill(1), 2000], 1000, 9999]
  ]
  for (const [what, times, ms, count] of rows)
    test(what, () => assert.equal(countWithinMs(encoded(times), ms), count))
})

const IN_TIME = { inTimeMs: 1000 }

/** Of 6 s. @param {Partial<GossipResult['outcome']>} [outcome] */
function aRun(outcome = {}) {
  const result = aGossipResult({ options: { messages: '60', rate: '10/s', nodes: '20' } })
  return { ...result, plan: { ...result.plan, durationMs: 6000 }, outcome: { ...result.outcome, ...outcome } }
}

describe('what a load came to in a gossip network', () => {
  test('messages and deliveries in time, of those that were due', () => {
    const point = readGossipPoint(aRun(), IN_TIME)
    const actual = [point.due, point.achieved, point.dueDeliveries, point.deliveries, point.published]
    assert.deepEqual(actual, [60, 60, 1140, 1140, { planned: 60, inTime: 60 }])
    assert.deepEqual([point.simulated, point.model, point.utilization], [false, null, 0.52])
    assert.ok(Number(point.tailMs) > 0 && point.rt.avg !== null)
  })

  test('what was due and not published is neither achieved nor delivered', () => {
    const { messages, delivery } = aRun().outcome
    const point = readGossipPoint(aRun({ messages: { ...messages, planned: 120 }, delivery }), IN_TIME)
    const actual = [point.due, point.achieved, point.dueDeliveries, point.deliveries]
    assert.deepEqual([actual, point.published], [[120, 60, 2280, 1140], { planned: 120, inTime: 60 }])
  })

  test('a message that took too long reached everyone, but not in time', () => {
    const { dissemination } = aRun().outcome
    const times = [...Array(40).fill(100), ...Array(20).fill(3000)]
    const slow = aRun({ dissemination: { ...dissemination, histogram: encoded(times) } })
    assert.equal(readGossipPoint(slow, IN_TIME).achieved, 40)
    assert.equal(readGossipPoint(slow, { inTimeMs: 5000 }).achieved, 60)
  })

  test('a message is published in time within a tenth of the time between two; one that the end cut off before is not due', () => {
    const { lateness, messages } = aRun().outcome
    const late = aRun({
      messages: { ...messages, planned: 61 },
      lateness: {
        ...lateness,
        histogram: encoded([...Array(58).fill(2), 300, 400]),
        censoredHistogram: encoded([1])
      }
    })
    const point = readGossipPoint(late, IN_TIME)
    assert.deepEqual([point.due, point.published], [60, { planned: 60, inTime: 58 }])
  })

  test('deliveries that never came are counted', () => {
    const { missing } = aRun().outcome
    assert.equal(readGossipPoint(aRun({ missing: { ...missing, pairs: 7 } }), IN_TIME).missing, 7)
  })
})

describe('what a load came to in a simulated network', () => {
  /** @param {Partial<GossipResult['outcome']>} [outcome] */
  function simulated(outcome) {
    const result = aRun({ resources: [], ...outcome })
    const lines = { upBandwidthBytesPerSecond: 200_000, linkBandwidthBytesPerSecond: null }
    return { ...result, plan: { ...result.plan, network: /** @type {const} */ ('simulated'), ...lines } }
  }

  test('says nothing of the machine, and how much of the model was used', () => {
    const { counters } = aRun().outcome
    const settings = {
      'simulated.processing.rpcNs': { value: 80_000, why: '' },
      'simulated.processing.signatureNs': { value: 100_000, why: '' }
    }
    const result = simulated({
      measuredMs: 10_000,
      counters: { ...counters, bytesSent: 20e6, rpcsReceived: 100_000, messagesReceived: 20_000 },
      network: { kind: 'simulated', settings }
    })
    const health = result.run.health.map(worker => ({ ...worker, utilization: 1 }))
    const point = readGossipPoint({ ...result, run: { ...result.run, health } }, IN_TIME)
    assert.deepEqual([point.utilization, point.cpuPercent], [null, null])
    // 20 MB of 20 nodes × 10 s × 200 kB/s; 8 s and 2 s of 20 nodes × 10 s
    const { degrees } = /** @type {NonNullable<typeof result.outcome.topology.measures>} */ (
      result.outcome.topology.measures
    )
    const more = degrees.max / degrees.avg
    assert.ok(more > 1)
    assert.deepEqual(point.model, {
      upBandwidth: { average: 0.5, busiest: Math.min(1, 0.5 * more) },
      processing: { average: 0.05, busiest: 0.05 * more }
    })
  })
})

describe('of a run that told little', () => {
  test('that was asked for messages instead of a time, all that was measured is the time', () => {
    const run = aRun({ measuredMs: 4321 })
    const point = readGossipPoint({ ...run, plan: { ...run.plan, durationMs: null } }, IN_TIME)
    assert.equal(point.durationMs, 4321)
  })

  test('that published nothing, every planned message was due at all other nodes', () => {
    const { messages, delivery, dissemination, latency } = aRun().outcome
    const none = encoded([])
    const point = readGossipPoint(
      aRun({
        messages: { ...messages, planned: 60, published: 0 },
        delivery: { ...delivery, expected: 0, delivered: 0, expectedMessages: 0, completeMessages: 0 },
        dissemination: { ...dissemination, histogram: none },
        latency: { ...latency, histogram: none }
      }),
      IN_TIME
    )
    assert.deepEqual([point.due, point.dueDeliveries, point.achieved, point.tailMs], [60, 1140, 0, null])
  })

  test('without a plan of messages, what was published was due', () => {
    const { messages } = aRun().outcome
    const point = readGossipPoint(aRun({ messages: { ...messages, planned: null } }), IN_TIME)
    assert.deepEqual([point.due, point.dueDeliveries], [60, 1140])
  })
})

/** @param {Parameters<typeof aGossipPoint>[0]} parts */
const figures = parts =>
  Object.fromEntries(
    GOSSIP_QA.figures.map(({ name, of }) => [name, of(/** @type {any} */ (aGossipPoint(parts)))])
  )

test('qa of gossip compares dissemination and CPU, and has nothing to compare where there are too few messages', () => {
  const { rt } = aGossipPoint()
  const p50 = { ms: 45, censored: false }
  assert.deepEqual(figures({ rt: { ...rt, p50 } }), { p50: 45, p99: 60, missing: 0, cpu: 80 })
  assert.deepEqual(figures({ tailMs: null, cpuPercent: null }), {
    p50: null,
    p99: null,
    missing: 0,
    cpu: null
  })
})
