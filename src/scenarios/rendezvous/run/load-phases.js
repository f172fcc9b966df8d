// Phases of a rendezvous run that send operations: warm-up, measurement, unregistration. Meanwhile faults are made, and
// a hanging server is detected.
import { setTimeout as pause } from 'node:timers/promises'
import { computeSum, omitMissing } from '../../../kit/collections.js'
import { limitSignal, makeTimeLimit } from '../../../kit/time.js'
import { doesChangeState, isFullLoad, planMeasuredLength, planWarmUpLength } from '../../../load/clients.js'
import { isCensored } from '../../../load/registrations.js'
import { sampleResources } from '../../../measure/series.js'
import {
  computeRewarmMs,
  computeWarmUpStretchMs,
  isWarmUpOver,
  summarizeWarmUp
} from '../../../measure/steady-state.js'
import { listControls, listServers, TargetError } from '../../../target/target.js'
import { RENDEZVOUS_FIGURES } from '../figures.js'
import { Measurement, ServerDurations, watchIntervals } from '../measurement.js'

/**
 * @typedef {import('../options.js').Plan} Plan
 * @typedef {import('../../../target/target.js').Target} Target
 *
 * @typedef {object} PhaseParts
 * @property {Plan} plan
 * @property {Target} target
 * @property {import('../worker-pool.js').WorkerPool} pool
 * @property {import('../../../run/run.js').RunFailure} failure
 * @property {import('../../../run/run-header.js').RunLog} log
 * @property {import('../hostile/hostile-peers.js').HostilePeers | null} hostile - null: there are none
 * @property {() => import('../../../report/schema.js').Figures} figures - so far
 * @property {(startNs: bigint) => void} [onStart] - called when the measured load begins
 * @property {boolean} [isWarmUp] - the load is not measured
 */

const PROGRESS_MS = 500
/** A run that ends early waits this long for the last reports of its workers. */
const LAST_REPORTS_MS = 2000

/**
 * runWarmUp sends operations that are not counted, until p50 has settled: caches are then filled, and code is compiled on both sides.
 *
 * @param {PhaseParts} parts
 * @param {(measurement: Measurement) => void} measuring - called with the measurement that counts operations from now on
 * @param {{ again: boolean }} more - `again`: both sides are warm from a run at another rate
 * @returns {Promise<import('../../../report/schema.js').WarmUp | null>} null: there is none
 */
export async function runWarmUp({ plan, ...others }, measuring, { again }) {
  const warmupMs = again ? computeRewarmMs(plan) : plan.warmupMs
  const parts = { ...others, plan: { ...plan, warmupMs } }
  const began = performance.now()
  /** @type {import('../../../measure/steady-state.js').WarmUpStretch[]} */
  const stretches = []
  const soFar = () => ({
    warmupMs,
    ms: performance.now() - began,
    stretches,
    again,
    fullLoad: isFullLoad(plan)
  })
  const stretch = () => {
    const measurement = new Measurement(plan.workers)
    measuring(measurement)
    return runStretch(
      parts,
      measurement,
      computeSum(stretches, ({ operations }) => operations)
    )
  }
  await parts.failure.guard(parts.pool.begin('warmup', parts.plan))
  while (!isWarmUpOver(soFar())) stretches.push(await stretch())
  if (warmupMs > 0) await parts.failure.guard(Promise.resolve(parts.hostile?.warmUp(stretch)))
  return summarizeWarmUp(soFar())
}

/**
 * @param {PhaseParts} parts
 * @param {Measurement} measurement
 * @param {number} before - operations of earlier stretches
 */
async function runStretch(parts, measurement, before) {
  const { load } = measurement
  const plan = { ...parts.plan, faults: [] }
  const endsMs = performance.now() + computeWarmUpStretchMs(plan.warmupMs)
  const next = () => planWarmUpLength(plan, endsMs - performance.now())
  const timer = setInterval(() => {
    const done = before + load.operations
    parts.log.progress({ phase: 'warmup', done, total: null, unit: 'operations' })
  }, PROGRESS_MS)
  try {
    for (let length = next(); length !== null; length = next()) {
      await runLoad({ ...parts, plan, isWarmUp: true }, length, measurement)
      if (doesChangeState(plan)) await undoAll(parts, measurement)
    }
  } finally {
    clearInterval(timer)
  }
  const types = load.types.filter(type => type !== 'CONNECT')
  const times = types.map(type => [type, [...load.pooled('rt', type).counts]])
  return { operations: load.operations, times: Object.fromEntries(times) }
}

/**
 * runMeasurement runs the measured load. Its registrations stay, to be looked up and unregistered later.
 *
 * @param {PhaseParts} parts
 * @param {Measurement} measurement
 */
export async function runMeasurement(parts, measurement) {
  const { plan } = parts
  const timer = setInterval(() => reportProgress(parts, measurement), PROGRESS_MS)
  const { figures } = parts
  const intervals = watchIntervals(parts, { measurement, figures, rows: RENDEZVOUS_FIGURES })
  const counts =
    plan.churn == null
      ? null
      : countRegistrations({
          control: parts.target.control,
          durationMs: Number(plan.durationMs),
          onCount: (atNs, registrations) => measurement.churn?.count(atNs, registrations)
        })
  try {
    await parts.failure.guard(parts.pool.begin('measure', plan))
    await runLoad(parts, planMeasuredLength(plan), measurement)
  } finally {
    clearInterval(timer)
    intervals.stop()
    counts?.stop()
  }
}

/**
 * @param {PhaseParts} parts
 * @param {import('../../../load/clients.js').LoadLength} length
 * @param {Measurement} measurement
 */
async function runLoad({ plan, target, pool, failure, hostile, onStart, isWarmUp }, length, measurement) {
  await failure.guard(pool.prepare(length))
  await failure.guard(Promise.all(listControls(target).map(control => control.resetDurations())))
  const addStoreWork = await failure.guard(watchStoreWork(target))
  const { startNs, ended, over } = pool.run()
  measurement.begin(startNs)
  if (!isWarmUp) onStart?.(startNs)
  const faults = startFaults({ plan, target, failure, startNs, events: measurement.faults })
  const watch = watchReplies({
    totals: measurement.load,
    failure,
    served: makeServedCounter(target),
    excused: () => faults.excused() || hostile?.excused === true
  })
  const hostileRun = isWarmUp ? undefined : hostile?.run({ failure, startNs })
  const sampling = samplingAll(target, measurement, startNs)
  try {
    const ends = await failure.guard(ended)
    measurement.end(ends.map(({ endNs }) => endNs))
    measurement.addSucceeded(ends.flatMap(({ succeeded }) => succeeded))
    await failure.guard(watch.check())
    await failure.guard(faults.over())
  } catch (error) {
    // workers still report what they measured; the timer must not keep this process alive
    const reported = pool.abort(String(error)).then(() => over)
    await Promise.race([reported, pause(LAST_REPORTS_MS, undefined, { ref: false })])
    await sampling.stop()
    measurement.end([process.hrtime.bigint()])
    throw error
  } finally {
    watch.stop()
    await faults.stop()
    hostileRun?.stop()
    await sampling.stop()
  }
  await failure.guard(Promise.all([addServerDurations(target, measurement), addStoreWork(measurement)]))
}

/**
 * unregisterClients unregisters the registrations of the clients.
 *
 * @param {Pick<PhaseParts, 'pool' | 'failure'>} parts
 * @param {Measurement} measurement
 * @returns {Promise<string | null>} why some could not be unregistered; null: all were
 */
export async function unregisterClients({ pool, failure }, measurement) {
  const { namespacesUsed, problem } = await failure.guard(pool.restore())
  measurement.namespacesUsed = Math.max(measurement.namespacesUsed, namespacesUsed)
  return problem
}

/**
 * Unregisters the registrations of a stretch of the warm-up, so that the measurement begins with as many as the plan says.
 *
 * @param {Pick<PhaseParts, 'pool' | 'failure'>} parts
 * @param {Measurement} measurement
 * @throws {TargetError} NOT_UNDONE
 */
async function undoAll(parts, measurement) {
  const problem = await unregisterClients(parts, measurement)
  if (problem === null) return
  throw new TargetError(
    'NOT_UNDONE',
    `what the warm-up registered could not be unregistered, and the measurement would begin with more: ${problem}`
  )
}

/** @param {Target} target @param {Measurement} measurement */
async function addServerDurations(target, measurement) {
  for (const { name, control } of listServers(target)) {
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

/** Samples the servers together, and each of them. @param {Target} target @param {Measurement} measurement @param {bigint} startNs */
function samplingAll(target, measurement, startNs) {
  const all = [
    sampleResources(target, measurement.resources, startNs),
    ...(target.members ?? [])
      .filter(({ reading }) => reading !== null)
      .map(one => sampleResources(one, measurement.resourcesOf(one.name), startNs))
  ]
  return { stop: () => Promise.all(all.map(sampling => sampling.stop())) }
}

/**
 * @typedef {import('../outcome.js').FaultEvent} FaultEvent
 * @typedef {import('../options.js').Fault} Fault
 * @typedef {import('../../../target/target.js').FaultHandles} FaultHandles
 *
 * @typedef {object} RunningFaults
 * @property {() => boolean} excused - whether a fault may be why the server does not answer: one goes on, or operations that it delayed may
 *   still time out
 * @property {() => Promise<void>} over - called at the end of the load: no further fault begins, and the current one ends
 * @property {() => Promise<void>} stop - ends everything at once
 */

/** Registrations are counted this long before a fault ends a server. */
const COUNT_BEFORE_MS = 500
/** A restarted server is busy with reconnecting clients: counting its registrations may take this long. */
const COUNT_AFTER_MS = 2000

/** @type {RunningFaults} */
const NONE = { excused: () => false, over: async () => {}, stop: async () => {} }

/**
 * startFaults carries out the faults of a plan on our server, each at its time.
 *
 * @param {object} parts
 * @param {Pick<import('../options.js').Plan, 'faults' | 'timeoutMs'>} parts.plan
 * @param {Pick<Target, 'faults' | 'control' | 'members'>} parts.target
 * @param {Pick<import('../../../run/run.js').RunFailure, 'raise'>} parts.failure - raised when a fault cannot be carried out or undone
 * @param {bigint} parts.startNs - when the measurement begins
 * @param {FaultEvent[]} parts.events - carried-out faults are added here
 * @param {() => bigint} [parts.clock] - ns
 * @returns {RunningFaults}
 */
export function startFaults({ plan, target, failure, startNs, events, clock = process.hrtime.bigint }) {
  if (target.faults === null || plan.faults.length === 0) return NONE
  const waiting = new AbortController()
  const acting = new AbortController()
  const sinceStartMs = () => Number(clock() - startNs) / 1e6
  const until = (/** @type {number} */ ms) => sleep(ms - sinceStartMs(), waiting.signal)

  /** @param {Fault} fault */
  const perform = async fault => {
    const { faults } = serverOf(target, fault)
    const ends = fault.kind === 'restart' || fault.kind === 'kill'
    await until(fault.atMs - COUNT_BEFORE_MS)
    const isCounted = ends && !waiting.signal.aborted
    const before = isCounted ? await countOf(target.control, makeTimeLimit(COUNT_BEFORE_MS)) : null
    await until(fault.atMs)
    if (waiting.signal.aborted) return
    /** @type {FaultEvent} */
    const event = {
      kind: fault.kind,
      ...(fault.server !== undefined && { server: fault.server }),
      atMs: fault.atMs,
      fromMs: sinceStartMs(),
      toMs: null,
      cpus: fault.cpus,
      registrationsLost: null
    }
    events.push(event)
    await ACTIONS[fault.kind](faults, fault, acting.signal)
    if (acting.signal.aborted) return
    const endsAll = fault.kind === 'kill' && fault.server === undefined
    // where one of several servers is killed the others go on: the fault is over at once
    if (fault.forMs !== null || (fault.kind === 'kill' && !endsAll)) event.toMs = sinceStartMs()
    const inTime = limitSignal(acting.signal, COUNT_AFTER_MS)
    const after = endsAll ? 0 : ends ? await countOf(target.control, inTime) : null
    if (before !== null && after !== null) event.registrationsLost = Math.max(0, before - after)
  }

  const running = (async () => {
    for (const fault of plan.faults) if (!waiting.signal.aborted) await perform(fault)
  })().catch(error => {
    if (!acting.signal.aborted) failure.raise(error)
  })
  return {
    excused() {
      const last = events.at(-1)
      return last !== undefined && sinceStartMs() < (last.toMs ?? Infinity) + plan.timeoutMs
    },
    over() {
      waiting.abort()
      return running
    },
    stop() {
      waiting.abort()
      acting.abort()
      return running
    }
  }
}

/** @param {Pick<Target, 'faults' | 'members'>} target @param {Fault} fault @returns {{ faults: FaultHandles }} */
const serverOf = ({ faults, members }, { server }) =>
  /** @type {{ faults: FaultHandles }} */ (
    server === undefined ? { faults } : (members?.[server - 1] ?? { faults })
  )

/** @type {Readonly<Record<Fault['kind'], (faults: FaultHandles, fault: Fault, signal: AbortSignal) => Promise<void>>>} */
const ACTIONS = {
  async pause(faults, { forMs }, signal) {
    await faults.pause()
    await sleep(forMs ?? 0, signal)
    await faults.resume()
  },
  kill: faults => faults.kill(),
  async restart(faults, { forMs }, signal) {
    await faults.down()
    await sleep(forMs ?? 0, signal)
    if (!signal.aborted) await faults.up(signal)
  },
  async cpu({ limitCpus }, { cpus, forMs }, signal) {
    if (limitCpus === null) throw new Error('nothing limits the CPU of a process: use --server docker')
    await limitCpus(cpus)
    if (forMs === null) return
    await sleep(forMs, signal)
    await limitCpus(null)
  }
}

/** @param {number} ms @param {AbortSignal} signal - aborted: wait no longer */
async function sleep(ms, signal) {
  if (ms > 0 && !signal.aborted) await pause(Math.ceil(ms), undefined, { signal }).catch(() => {})
}

/** @param {Target['control']} control @param {AbortSignal} inTime @returns {Promise<number | null>} null: it did not say in time */
async function countOf(control, inTime) {
  try {
    return (await control?.state(inTime))?.registrations ?? null
  } catch {
    return null
  }
}

/** A server whose operations fail must answer any operation within this time. */
const GRACE_MS = 3000
const LOOK_EVERY_MS = 250

/** Outcomes without a reply for which the server is not responsible. */
const OUR_OWN = new Set(['DROPPED', 'LOCAL_PORTS_EXHAUSTED', 'INTERRUPTED'])

/**
 * watchReplies ends a run whose server no longer answers, while operations time out or lose their connection. Times without requests do not
 * count. An overloaded server of ours may answer every request too late: it is not hung as long as its own count of served requests grows.
 *
 * @param {object} options
 * @param {import('../measurement.js').Totals} options.totals
 * @param {import('../../../run/run.js').RunFailure} options.failure
 * @param {(signal: AbortSignal) => Promise<number | null>} [options.served] - requests of this load by the server's own count; null: not
 *   known
 * @param {() => boolean} [options.excused] - a fault of the plan may be why the server does not answer
 * @param {() => number} [options.clock] - ms
 * @returns {{ stop: () => void, check: () => Promise<void> }} `check`: the load is over, and must have had a reply
 */
export function watchReplies({
  totals,
  failure,
  served = async () => null,
  excused = () => false,
  clock = () => performance.now()
}) {
  const first = state(totals)
  const stopping = new AbortController()
  let last = first
  let repliedMs = clock()
  /** @type {number | null} time of the first failure after the last reply */
  let failingMs = null
  /** @type {number | null} the server's last count of served requests */
  let servedBefore = null
  let asking = false
  const reset = (now = state(totals)) => {
    last = now
    repliedMs = clock()
    failingMs = null
  }
  const ask = async () => {
    if (asking) return
    asking = true
    const count = await served(stopping.signal)
    asking = false
    if (servedBefore !== null && count !== null && count > servedBefore) reset()
    servedBefore = count ?? servedBefore
  }
  const look = () => {
    const now = state(totals)
    if (now.replies > last.replies || excused()) reset(now)
    const failed = now.failed - last.failed
    if (failed === 0) return
    failingMs ??= clock()
    if (clock() - failingMs > GRACE_MS) failure.raise(hungError(clock() - repliedMs, failed))
    else void ask()
  }
  const check = async () => {
    const { replies, failed } = state(totals)
    if (failed === first.failed || replies > first.replies) return
    const late = await served(limitSignal(stopping.signal, GRACE_MS))
    if (!late) failure.raise(hungError(clock() - repliedMs, failed - first.failed))
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  const stop = () => {
    clearInterval(timer)
    stopping.abort()
  }
  return { stop, check }
}

/**
 * makeServedCounter makes a function that reads from our servers how many requests they have served since their durations were reset.
 *
 * @param {Pick<import('../../../target/target.js').Target, 'control' | 'members'>} target
 * @returns {(signal: AbortSignal) => Promise<number | null>} null: no server is ours, or none answers
 */
export const makeServedCounter = target => async signal => {
  const durations = listControls(target).map(control => control.durations(signal))
  const answers = (await Promise.allSettled(durations)).flatMap(answer =>
    answer.status === 'fulfilled' ? Object.values(answer.value) : []
  )
  return answers.length === 0 ? null : computeSum(answers, ({ count }) => count)
}

/** @param {import('../measurement.js').Totals} totals */
const state = totals => ({
  replies: totals.replies,
  failed: totals.types
    .filter(type => type !== 'CONNECT' && type !== 'PUBLISH')
    .flatMap(type => [...totals.byOutcome('rt', type)])
    .filter(([outcome]) => isCensored(outcome) && !OUR_OWN.has(outcome))
    .reduce((sum, [, { count }]) => sum + count, 0)
})

/** @param {number} ms @param {number} failed */
const hungError = (ms, failed) =>
  new TargetError(
    'SERVER_HUNG',
    `the server has not answered for ${(ms / 1000).toFixed(1)} s, while ${failed} operations failed`
  )

/** @typedef {Record<string, number>} Counts - that grow */

/** A paused or ended server does not answer. */
const ANSWER_WITHIN_MS = 2000

/**
 * watchStoreWork reads the counters of connection pools and database, and makes a function that adds their growth to a measurement.
 *
 * @param {Target} target
 * @returns {Promise<(measurement: Pick<import('../measurement.js').Measurement, 'storeWork'>) => Promise<void>>} adds it
 */
export async function watchStoreWork(target) {
  const beganMs = performance.now()
  const before = await readAll(target)
  return async ({ storeWork }) => {
    const after = await readAll(target)
    for (const [name, { connections, ...counts }] of after) {
      const sum = { ...storeWork.get(name) }
      if (connections !== undefined) sum.connections = connections
      for (const [key, value] of Object.entries(counts)) {
        const began = before.get(name)?.[key] ?? 0
        // the counters of a restarted process begin at 0
        sum[key] = (sum[key] ?? 0) + (value < began ? value : value - began)
      }
      sum.wallMs = (sum.wallMs ?? 0) + performance.now() - beganMs
      storeWork.set(name, sum)
    }
  }
}

/** @param {Target} target @returns {Promise<Map<string, Counts>>} by name */
async function readAll({ members = [], databaseWork }) {
  const pools = members.map(async ({ name, control }) => {
    const state = await control?.state(makeTimeLimit(ANSWER_WITHIN_MS)).catch(() => null)
    const pool = state?.store?.pool
    return pool && /** @type {[string, Counts]} */ ([name, { ...pool }])
  })
  const work = await databaseWork?.()
  return new Map(omitMissing([...(await Promise.all(pools)), work != null && ['database', { ...work }]]))
}

/** @param {Pick<PhaseParts, 'plan' | 'log'>} parts @param {Measurement} measurement */
function reportProgress({ plan, log }, measurement) {
  const { load, resources, coveredMs, soFarMs } = measurement
  const { operations, types } = load
  if (operations === 0) return
  const { durationMs, minDurationMs, benchmarkRuns, ratePerSecond, arrivals } = plan
  const type = types.find(name => name === plan.benchmarkType) ?? types.find(name => name !== 'CONNECT')
  const times = type && load.pooled('rt', type)
  const sample = resources.samples.at(-1)
  const nowPerSecond = (operations * 1000) / (coveredMs || soFarMs)
  const unsent = Math.max(0, (benchmarkRuns ?? Infinity) - operations)
  const unsentMs = (1000 * unsent) / (ratePerSecond ?? nowPerSecond)
  const untilEndMs = (durationMs ?? Infinity) - soFarMs
  const leftMs = Math.max(0, Math.min(untilEndMs, Math.max(minDurationMs - soFarMs, unsentMs)))
  const counted = durationMs === null && minDurationMs === 0 ? benchmarkRuns : null
  const isConstant = durationMs !== null && ratePerSecond !== null && arrivals === 'constant'
  const total = counted ?? (isConstant ? Math.round((ratePerSecond * durationMs) / 1000) : null)
  log.progress({
    phase: 'measure',
    // in operations if their number is known, else in time
    ...(total === null
      ? { done: soFarMs, total: soFarMs + leftMs, unit: 'ms' }
      : { done: operations, total: Math.max(total, operations), unit: 'operations' }),
    ratePerSecond: nowPerSecond,
    ...(times && { p50Ms: times.quantile(0.5) / 1000, p99Ms: times.quantile(0.99) / 1000 }),
    cpuPercent: sample?.cpuPercent,
    rssBytes: sample?.rssBytes,
    etaMs: leftMs
  })
}

/** Points over time of a long run, at most. */
const MAX_POINTS = 3600
const MIN_INTERVAL_MS = 1000

/**
 * countRegistrations reads the number of registrations from our own server once a second, less often in long runs. A server of others has
 * no such number.
 *
 * @param {object} options
 * @param {Pick<import('../../../target/target.js').ServerControl, 'state'> | null} options.control
 * @param {number} options.durationMs - of the measurement
 * @param {(atNs: number, registrations: number | null) => void} options.onCount
 * @param {() => number} [options.clock] - ns
 * @returns {{ stop: () => void }}
 */
export function countRegistrations({
  control,
  durationMs,
  onCount,
  clock = () => Number(process.hrtime.bigint())
}) {
  let stopped = false
  const count = async () => {
    const beganNs = clock()
    // other code reports a server that is gone
    const state = await control?.state().catch(() => null)
    // the server counted at some moment in between
    if (!stopped) onCount((beganNs + clock()) / 2, state?.registrations ?? null)
  }
  const timer = setInterval(count, Math.max(MIN_INTERVAL_MS, durationMs / MAX_POINTS))
  return {
    stop: () => {
      stopped = true
      clearInterval(timer)
    }
  }
}
