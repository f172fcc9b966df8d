import { sumOf } from '../../kit/lists.js'
import { within } from '../../kit/time-limit.js'
import { groupsOf } from '../../load/roles.js'
import { startNullServer } from '../../target/null-server.js'
import { Measurement } from './measure/measurement.js'
import { operationResults } from './measure/operation-result.js'
import { WorkerPool } from './run/pool.js'

/**
 * The floor of a load generator: what its clients measure here of a null server. No server can be measured below it.
 *
 * @typedef {import('../../plan/plan.js').Plan} Plan
 * @typedef {import('../../result/types.js').Summary} Summary
 * @typedef {NonNullable<import('../../result/types.js').Result['outcome']['floor']>} Floor
 *
 * @typedef {object} FloorParts
 * @property {Pick<WorkerPool, 'moveTo' | 'begin' | 'prepare' | 'run' | 'abort'>} pool - of the load generator; its clients stay with the null server
 * @property {(measurement: Measurement) => void} measuring - is told where operations go from now on
 * @property {(doneMs: number) => void} [onProgress]
 * @property {{ warmUpMs: number, measureMs: number }} [lengths] - default: those of a run
 * @property {AbortSignal} signal - ends it
 */

/** So many clients at most: each takes some ms of both sides to connect. */
const MAX_CLIENTS = 100
/** How long a run asks: the null server is new, its clients are not. p99 at 1,000/s needs 1 s. */
const AFTER_RUN = Object.freeze({ warmUpMs: 3000, measureMs: 1500 })
/** How long clients ask that are new, too. */
const BY_ITSELF = Object.freeze({ warmUpMs: 2000, measureMs: 2000 })
/** FLOOR_MS is how long a run asks a null server in all, beside connecting. */
export const FLOOR_MS = AFTER_RUN.warmUpMs + AFTER_RUN.measureMs
/** Starting the null server, connecting and all operations take so long at most. */
const TIME_LIMIT_MS = 30_000
const PROGRESS_MS = 250

/**
 * floorPlan is what the clients of a plan send to a null server: a REGISTER each time, at the same rate or as fast as they are answered.
 *
 * @param {Plan} plan
 * @returns {Plan}
 */
export function floorPlan(plan) {
  const rates = groupsOf(plan).map(({ ratePerSecond }) => ratePerSecond)
  return {
    ...plan,
    nClients: Math.min(plan.nClients, MAX_CLIENTS),
    ...{ providers: null, discoverers: null, providerRatePerSecond: null, discovererRatePerSecond: null },
    ratePerSecond: rates.includes(null) ? null : sumOf(rates, Number),
    ...{ benchmarkType: 'REGISTER', registerMode: 'refresh', mix: null, initialRegistrations: 0 },
    ...{ thinkTimeMs: null, churn: null },
    ...{ servers: 1, targets: null, store: 'memory', failover: false, faults: [], samples: false }
  }
}

/**
 * measureFloor measures a null server by the clients of a plan, which have done their work.
 *
 * @param {Plan} plan
 * @param {FloorParts} parts
 * @returns {Promise<Floor>}
 * @throws {Error} why there is none
 */
export async function measureFloor(plan, { signal, ...parts }) {
  const limit = within(signal, TIME_LIMIT_MS)
  const server = await startNullServer({ signal: limit })
  try {
    return await Promise.race([ended(limit), measured(floorPlan(plan), server.address, parts)])
  } catch (error) {
    parts.pool.abort(String(error))
    throw error
  } finally {
    await server.stop()
  }
}

/** @param {AbortSignal} limit @returns {Promise<never>} */
const ended = limit =>
  new Promise((_, reject) => limit.addEventListener('abort', () => reject(limit.reason), { once: true }))

/**
 * @param {Plan} plan
 * @param {string} address
 * @param {Omit<FloorParts, 'signal'>} parts
 * @returns {Promise<Floor>}
 */
async function measured(plan, address, { pool, measuring, onProgress = () => {}, lengths = AFTER_RUN }) {
  await pool.moveTo(plan, [address])
  const beganMs = performance.now()
  const timer = setInterval(() => onProgress(Math.min(FLOOR_MS, performance.now() - beganMs)), PROGRESS_MS)
  /** @param {number} durationMs @param {Plan} ofStretch */
  const stretch = async (durationMs, ofStretch) => {
    const measurement = new Measurement(plan.workers)
    measuring(measurement)
    // of a warm-up: arrivals are steady in it
    await pool.begin('warmup', ofStretch)
    await pool.prepare({ operations: null, durationMs, minDurationMs: 0 })
    const { startNs, ended } = pool.run()
    measurement.begin(startNs)
    measurement.end((await ended).map(({ endNs }) => endNs))
    return measurement
  }
  try {
    // as fast as it answers, whatever the rate: a null server whose code is not compiled yet takes longer than a server that is warm
    await stretch(lengths.warmUpMs, { ...plan, ratePerSecond: null })
    return floorOf(plan, await stretch(lengths.measureMs, plan))
  } finally {
    clearInterval(timer)
  }
}

/** @param {Plan} plan @param {Measurement} measurement @returns {Floor} */
function floorOf(plan, measurement) {
  const { REGISTER } = operationResults(plan, measurement)
  if (REGISTER === undefined || REGISTER.count === 0) throw new Error('nothing was sent')
  const { count, errors, outcomes, rt } = REGISTER
  if (errors > 0) throw new Error(`${errors} of ${count} operations failed: ${JSON.stringify(outcomes)}`)
  return { ratePerSecond: plan.ratePerSecond, clients: plan.nClients, operations: count, rt: rt.all }
}

/** FLOOR_OPTIONS are of the plan by which a machine is measured without a run. */
export const FLOOR_OPTIONS = Object.freeze({ nClients: 4, rate: '1000/s', workers: 1 })

/**
 * floorOfMachine measures the floor of this machine by clients that are started for it.
 *
 * @param {Plan} plan
 * @returns {Promise<Floor>}
 * @throws {Error} why there is none
 */
export async function floorOfMachine(plan) {
  let measurement = new Measurement(plan.workers)
  const died = new AbortController()
  const pool = await WorkerPool.start({
    plan,
    runId: 'floor',
    servers: [],
    expected: null,
    severalPerStream: true,
    samplesFile: () => null,
    onInterval: (interval, worker) => measurement.addLoad(interval, worker),
    onConnected: () => {},
    onDied: error => died.abort(error),
    signal: died.signal
  })
  try {
    return await measureFloor(plan, {
      pool,
      measuring: current => {
        measurement = current
      },
      lengths: BY_ITSELF,
      signal: died.signal
    })
  } finally {
    await pool.stop()
  }
}
