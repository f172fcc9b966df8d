// The phases of a run that send operations: warm-up, measurement, restoring what was there before.
import { setTimeout as pause } from 'node:timers/promises'
import { present, sumOf } from '../../../kit/collections.js'
import { timeLimit, within } from '../../../kit/time.js'
import { changesState, isFullLoad, measuredLength, warmUpLength } from '../../../load/clients.js'
import { isCensored } from '../../../load/registrations.js'
import { sampleDuring } from '../../../measure/series.js'
import { againMs, warmUpIsOver, warmUpResult, warmUpStretchMs } from '../../../measure/steady-state.js'
import { controlsOf, serversOf, TargetError } from '../../../target/target.js'
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
 * @property {import('../../../run/run.js').Trouble} trouble
 * @property {import('../../../run/run-header.js').RunLog} log
 * @property {import('../hostile/hostile-peers.js').HostilePeers | null} hostile - null: there are none
 * @property {() => import('../../../report/schema.js').Figures} figures - so far
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
 * @returns {Promise<import('../../../report/schema.js').WarmUp | null>} null: there is none
 */
export async function warmUp({ plan, ...others }, measuring, { again }) {
  const warmupMs = again ? againMs(plan) : plan.warmupMs
  const parts = { ...others, plan: { ...plan, warmupMs } }
  const began = performance.now()
  /** @type {import('../../../measure/steady-state.js').Stretch[]} */
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
  const endsMs = performance.now() + warmUpStretchMs(plan.warmupMs)
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
 * @param {import('../../../load/clients.js').LoadLength} length
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
 * @param {import('../worker-pool.js').WorkerPool} pool
 * @param {Promise<unknown>} over
 * @param {string} reason
 */
async function lastWords(pool, over, reason) {
  // a timer that is left must not keep the process
  await Promise.race([pool.abort(reason).then(() => over), pause(LAST_WORDS_MS, undefined, { ref: false })])
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

/**
 * @typedef {import('../outcome.js').FaultEvent} FaultEvent
 * @typedef {import('../options.js').Fault} Fault
 * @typedef {import('../../../target/target.js').FaultHandles} FaultHandles
 *
 * @typedef {object} RunningFaults
 * @property {() => boolean} excused - whether a fault explains why nothing is answered: one goes on, or what it delayed may still
 *   time out
 * @property {() => Promise<void>} over - the load is over: no further fault begins, and the one that goes on ends
 * @property {() => Promise<void>} stop - ends everything at once
 */

/** Registrations are counted so long before a server ends. */
const COUNT_BEFORE_MS = 500
/** A server that has just come back is busy with all who come back to it. */
const COUNT_AFTER_MS = 2000

/** @type {RunningFaults} */
const NONE = { excused: () => false, over: async () => {}, stop: async () => {} }

/**
 * startFaults does to our server what the plan says, when it says so.
 *
 * @param {object} parts
 * @param {Pick<import('../options.js').Plan, 'faults' | 'timeoutMs'>} parts.plan
 * @param {Pick<Target, 'faults' | 'control' | 'members'>} parts.target
 * @param {Pick<import('../../../run/run.js').Trouble, 'raise'>} parts.trouble - raised when a fault cannot be done or undone
 * @param {bigint} parts.startNs - when the measurement begins
 * @param {FaultEvent[]} parts.events - are added here
 * @param {() => bigint} [parts.clock] - ns
 * @returns {RunningFaults}
 */
export function startFaults({ plan, target, trouble, startNs, events, clock = process.hrtime.bigint }) {
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
    const before =
      ends && !waiting.signal.aborted
        ? await registrationsOf(target.control, timeLimit(COUNT_BEFORE_MS))
        : null
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
    await DEEDS[fault.kind](faults, fault, acting.signal)
    if (acting.signal.aborted) return
    const endsAll = fault.kind === 'kill' && fault.server === undefined
    // others go on where one of several is killed: what is lost with it is over at once
    if (fault.forMs !== null || (fault.kind === 'kill' && !endsAll)) event.toMs = sinceStartMs()
    const inTime = within(acting.signal, COUNT_AFTER_MS)
    const after = endsAll ? 0 : ends ? await registrationsOf(target.control, inTime) : null
    if (before !== null && after !== null) event.registrationsLost = Math.max(0, before - after)
  }

  const running = (async () => {
    for (const fault of plan.faults) if (!waiting.signal.aborted) await perform(fault)
  })().catch(error => {
    if (!acting.signal.aborted) trouble.raise(error)
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
const DEEDS = {
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
async function registrationsOf(control, inTime) {
  try {
    return (await control?.state(inTime))?.registrations ?? null
  } catch {
    return null
  }
}

/** A server whose operations fail gets this long to answer anything again. */
const GRACE_MS = 3000
const LOOK_EVERY_MS = 250

/** Operations without a reply for a reason of our own. */
const OUR_OWN = new Set(['DROPPED', 'LOCAL_PORTS_EXHAUSTED', 'INTERRUPTED'])

/**
 * watchReplies ends a run whose server answers nothing any more, while operations fail: time out, or lose their connection. How
 * long nothing was asked does not count. A server of ours that is given more than it can do answers too late for anybody, and is not
 * hung: it is asked what it has served.
 *
 * @param {object} options
 * @param {import('../measurement.js').Totals} options.totals
 * @param {import('../../../run/run.js').Trouble} options.trouble
 * @param {(signal: AbortSignal) => Promise<number | null>} [options.served] - requests of this load that the server says to have served;
 *   null: it does not say
 * @param {() => boolean} [options.excused] - a fault of the plan explains why nothing is answered
 * @param {() => number} [options.clock] - ms
 * @returns {{ stop: () => void, check: () => Promise<void> }} `check`: the load is over, and must have had a reply
 */
export function watchReplies({
  totals,
  trouble,
  served = async () => null,
  excused = () => false,
  clock = () => performance.now()
}) {
  const first = state(totals)
  const stopping = new AbortController()
  let last = first
  let repliedMs = clock()
  /** @type {number | null} when a failure was first seen after the last reply */
  let failingMs = null
  /** @type {number | null} what the server said last to have served */
  let servedBefore = null
  let asking = false
  const lives = (now = state(totals)) => {
    last = now
    repliedMs = clock()
    failingMs = null
  }
  const ask = async () => {
    if (asking) return
    asking = true
    const count = await served(stopping.signal)
    asking = false
    if (servedBefore !== null && count !== null && count > servedBefore) lives()
    servedBefore = count ?? servedBefore
  }
  const look = () => {
    const now = state(totals)
    if (now.replies > last.replies || excused()) lives(now)
    const failed = now.failed - last.failed
    if (failed === 0) return
    failingMs ??= clock()
    if (clock() - failingMs > GRACE_MS) trouble.raise(silent(clock() - repliedMs, failed))
    else void ask()
  }
  const check = async () => {
    const { replies, failed } = state(totals)
    if (failed === first.failed || replies > first.replies) return
    const late = await served(within(stopping.signal, GRACE_MS))
    if (!late) trouble.raise(silent(clock() - repliedMs, failed - first.failed))
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  const stop = () => {
    clearInterval(timer)
    stopping.abort()
  }
  return { stop, check }
}

/**
 * requestsServed asks servers of ours how many requests they have served since their durations were reset.
 *
 * @param {Pick<import('../../../target/target.js').Target, 'control' | 'members'>} target
 * @returns {(signal: AbortSignal) => Promise<number | null>} null: none of them is ours, or none answers
 */
export const requestsServed = target => async signal => {
  const asked = controlsOf(target).map(control => control.durations(signal))
  const answers = (await Promise.allSettled(asked)).flatMap(answer =>
    answer.status === 'fulfilled' ? Object.values(answer.value) : []
  )
  return answers.length === 0 ? null : sumOf(answers, ({ count }) => count)
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
const silent = (ms, failed) =>
  new TargetError(
    'SERVER_HUNG',
    `the server has answered nothing for ${(ms / 1000).toFixed(1)} s, while ${failed} operations failed`
  )

/**
 * @typedef {Record<string, number>} Counts - that grow
 */

/** What a server says of its pool now; one that is paused or gone says nothing. */
const ANSWER_WITHIN_MS = 2000

/**
 * watchStoreWork notes what pools and database have done so far, and gives what they did since then.
 *
 * @param {Target} target
 * @returns {Promise<(measurement: Pick<import('../measurement.js').Measurement, 'storeWork'>) => Promise<void>>} adds it
 */
export async function watchStoreWork(target) {
  const beganMs = performance.now()
  const before = await readAll(target)
  return async ({ storeWork }) => {
    const after = await readAll(target)
    for (const [name, now] of after) {
      const sum = storeWork.get(name) ?? {}
      storeWork.set(name, { ...sum, ...grown(sum, before.get(name) ?? {}, now) })
      const all = /** @type {Counts} */ (storeWork.get(name))
      all.wallMs = (sum.wallMs ?? 0) + performance.now() - beganMs
    }
  }
}

/** Who was started again counts from 0. @param {Counts} sum @param {Counts} before @param {Counts} now */
const grown = (sum, before, { connections, ...now }) => ({
  ...(connections !== undefined && { connections }),
  ...Object.fromEntries(
    Object.entries(now).map(([key, value]) => {
      const began = before[key] ?? 0
      return [key, (sum[key] ?? 0) + (value < began ? value : value - began)]
    })
  )
})

/** @param {Target} target @returns {Promise<Map<string, Counts>>} by name */
async function readAll({ members = [], databaseWork }) {
  const pools = members.map(async ({ name, control }) => {
    const pool = await poolOf(control)
    return pool === undefined ? false : /** @type {[string, Counts]} */ ([name, { ...pool }])
  })
  const work = await databaseWork?.()
  return new Map(present([...(await Promise.all(pools)), work != null && ['database', { ...work }]]))
}

/** @param {Target['control']} control */
async function poolOf(control) {
  try {
    return (await control?.state(timeLimit(ANSWER_WITHIN_MS)))?.store?.pool
  } catch {
    return undefined
  }
}

/**
 * tellProgress tells how far the measurement has come.
 *
 * @param {{ plan: Pick<import('../options.js').Plan, 'durationMs' | 'minDurationMs' | 'benchmarkRuns' | 'benchmarkType' | 'ratePerSecond' | 'arrivals'>, log: import('../../../run/run-header.js').RunLog }} parts
 * @param {import('../measurement.js').Measurement} measurement
 */
function tellProgress({ plan, log }, measurement) {
  const { load, resources, coveredMs, soFarMs } = measurement
  if (load.operations === 0) return
  const type =
    load.types.find(name => name === plan.benchmarkType) ?? load.types.find(name => name !== 'CONNECT')
  const sample = resources.samples.at(-1)
  const ratePerSecond = (load.operations * 1000) / (coveredMs || soFarMs)
  const leftMs = Math.max(
    0,
    Math.min(
      (plan.durationMs ?? Infinity) - soFarMs,
      Math.max(plan.minDurationMs - soFarMs, unsentMs(plan, load.operations, ratePerSecond))
    )
  )
  log.progress({
    phase: 'measure',
    ...howFar(plan, { operations: load.operations, soFarMs, leftMs }),
    ratePerSecond,
    ...(type == null ? {} : quantiles(load, type)),
    cpuPercent: sample?.cpuPercent,
    rssBytes: sample?.rssBytes,
    etaMs: leftMs
  })
}

/**
 * Operations out of those that there will be, where that is known beforehand, else time.
 *
 * @param {Parameters<typeof tellProgress>[0]['plan']} plan
 * @param {{ operations: number, soFarMs: number, leftMs: number }} now
 * @returns {{ done: number, total: number, unit: string }}
 */
function howFar(
  { durationMs, minDurationMs, benchmarkRuns, ratePerSecond, arrivals },
  { operations, soFarMs, leftMs }
) {
  const counted = durationMs === null && minDurationMs === 0 ? benchmarkRuns : null
  const due =
    durationMs !== null && ratePerSecond !== null && arrivals === 'constant'
      ? Math.round((ratePerSecond * durationMs) / 1000)
      : null
  const total = counted ?? due
  return total === null
    ? { done: soFarMs, total: soFarMs + leftMs, unit: 'ms' }
    : { done: operations, total: Math.max(total, operations), unit: 'operations' }
}

/**
 * How long it takes to send the operations that are left.
 *
 * @param {Pick<import('../options.js').Plan, 'benchmarkRuns' | 'ratePerSecond'>} plan
 * @param {number} done - operations
 * @param {number} nowPerSecond
 */
const unsentMs = ({ benchmarkRuns, ratePerSecond }, done, nowPerSecond) =>
  (1000 * Math.max(0, (benchmarkRuns ?? Infinity) - done)) / (ratePerSecond ?? nowPerSecond)

/** @param {import('../measurement.js').Totals} totals @param {string} type */
function quantiles(totals, type) {
  const all = totals.pooled('rt', type)
  return { p50Ms: all.quantile(0.5) / 1000, p99Ms: all.quantile(0.99) / 1000 }
}

/** The time line of a long run has no more points than these. */
const MOST_POINTS = 3600
const LEAST_MS = 1000

/**
 * countRegistrations asks our own server once a second, in long runs less often, how many registrations it holds. Of a server of others
 * that is not known.
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
    // a server that is gone is noticed elsewhere
    const state = await control?.state().catch(() => null)
    // the answer was true at some moment in between
    if (!stopped) onCount((beganNs + clock()) / 2, state?.registrations ?? null)
  }
  const timer = setInterval(count, Math.max(LEAST_MS, durationMs / MOST_POINTS))
  return {
    stop: () => {
      stopped = true
      clearInterval(timer)
    }
  }
}
