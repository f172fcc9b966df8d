import { none, tooFew } from '../../../measure/metric.js'
import { QUANTILES, SAMPLES_BEYOND } from '../../../measure/summary.js'

/**
 * @typedef {import('../../../measure/metric.js').Metric} Metric
 * @typedef {import('../../../result/types.js').Figures} Figures
 * @typedef {import('../../../result/types.js').OperationFigures} OperationFigures
 * @typedef {import('../../../result/types.js').OperationType} OperationType
 * @typedef {import('../../../result/types.js').Summary} Summary
 */

/** An average or a share of fewer operations is chance. */
const LIVE_OPERATIONS = 100
/** A throughput over less time is that of the start. */
const LIVE_SECONDS = 2

const NO_REPLY = 'at least this: operations without a reply reach into it'
const GENERATOR_ADDED = 'doubtful: the load generator itself added more than a tenth of it'
const GENERATOR_BUSY = 'at least this: the load generator was more than 90 % busy and could not send more'

/**
 * @param {OperationType} type
 * @param {Exclude<keyof Summary, 'count'>} name
 * @param {number} needed - operations
 * @returns {Metric['read']}
 */
const timeOf =
  (type, name, needed) =>
  ({ operations }) => {
    const summary = operations[type]?.rt.all
    if (summary === undefined || summary.count === 0) return none(`no ${type} was measured`)
    const figure = summary[name]
    if (figure === null) return tooFew(summary.count, needed)
    return {
      value: figure.ms,
      samples: summary.count,
      ...(figure.censored ? { atLeast: NO_REPLY } : {}),
      ...(figure.doubtful ? { doubt: GENERATOR_ADDED } : {})
    }
  }

/**
 * What was under way when a run was broken off says nothing about the server, and is left out.
 *
 * @param {OperationFigures[]} operations
 */
function tally(operations) {
  const sum = (/** @type {(operation: OperationFigures) => number} */ of) =>
    operations.reduce((total, operation) => total + of(operation), 0)
  const interrupted = sum(({ outcomes }) => outcomes.INTERRUPTED ?? 0)
  return { count: sum(({ count }) => count) - interrupted, errors: sum(({ errors }) => errors) - interrupted }
}

/**
 * sumMetrics are those that add up over operations.
 *
 * @param {(figures: Figures) => OperationFigures[]} chosen
 * @param {string} what - they are called
 * @returns {Record<'throughput' | 'errorRate' | 'count', Metric>}
 */
function sumMetrics(chosen, what) {
  const nothing = none(`no ${what} was measured`)
  return {
    throughput: {
      quantity: 'rate',
      liveFrom: LIVE_SECONDS,
      read(figures) {
        const operations = chosen(figures)
        if (operations.length === 0 || figures.measuredMs === 0) return nothing
        return {
          value: operations.reduce((sum, { throughputPerSecond }) => sum + throughputPerSecond, 0),
          samples: figures.measuredMs / 1000,
          ...(operations.some(({ throughputIsLowerBound }) => throughputIsLowerBound)
            ? { atLeast: GENERATOR_BUSY }
            : {})
        }
      }
    },
    errorRate: {
      quantity: 'share',
      liveFrom: LIVE_OPERATIONS,
      read(figures) {
        const { count, errors } = tally(chosen(figures))
        return count === 0 ? nothing : { value: (100 * errors) / count, samples: count }
      }
    },
    count: {
      quantity: 'number',
      grows: true,
      read(figures) {
        const { count } = tally(chosen(figures))
        return count === 0 ? nothing : { value: count, samples: count }
      }
    }
  }
}

/**
 * RUN_METRICS are those of all operations together but CONNECT, which is part of the operation after it.
 *
 * @type {Readonly<Record<string, Metric>>}
 */
export const RUN_METRICS = Object.freeze(
  sumMetrics(({ operations: { CONNECT, ...others } }) => Object.values(others), 'operation')
)

/**
 * typeMetrics are those of one type of operation.
 *
 * @param {OperationType} type
 * @returns {Record<string, Metric>} by the part of their name after the type
 */
export function typeMetrics(type) {
  const percentiles = /** @type {[keyof typeof QUANTILES, number][]} */ (Object.entries(QUANTILES))
  /** @type {Record<string, Metric>} */
  const metrics = {
    avg: { quantity: 'time', liveFrom: LIVE_OPERATIONS, read: timeOf(type, 'avg', 1) },
    ...Object.fromEntries(
      percentiles.map(([name, share]) => {
        const needed = Math.round(SAMPLES_BEYOND / (1 - share))
        return [name, /** @type {Metric} */ ({ quantity: 'time', read: timeOf(type, name, needed) })]
      })
    ),
    max: { quantity: 'time', grows: true, read: timeOf(type, 'max', 1) },
    ...sumMetrics(({ operations }) => [operations[type] ?? []].flat(), type)
  }
  return Object.fromEntries(Object.entries(metrics).map(([name, metric]) => [name, { ...metric, type }]))
}
