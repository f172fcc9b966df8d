import { setTimeout as sleep } from 'node:timers/promises'
import { sumOf } from '../../../kit/lists.js'
import { measureRound, warmupRound } from '../../../load/rounds.js'
import { againMs, medianOf, stretchMs, warmUpIsOver, warmUpResult } from '../../../load/warm-up.js'
import { controlsOf, serversOf } from '../../../target/target.js'
import { TargetError } from '../../../target/target-error.js'
import { RENDEZVOUS_FIGURES } from '../figures.js'
import { Measurement } from '../measure/measurement.js'
import { ServerDurations } from '../measure/server-durations.js'
import { startFaults } from './faults.js'
import { watchIntervals } from './interval-watch.js'
import { tellProgress } from './measure-progress.js'
import { requestsServed, watchReplies } from './reply-watch.js'
import { sampleDuring } from './sample-target.js'
import { watchStoreWork } from './store-work.js'

/**
 * @typedef {import('../../../plan/plan.js').Plan} Plan
 * @typedef {import('../../../target/target.js').Target} Target
 * @typedef {import('./load-worker.js').Round} Round
 *
 * @typedef {object} RoundParts
 * @property {Plan} plan
 * @property {Target} target
 * @property {import('./pool.js').WorkerPool} pool
 * @property {import('../../trouble.js').Trouble} trouble
 * @property {import('../../run-log.js').RunLog} log
 * @property {() => import('../../../result/types.js').Figures} figures - so far
 */

const PROGRESS_MS = 500

/**
 * warmUp sends operations that do not count, until p50 has settled: caches are filled then, and code is compiled on both sides.
 *
 * @param {RoundParts} parts
 * @param {(measurement: Measurement) => void} measuring - is told where operations go from now on
 * @param {{ again: boolean }} more - `again`: both sides are warm from a run at another rate
 * @returns {Promise<import('../../../load/warm-up.js').WarmUp | null>} null: there is none
 */
export async function warmUp({ plan, ...others }, measuring, { again }) {
  const warmupMs = again ? againMs(plan) : plan.warmupMs
  const parts = { ...others, plan: { ...plan, warmupMs } }
  const began = performance.now()
  /** @type {import('../../../load/warm-up.js').Stretch[]} */
  const stretches = []
  const soFar = () => ({ warmupMs, ms: performance.now() - began, stretches, again })
  await parts.trouble.guard(parts.pool.begin('warmup', parts.plan))
  while (!warmUpIsOver(soFar())) {
    const measurement = new Measurement(parts.plan.workers)
    measuring(measurement)
    const before = sumOf(stretches, ({ operations }) => operations)
    stretches.push(await stretchOf(parts, measurement, before))
  }
  return warmUpResult(soFar())
}

/**
 * @param {RoundParts} parts
 * @param {Measurement} measurement
 * @param {number} before - operations of earlier stretches
 */
async function stretchOf(parts, measurement, before) {
  const { load } = measurement
  const plan = { ...parts.plan, faults: [] }
  const endsMs = performance.now() + stretchMs(plan.warmupMs)
  const next = () => warmupRound(plan, endsMs - performance.now())
  const progress = () =>
    parts.log.progress({
      phase: 'warmup',
      done: before + load.operations,
      total: null,
      unit: 'operations'
    })
  const timer = setInterval(progress, PROGRESS_MS)
  try {
    for (let round = next(); round != null; round = next()) {
      await runRound({ ...parts, plan }, round, measurement, null)
      await undo(parts, measurement)
    }
  } finally {
    clearInterval(timer)
  }
  const types = load.types.filter(type => type !== 'CONNECT')
  const medians = types.map(type => [type, medianOf(load.pooled('rt', type))])
  return { operations: load.operations, medians: Object.fromEntries(medians) }
}

/**
 * measure runs the rounds that count. What the last of them registered is left for the look-up, and then to be undone.
 *
 * @param {RoundParts} parts
 * @param {Measurement} measurement
 */
export async function measure(parts, measurement) {
  const { plan } = parts
  /** @type {bigint | null} */
  let phaseStartNs = null
  const timer = setInterval(() => tellProgress(parts, measurement), PROGRESS_MS)
  const intervals = watchIntervals(parts, {
    measurement,
    figures: parts.figures,
    rows: RENDEZVOUS_FIGURES
  })
  try {
    await parts.trouble.guard(parts.pool.begin('measure', plan))
    for (
      let round = measureRound(plan, 0);
      round != null;
      round = measureRound(plan, measurement.measuredMs)
    ) {
      if (phaseStartNs !== null) await undoAll(parts, measurement)
      phaseStartNs = await runRound(parts, round, measurement, phaseStartNs)
    }
  } finally {
    clearInterval(timer)
    intervals.stop()
  }
}

/**
 * @param {RoundParts} parts
 * @param {Round} round
 * @param {Measurement} measurement
 * @param {bigint | null} phaseStartNs - null: this is the first round
 * @returns {Promise<bigint>} phaseStartNs
 */
async function runRound({ plan, target, pool, trouble }, round, measurement, phaseStartNs) {
  await trouble.guard(pool.prepare(round))
  await trouble.guard(Promise.all(controlsOf(target).map(control => control.resetDurations())))
  const operationsBefore = measurement.load.operations
  const addStoreWork = await trouble.guard(watchStoreWork(target))
  const { startNs, ended, over } = pool.run(phaseStartNs)
  const beganNs = phaseStartNs ?? startNs
  const startMs = Number(startNs - beganNs) / 1e6
  /** @param {bigint[]} endsNs */
  const count = endsNs => {
    // its time stands in its row now
    measurement.runningSinceNs = null
    measurement.rounds.push({
      index: measurement.rounds.length,
      startMs,
      durationMs: Math.max(...endsNs.map(endNs => Number(endNs - startNs))) / 1e6,
      operations: measurement.load.operations - operationsBefore
    })
  }
  measurement.runningSinceNs = startNs
  if (phaseStartNs === null)
    measurement.beganMs = performance.now() + Number(startNs - process.hrtime.bigint()) / 1e6
  const faults = startFaults({ plan, target, trouble, startNs, events: measurement.faults })
  const watch = watchReplies({
    totals: measurement.load,
    trouble,
    served: requestsServed(target),
    excused: faults.excused
  })
  const sampling = samplingAll(target, measurement, startNs)
  try {
    const ends = await trouble.guard(ended)
    count(ends.map(({ endNs }) => endNs))
    measurement.addSucceeded(ends.flatMap(({ succeeded }) => succeeded))
    await trouble.guard(watch.check())
    await trouble.guard(faults.over())
  } catch (error) {
    await lastWords(pool, over, String(error))
    await sampling.stop()
    if (measurement.runningSinceNs !== null) count([process.hrtime.bigint()])
    throw error
  } finally {
    watch.stop()
    await faults.stop()
    await sampling.stop()
  }
  await trouble.guard(Promise.all([addServerDurations(target, measurement), addStoreWork(measurement)]))
  return beganNs
}

/**
 * undo takes back what a round registered.
 *
 * @param {Pick<RoundParts, 'pool' | 'trouble'>} parts
 * @param {Measurement} measurement
 * @returns {Promise<string | null>} why not everything could be; null: it was
 */
export async function undo({ pool, trouble }, measurement) {
  const { namespacesUsed, problem } = await trouble.guard(pool.restore())
  measurement.namespacesUsed = Math.max(measurement.namespacesUsed, namespacesUsed)
  return problem
}

/**
 * undoAll takes back what a round registered, for another one to begin as it did.
 *
 * @param {Pick<RoundParts, 'pool' | 'trouble'>} parts
 * @param {Measurement} measurement
 * @throws {TargetError} NOT_UNDONE
 */
export async function undoAll(parts, measurement) {
  const problem = await undo(parts, measurement)
  if (problem === null) return
  throw new TargetError(
    'NOT_UNDONE',
    `what a round registered could not be taken back, and the next would not begin as the first did: ${problem}`
  )
}

const LAST_WORDS_MS = 2000

/**
 * When a run ends early, the workers still hand over what they measured.
 *
 * @param {import('./pool.js').WorkerPool} pool
 * @param {Promise<unknown>} over
 * @param {string} reason
 */
async function lastWords(pool, over, reason) {
  // a timer that is left must not keep the process
  await Promise.race([pool.abort(reason).then(() => over), sleep(LAST_WORDS_MS, undefined, { ref: false })])
}

/** @param {Target} target @param {Measurement} measurement */
async function addServerDurations(target, measurement) {
  for (const { name, control } of serversOf(target)) {
    if (control === null) continue
    const counts = await control.durations()
    measurement.serverDurations ??= new ServerDurations()
    measurement.serverDurations.add(counts)
    if (name === undefined) continue
    const own = measurement.memberDurations.get(name) ?? new ServerDurations()
    measurement.memberDurations.set(name, own)
    own.add(counts)
  }
}

/** The servers together, and each of them. @param {Target} target @param {Measurement} measurement @param {bigint} startNs */
function samplingAll(target, measurement, startNs) {
  const all = [
    sampleDuring(target, measurement.resources, startNs),
    ...(target.members ?? [])
      .filter(({ reading }) => reading !== null)
      .map(one => sampleDuring(one, measurement.resourcesOf(one.name), startNs))
  ]
  return { stop: () => Promise.all(all.map(sampling => sampling.stop())) }
}
