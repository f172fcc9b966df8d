/**
 * @typedef {'throughput' | 'p50' | 'p99' | 'cpu'} RendezvousMetric
 * @typedef {'latency.p50' | 'latency.p99' | 'dissemination.p50' | 'dissemination.p99' | 'deliveryRatio' | 'cpuPerDelivery'
 *   | 'duplicatesPerDelivery' | 'bytesPerDelivery' | 'memory'} GossipMetric
 * @typedef {RendezvousMetric | GossipMetric} MetricName
 * @typedef {'rendezvous' | 'gossip'} ComparedScenario - whose results can be compared
 *
 * @typedef {{ title: string, unit: string, better: 'higher' | 'lower' }} ComparedMetric
 */

/** @type {Readonly<Record<RendezvousMetric, ComparedMetric>>} */
const RENDEZVOUS = Object.freeze({
  throughput: { title: 'Throughput', unit: 'op/s', better: 'higher' },
  p50: { title: 'p50', unit: 'ms', better: 'lower' },
  p99: { title: 'p99', unit: 'ms', better: 'lower' },
  cpu: { title: 'Server CPU per operation', unit: 'µs', better: 'lower' }
})

/** @type {Readonly<Record<GossipMetric, ComparedMetric>>} */
const GOSSIP = Object.freeze({
  'latency.p50': { title: 'Latency p50', unit: 'ms', better: 'lower' },
  'latency.p99': { title: 'Latency p99', unit: 'ms', better: 'lower' },
  'dissemination.p50': { title: 'Dissemination p50', unit: 'ms', better: 'lower' },
  'dissemination.p99': { title: 'Dissemination p99', unit: 'ms', better: 'lower' },
  deliveryRatio: { title: 'Message delivery ratio', unit: '%', better: 'higher' },
  cpuPerDelivery: { title: 'CPU per delivery', unit: 'ms', better: 'lower' },
  duplicatesPerDelivery: { title: 'Duplicates per delivery', unit: 'copies', better: 'lower' },
  bytesPerDelivery: { title: 'Bytes per delivery', unit: 'bytes', better: 'lower' },
  memory: { title: 'Memory of all workers', unit: 'MB', better: 'lower' }
})

/** METRICS are what comparisons decide on, with their units and which way is better. @type {Readonly<Record<MetricName, ComparedMetric>>} */
export const METRICS = Object.freeze({ ...RENDEZVOUS, ...GOSSIP })

/** METRIC_NAMES of each scenario whose results can be compared, in the order of all views. */
export const METRIC_NAMES = Object.freeze({
  rendezvous: Object.freeze(/** @type {MetricName[]} */ (Object.keys(RENDEZVOUS))),
  gossip: Object.freeze(/** @type {MetricName[]} */ (Object.keys(GOSSIP)))
})
