import { OPERATION_METRICS } from '../../rendezvous/measure/metrics.js'
import { ROTATION_METRICS } from './rotation-metrics.js'

/**
 * ROTATING_PEERS_METRICS are what thresholds of rotating peers of a rendezvous server can be set on.
 *
 * @type {import('../../../plan/metric-names.js').Metrics}
 */
export const ROTATING_PEERS_METRICS = Object.freeze({ ...ROTATION_METRICS, ...OPERATION_METRICS })
