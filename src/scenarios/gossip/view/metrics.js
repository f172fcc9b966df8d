import { QUANTILES } from '../../../measure/summary.js'
import { sample, seconds } from '../../../report/metric.js'

/**
 * @typedef {import('../gossip-types.js').GossipFigures} GossipFigures
 * @typedef {import('../../../result/types.js').Summary} Summary
 * @typedef {import('../../../report/metric.js').Metric} Metric
 * @typedef {import('../../../report/metric.js').State} State
 */

/** @param {State} state @returns {GossipFigures} */
const of = ({ figures }) => figures

/**
 * The gauges of a distribution of times.
 *
 * @param {string} name
 * @param {string} what
 * @param {(figures: GossipFigures) => Summary} summary
 * @returns {Metric[]}
 */
const times = (name, what, summary) => [
  {
    name: `loadtest_${name}_seconds`,
    help: `Percentiles of ${what} so far; only with enough samples`,
    labelNames: ['quantile'],
    read: state =>
      Object.entries(QUANTILES).flatMap(([key, quantile]) =>
        sample(seconds(summary(of(state))[/** @type {keyof typeof QUANTILES} */ (key)]?.ms), { quantile })
      )
  },
  {
    name: `loadtest_${name}_average_seconds`,
    help: `Average of ${what} so far`,
    read: state => sample(seconds(summary(of(state)).avg?.ms))
  },
  {
    name: `loadtest_${name}_max_seconds`,
    help: `Longest of ${what} so far`,
    read: state => sample(seconds(summary(of(state)).max?.ms))
  }
]

/**
 * @param {string} name
 * @param {string} what
 * @param {(figures: GossipFigures) => number | null} read
 * @returns {Metric}
 */
const perDelivery = (name, what, read) => ({
  name: `loadtest_${name}`,
  help: `${what} for each delivery, so far`,
  read: state => sample(read(of(state)))
})

/** GOSSIP_METRICS are the figures of the gossip scenario. @type {readonly Metric[]} */
export const GOSSIP_METRICS = Object.freeze([
  {
    name: 'loadtest_network_info',
    help: '1, with what joins the nodes: real TCP on this host (loopback), or nothing real (simulated)',
    labelNames: ['network'],
    read: ({ plan }) => (plan !== null && 'network' in plan ? sample(1, { network: plan.network }) : [])
  },
  {
    name: 'loadtest_messages_total',
    help: 'Messages that were due so far, by what became of their publication',
    counts: true,
    labelNames: ['outcome'],
    read: state =>
      /** @type {const} */ (['published', 'skipped', 'failed']).flatMap(outcome =>
        sample(of(state).messages[outcome], { outcome })
      )
  },
  {
    name: 'loadtest_deliveries_expected_total',
    help: 'Deliveries that the messages published so far are to have',
    counts: true,
    read: state => sample(of(state).delivery.expected)
  },
  {
    name: 'loadtest_deliveries_total',
    help: 'Deliveries so far',
    counts: true,
    read: state => sample(of(state).delivery.delivered)
  },
  {
    name: 'loadtest_delivery_ratio',
    help: 'Deliveries of those expected so far; what is under way is not there yet',
    read: state => sample(of(state).delivery.ratio)
  },
  {
    name: 'loadtest_complete_ratio',
    help: 'Share of the messages so far that reached every subscriber',
    read: state => sample(of(state).delivery.completeRatio)
  },
  ...times('latency', 'publish call to first receipt of a delivery', ({ latency }) => latency.all),
  ...times(
    'dissemination',
    'publish call to the last delivery of a message',
    figures => figures.dissemination.all
  ),
  perDelivery('cpu_seconds_per_delivery', 'CPU time of the worker processes', ({ cost }) =>
    cost.cpuMicrosPerDelivery === null ? null : cost.cpuMicrosPerDelivery / 1e6
  ),
  perDelivery(
    'duplicates_per_delivery',
    'Copies that were there already',
    ({ cost }) => cost.duplicatesPerDelivery
  ),
  perDelivery('bytes_per_delivery', 'Bytes sent in RPCs', ({ cost }) => cost.bytesPerDelivery),
  perDelivery('rpcs_per_delivery', 'RPCs sent', ({ cost }) => cost.rpcsPerDelivery),
  perDelivery(
    'control_messages_per_delivery',
    'Control messages sent',
    ({ cost }) => cost.controlPerDelivery
  ),
  {
    name: 'loadtest_workers_cpu_cores',
    help: 'CPU of the worker processes at the last sample, in cores',
    read: ({ progress: { cpuPercent } }) => sample(cpuPercent == null ? null : cpuPercent / 100)
  },
  {
    name: 'loadtest_workers_memory_bytes',
    help: 'Memory of the worker processes at the last sample',
    read: ({ progress: { rssBytes } }) => sample(rssBytes)
  }
])
