import { RUN_METRICS, typeMetrics } from './operation-metrics.js'
import { SERVER_METRICS } from './server-metrics.js'

/** @typedef {import('../types.js').OperationType} OperationType */

/** @type {readonly OperationType[]} */
const TYPES = Object.freeze(['REGISTER', 'DISCOVER', 'UNREGISTER', 'CONNECT'])

/**
 * METRICS is the one table of what thresholds can be set on, by name.
 *
 * @type {Readonly<Record<string, import('./metric.js').Metric>>}
 */
export const METRICS = Object.freeze({
  ...RUN_METRICS,
  ...SERVER_METRICS,
  ...Object.fromEntries(
    TYPES.flatMap(type =>
      Object.entries(typeMetrics(type)).map(([name, metric]) => [`${type}.${name}`, metric])
    )
  )
})

/** METRICS_IN_WORDS says what there is. */
export const METRICS_IN_WORDS = `${Object.keys({ ...RUN_METRICS, ...SERVER_METRICS }).join(', ')}; for each of ${TYPES.join(', ')}, as in DISCOVER.p99: ${Object.keys(typeMetrics('DISCOVER')).join(', ')}`

/** By their small letters; tables call p999 p99.9. @type {ReadonlyMap<string, string>} */
const NAMES = new Map(
  Object.keys(METRICS).flatMap(name => [
    [name.toLowerCase(), name],
    [name.toLowerCase().replace('.p999', '.p99.9'), name]
  ])
)

/**
 * metricNamed finds a metric's name, however its letters are written.
 *
 * @param {string} name
 * @returns {string | undefined}
 */
export const metricNamed = name => NAMES.get(name.toLowerCase())
