import { none, tooFew } from '../../../measure/metric.js'
import { QUANTILES, SAMPLES_BEYOND } from '../../../measure/summary.js'

/**
 * @typedef {import('../../../measure/metric.js').Metric} Metric
 * @typedef {import('../gossip-types.js').GossipFigures} GossipFigures
 * @typedef {import('../../../result/types.js').Summary} Summary
 */

const MISSING = 'at least this: messages that did not arrive reach into it'
const GENERATOR_ADDED = 'doubtful: the machine itself added more than a tenth of it'
/** A ratio or an average of fewer messages is chance. */
const LIVE_MESSAGES = 20

/**
 * @param {Metric['quantity']} quantity
 * @param {(figures: GossipFigures) => number | null} of
 * @param {{ grows?: boolean, unless: string }} how - `unless`: why there is none
 * @returns {Metric}
 */
const plain = (quantity, of, { grows = false, unless }) => ({
  quantity,
  grows,
  liveFrom: LIVE_MESSAGES,
  read(figures) {
    const gossip = /** @type {GossipFigures} */ (/** @type {unknown} */ (figures))
    const value = of(gossip)
    const { published, skipped, failed } = gossip.messages
    return value === null ? none(unless) : { value, samples: published + skipped + failed }
  }
})

/**
 * @param {(figures: GossipFigures) => Summary} summaryOf
 * @param {Exclude<keyof Summary, 'count'>} name
 * @param {number} needed - samples
 * @returns {Metric}
 */
const time = (summaryOf, name, needed) => ({
  quantity: 'time',
  grows: name === 'max',
  read(figures) {
    const summary = summaryOf(/** @type {GossipFigures} */ (/** @type {unknown} */ (figures)))
    if (summary.count === 0) return none('nothing was published')
    const figure = summary[name]
    if (figure === null) return tooFew(summary.count, needed)
    return {
      value: figure.ms,
      samples: summary.count,
      ...(figure.censored ? { atLeast: MISSING } : {}),
      ...(figure.doubtful ? { doubt: GENERATOR_ADDED } : {})
    }
  }
})

/** @param {string} prefix @param {(figures: GossipFigures) => Summary} summaryOf @returns {[string, Metric][]} */
const times = (prefix, summaryOf) => [
  [`${prefix}.avg`, time(summaryOf, 'avg', 1)],
  ...Object.entries(QUANTILES).map(
    ([name, share]) =>
      /** @type {[string, Metric]} */ ([
        `${prefix}.${name}`,
        time(
          summaryOf,
          /** @type {keyof typeof QUANTILES} */ (name),
          Math.round(SAMPLES_BEYOND / (1 - share))
        )
      ])
  ),
  [`${prefix}.max`, time(summaryOf, 'max', 1)]
]

/** @param {number | null} share */
const percent = share => (share === null ? null : 100 * share)

const DELIVERED = 'nothing was delivered'
const EXPECTED = 'nothing was to be delivered'

/**
 * GOSSIP_METRICS are what thresholds of the gossip scenario can be set on.
 *
 * @type {Readonly<Record<string, Metric>>}
 */
export const GOSSIP_METRICS = Object.freeze({
  deliveryRatio: plain('share', ({ delivery }) => percent(delivery.ratio), { unless: EXPECTED }),
  completeRatio: plain('share', ({ delivery }) => percent(delivery.completeRatio), { unless: EXPECTED }),
  published: plain('number', ({ messages }) => messages.published, { grows: true, unless: EXPECTED }),
  skipped: plain('number', ({ messages }) => messages.skipped, { grows: true, unless: EXPECTED }),
  duplicatesPerDelivery: plain('number', ({ cost }) => cost.duplicatesPerDelivery, { unless: DELIVERED }),
  cpuPerDelivery: plain(
    'time',
    ({ cost }) => (cost.cpuMicrosPerDelivery === null ? null : cost.cpuMicrosPerDelivery / 1000),
    { unless: DELIVERED }
  ),
  ...Object.fromEntries(times('latency', ({ latency }) => latency.all)),
  ...Object.fromEntries(times('dissemination', ({ dissemination }) => dissemination.all))
})
