import { RUN_METRICS, typeMetrics } from './operation-metrics.js'
import { SERVER_METRICS } from './server-metrics.js'

/** @type {readonly import('../../../result/types.js').OperationType[]} */
const TYPES = Object.freeze(['REGISTER', 'DISCOVER', 'UNREGISTER', 'CONNECT'])

/**
 * OPERATION_METRICS are what thresholds of operations at a rendezvous server can be set on.
 *
 * @type {import('../../../plan/metric-names.js').Metrics}
 */
export const OPERATION_METRICS = Object.freeze({
  ...RUN_METRICS,
  ...SERVER_METRICS,
  ...Object.fromEntries(
    TYPES.flatMap(type =>
      Object.entries(typeMetrics(type)).map(([name, metric]) => [`${type}.${name}`, metric])
    )
  )
})
