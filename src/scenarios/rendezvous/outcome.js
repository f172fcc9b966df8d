// The outcome of measured operations, with its warnings, as it stands in a result.

import { largestOf, median, present, sumOf } from '../../kit/collections.js'
import { significant } from '../../kit/numbers.js'
import { rateShapeOf } from '../../load/arrivals.js'
import { groupsOf, rolesOf } from '../../load/clients.js'
import { OUT_OF_TIME } from '../../load/registrations.js'
import { encodedOverheads } from '../../measure/client-overhead.js'
import { encodedHistogram } from '../../measure/distribution.js'
import { Histogram, summarize } from '../../measure/histogram.js'
import { generatorUse, limitedBy, waitedShareOf } from '../../measure/limited-by.js'
import { jainIndex } from '../../measure/statistics.js'
import { driftOfType, trendOf, trendStretchMs } from '../../measure/steady-state.js'
import { generatorLimited } from '../../report/warnings.js'

/**
 * @typedef {import('../../report/schema.js').Result} Result
 * @typedef {import('./measurement.js').Measurement} Measurement
 * @typedef {import('./measurement.js').Totals} Totals
 * @typedef {import('./options.js').Plan} Plan
 */

/**
 * outcomeOfRun gives what was measured of the target, as far as a run has come.
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
 * @param {Result['outcome']['hostile']} [known.hostile] - what clients experienced beside hostile peers
 * @param {(ms: number) => number} known.sinceBegin
 * @param {(figures: import('../../report/schema.js').Figures) => import('../../report/schema.js').ThresholdResult[]} known.judged - its thresholds
 * @returns {Result['outcome']}
 */
export function outcomeOfRun(plan, measurement, known) {
  const { target, registrations, lookUp, floor, gossip, hostile, judged, namespaces = null } = known
  const measured = {
    ...measuredOf(plan, measurement, known),
    lookUp,
    ...(gossip !== undefined && { gossip }),
    ...(hostile !== undefined && { hostile })
  }
  return {
    target,
    ...(namespaces !== null && { namespaces }),
    ...measured,
    ...(floor !== undefined && { floor }),
    ...profilesIn(known.profiles ?? null),
    registrations,
    thresholds: judged(measured),
    faults: faultsOf(plan, measurement, measured.perSecond),
    soak: longRunOf(measurement, measured.perSecond)
  }
}

/**
 * @param {Plan} plan
 * @param {Measurement} measurement
 * @param {Pick<Parameters<typeof outcomeOfRun>[2], 'warmUp' | 'memoryCountedAs' | 'sinceBegin'>} known
 */
function measuredOf(plan, measurement, { warmUp, memoryCountedAs, sinceBegin }) {
  const { load, coveredMs } = measurement
  return {
    operations: operationResults(plan, measurement),
    warmUp,
    measuredMs: coveredMs,
    perSecond: load.perSecond(),
    secondsPerPoint: load.secondsPerPoint,
    server: serverResult(measurement, { memoryCountedAs, sinceBegin }),
    ...(measurement.members.size > 0 && { members: membersOf(measurement) }),
    fairness: fairnessOf(measurement, rolesOf(plan)),
    ...churnOf(measurement),
    ...stalenessOf(load),
    ...(load.limitedReplies > 0 && { limitedReplies: load.limitedReplies }),
    ...(plan.failover && { dialled: { ...load.dialled } })
  }
}

/** @param {import('../../run/profiles.js').Profiles | null} profiles @returns {Pick<Result['outcome'], 'profiles'>} */
function profilesIn(profiles) {
  if (profiles === null) return {}
  const parts = /** @type {const} */ (['server', 'workers']).map(of => ({ of, ...profiles.sampledOf(of) }))
  return { profiles: parts.filter(({ profile, allocations }) => profile || allocations) }
}

/** @typedef {Result['outcome']['perSecond']} PerSecond */

/** @param {Plan} plan @param {Measurement} measurement @param {PerSecond} perSecond @returns {Result['outcome']['faults']} */
function faultsOf(plan, { faults, load, coveredMs }, perSecond) {
  if (faults.length === 0) return []
  const { ratePerSecond, arrivals, durationMs, timeoutMs } = plan
  const shape = ratePerSecond === null ? null : rateShapeOf({ arrivals, ratePerSecond, durationMs })
  return faultResults(faults, {
    perSecond,
    secondsPerPoint: load.secondsPerPoint,
    reconnects: load.reconnects,
    measuredMs: coveredMs,
    timeoutMs,
    // clients of the closed model send what they can, and the rate of a replay is not known: they are held against themselves
    dueIn: second => (shape === null ? 1 : shape.dueBy(second + load.secondsPerPoint) - shape.dueBy(second))
  })
}

/** @param {Measurement} measurement @param {PerSecond} perSecond @returns {Result['outcome']['soak']} */
function longRunOf({ measuredMs, resources, ownMemory, beganMs, faults, load }, perSecond) {
  /** @param {import('../../measure/steady-state.js').Reading[]} readings */
  const sinceBegan = readings => readings.map(({ atMs, value }) => ({ atMs: atMs - beganMs, value }))
  // a server that was started again is another process
  const oneProcess = faults.every(({ kind }) => kind === 'pause' || kind === 'cpu')
  return soakOf({
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
  const { wallMs: ms, connections, statements, waitedMs, heldMs, ...written } = work
  if (connections === undefined) return { written: { ...writtenBy(written), ms } }
  return {
    pool: {
      connections,
      statements,
      waitedMs: statements === 0 ? null : waitedMs / statements,
      usedPercent: (100 * heldMs) / (connections * ms)
    }
  }
}

/** @param {Record<string, number>} work */
const writtenBy = ({ writtenBytes, walBytes, fsyncs, checkpointFsyncs }) => ({
  writtenBytes,
  walBytes,
  fsyncs,
  checkpointFsyncs
})

/** @param {Totals} load @returns {Pick<Result['outcome'], 'staleness'>} */
function stalenessOf(load) {
  const { all, answered } = load.pools('sight', '')
  if (all.count === 0) return {}
  const notSeen = all.count - answered.count
  const histogram = encodedHistogram(answered)
  return { staleness: Object.assign(summarize(all, { answered }), { notSeen, histogram }) }
}

/** healthOfRun gives how busy the load generator was. @param {Measurement} measurement @returns {Result['run']['health']} */
export function healthOfRun(measurement) {
  const { workerTotals, workerUsage } = measurement
  return utilizations(measurement).map((utilization, worker) => {
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
 * operationShape is what a result holds of each type of operation: a figure that is measured here is described here.
 *
 * @param {typeof import('zod').z} z
 * @param {typeof import('../../report/schema.js')} parts
 */
export const operationShape = (z, { count, figure, histogram, number, overheads, summary, text }) => ({
  // that were due in the measure phase, whatever became of them
  count,
  // without those of outcome OK
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
 * churnOf is what came of clients that come and go.
 *
 * @param {Measurement} measurement
 * @returns {{ churn?: import('./schema.js').Churned }}
 */
function churnOf({ churn, load, coveredMs }) {
  if (churn === null) return {}
  const good = sumOf(['REGISTER', 'DISCOVER'], type => load.byOutcome('rt', type).get('OK')?.count ?? 0)
  return { churn: churn.result(coveredMs > 0 ? (good * 60_000) / coveredMs : null) }
}

/**
 * figuresSoFar gives what was measured while a run goes on.
 *
 * @param {Measurement} measurement
 * @returns {import('../../report/schema.js').Figures}
 */
export function figuresSoFar(measurement) {
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
  const count = sumOf(Object.values(outcomes))
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
 * operationResults give what was measured of each type of operation.
 *
 * @param {Pick<Plan, 'ratePerSecond'>} plan
 * @param {Measurement} measurement
 */
export const operationResults = (plan, measurement) =>
  Object.fromEntries(measurement.load.types.map(type => [type, operationResult(plan, type, measurement)]))

/** @param {Pick<Plan, 'ratePerSecond'>} plan @param {OperationType} type @param {Measurement} measurement @returns {OperationResult} */
function operationResult(plan, type, measurement) {
  const { load, resources } = measurement
  const served = load.answered
  const ranAlone = load.types.length === 1 && resources.cpuMs > 0
  const { count, bytes } = load.replyBytes(type)
  return {
    ...operationFigures(type, measurement),
    ...(plan.ratePerSecond == null ? {} : openModel(load, type)),
    bytesPerReply: count === 0 ? null : bytes / count,
    serverCpuMicrosPerOperation: ranAlone && served > 0 ? (resources.cpuMs * 1000) / served : null,
    histograms: Object.fromEntries(
      [...load.byOutcome('rt', type)].map(([outcome, histogram]) => [outcome, encodedHistogram(histogram)])
    ),
    overheads: encodedOverheads(load.overheads(type))
  }
}

/** @param {Totals} load @param {OperationType} type */
function responseTimes(load, type) {
  const { all, answered } = load.pools('rt', type)
  return {
    all: summarize(all, { answered, overheads: load.overheads(type) }),
    ok: summarize(load.pooled('rt', type, isOk), { overheads: load.overheads(type, isOk) })
  }
}

/** @param {string} outcome */
const isOk = outcome => outcome === 'OK'

/** @param {Totals} load @param {OperationType} type */
function openModel(load, type) {
  const { all, answered } = load.pools('service', type)
  return { service: summarize(all, { answered }), lag: summarize(load.pooled('lag', type)) }
}

/** utilizations of the event loops of the workers, 0 to 1. @param {Measurement} measurement */
export const utilizations = ({ workerUsage }) =>
  workerUsage.map(({ activeMs, wallMs }) => (wallMs > 0 ? activeMs / wallMs : 0))

/**
 * @typedef {import('../../report/schema.js').FaultResult} FaultResult
 * @typedef {Result['outcome']['perSecond'][number]} Entry
 *
 * @typedef {object} FaultEvent - what was done to the server; times in ms since the measurement began
 * @property {import('./options.js').FaultKind} kind
 * @property {number} atMs - as planned
 * @property {number} [server] - of several, from 1
 * @property {number} fromMs
 * @property {number | null} toMs - the server could do its work again; null: that was not seen
 * @property {number | null} cpus - that were left to it
 * @property {number | null} registrationsLost - by the server's own count; null: not counted
 *
 * @typedef {object} Measured
 * @property {readonly Entry[]} perSecond
 * @property {number} secondsPerPoint - that each of them covers
 * @property {ReadonlyMap<number, number>} reconnects - dials by point
 * @property {number} measuredMs
 * @property {number} timeoutMs - what was sent during a fault may end as late as this after it
 * @property {(second: number) => number} dueIn - operations that are due in the point that begins then, in any unit; for a rate that
 *   changes
 *
 * @typedef {object} Second - or more, in a run so long that its points cover more
 * @property {number} ok - operations that succeeded
 * @property {Histogram} times - of all operations
 * @property {Map<string, number>} lost - by outcome
 */

/** The state before a fault is that of so many seconds at most. */
const MOST_BEFORE = 10
/** Of fewer, nothing can be said. */
const LEAST_BEFORE = 3
/** Workers end their seconds a little late, so that what a fault did at once may stand in the second before it. */
const LATE_MS = 100
/** A second alone may be good by chance. */
const TOGETHER = 2
/** Throughput is back at this share of what it was. */
const THROUGHPUT_SHARE = 0.9
/** The 99th percentile is back below so many times what it was. */
const P99_TIMES = 2

/**
 * faultResults say what faults did to the load: how long it took until throughput and p99 were back, and what was lost. A second is
 * judged together with the one after it; where a point of the run covers more than a second, so does everything here.
 *
 * @param {readonly FaultEvent[]} events - in order
 * @param {Measured} measured
 * @returns {FaultResult[]}
 */
export function faultResults(events, measured) {
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

/** @param {Measured} measured @returns {Second[]} whole ones */
function inSeconds({ perSecond, measuredMs, secondsPerPoint }) {
  const seconds = Array.from({ length: Math.floor(measuredMs / (1000 * secondsPerPoint)) }, () => ({
    ok: 0,
    times: new Histogram(),
    lost: new Map()
  }))
  for (const { second, type, outcome, histogram } of perSecond) {
    const into = seconds[second / secondsPerPoint]
    if (type === 'CONNECT' || into === undefined) continue
    const count = sumOf(histogram, ([, n]) => n)
    if (outcome === 'OK') into.ok += count
    else into.lost.set(outcome, (into.lost.get(outcome) ?? 0) + count)
    into.times.merge(asData(histogram, count))
  }
  return seconds
}

/** @param {[number, number][]} histogram @param {number} count */
const asData = (histogram, count) => ({
  values: Float64Array.from(histogram, ([value]) => value),
  counts: Uint32Array.from(histogram, ([, n]) => n),
  count,
  sum: 0,
  max: 0
})

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
  const from = Math.max(first - MOST_BEFORE, Math.ceil(settledMs / pointMs))
  const before = stateOf(seconds.slice(from, first), from, measured)
  const end = Math.min(seconds.length, Math.ceil(nextMs / pointMs))
  /** @param {(state: State) => boolean} isBack */
  const recovered = isBack =>
    before === null || toMs === null ? null : backAfter({ seconds, toMs, end, measured }, isBack)
  const recoveredThroughputMs = recovered(
    ({ share }) => share >= THROUGHPUT_SHARE * /** @type {State} */ (before).share
  )
  const recoveredP99Ms = recovered(({ p99Ms }) => p99Ms <= P99_TIMES * /** @type {State} */ (before).p99Ms)
  const back = [recoveredThroughputMs, recoveredP99Ms]
  const over =
    toMs === null || back.includes(null)
      ? nextMs
      : toMs + Math.max(measured.timeoutMs, ...back.map(ms => ms ?? 0))
  const last = Math.min(end, Math.ceil(over / pointMs))
  return {
    ...event,
    before: before === null ? null : { throughputPerSecond: before.throughputPerSecond, p99Ms: before.p99Ms },
    recoveredThroughputMs,
    recoveredP99Ms,
    operationsLost: lostIn(seconds.slice(first, last)),
    reconnects: dialsIn(measured.reconnects, first * secondsPerPoint, last * secondsPerPoint)
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
 * @param {number} [least] - of fewer, nothing is said
 * @returns {State | null}
 */
function stateOf(seconds, from, { dueIn, secondsPerPoint }, least = LEAST_BEFORE) {
  const times = new Histogram()
  for (const second of seconds) times.add(second.times)
  if (seconds.length < least || times.count === 0) return null
  const rates = seconds.map(({ ok }) => ok)
  const shares = rates.map((ok, i) => ok / Math.max(Number.MIN_VALUE, dueIn((from + i) * secondsPerPoint)))
  return {
    throughputPerSecond: median(rates) / secondsPerPoint,
    share: median(shares),
    p99Ms: times.bucketAt(0.99) / 1000
  }
}

/**
 * @param {{ seconds: Second[], toMs: number, end: number, measured: Measured }} after
 * @param {(state: State) => boolean} isBack
 * @returns {number | null} ms after the end of the fault; null: not as far as is known
 */
function backAfter({ seconds, toMs, end, measured }, isBack) {
  const pointMs = 1000 * measured.secondsPerPoint
  for (let second = Math.ceil(toMs / pointMs); second + TOGETHER <= end; second++) {
    // the middle of two values is their mean
    const state = stateOf(seconds.slice(second, second + TOGETHER), second, measured, TOGETHER)
    if (state !== null && isBack(state)) return second * pointMs - toMs
  }
  return null
}

/** @param {Second[]} seconds @returns {Record<string, number>} */
function lostIn(seconds) {
  /** @type {Record<string, number>} */
  const lost = {}
  for (const second of seconds)
    for (const [outcome, count] of second.lost) lost[outcome] = (lost[outcome] ?? 0) + count
  return lost
}

/** @param {ReadonlyMap<number, number>} reconnects @param {number} first @param {number} last */
function dialsIn(reconnects, first, last) {
  const within = [...reconnects]
    .filter(([second]) => second >= first && second < last)
    .map(([, dials]) => dials)
  return {
    dials: sumOf(within),
    peakPerSecond: largestOf(within)
  }
}

/**
 * @typedef {import('../../report/schema.js').Soak} Soak
 * @typedef {import('../../measure/steady-state.js').Reading} Reading
 *
 * @typedef {object} LongRun - times in ms since the measurement began
 * @property {number} durationMs - of the measurement
 * @property {readonly Reading[]} serverMemory - bytes
 * @property {ReadonlyMap<string, { resident: readonly Reading[], inUse: readonly Reading[] }>} ownMemory - bytes, of our own processes
 *   by name; `inUse`: read just after full garbage collections
 * @property {Result['outcome']['perSecond']} perSecond
 * @property {number} secondsPerPoint - that each of them covers
 */

/** A shorter run is no soak: what changes in it is how it began. */
const LEAST_MS = 300_000

/** Until then a process fills its caches: what it takes meanwhile is no growth. */
const SETTLED = 1 / 3

/**
 * A collection may come while a result is written, which takes memory for a moment: what is always needed is the least of so many
 * stretches, in which there are other collections too.
 */
const IN_USE_STRETCHES = 3
const IN_USE = { lowest: true, material: 0.1 }

/** @typedef {Omit<Result['outcome']['perSecond'][number], 'second'> & { atMs: number }} Ended - about then, in the middle of its point */

/** An operation's median of fewer says nothing. */
const LEAST_OPERATIONS = 20

/**
 * soakOf tells what changed over a long run.
 *
 * @param {LongRun} run
 * @returns {Soak | null} null: it was not long
 */
export function soakOf({ durationMs, serverMemory, ownMemory, perSecond, secondsPerPoint }) {
  if (durationMs < LEAST_MS) return null
  const stretch = trendStretchMs(durationMs)
  const whole = { fromMs: 0, toMs: durationMs, stretch }
  const settled = { ...whole, fromMs: durationMs * SETTLED }
  const types = /** @type {OperationType[]} */ ([...new Set(perSecond.map(({ type }) => type))])
  const ended = perSecond.map(({ second, ...entry }) => ({
    ...entry,
    atMs: (second + secondsPerPoint / 2) * 1000
  }))
  return {
    stretchMs: stretch,
    serverBytes: trendOf(serverMemory, settled),
    ownBytes: [...ownMemory].map(([name, { resident, inUse }]) => ({
      process: name,
      trend: trendOf(resident, settled),
      inUse: trendOf(inUse, { ...settled, stretch: IN_USE_STRETCHES * stretch }, IN_USE)
    })),
    p50Ms: types.map(type => ({ type, trend: trendOf(medians(ended, type, stretch), whole) })),
    errors: errorsByThird(ended, durationMs)
  }
}

/**
 * The median of the successes of each stretch.
 *
 * @param {readonly Ended[]} ended
 * @param {OperationType} type
 * @param {number} stretch - ms
 * @returns {Reading[]} ms
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
    .filter(([, { count }]) => count >= LEAST_OPERATIONS)
    .map(([place, times]) => ({ atMs: (place + 0.5) * stretch, value: times.bucketAt(0.5) / 1000 }))
}

/** @param {readonly Ended[]} ended @param {number} durationMs @returns {Soak['errors']} */
function errorsByThird(ended, durationMs) {
  const thirds = [0, 1, 2].map(() => ({ operations: 0, errors: 0 }))
  for (const { atMs, type, outcome, histogram } of ended) {
    if (type === 'CONNECT') continue
    const third = thirds[Math.min(2, Math.floor((3 * atMs) / durationMs))]
    const count = histogram.reduce((sum, [, n]) => sum + n, 0)
    third.operations += count
    if (outcome !== 'OK') third.errors += count
  }
  return thirds
}

/** @typedef {NonNullable<import('../../report/schema.js').OperationsOutcome['fairness']>} Fairness */

/**
 * fairnessOf says how evenly success was given out: among clients by how many operations succeeded, among types by which share of them did.
 * Clients of different roles send at different rates: they are held against those of their own, and of the roles the one where it was least
 * even says it for all.
 *
 * @param {Pick<import('./measurement.js').Measurement, 'succeeded' | 'load'>} measurement
 * @param {readonly import('../../load/clients.js').Role[]} [roles]
 * @returns {Fairness} Jain's index, see `jainIndex`; null: there is one, or none
 */
export function fairnessOf({ succeeded, load }, roles = []) {
  const types = load.types.filter(type => type !== 'CONNECT')
  const shares = types.map(type => {
    const outcomes = [...load.byOutcome('rt', type)]
    const all = outcomes.reduce((sum, [, { count }]) => sum + count, 0)
    return (load.byOutcome('rt', type).get('OK')?.count ?? 0) / all
  })
  const ofRoles = roles.map(({ role, first, clients }) => {
    const own = [...succeeded].filter(([client]) => client >= first && client < first + clients)
    return /** @type {const} */ ([role, amongSeveral(own.map(([, count]) => count))])
  })
  return {
    clients:
      roles.length === 0 ? amongSeveral([...succeeded.values()]) : least(ofRoles.map(([, index]) => index)),
    types: amongSeveral(shares),
    ...Object.fromEntries(ofRoles)
  }
}

/** @param {readonly number[]} values */
const amongSeveral = values => (values.length > 1 ? jainIndex(values) : null)

/** @param {readonly (number | null)[]} indices */
function least(indices) {
  const known = present(indices)
  return known.length === 0 ? null : Math.min(...known)
}

/**
 * warningsOfRun gives what a reader of the figures must know.
 *
 * @param {Plan} plan
 * @param {Result['outcome']} outcome
 * @param {Result['run']['health']} health
 * @param {object} known
 * @param {number} known.namespacesUsed
 * @param {{ detail: string, count: number }[]} known.badReplies
 * @param {import('../../report/schema.js').LimitedBy} [known.limitedBy]
 * @param {number} [known.clockErrorMs] - by which times between clients of two machines may be off
 * @returns {import('../../report/schema.js').Warning[]}
 */
export function warningsOfRun(
  plan,
  outcome,
  health,
  { namespacesUsed, badReplies, limitedBy, clockErrorMs = 0 }
) {
  return present([
    ...generatorLimited({
      health,
      limitedBy,
      times: Object.entries(outcome.operations).map(([type, { rt }]) => [type, rt.all])
    }),
    ...operationWarnings(outcome),
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
    outcome.server == null && couldBeSampled(plan) && warning('SERVER_NOT_SAMPLED', {})
  ])
}

/** Whose process nobody named; one of our own was ended before it was sampled. @param {Plan} plan */
const couldBeSampled = ({ target, targetPid, targetContainer }) =>
  target !== null && targetPid === null && targetContainer === null

/** @param {Result['outcome']['lookUp']} lookUp */
function lookUpWarnings(lookUp) {
  if (lookUp === null) return []
  const { drawn, lookedUp, missing, problem } = lookUp
  if (lookedUp === 0 && problem !== null && problem !== OUT_OF_TIME)
    return [warning('NOTHING_LOOKED_UP', { drawn, problem })]
  return present([
    missing > 0 && warning('REGISTRATIONS_MISSING', { missing, lookedUp }),
    problem !== null && warning('LOOK_UP_INCOMPLETE', { left: drawn - lookedUp, drawn, problem })
  ])
}

/** Later than this, a client was not where the schedule has it. */
const CHURN_LATE_MS = 1000

/** @param {Result['outcome']['churn']} churn @param {number} clockErrorMs */
function churnWarnings(churn, clockErrorMs) {
  if (churn === undefined) return []
  const { latestMs, failed } = churn.lives
  return present([
    clockErrorMs > 0 && warning('CLOCKS_APART', { errorMs: clockErrorMs }),
    failed > 0 && warning('PEERS_NOT_STARTED', { count: failed }),
    latestMs > CHURN_LATE_MS && warning('PEERS_LATE', { latestMs })
  ])
}

/** @param {[OperationType, OperationResult][]} operations */
function nothingSucceeded(operations) {
  const tried = operations.filter(([type]) => type !== 'CONNECT')
  const count = sumOf(tried, ([, operation]) => operation.count)
  const failed = tried.every(([, { count, errors }]) => errors === count)
  return count > 0 && failed ? [warning('NOTHING_SUCCEEDED', { count })] : []
}

/** @param {Result['outcome']['soak']} soak */
function growthWarnings(soak) {
  const growing = (/** @type {import('../../report/schema.js').Trend | null} */ trend) =>
    trend?.verdict === 'growing'
  if (soak === null) return []
  return present([
    growing(soak.serverBytes) && warning('SERVER_MEMORY_GROWS', { trend: soak.serverBytes }),
    ...soak.ownBytes
      .filter(({ inUse }) => growing(inUse))
      .map(({ process, inUse }) => warning('GENERATOR_MEMORY_GROWS', { process, trend: inUse }))
  ])
}

/** @typedef {Pick<Result['outcome'], 'operations' | 'perSecond' | 'secondsPerPoint' | 'limitedReplies'> & { hostile?: Result['outcome']['hostile'] }} MeasuredOperations */

/** operationWarnings say what to know of the figures of operations. @param {MeasuredOperations} outcome */
export function operationWarnings(outcome) {
  const operations = /** @type {[OperationType, OperationResult][]} */ (Object.entries(outcome.operations))
  return [
    ...operations.flatMap(([type, result]) => warningsOfType(type, result, outcome)),
    ...nothingSucceeded(operations),
    // beside hostile peers limits are part of what is measured
    ...(outcome.limitedReplies && outcome.hostile === undefined
      ? [warning('SERVER_LIMITED', { count: outcome.limitedReplies })]
      : [])
  ]
}

/** @param {OperationType} type @param {OperationResult} result @param {MeasuredOperations} measured */
function warningsOfType(type, { outcomes, errors, lag }, measured) {
  const drift = driftOfType(measured, type)
  const { DROPPED = 0, LOCAL_PORTS_EXHAUSTED = 0, INTERRUPTED = 0 } = outcomes
  const lateMs = lag?.p99?.ms ?? 0
  return present([
    drift?.settled === false &&
      warning('NOT_STATIONARY', { type, firstMs: drift.firstMs, lastMs: drift.lastMs }),
    DROPPED > 0 && warning('DROPPED', { count: DROPPED }),
    LOCAL_PORTS_EXHAUSTED > 0 && warning('LOCAL_PORTS_EXHAUSTED', { count: LOCAL_PORTS_EXHAUSTED }),
    errors > INTERRUPTED && warning('OPERATIONS_FAILED', { type, outcomes: failures(outcomes) }),
    lateMs > SCHEDULE_LATE_MS && warning('SCHEDULE_LATE', { p99Ms: lateMs })
  ])
}

/** Sending this late is more than timers explain. */
const SCHEDULE_LATE_MS = 10

/** @param {Record<string, number>} outcomes */
const failures = ({ OK, INTERRUPTED, ...others }) => others

/** @param {string} code @param {Record<string, unknown>} values */
const warning = (code, values) => ({ code, values })

/**
 * @typedef {import('../../report/schema.js').LimitedBy} LimitedBy
 * @typedef {import('../../measure/limited-by.js').ProcessUse} ProcessUse
 * @typedef {Pick<Result, 'plan'> & { outcome: Omit<Result['outcome'], 'limitedBy' | 'thresholds'>, run: Pick<Result['run'], 'health' | 'lateness' | 'machine'> }} MeasuredRun
 */

const CORE = 100
/** What the database is called among the members. */
const DATABASE = 'database'
/** A process whose main thread has so much of its CPU time runs on one core, and cannot use more. */
const MAIN_THREAD_SHARE = 0.6

/**
 * limitedRun says what limited a run of operations at a rendezvous server.
 *
 * @param {MeasuredRun} measured
 * @returns {LimitedBy | undefined} undefined: nothing was measured
 */
export function limitedRun({ plan, outcome, run }) {
  const operations = Object.entries(outcome.operations).flatMap(([type, operation]) =>
    type === 'CONNECT' ? [] : [operation]
  )
  if (operations.length === 0 || outcome.measuredMs === 0) return undefined
  const measured = { plan, outcome, run }
  return limitedBy({
    server: serverUse(measured),
    generator: ownLimit(measured, operations) ?? generatorUse(run),
    ...linkUse(measured, operations),
    ...storeUse(measured, operations),
    ...achieved(measured, operations)
  })
}

/**
 * A limit of the load generator that kept operations from being sent: of those that may be under way, or of local ports.
 *
 * @param {MeasuredRun} measured
 * @param {readonly OperationResult[]} operations
 * @returns {ProcessUse | null}
 */
function ownLimit({ plan }, operations) {
  const of = (/** @type {string} */ outcome) => sumOf(operations, ({ outcomes }) => outcomes[outcome] ?? 0)
  if (of('DROPPED') > 0) return { percent: 100, of: `--maxInFlight ${plan.maxInFlight}` }
  return of('LOCAL_PORTS_EXHAUSTED') > 0 ? { percent: 100, of: 'local ports' } : null
}

/** @param {MeasuredRun} measured @returns {ProcessUse} */
function serverUse({ plan, outcome: { server, members = [], target }, run: { lateness, machine } }) {
  const servers = members.filter(({ name }) => name !== DATABASE)
  const known = servers.flatMap(({ cpu }) => cpu.averagePercent ?? [])
  const used = known.length > 0 ? largestOf(known) : (server?.cpu.averagePercent ?? null)
  if (used === null || (known.length === 0 && servers.length > 1)) return { percent: null }
  const quota = target.container?.cpus ?? Infinity
  const main = lateness?.processes.find(({ name }) => name === 'server')?.ownPercent ?? 0
  // JavaScript runs on one thread
  const threads = plan.target === null || main >= MAIN_THREAD_SHARE * used ? 1 : machine.cores
  const cores = Math.min(quota, threads)
  const waitedShare = quota < machine.cores ? undefined : waitedShareOf(lateness, 'server')
  return {
    percent: (CORE * used) / (CORE * cores),
    of: cores === 1 ? 'a core' : `${significant(cores)} cores`,
    ...(waitedShare !== undefined && { waitedShare })
  }
}

/**
 * In a network of namespaces each has a line up: replies share that of the server, requests have one for each client.
 *
 * @param {MeasuredRun} measured
 * @param {readonly OperationResult[]} operations
 */
function linkUse({ plan, outcome: { namespaces, measuredMs } }, operations) {
  const up = plan.upBandwidthBytesPerSecond ?? null
  if (up === null || namespaces === undefined) return {}
  const { router } = namespaces
  if (router === null) return { link: null }
  const replies = sumOf(operations, ({ receivedBytesPerSecond = 0 }) => receivedBytesPerSecond)
  const requests = Math.max(0, (router.bytes * 1000) / measuredMs - replies) / plan.nClients
  return { link: (100 * Math.max(replies, requests)) / up }
}

/** @param {import('../../report/schema.js').Summary} summary */
const totalMs = ({ avg, count }) => (avg?.ms ?? 0) * count

/**
 * Requests of which a server takes no part of the time itself wait for its store.
 *
 * @param {MeasuredRun} measured
 * @param {readonly OperationResult[]} operations
 */
function storeUse({ outcome: { server, members = [], measuredMs }, run: { machine } }, operations) {
  if (members.length === 0) return {}
  const database = members.find(({ name }) => name === DATABASE)?.cpu.averagePercent ?? 0
  const served = sumOf(Object.values(server?.durations ?? {}), totalMs)
  const worked = ((server?.cpu.averagePercent ?? 0) / CORE) * measuredMs
  const waited = sumOf(operations, ({ rt }) => totalMs(rt.all))
  const share = waited === 0 ? 0 : Math.max(0, served - worked) / waited
  return { store: Math.max(100 * share, database / machine.cores) }
}

/**
 * What was done of what was due, as if it had been done in the time in which it was due.
 *
 * @param {MeasuredRun} measured
 * @param {readonly OperationResult[]} operations
 */
function achieved({ plan, outcome: { measuredMs } }, operations) {
  if (plan.thinkTimeMs != null || groupsOf(plan).some(({ ratePerSecond }) => ratePerSecond === null))
    return {}
  const due = sumOf(operations, ({ count }) => count)
  const done = sumOf(operations, ({ outcomes }) => outcomes.OK ?? 0)
  const plannedMs = plan.durationMs ?? (1000 * due) / Number(plan.ratePerSecond)
  // the last operations end later than they were due
  const slowMs = largestOf(operations, ({ rt }) => (rt.all.p50 ?? rt.all.avg)?.ms ?? 0)
  const inTime = Math.min(1, plannedMs / Math.max(1, measuredMs - slowMs))
  return due === 0 ? {} : { achieved: (100 * done * inTime) / due }
}
