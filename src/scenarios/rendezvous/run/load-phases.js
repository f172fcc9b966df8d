import { setTimeout as sleep } from 'node:timers/promises'
import { sumOf } from '../../../kit/lists.js'
import { changesState, measuredLength, warmUpLength } from '../../../load/load-length.js'
import { isFullLoad } from '../../../load/roles.js'
import { sampleDuring } from '../../../measure/resource-series.js'
import { againMs, stretchMs, warmUpIsOver, warmUpResult } from '../../../measure/warm-up.js'
import { controlsOf, serversOf } from '../../../target/target.js'
import { TargetError } from '../../../target/target-error.js'
import { RENDEZVOUS_FIGURES } from '../figures.js'
import { Measurement } from '../measure/measurement.js'
import { ServerDurations } from '../measure/server-durations.js'
import { startFaults } from './faults.js'
import { watchIntervals } from './interval-watch.js'
import { tellProgress } from './measure-progress.js'
import { countRegistrations } from './registration-counts.js'
import { requestsServed, watchReplies } from './reply-watch.js'
import { watchStoreWork } from './store-work.js'

/**
 * @typedef {import('../../../plan/plan.js').Plan} Plan
 * @typedef {import('../../../target/target.js').Target} Target
 *
 * @typedef {object} PhaseParts
 * @property {Plan} plan
 * @property {Target} target
 * @property {import('./pool.js').WorkerPool} pool
 * @property {import('../../trouble.js').Trouble} trouble
 * @property {import('../../run-log.js').RunLog} log
 * @property {import('../hostile/hostile-peers.js').HostilePeers | null} hostile - null: there are none
 * @property {() => import('../../../result/types.js').Figures} figures - so far
 * @property {(startNs: bigint) => void} [onStart] - is told when the load that counts begins
 * @property {boolean} [isWarmUp] - the load does not count
 */

const PROGRESS_MS = 500

/**
 * warmUp sends operations that do not count, until p50 has settled: caches are filled then, and code is compiled on both sides.
 *
 * @param {PhaseParts} parts
 * @param {(measurement: Measurement) => void} measuring - is told where operations go from now on
 * @param {{ again: boolean }} more - `again`: both sides are warm from a run at another rate
 * @returns {Promise<import('../../../measure/warm-up.js').WarmUp | null>} null: there is none
 */
export async function warmUp({ plan, ...others }, measuring, { again }) {
  const warmupMs = again ? againMs(plan) : plan.warmupMs
  const parts = { ...others, plan: { ...plan, warmupMs } }
  const began = performance.now()
  /** @type {import('../../../measure/warm-up.js').Stretch[]} */
  const stretches = []
  const soFar = () => ({
    warmupMs,
    ms: performance.now() - began,
    stretches,
    again,
    fullLoad: isFullLoad(plan)
  })
  await parts.trouble.guard(parts.pool.begin('warmup', parts.plan))
  while (!warmUpIsOver(soFar())) {
    const measurement = new Measurement(parts.plan.workers)
    measuring(measurement)
    const before = sumOf(stretches, ({ operations }) => operations)
    stretches.push(await stretchOf(parts, measurement, before))
  }
  if (warmupMs > 0) {
    const besideHostile = new Measurement(parts.plan.workers)
    const load = () => {
      measuring(besideHostile)
      return stretchOf(
        parts,
        besideHostile,
        sumOf(stretches, ({ operations }) => operations)
      )
    }
    await parts.trouble.guard(Promise.resolve(parts.hostile?.warmUp(load)))
  }
  return warmUpResult(soFar())
}

/**
 * @param {PhaseParts} parts
 * @param {Measurement} measurement
 * @param {number} before - operations of earlier stretches
 */
async function stretchOf(parts, measurement, before) {
  const { load } = measurement
  const plan = { ...parts.plan, faults: [] }
  const endsMs = performance.now() + stretchMs(plan.warmupMs)
  const next = () => warmUpLength(plan, endsMs - performance.now())
  const progress = () =>
    parts.log.progress({
      phase: 'warmup',
      done: before + load.operations,
      total: null,
      unit: 'operations'
    })
  const timer = setInterval(progress, PROGRESS_MS)
  try {
    for (let length = next(); length !== null; length = next()) {
      await runLoad({ ...parts, plan, isWarmUp: true }, length, measurement)
      if (changesState(plan)) await undoAll(parts, measurement)
    }
  } finally {
    clearInterval(timer)
  }
  const types = load.types.filter(type => type !== 'CONNECT')
  const times = types.map(type => [type, [...load.pooled('rt', type).counts]])
  return { operations: load.operations, times: Object.fromEntries(times) }
}

/**
 * measure runs the load that counts. What it registered is left for the look-up, and then to be unregistered.
 *
 * @param {PhaseParts} parts
 * @param {Measurement} measurement
 */
export async function measure(parts, measurement) {
  const { plan } = parts
  const timer = setInterval(() => tellProgress(parts, measurement), PROGRESS_MS)
  const intervals = watchIntervals(parts, {
    measurement,
    figures: parts.figures,
    rows: RENDEZVOUS_FIGURES
  })
  const counts =
    plan.churn == null
      ? null
      : countRegistrations({
          control: parts.target.control,
          durationMs: Number(plan.durationMs),
          onCount: (atNs, registrations) => measurement.churn?.count(atNs, registrations)
        })
  try {
    await parts.trouble.guard(parts.pool.begin('measure', plan))
    await runLoad(parts, measuredLength(plan), measurement)
  } finally {
    clearInterval(timer)
    intervals.stop()
    counts?.stop()
  }
}

/**
 * @param {PhaseParts} parts
 * @param {import('../../../load/load-length.js').LoadLength} length
 * @param {Measurement} measurement
 */
async function runLoad({ plan, target, pool, trouble, hostile, onStart, isWarmUp }, length, measurement) {
  await trouble.guard(pool.prepare(length))
  await trouble.guard(Promise.all(controlsOf(target).map(control => control.resetDurations())))
  const addStoreWork = await trouble.guard(watchStoreWork(target))
  const { startNs, ended, over } = pool.run()
  measurement.begin(startNs)
  if (!isWarmUp) onStart?.(startNs)
  const faults = startFaults({ plan, target, trouble, startNs, events: measurement.faults })
  const watch = watchReplies({
    totals: measurement.load,
    trouble,
    served: requestsServed(target),
    excused: () => faults.excused() || hostile?.excused === true
  })
  const hostileRun = isWarmUp ? undefined : hostile?.run({ trouble, startNs })
  const sampling = samplingAll(target, measurement, startNs)
  try {
    const ends = await trouble.guard(ended)
    measurement.end(ends.map(({ endNs }) => endNs))
    measurement.addSucceeded(ends.flatMap(({ succeeded }) => succeeded))
    await trouble.guard(watch.check())
    await trouble.guard(faults.over())
  } catch (error) {
    await lastWords(pool, over, String(error))
    await sampling.stop()
    measurement.end([process.hrtime.bigint()])
    throw error
  } finally {
    watch.stop()
    await faults.stop()
    hostileRun?.stop()
    await sampling.stop()
  }
  await trouble.guard(Promise.all([addServerDurations(target, measurement), addStoreWork(measurement)]))
}

/**
 * undo unregisters what clients registered.
 *
 * @param {Pick<PhaseParts, 'pool' | 'trouble'>} parts
 * @param {Measurement} measurement
 * @returns {Promise<string | null>} why not everything could be; null: it was
 */
export async function undo({ pool, trouble }, measurement) {
  const { namespacesUsed, problem } = await trouble.guard(pool.restore())
  measurement.namespacesUsed = Math.max(measurement.namespacesUsed, namespacesUsed)
  return problem
}

/**
 * undoAll unregisters what a stretch of the warm-up registered, so that the measurement begins with the registrations that were asked for.
 *
 * @param {Pick<PhaseParts, 'pool' | 'trouble'>} parts
 * @param {Measurement} measurement
 * @throws {TargetError} NOT_UNDONE
 */
async function undoAll(parts, measurement) {
  const problem = await undo(parts, measurement)
  if (problem === null) return
  throw new TargetError(
    'NOT_UNDONE',
    `what the warm-up registered could not be unregistered, and the measurement would begin with more: ${problem}`
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
