import { none, tooFew } from '../../../measure/metric.js'
import { LEAST_SAMPLES } from '../../../measure/resource-series.js'

/**
 * @typedef {import('../../../measure/metric.js').Metric} Metric
 * @typedef {import('../../../result/types.js').ServerResult} ServerResult
 */

/** @param {number | null} bytes */
const megabytes = bytes => (bytes === null ? null : bytes / 1e6)

/**
 * @param {'cpu' | 'memory'} part
 * @param {(server: Pick<ServerResult, 'cpu' | 'memory'>) => number | null} of
 * @param {{ grows?: boolean, needed?: number }} [how] - `needed`: samples
 * @returns {Metric}
 */
const serverMetric = (part, of, { grows = false, needed = LEAST_SAMPLES } = {}) => ({
  quantity: part === 'cpu' ? 'share' : 'memory',
  ofServer: true,
  liveFrom: LEAST_SAMPLES,
  grows,
  read({ server }) {
    if (server === null) return none('CPU and memory of the server are not known')
    const { samples } = server[part]
    const value = of(server)
    return value === null ? tooFew(samples, needed) : { value, samples }
  }
})

/**
 * SERVER_METRICS are those of the server's process or container.
 *
 * @type {Readonly<Record<string, Metric>>}
 */
export const SERVER_METRICS = Object.freeze({
  'cpu.avg': serverMetric('cpu', ({ cpu }) => cpu.averagePercent),
  'cpu.median': serverMetric('cpu', ({ cpu }) => cpu.medianPercent),
  'cpu.max': serverMetric('cpu', ({ cpu }) => cpu.maxPercent, { grows: true }),
  'memory.avg': serverMetric('memory', ({ memory }) => megabytes(memory.averageBytes), { needed: 1 }),
  'memory.median': serverMetric('memory', ({ memory }) => megabytes(memory.medianBytes)),
  'memory.max': serverMetric('memory', ({ memory }) => megabytes(memory.maxBytes), { grows: true })
})
