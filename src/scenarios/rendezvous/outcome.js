// Makes the outcome, warnings and live figures of a rendezvous or custom run from its measurement. Also finds what
// limited the run.

import { computeSum, findLargest, median, omitMissing } from '../../kit/collections.js'
import { formatSignificant } from '../../kit/numbers.js'
import { makeRateShape } from '../../load/arrivals.js'
import { listGroups, listRoles } from '../../load/clients.js'
import { LOOK_UP_TIMEOUT_TEXT } from '../../load/registrations.js'
import { encodeOverheads } from '../../measure/client-overhead.js'
import { encodeHistogram } from '../../measure/distribution.js'
import { Histogram, summarize } from '../../measure/histogram.js'
import { findGeneratorUse, findLimit, findWaitedShare } from '../../measure/limited-by.js'
import { computeJainIndex } from '../../measure/statistics.js'
import { computeTrendStretchMs, findDriftOfType, findTrend } from '../../measure/steady-state.js'
import { findGeneratorLimit } from '../../report/warnings.js'

/**
 * @typedef {import('../../report/schema.js').Result} Result
 * @typedef {import('./measurement.js').Measurement} Measurement
 * @typedef {import('./measurement.js').Totals} Totals
 * @typedef {import('./options.js').Plan} Plan
 */

/**
 * makeRunOutcome makes the outcome of a run from what was measured so far.
 *
 * @param {Plan} plan
 * @param {Measurement} measurement
 * @param {object} known
 * @param {Result['outcome']['target']} known.target
 * @param {import('../gossip/outcome.js').NamespaceFigures | null} [known.namespaces] - null: it was in none
 * @param {string | null} known.memoryCountedAs - of the server
 * @param {Result['outcome']['registrations']} known.registrations
 * @param {Result['outcome']['lookUp']} known.lookUp
 * @param {Result['outcome']['warmUp']} known.warmUp
 * @param {Result['outcome']['floor']} [known.floor]
 * @param {Result['outcome']['gossip']} [known.gossip] - of full peers
 * @param {import('../../run/profiles.js').Profiles | null} [known.profiles] - null: nothing is sampled
 * @param {Result['outcome']['hostile']} [known.hostile] - how clients fared beside hostile peers
 * @param {(ms: number) => number} known.sinceBegin
 * @param {(figures: import('../../report/schema.js').Figures) => import('../../report/schema.js').ThresholdResult[]} known.judged - its thresholds
 * @returns {Result['outcome']}
 */
export function makeRunOutcome(plan, measurement, known) {
  const { target, registrations, lookUp, warmUp, floor, gossip, hostile, judged } = known
  const { profiles = null, namespaces = null } = known
  const { load, coveredMs } = measurement
  const perSecond = load.perSecond()
  const measured = {
    operations: makeOperationResults(plan, measurement),
    warmUp,
    measuredMs: coveredMs,
    perSecond,
    secondsPerPoint: load.secondsPerPoint,
    server: serverResult(measurement, known),
    ...(measurement.members.size > 0 && { members: membersOf(measurement) }),
    fairness: makeFairness(measurement, listRoles(plan)),
    ...churnOf(measurement),
    ...stalenessOf(load),
    ...(load.limitedReplies > 0 && { limitedReplies: load.limitedReplies }),
    ...(plan.failover && { dialled: { ...load.dialled } }),
    lookUp,
    ...(gossip !== undefined && { gossip }),
    ...(hostile !== undefined && { hostile })
  }
  return {
    target,
    ...(namespaces !== null && { namespaces }),
    ...measured,
    ...(floor !== undefined && { floor }),
    ...(profiles !== null && {
      profiles: /** @type {const} */ (['server', 'workers'])
        .map(of => ({ of, ...profiles.sampledOf(of) }))
        .filter(({ profile, allocations }) => profile || allocations)
    }),
    registrations,
    thresholds: judged(measured),
    faults: faultsOf(plan, measurement, perSecond),
    soak: longRunOf(measurement, perSecond)
  }
}

/** @typedef {Result['outcome']['perSecond']} PerSecond */

/** @param {Plan} plan @param {Measurement} measurement @param {PerSecond} perSecond @returns {Result['outcome']['faults']} */
function faultsOf(plan, { faults, load, coveredMs }, perSecond) {
  if (faults.length === 0) return []
  const { ratePerSecond, arrivals, durationMs, timeoutMs } = plan
  const { secondsPerPoint, reconnects } = load
  const shape = ratePerSecond === null ? null : makeRateShape({ arrivals, ratePerSecond, durationMs })
  return makeFaultResults(faults, {
    ...{ perSecond, secondsPerPoint, reconnects, measuredMs: coveredMs, timeoutMs },
    // the closed model has no schedule, nor is the rate of a replay known: throughput is then compared with itself
    dueIn: second => (shape === null ? 1 : shape.dueBy(second + secondsPerPoint) - shape.dueBy(second))
  })
}

/** @param {Measurement} measurement @param {PerSecond} perSecond @returns {Result['outcome']['soak']} */
function longRunOf({ measuredMs, resources, ownMemory, beganMs, faults, load }, perSecond) {
  /** @param {import('../../measure/steady-state.js').TrendReading[]} readings */
  const sinceBegan = readings => readings.map(({ atMs, value }) => ({ atMs: atMs - beganMs, value }))
  // a restarted server is another process
  const oneProcess = faults.every(({ kind }) => kind === 'pause' || kind === 'cpu')
  return makeSoakResult({
    durationMs: measuredMs,
    serverMemory: oneProcess
      ? sinceBegan(resources.samples.map(({ atMs, rssBytes }) => ({ atMs, value: rssBytes })))
      : [],
    ownMemory: new Map(
      [...ownMemory].map(([name, { resident, inUse }]) => [
        name,
        { resident: sinceBegan(resident.readings), inUse: sinceBegan(inUse.readings) }
      ])
    ),
    perSecond,
    secondsPerPoint: load.secondsPerPoint
  })
}

/**
 * @param {Measurement} measurement
 * @param {{ memoryCountedAs: string | null, sinceBegin: (ms: number) => number }} known
 * @returns {Result['outcome']['server']}
 */
function serverResult({ resources, serverDurations, load }, { memoryCountedAs, sinceBegin }) {
  const { cpu, memory, series } = resources.result()
  if (cpu.averagePercent == null) return null
  return {
    cpu,
    memory,
    memoryCountedAs,
    series: series.map(sample => ({ ...sample, atMs: sinceBegin(sample.atMs) })),
    durations: serverDurations?.summaries(load.types)
  }
}

/** @param {Measurement} measurement @returns {Result['outcome']['members']} */
const membersOf = ({ members, memberDurations, storeWork, load }) =>
  [...members]
    .map(([name, resources]) => ({ name, ...resources.result() }))
    .filter(({ cpu }) => cpu.averagePercent !== null)
    .map(({ name, cpu, memory }) => ({
      ...{ name, cpu, memory },
      durations: memberDurations.get(name)?.summaries(load.types),
      ...storeWorkResult(storeWork.get(name))
    }))

/** @param {Record<string, number>} [work] @returns {Partial<Pick<NonNullable<Result['outcome']['members']>[number], 'pool' | 'written'>>} */
function storeWorkResult(work) {
  if (work === undefined) return {}
  const { wallMs: ms, connections, statements, waitedMs, busyMs } = work
  const { writtenBytes, walBytes, fsyncs, checkpointFsyncs } = work
  if (connections === undefined) return { written: { writtenBytes, walBytes, fsyncs, checkpointFsyncs, ms } }
  return {
    pool: {
      connections,
      statements,
      waitedMs: statements === 0 ? null : waitedMs / statements,
      usedPercent: (100 * busyMs) / (connections * ms)
    }
  }
}

/** @param {Totals} load @returns {Pick<Result['outcome'], 'staleness'>} */
function stalenessOf(load) {
  const { all, answered } = load.pools('sight', '')
  if (all.count === 0) return {}
  const notSeen = all.count - answered.count
  const histogram = encodeHistogram(answered)
  return { staleness: Object.assign(summarize(all, { answered }), { notSeen, histogram }) }
}

/** makeWorkerHealth says how busy each worker of the load generator was. @param {Measurement} measurement @returns {Result['run']['health']} */
export function makeWorkerHealth(measurement) {
  const { workerTotals, workerUsage } = measurement
  return readUtilizations(measurement).map((utilization, worker) => {
    const { cpuMicros, wallMs } = workerUsage[worker]
    const totals = workerTotals[worker]
    return {
      worker,
      utilization,
      cpuPercent: wallMs > 0 ? cpuMicros / wallMs / 10 : 0,
      turns: summarize(totals.pooled('turn', '')),
      overhead: summarize(totals.overheads(null).histogram())
    }
  })
}

/**
 * @typedef {import('../../report/schema.js').OperationType} OperationType
 * @typedef {import('../../report/schema.js').OperationResult} OperationResult
 */

/**
 * makeOperationShape is the part of the result's schema for one type of operation. It stands beside the code that makes these figures.
 *
 * @param {typeof import('zod').z} z
 * @param {typeof import('../../report/schema.js')} parts
 */
export const makeOperationShape = (z, { count, figure, histogram, number, overheads, summary, text }) => ({
  // operations due in the measure phase, of any outcome
  count,
  // of any outcome but OK
  errors: count,
  outcomes: z.record(text, count),
  // of outcome OK, per second of the measure phase
  throughputPerSecond: number,
  rt: z.looseObject({ all: summary, ok: summary }).describe('response time'),
  service: summary.optional().describe('open model: from the actual send'),
  lag: summary.optional().describe('open model: how late operations were sent'),
  receivedBytesPerSecond: number
    .optional()
    .describe('of replies, per second of the measure phase; absent: no reply came, or the result is older'),
  bytesPerReply: figure,
  // only where one type ran alone
  serverCpuMicrosPerOperation: figure,
  histograms: z.record(text, histogram).describe('per outcome'),
  overheads: overheads.optional()
})

/**
 * churnOf makes the outcome of churn.
 *
 * @param {Measurement} measurement
 * @returns {{ churn?: import('./schema.js').Churned }}
 */
function churnOf({ churn, load, coveredMs }) {
  if (churn === null) return {}
  const good = computeSum(['REGISTER', 'DISCOVER'], type => load.byOutcome('rt', type).get('OK')?.count ?? 0)
  return { churn: churn.result(coveredMs > 0 ? (good * 60_000) / coveredMs : null) }
}

/**
 * makeLiveFigures gives the figures of a run that is still measuring.
 *
 * @param {Measurement} measurement
 * @returns {import('../../report/schema.js').Figures}
 */
export function makeLiveFigures(measurement) {
  const { cpu, memory } = measurement.resources.result()
  return {
    operations: Object.fromEntries(
      measurement.load.types.map(type => [type, operationFigures(type, measurement)])
    ),
    server: cpu.averagePercent === null ? null : { cpu, memory },
    measuredMs: measurement.coveredMs,
    ...churnOf(measurement)
  }
}

/** @param {OperationType} type @param {Measurement} measurement @returns {import('../../report/schema.js').OperationFigures} */
function operationFigures(type, measurement) {
  const { load, coveredMs } = measurement
  const outcomes = Object.fromEntries(
    [...load.byOutcome('rt', type)].map(([outcome, { count }]) => [outcome, count])
  )
  const ok = outcomes.OK ?? 0
  const count = computeSum(Object.values(outcomes))
  const replies = load.replyBytes(type)
  return {
    count,
    errors: count - ok,
    outcomes,
    throughputPerSecond: coveredMs > 0 ? (ok * 1000) / coveredMs : 0,
    ...(replies.count > 0 && coveredMs > 0 && { receivedBytesPerSecond: (replies.bytes * 1000) / coveredMs }),
    rt: responseTimes(load, type)
  }
}

/**
 * makeOperationResults makes the result of each type of operation.
 *
 * @param {Pick<Plan, 'ratePerSecond'>} plan
 * @param {Measurement} measurement
 */
export const makeOperationResults = (plan, measurement) =>
  Object.fromEntries(measurement.load.types.map(type => [type, operationResult(plan, type, measurement)]))

/** @param {Pick<Plan, 'ratePerSecond'>} plan @param {OperationType} type @param {Measurement} measurement @returns {OperationResult} */
function operationResult(plan, type, measurement) {
  const { load, resources } = measurement
  const ranAlone = load.types.length === 1 && resources.cpuMs > 0 && load.answered > 0
  const { count, bytes } = load.replyBytes(type)
  return {
    ...operationFigures(type, measurement),
    ...(plan.ratePerSecond == null ? {} : openModel(load, type)),
    bytesPerReply: count === 0 ? null : bytes / count,
    serverCpuMicrosPerOperation: ranAlone ? (resources.cpuMs * 1000) / load.answered : null,
    histograms: Object.fromEntries(
      [...load.byOutcome('rt', type)].map(([outcome, histogram]) => [outcome, encodeHistogram(histogram)])
    ),
    overheads: encodeOverheads(load.overheads(type))
  }
}

/** @param {Totals} load @param {OperationType} type */
function responseTimes(load, type) {
  const { all, answered } = load.pools('rt', type)
  const isOk = (/** @type {string} */ outcome) => outcome === 'OK'
  return {
    all: summarize(all, { answered, overheads: load.overheads(type) }),
    ok: summarize(load.pooled('rt', type, isOk), { overheads: load.overheads(type, isOk) })
  }
}

/** @param {Totals} load @param {OperationType} type */
function openModel(load, type) {
  const { all, answered } = load.pools('service', type)
  return { service: summarize(all, { answered }), lag: summarize(load.pooled('lag', type)) }
}

/** readUtilizations of the event loops of the workers, 0 to 1. @param {Measurement} measurement */
export const readUtilizations = ({ workerUsage }) =>
  workerUsage.map(({ activeMs, wallMs }) => (wallMs > 0 ? activeMs / wallMs : 0))

/**
 * @typedef {import('../../report/schema.js').FaultResult} FaultResult
 * @typedef {Result['outcome']['perSecond'][number]} Entry
 *
 * @typedef {Pick<FaultResult, 'kind' | 'atMs' | 'server' | 'fromMs' | 'toMs' | 'cpus' | 'registrationsLost'>} FaultEvent - a fault that was carried
 *   out
 *
 * @typedef {object} Measured
 * @property {readonly Entry[]} perSecond
 * @property {number} secondsPerPoint - that an entry covers
 * @property {ReadonlyMap<number, number>} reconnects - dials by point
 * @property {number} measuredMs
 * @property {number} timeoutMs - operations sent during a fault may end as late as this after it
 * @property {(second: number) => number} dueIn - operations due in the point that begins with that second, in any unit
 *
 * @typedef {object} Second - one point over time: a second, more of them in a long run
 * @property {number} ok - operations that succeeded
 * @property {Histogram} times - of all operations
 * @property {Map<string, number>} lost - by outcome
 */

/** The state before a fault is read from this many seconds at most, */
const MAX_SECONDS_BEFORE = 10
/** at least from this many. */
const MIN_SECONDS_BEFORE = 3
/** Workers report their seconds a little late: the first effects of a fault may be counted in the second before it. */
const LATE_MS = 100
/** Recovery is judged over this many seconds together: one alone may be good by chance. */
const SECONDS_TOGETHER = 2
/** Throughput has recovered at this share of the throughput before the fault. */
const RECOVERED_THROUGHPUT = 0.9
/** p99 has recovered below this multiple of p99 before the fault. */
const RECOVERED_P99 = 2

/**
 * makeFaultResults says what each fault did to the load: the time until throughput and p99 had recovered, and the operations lost. A second is
 * judged together with the one after it. In a long run, where a point covers several seconds, "second" stands for such a point.
 *
 * @param {readonly FaultEvent[]} events - in order
 * @param {Measured} measured
 * @returns {FaultResult[]}
 */
export function makeFaultResults(events, measured) {
  const seconds = inSeconds(measured)
  let settledMs = 0
  return events.map((event, i) => {
    const nextMs = events[i + 1]?.fromMs ?? measured.measuredMs
    const result = faultResult(event, { seconds, measured, settledMs, nextMs })
    settledMs =
      (event.toMs ?? nextMs) + Math.max(result.recoveredThroughputMs ?? 0, result.recoveredP99Ms ?? 0)
    return result
  })
}

/** @param {Measured} measured @returns {Second[]} complete ones only */
function inSeconds({ perSecond, measuredMs, secondsPerPoint }) {
  const seconds = Array.from({ length: Math.floor(measuredMs / (1000 * secondsPerPoint)) }, () => ({
    ok: 0,
    times: new Histogram(),
    lost: new Map()
  }))
  for (const { second, type, outcome, histogram } of perSecond) {
    const into = seconds[second / secondsPerPoint]
    if (type === 'CONNECT' || into === undefined) continue
    const count = computeSum(histogram, ([, n]) => n)
    if (outcome === 'OK') into.ok += count
    else into.lost.set(outcome, (into.lost.get(outcome) ?? 0) + count)
    into.times.addPairs(histogram)
  }
  return seconds
}

/**
 * @param {FaultEvent} event
 * @param {{ seconds: Second[], measured: Measured, settledMs: number, nextMs: number }} around
 * @returns {FaultResult}
 */
function faultResult(event, { seconds, measured, settledMs, nextMs }) {
  const { fromMs, toMs } = event
  const { secondsPerPoint } = measured
  const pointMs = 1000 * secondsPerPoint
  const first = Math.max(0, Math.floor((fromMs - LATE_MS) / pointMs))
  const from = Math.max(first - MAX_SECONDS_BEFORE, Math.ceil(settledMs / pointMs))
  const before = stateOf(seconds.slice(from, first), from, measured, MIN_SECONDS_BEFORE)
  const end = Math.min(seconds.length, Math.ceil(nextMs / pointMs))
  /** @param {(state: State, before: State) => boolean} hasRecovered @returns {number | null} ms after the end of the fault; null: not within the run */
  const recoveredAfter = hasRecovered => {
    if (before === null || toMs === null) return null
    for (let second = Math.ceil(toMs / pointMs); second + SECONDS_TOGETHER <= end; second++) {
      // the median of two values is their mean
      const together = seconds.slice(second, second + SECONDS_TOGETHER)
      const state = stateOf(together, second, measured, SECONDS_TOGETHER)
      if (state !== null && hasRecovered(state, before)) return second * pointMs - toMs
    }
    return null
  }
  const recoveredThroughputMs = recoveredAfter(
    (state, { share }) => state.share >= RECOVERED_THROUGHPUT * share
  )
  const recoveredP99Ms = recoveredAfter((state, { p99Ms }) => state.p99Ms <= RECOVERED_P99 * p99Ms)
  const overMs =
    toMs === null || recoveredThroughputMs === null || recoveredP99Ms === null
      ? nextMs
      : toMs + Math.max(measured.timeoutMs, recoveredThroughputMs, recoveredP99Ms)
  const last = Math.min(end, Math.ceil(overMs / pointMs))
  /** @type {Record<string, number>} */
  const operationsLost = {}
  for (const { lost } of seconds.slice(first, last))
    for (const [outcome, count] of lost) operationsLost[outcome] = (operationsLost[outcome] ?? 0) + count
  const dials = [...measured.reconnects].flatMap(([second, count]) =>
    second >= first * secondsPerPoint && second < last * secondsPerPoint ? count : []
  )
  return {
    ...event,
    before: before && { throughputPerSecond: before.throughputPerSecond, p99Ms: before.p99Ms },
    recoveredThroughputMs,
    recoveredP99Ms,
    operationsLost,
    reconnects: { dials: computeSum(dials), peakPerSecond: findLargest(dials) }
  }
}

/**
 * @typedef {object} State - of some seconds
 * @property {number} throughputPerSecond
 * @property {number} share - of what was due
 * @property {number} p99Ms
 */

/**
 * @param {Second[]} seconds
 * @param {number} from - the first of them
 * @param {Measured} measured
 * @param {number} min - seconds needed
 * @returns {State | null} null: too few seconds, or no operation ended in them
 */
function stateOf(seconds, from, { dueIn, secondsPerPoint }, min) {
  const times = new Histogram()
  for (const second of seconds) times.add(second.times)
  if (seconds.length < min || times.count === 0) return null
  const rates = seconds.map(({ ok }) => ok)
  const shares = rates.map((ok, i) => ok / Math.max(Number.MIN_VALUE, dueIn((from + i) * secondsPerPoint)))
  return {
    throughputPerSecond: median(rates) / secondsPerPoint,
    share: median(shares),
    p99Ms: times.bucketAt(0.99) / 1000
  }
}

/**
 * @typedef {import('../../report/schema.js').Soak} Soak
 * @typedef {import('../../measure/steady-state.js').TrendReading} TrendReading
 *
 * @typedef {object} LongRun - times in ms since the measurement began
 * @property {number} durationMs - of the measurement
 * @property {readonly TrendReading[]} serverMemory - bytes
 * @property {ReadonlyMap<string, { resident: readonly TrendReading[], inUse: readonly TrendReading[] }>} ownMemory - bytes, of our own processes
 *   by name; `inUse`: read just after full garbage collections
 * @property {PerSecond} perSecond
 * @property {number} secondsPerPoint - that an entry covers
 */

/** In a shorter run, trends are those of its start. */
const MIN_SOAK_MS = 300_000

/** A process fills its caches in this share of the run: memory that it takes meanwhile is no growth. */
const SETTLING_SHARE = 1 / 3

/**
 * A garbage collection may fall into the writing of a result, which needs memory for a moment. So the least of this many stretches counts:
 * other collections fall into them too.
 */
const IN_USE_STRETCHES = 3
const IN_USE = { lowest: true, material: 0.1 }

/** @typedef {Omit<Entry, 'second'> & { atMs: number }} Ended - `atMs`: the middle of its point */

/** A median of fewer operations is chance. */
const MIN_OPERATIONS = 20

/**
 * makeSoakResult makes the trends of a long run.
 *
 * @param {LongRun} run
 * @returns {Soak | null} null: the run was too short
 */
export function makeSoakResult({ durationMs, serverMemory, ownMemory, perSecond, secondsPerPoint }) {
  if (durationMs < MIN_SOAK_MS) return null
  const stretch = computeTrendStretchMs(durationMs)
  const whole = { fromMs: 0, toMs: durationMs, stretch }
  const settled = { ...whole, fromMs: durationMs * SETTLING_SHARE }
  const types = /** @type {OperationType[]} */ ([...new Set(perSecond.map(({ type }) => type))])
  const ended = perSecond.map(({ second, ...entry }) => ({
    ...entry,
    atMs: (second + secondsPerPoint / 2) * 1000
  }))
  return {
    stretchMs: stretch,
    serverBytes: findTrend(serverMemory, settled),
    ownBytes: [...ownMemory].map(([name, { resident, inUse }]) => ({
      process: name,
      trend: findTrend(resident, settled),
      inUse: findTrend(inUse, { ...settled, stretch: IN_USE_STRETCHES * stretch }, IN_USE)
    })),
    p50Ms: types.map(type => ({ type, trend: findTrend(medians(ended, type, stretch), whole) })),
    errors: errorsByThird(ended, durationMs)
  }
}

/**
 * The median of the successes of each stretch.
 *
 * @param {readonly Ended[]} ended
 * @param {OperationType} type
 * @param {number} stretch - ms
 * @returns {TrendReading[]} ms
 */
function medians(ended, type, stretch) {
  /** @type {Map<number, Histogram>} */
  const stretches = new Map()
  for (const entry of ended) {
    if (entry.type !== type || entry.outcome !== 'OK') continue
    const place = Math.floor(entry.atMs / stretch)
    const times = stretches.get(place) ?? new Histogram()
    times.addPairs(entry.histogram)
    stretches.set(place, times)
  }
  return [...stretches]
    .filter(([, { count }]) => count >= MIN_OPERATIONS)
    .map(([place, times]) => ({ atMs: (place + 0.5) * stretch, value: times.bucketAt(0.5) / 1000 }))
}

/** @param {readonly Ended[]} ended @param {number} durationMs @returns {Soak['errors']} */
function errorsByThird(ended, durationMs) {
  const thirds = [0, 1, 2].map(() => ({ operations: 0, errors: 0 }))
  for (const { atMs, type, outcome, histogram } of ended) {
    if (type === 'CONNECT') continue
    const third = thirds[Math.min(2, Math.floor((3 * atMs) / durationMs))]
    const count = computeSum(histogram, ([, n]) => n)
    third.operations += count
    if (outcome !== 'OK') third.errors += count
  }
  return thirds
}

/** @typedef {NonNullable<import('../../report/schema.js').OperationsOutcome['fairness']>} Fairness */

/**
 * makeFairness says how evenly operations succeeded: among clients by their number of successes, among types by their share of successes.
 * Clients of different roles send at different rates, so each role has an index of its own. The lowest of these is the index of all clients.
 *
 * @param {Pick<import('./measurement.js').Measurement, 'succeeded' | 'load'>} measurement
 * @param {readonly import('../../load/clients.js').ClientRole[]} [roles]
 * @returns {Fairness} Jain's index, see `computeJainIndex`; null: there is one, or none
 */
export function makeFairness({ succeeded, load }, roles = []) {
  const types = load.types.filter(type => type !== 'CONNECT')
  const shares = types.map(type => {
    const outcomes = load.byOutcome('rt', type)
    return (outcomes.get('OK')?.count ?? 0) / computeSum([...outcomes.values()], ({ count }) => count)
  })
  const ofRoles = roles.map(({ role, first, clients }) => {
    const own = [...succeeded].filter(([client]) => client >= first && client < first + clients)
    return /** @type {const} */ ([role, amongSeveral(own.map(([, count]) => count))])
  })
  const known = omitMissing(ofRoles.map(([, index]) => index))
  const lowest = known.length === 0 ? null : Math.min(...known)
  return {
    clients: roles.length === 0 ? amongSeveral([...succeeded.values()]) : lowest,
    types: amongSeveral(shares),
    ...Object.fromEntries(ofRoles)
  }
}

/** @param {readonly number[]} values */
const amongSeveral = values => (values.length > 1 ? computeJainIndex(values) : null)

/**
 * makeRunWarnings lists the warnings of a run.
 *
 * @param {Plan} plan
 * @param {Result['outcome']} outcome
 * @param {Result['run']['health']} health
 * @param {object} known
 * @param {number} known.namespacesUsed
 * @param {{ detail: string, count: number }[]} known.badReplies
 * @param {import('../../report/schema.js').LimitedBy} [known.limitedBy]
 * @param {number} [known.clockErrorMs] - error of times between clients of two machines, at most
 * @returns {import('../../report/schema.js').Warning[]}
 */
export function makeRunWarnings(plan, outcome, health, known) {
  const { namespacesUsed, badReplies, limitedBy, clockErrorMs = 0 } = known
  const { target, targetPid, targetContainer } = plan
  return omitMissing([
    ...findGeneratorLimit({
      health,
      limitedBy,
      times: Object.entries(outcome.operations).map(([type, { rt }]) => [type, rt.all])
    }),
    ...makeOperationWarnings(outcome),
    ...badReplies.map(({ detail, count }) =>
      warning('REPLY_CHECK_FAILED', { type: plan.benchmarkType, detail, count })
    ),
    ...churnWarnings(outcome.churn, clockErrorMs),
    namespacesUsed > plan.nNamespaces &&
      warning('NAMESPACES_ADDED', { count: namespacesUsed - plan.nNamespaces }),
    ...outcome.faults
      .filter(({ kind, toMs }) => kind === 'restart' && toMs !== null && plan.store === 'memory')
      .map(({ toMs, registrationsLost }) =>
        warning('SERVER_RESTARTED', { atMs: toMs, lost: registrationsLost })
      ),
    ...lookUpWarnings(outcome.lookUp),
    ...growthWarnings(outcome.soak),
    // a server of ours without samples ended before it was sampled
    outcome.server == null &&
      target !== null &&
      targetPid === null &&
      targetContainer === null &&
      warning('SERVER_NOT_SAMPLED', {})
  ])
}

/** @param {Result['outcome']['lookUp']} lookUp */
function lookUpWarnings(lookUp) {
  if (lookUp === null) return []
  const { drawn, lookedUp, missing, problem } = lookUp
  if (lookedUp === 0 && problem !== null && problem !== LOOK_UP_TIMEOUT_TEXT)
    return [warning('NOTHING_LOOKED_UP', { drawn, problem })]
  return omitMissing([
    missing > 0 && warning('REGISTRATIONS_MISSING', { missing, lookedUp }),
    problem !== null && warning('LOOK_UP_INCOMPLETE', { left: drawn - lookedUp, drawn, problem })
  ])
}

/** A kill or a start that is later than this departs from the schedule of churn. */
const CHURN_LATE_MS = 1000

/** @param {Result['outcome']['churn']} churn @param {number} clockErrorMs */
function churnWarnings(churn, clockErrorMs) {
  if (churn === undefined) return []
  const { latestMs, failed } = churn.lives
  return omitMissing([
    clockErrorMs > 0 && warning('CLOCKS_APART', { errorMs: clockErrorMs }),
    failed > 0 && warning('PEERS_NOT_STARTED', { count: failed }),
    latestMs > CHURN_LATE_MS && warning('PEERS_LATE', { latestMs })
  ])
}

/** @param {Result['outcome']['soak']} soak */
function growthWarnings(soak) {
  if (soak === null) return []
  return omitMissing([
    soak.serverBytes?.verdict === 'growing' && warning('SERVER_MEMORY_GROWS', { trend: soak.serverBytes }),
    ...soak.ownBytes
      .filter(({ inUse }) => inUse?.verdict === 'growing')
      .map(({ process, inUse }) => warning('GENERATOR_MEMORY_GROWS', { process, trend: inUse }))
  ])
}

/** @typedef {Pick<Result['outcome'], 'operations' | 'perSecond' | 'secondsPerPoint' | 'limitedReplies'> & { hostile?: Result['outcome']['hostile'] }} MeasuredOperations */

/** makeOperationWarnings lists the warnings about operations. @param {MeasuredOperations} outcome */
export function makeOperationWarnings(outcome) {
  const operations = /** @type {[OperationType, OperationResult][]} */ (Object.entries(outcome.operations))
  const requests = operations.flatMap(([type, operation]) => (type === 'CONNECT' ? [] : operation))
  const count = computeSum(requests, request => request.count)
  const { limitedReplies = 0, hostile } = outcome
  return omitMissing([
    ...operations.flatMap(([type, result]) => warningsOfType(type, result, outcome)),
    count > 0 &&
      requests.every(request => request.errors === request.count) &&
      warning('NOTHING_SUCCEEDED', { count }),
    // beside hostile peers the limits of the server are part of the measurement
    limitedReplies > 0 && hostile === undefined && warning('SERVER_LIMITED', { count: limitedReplies })
  ])
}

/** @param {OperationType} type @param {OperationResult} result @param {MeasuredOperations} measured */
function warningsOfType(type, { outcomes, errors, lag }, measured) {
  const drift = findDriftOfType(measured, type)
  const { OK, INTERRUPTED = 0, ...failed } = outcomes
  const { DROPPED = 0, LOCAL_PORTS_EXHAUSTED = 0 } = failed
  const lateMs = lag?.p99?.ms ?? 0
  return omitMissing([
    drift?.settled === false &&
      warning('NOT_STATIONARY', { type, firstMs: drift.firstMs, lastMs: drift.lastMs }),
    DROPPED > 0 && warning('DROPPED', { count: DROPPED }),
    LOCAL_PORTS_EXHAUSTED > 0 && warning('LOCAL_PORTS_EXHAUSTED', { count: LOCAL_PORTS_EXHAUSTED }),
    errors > INTERRUPTED && warning('OPERATIONS_FAILED', { type, outcomes: failed }),
    lateMs > SCHEDULE_LATE_MS && warning('SCHEDULE_LATE', { p99Ms: lateMs })
  ])
}

/** Timers explain no later sending than this. */
const SCHEDULE_LATE_MS = 10

/** @param {string} code @param {Record<string, unknown>} values */
const warning = (code, values) => ({ code, values })

/**
 * @typedef {import('../../report/schema.js').LimitedBy} LimitedBy
 * @typedef {import('../../measure/limited-by.js').ProcessUse} ProcessUse
 * @typedef {Pick<Result, 'plan'> & { outcome: Omit<Result['outcome'], 'limitedBy' | 'thresholds'>, run: Pick<Result['run'], 'health' | 'lateness' | 'machine'> }} MeasuredRun
 */

/** Name of the database among the members. */
const DATABASE = 'database'
/** A process runs on one core if its main thread uses at least this share of its CPU time. */
const MAIN_THREAD_SHARE = 0.6

/**
 * findRunLimit finds what limited a run of operations at a rendezvous server.
 *
 * @param {MeasuredRun} measured
 * @returns {LimitedBy | undefined} undefined: nothing was measured
 */
export function findRunLimit(measured) {
  const { plan, outcome, run } = measured
  const { CONNECT, ...requests } = outcome.operations
  const operations = Object.values(requests)
  if (operations.length === 0 || outcome.measuredMs === 0) return undefined
  // operations that the load generator could not send show its limit
  const unsent = (/** @type {string} */ reason) => operations.some(({ outcomes }) => outcomes[reason] > 0)
  const generator = unsent('DROPPED')
    ? { percent: 100, of: `--maxInFlight ${plan.maxInFlight}` }
    : unsent('LOCAL_PORTS_EXHAUSTED')
      ? { percent: 100, of: 'local ports' }
      : findGeneratorUse(run)
  return findLimit({
    server: serverUse(measured),
    generator,
    ...linkUse(measured, operations),
    ...storeUse(measured, operations),
    ...achieved(measured, operations)
  })
}

/** @param {MeasuredRun} measured @returns {ProcessUse} */
function serverUse({ plan, outcome: { server, members = [], target }, run: { lateness, machine } }) {
  const servers = members.filter(({ name }) => name !== DATABASE)
  const known = servers.flatMap(({ cpu }) => cpu.averagePercent ?? [])
  const used = known.length > 0 ? findLargest(known) : (server?.cpu.averagePercent ?? null)
  if (used === null || (known.length === 0 && servers.length > 1)) return { percent: null }
  const quota = target.container?.cpus ?? Infinity
  const main = lateness?.processes.find(({ name }) => name === 'server')?.ownPercent ?? 0
  // our server is JavaScript, which runs on one thread
  const threads = plan.target === null || main >= MAIN_THREAD_SHARE * used ? 1 : machine.cores
  const cores = Math.min(quota, threads)
  const waitedShare = quota < machine.cores ? undefined : findWaitedShare(lateness, 'server')
  return {
    percent: used / cores,
    of: cores === 1 ? 'a core' : `${formatSignificant(cores)} cores`,
    ...(waitedShare !== undefined && { waitedShare })
  }
}

/**
 * In a network of namespaces each namespace has an uplink: all replies share the server's, each client sends its requests on its own.
 *
 * @param {MeasuredRun} measured
 * @param {readonly OperationResult[]} operations
 */
function linkUse({ plan, outcome: { namespaces, measuredMs } }, operations) {
  const up = plan.upBandwidthBytesPerSecond ?? null
  if (up === null || namespaces === undefined) return {}
  const { router } = namespaces
  if (router === null) return { link: null }
  const replies = computeSum(operations, ({ receivedBytesPerSecond = 0 }) => receivedBytesPerSecond)
  const requests = Math.max(0, (router.bytes * 1000) / measuredMs - replies) / plan.nClients
  return { link: (100 * Math.max(replies, requests)) / up }
}

/** @param {import('../../report/schema.js').Summary} summary */
const totalMs = ({ avg, count }) => (avg?.ms ?? 0) * count

/**
 * The store is used for the share of the response time that the server holds a request, but uses no CPU.
 *
 * @param {MeasuredRun} measured
 * @param {readonly OperationResult[]} operations
 */
function storeUse({ outcome: { server, members = [], measuredMs }, run: { machine } }, operations) {
  if (members.length === 0) return {}
  const database = members.find(({ name }) => name === DATABASE)?.cpu.averagePercent ?? 0
  const served = computeSum(Object.values(server?.durations ?? {}), totalMs)
  const worked = ((server?.cpu.averagePercent ?? 0) / 100) * measuredMs
  const waited = computeSum(operations, ({ rt }) => totalMs(rt.all))
  const share = waited === 0 ? 0 : Math.max(0, served - worked) / waited
  return { store: Math.max(100 * share, database / machine.cores) }
}

/**
 * The share of the offered load that succeeded, scaled down where it took longer than planned.
 *
 * @param {MeasuredRun} measured
 * @param {readonly OperationResult[]} operations
 */
function achieved({ plan, outcome: { measuredMs } }, operations) {
  if (plan.thinkTimeMs != null || listGroups(plan).some(({ ratePerSecond }) => ratePerSecond === null))
    return {}
  const due = computeSum(operations, ({ count }) => count)
  const done = computeSum(operations, ({ outcomes }) => outcomes.OK ?? 0)
  const plannedMs = plan.durationMs ?? (1000 * due) / Number(plan.ratePerSecond)
  // the last operations end a response time after they were due
  const slowMs = findLargest(operations, ({ rt }) => (rt.all.p50 ?? rt.all.avg)?.ms ?? 0)
  const inTime = Math.min(1, plannedMs / Math.max(1, measuredMs - slowMs))
  return due === 0 ? {} : { achieved: (100 * done * inTime) / due }
}
