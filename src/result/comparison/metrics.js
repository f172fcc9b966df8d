/** @typedef {'throughput' | 'p50' | 'p99' | 'cpu'} MetricName */

/**
 * METRICS are what comparisons decide on, with their units and which way is better.
 *
 * @type {Readonly<Record<MetricName, { title: string, unit: string, better: 'higher' | 'lower' }>>}
 */
export const METRICS = Object.freeze({
  throughput: { title: 'Throughput', unit: 'op/s', better: 'higher' },
  p50: { title: 'p50', unit: 'ms', better: 'lower' },
  p99: { title: 'p99', unit: 'ms', better: 'lower' },
  cpu: { title: 'Server CPU per operation', unit: 'µs', better: 'lower' }
})

/** METRIC_NAMES in the order of all views. */
export const METRIC_NAMES = Object.freeze(/** @type {MetricName[]} */ (Object.keys(METRICS)))
