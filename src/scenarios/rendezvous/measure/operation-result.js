import { sumOf } from '../../../kit/lists.js'
import { encodedHistogram } from '../../../measure/encoded-histogram.js'
import { encodedOverheads } from '../../../measure/overhead.js'
import { summarize } from '../../../measure/summary.js'

/**
 * @typedef {import('../../../result/types.js').OperationType} OperationType
 * @typedef {import('../../../result/types.js').OperationResult} OperationResult
 * @typedef {import('./measurement.js').Measurement} Measurement
 * @typedef {import('./totals.js').Totals} Totals
 * @typedef {import('../../../plan/plan.js').Plan} Plan
 */

/**
 * operationShape is what a result holds of each type of operation: a figure that is measured here is described here.
 *
 * @param {typeof import('zod').z} z
 * @param {typeof import('../../../result/schema-parts.js')} parts
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
 * @returns {{ churn?: import('../churn-schema.js').Churned }}
 */
export function churnOf({ churn, load, coveredMs }) {
  if (churn === null) return {}
  const good = sumOf(['REGISTER', 'DISCOVER'], type => load.byOutcome('rt', type).get('OK')?.count ?? 0)
  return { churn: churn.result(coveredMs > 0 ? (good * 60_000) / coveredMs : null) }
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
    measuredMs: measurement.coveredMs,
    ...churnOf(measurement)
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
