import { ROTATION_METRICS } from '../../result/thresholds/rotation-metrics.js'
import { OPERATION_METRICS } from '../rendezvous/metrics.js'

/**
 * ROTATING_PEERS_METRICS are what thresholds of rotating peers of a rendezvous server can be set on.
 *
 * @type {import('../../result/thresholds/metrics.js').Metrics}
 */
export const ROTATING_PEERS_METRICS = Object.freeze({ ...ROTATION_METRICS, ...OPERATION_METRICS })
