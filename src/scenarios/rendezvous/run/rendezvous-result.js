import { largestOf, present, sumOf } from '../../../kit/lists.js'
import { rateShapeOf } from '../../../load/rate-shape.js'
import { CAUSES, doubtfulFigures } from '../../../measure/doubt.js'
import { driftOf } from '../../../measure/stationarity.js'
import { summarize } from '../../../measure/summary.js'
import { OUT_OF_TIME } from '../measure/look-up-sample.js'
import { faultResults } from '../measure/recovery.js'
import { soakOf } from '../measure/soak.js'

/**
 * @typedef {import('../../../result/types.js').Result} Result
 * @typedef {import('../../../result/types.js').OperationType} OperationType
 * @typedef {import('../../../result/types.js').OperationResult} OperationResult
 * @typedef {import('../measure/measurement.js').Measurement} Measurement
 * @typedef {import('../measure/totals.js').Totals} Totals
 * @typedef {import('../../../plan/plan.js').Plan} Plan
 */

/** Above this share of its time the generator does not send what it would. */
export const BUSY = 0.9

/**
 * outcomeOfRun gives what was measured of the target, as far as a run has come.
 *
 * @param {Plan} plan
 * @param {Measurement} measurement
 * @param {object} known
 * @param {Result['outcome']['target']} known.target
 * @param {string | null} known.memoryCountedAs - of the server
 * @param {Result['outcome']['registrations']} known.registrations
 * @param {Result['outcome']['lookUp']} known.lookUp
 * @param {(ms: number) => number} known.sinceBegin
 * @param {(figures: import('../../../result/types.js').Figures) => import('../../../result/types.js').ThresholdResult[]} known.judged - its thresholds
 * @returns {Result['outcome']}
 */
export function outcomeOfRun(plan, measurement, known) {
  const { target, memoryCountedAs, registrations, lookUp, sinceBegin, judged } = known
  const { load, rounds, coveredMs } = measurement
  const operations = operationResults(plan, measurement)
  const perSecond = load.perSecond()
  const server = serverResult(measurement, { memoryCountedAs, sinceBegin })
  const measured = { lookUp, operations, server, measuredMs: coveredMs }
  return {
    target,
    operations,
    rounds,
    measuredMs: coveredMs,
    perSecond,
    secondsPerPoint: load.secondsPerPoint,
    server,
    probe: plan.probeRatePerSecond > 0 ? { operations: probeSummaries(measurement.probe) } : null,
    registrations,
    lookUp,
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
function longRunOf({ rounds, resources, ownMemory, beganMs, faults, load }, perSecond) {
  const durationMs = largestOf(rounds, round => round.startMs + round.durationMs)
  /** @param {import('../../../measure/trend.js').Reading[]} readings */
  const sinceBegan = readings => readings.map(({ atMs, value }) => ({ atMs: atMs - beganMs, value }))
  // a server that was started again is another process
  const oneProcess = faults.every(({ kind }) => kind === 'pause' || kind === 'cpu')
  return soakOf({
    durationMs,
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
 * figuresSoFar gives what was measured while a run goes on.
 *
 * @param {Measurement} measurement
 * @returns {import('../../../result/types.js').Figures}
 */
export function figuresSoFar(measurement) {
  const { cpu, memory } = measurement.resources.result()
  return {
    operations: Object.fromEntries(
      measurement.load.types.map(type => [type, operationFigures(type, measurement)])
    ),
    server: cpu.averagePercent === null ? null : { cpu, memory },
    measuredMs: measurement.coveredMs
  }
}

/** @param {OperationType} type @param {Measurement} measurement @returns {import('../../../result/types.js').OperationFigures} */
function operationFigures(type, measurement) {
  const { load, coveredMs } = measurement
  const outcomes = Object.fromEntries(
    [...load.byOutcome('rt', type)].map(([outcome, { count }]) => [outcome, count])
  )
  const ok = outcomes.OK ?? 0
  const count = sumOf(Object.values(outcomes))
  return {
    count,
    errors: count - ok,
    outcomes,
    throughputPerSecond: coveredMs > 0 ? (ok * 1000) / coveredMs : 0,
    throughputIsLowerBound: utilizations(measurement).some(utilization => utilization > BUSY),
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
  const served = load.operations + measurement.probe.operations
  const ranAlone = load.types.length === 1 && resources.cpuMs > 0
  return {
    ...operationFigures(type, measurement),
    ...(plan.ratePerSecond == null ? {} : openModel(load, type)),
    bytesPerReply: load.bytesPerReply(type),
    serverCpuMicrosPerOperation: ranAlone && served > 0 ? (resources.cpuMs * 1000) / served : null,
    histograms: Object.fromEntries(
      [...load.byOutcome('rt', type)].map(([outcome, histogram]) => [outcome, histogram.encode()])
    )
  }
}

/** @param {Totals} load @param {OperationType} type */
const responseTimes = (load, type) => ({
  all: load.withPools('rt', type, pools =>
    withLess(load, type, undefined, less => summarize(pools.all, { ...pools, less }))
  ),
  ok: withLess(load, type, isOk, less => {
    const ok = load.pooled('rt', type, isOk)
    try {
      return summarize(ok, { less })
    } finally {
      ok.destroy()
    }
  })
})

/** @param {string} outcome */
const isOk = outcome => outcome === 'OK'

/**
 * @template T
 * @param {Totals} load
 * @param {OperationType} type
 * @param {((outcome: string) => boolean) | undefined} chosen - outcomes
 * @param {(less: import('../../../measure/summary.js').Less) => T} use
 * @returns {T}
 */
function withLess(load, type, chosen, use) {
  const least = load.pooled('least', type, chosen)
  const lessMachine = load.pooled('lessMachine', type, chosen)
  try {
    return use({ least, lessMachine })
  } finally {
    least.destroy()
    lessMachine.destroy()
  }
}

/** @param {Totals} load @param {OperationType} type */
const openModel = (load, type) => ({
  service: load.withPools('service', type, ({ all, answered }) => summarize(all, { answered })),
  lag: load.withPools('lag', type, ({ all }) => summarize(all))
})

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

/** The probe's own pace is of no interest: its times count from the actual send. @param {Totals} probe */
const probeSummaries = probe =>
  Object.fromEntries(
    probe.types.map(type => [
      type,
      probe.withPools('service', type, ({ all, answered }) => summarize(all, { answered }))
    ])
  )

/** utilizations of the event loops of the workers, 0 to 1. @param {Measurement} measurement */
export const utilizations = ({ workerUsage }) =>
  workerUsage.map(({ activeMs, wallMs }) => (wallMs > 0 ? activeMs / wallMs : 0))

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
      turns: totals.withPools('turn', '', ({ all }) => summarize(all)),
      added: totals.withPools('added', null, ({ all }) => summarize(all))
    }
  })
}

/**
 * warningsOfRun gives what a reader of the figures must know.
 *
 * @param {Plan} plan
 * @param {Result['outcome']} outcome
 * @param {Result['run']['health']} health
 * @param {{ namespacesUsed: number, badReplies: { detail: string, count: number }[] }} known
 * @returns {import('../../../result/types.js').Warning[]}
 */
export function warningsOfRun(plan, outcome, health, { namespacesUsed, badReplies }) {
  return present([
    ...generatorWarnings(health),
    ...operationWarnings(outcome),
    ...badReplies.map(({ detail, count }) =>
      warning('REPLY_CHECK_FAILED', { type: plan.benchmarkType, detail, count })
    ),
    namespacesUsed > plan.nNamespaces &&
      warning('NAMESPACES_ADDED', { count: namespacesUsed - plan.nNamespaces }),
    ...outcome.faults
      .filter(({ kind, toMs }) => kind === 'restart' && toMs !== null)
      .map(({ toMs, registrationsLost }) =>
        warning('SERVER_RESTARTED', { atMs: toMs, lost: registrationsLost })
      ),
    ...lookUpWarnings(outcome.lookUp),
    ...growthWarnings(outcome.soak),
    outcome.server == null && warning('SERVER_NOT_SAMPLED', {})
  ])
}

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

/** @param {[OperationType, OperationResult][]} operations */
function nothingSucceeded(operations) {
  const tried = operations.filter(([type]) => type !== 'CONNECT')
  const count = sumOf(tried, ([, operation]) => operation.count)
  const failed = tried.every(([, { count, errors }]) => errors === count)
  return count > 0 && failed ? [warning('NOTHING_SUCCEEDED', { count })] : []
}

/** @param {Result['outcome']['soak']} soak */
function growthWarnings(soak) {
  const growing = (/** @type {import('../../../result/types.js').Trend | null} */ trend) =>
    trend?.verdict === 'growing'
  if (soak === null) return []
  return present([
    growing(soak.serverBytes) && warning('SERVER_MEMORY_GROWS', { trend: soak.serverBytes }),
    ...soak.ownBytes
      .filter(({ inUse }) => growing(inUse))
      .map(({ process, inUse }) => warning('GENERATOR_MEMORY_GROWS', { process, trend: inUse }))
  ])
}

/** generatorWarnings say who was too busy to send more. @param {Result['run']['health']} health */
export const generatorWarnings = health =>
  health
    .filter(({ utilization }) => utilization > BUSY)
    .map(({ worker, utilization }) => warning('GENERATOR_BUSY', { worker, utilization }))

/** @typedef {Pick<Result['outcome'], 'operations' | 'perSecond' | 'secondsPerPoint'>} Measured */

/** operationWarnings say what to know of the figures of operations. @param {Measured} outcome */
export function operationWarnings(outcome) {
  const operations = /** @type {[OperationType, OperationResult][]} */ (Object.entries(outcome.operations))
  return [
    ...operations.flatMap(([type, result]) => warningsOfType(type, result, outcome)),
    ...nothingSucceeded(operations)
  ]
}

/** @param {OperationType} type @param {OperationResult} result @param {Measured} outcome */
function warningsOfType(type, { rt, outcomes, errors, lag }, { perSecond, secondsPerPoint }) {
  const succeeded = perSecond.filter(entry => entry.type === type && entry.outcome === 'OK')
  const drift = driftOf(succeeded, secondsPerPoint)
  const { DROPPED = 0, LOCAL_PORTS_EXHAUSTED = 0, INTERRUPTED = 0 } = outcomes
  const lateMs = lag?.p99?.ms ?? 0
  return present([
    ...doubtWarnings(type, rt.all),
    drift != null && warning('NOT_STATIONARY', { type, ...drift }),
    DROPPED > 0 && warning('DROPPED', { count: DROPPED }),
    LOCAL_PORTS_EXHAUSTED > 0 && warning('LOCAL_PORTS_EXHAUSTED', { count: LOCAL_PORTS_EXHAUSTED }),
    errors > INTERRUPTED && warning('OPERATIONS_FAILED', { type, outcomes: failures(outcomes) }),
    lateMs > LATE_MS && warning('SCHEDULE_LATE', { p99Ms: lateMs })
  ])
}

/** @param {OperationType} type @param {import('../../../result/types.js').Summary} summary */
const doubtWarnings = (type, summary) =>
  CAUSES.map(cause => ({ type, cause, percentiles: doubtfulFigures(summary, cause) }))
    .filter(({ percentiles }) => percentiles.length > 0)
    .map(values => warning('PERCENTILES_DOUBTFUL', values))

/** Sending this late is more than timers explain. */
const LATE_MS = 10

/** @param {Record<string, number>} outcomes */
const failures = ({ OK, INTERRUPTED, ...others }) => others

/** @param {string} code @param {Record<string, unknown>} values */
const warning = (code, values) => ({ code, values })
