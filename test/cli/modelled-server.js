import { operation, sampleResult, summary, time } from '../report/sample-result.js'

/**
 * @typedef {import('../../src/scenarios/rendezvous/options.js').Plan} Plan
 * @typedef {import('../../src/report/schema.js').Result} Result
 *
 * @typedef {object} Modelled
 * @property {number} capacity - operations per second
 * @property {number} [utilization] - of the load generator beyond it; from 0.9 on it is the load generator that carries no more, and the server
 *   has time left
 * @property {number} [p50Ms]
 * @property {number} [p99Ms]
 */

/**
 * modelledRun is what a server that carries up to a rate makes of a plan: up to it 2 ms, beyond it a queue that grows.
 *
 * @param {Plan} plan
 * @param {string} id
 * @param {Modelled} server
 * @returns {Result}
 */
export function modelledRun(plan, id, { capacity, utilization = 0.4, p50Ms, p99Ms }) {
  const rate = /** @type {number} */ (plan.ratePerSecond)
  const seconds = /** @type {number} */ (plan.durationMs) / 1000
  const carried = Math.min(rate, capacity)
  const over = rate > capacity
  const busy = over ? utilization : 0.3
  const serverPercent = Math.min(1, rate / capacity) * (busy >= 0.9 ? 60 : 100)
  const by = (/** @type {number} */ second) => Math.round(carried * second)
  const count = Math.round(rate * seconds)
  const ms = over ? 1000 * (1 - capacity / rate) * seconds : 2
  const all = summary(count, {
    avg: time(ms),
    p50: time(p50Ms ?? ms),
    p99: time(p99Ms ?? 2 * ms),
    max: time(3 * ms)
  })
  const type = plan.benchmarkType === 'DISCOVER' ? 'DISCOVER' : 'REGISTER'
  const sample = sampleResult({
    outcome: {
      operations: {
        [type]: operation({
          count,
          all,
          outcomes: { OK: count },
          throughputPerSecond: carried,
          lag: summary(count, { p99: time(0.1) })
        })
      },
      perSecond: Array.from({ length: seconds + 1 }, (_, second) => ({
        second,
        type: /** @type {'REGISTER'} */ (type),
        outcome: 'OK',
        histogram: /** @type {[number, number][]} */ ([
          [ms * 1000, (second < seconds ? by(second + 1) : count) - by(second)]
        ])
      })).filter(({ histogram }) => histogram[0][1] > 0),
      measuredMs: (1000 * count) / carried,
      server: {
        cpu: { averagePercent: serverPercent, medianPercent: 40, maxPercent: 100, samples: 40 },
        memory: { averageBytes: 98e6, medianBytes: 98e6, maxBytes: 100e6, samples: 40 },
        memoryCountedAs: 'resident set',
        series: []
      }
    }
  })
  const health = [
    { worker: 0, utilization: busy, cpuPercent: 100 * busy, turns: summary(9), overhead: summary(9) }
  ]
  return { ...sample, id, plan: { ...plan }, run: { ...sample.run, health } }
}

/**
 * failedRun is what is left of a run that ended early.
 *
 * @param {Plan} plan
 * @param {string} id
 * @param {string} message
 * @returns {Result}
 */
export const failedRun = (plan, id, message) => ({
  ...sampleResult(),
  id,
  plan: { ...plan },
  status: 'partial',
  reason: { code: 'SERVER_EXITED', message }
})
