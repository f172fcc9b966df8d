import { none, tooFew } from '../../../measure/metric.js'
import { QUANTILES, SAMPLES_BEYOND } from '../../../measure/summary.js'

/**
 * @typedef {import('../../../measure/metric.js').Metric} Metric
 * @typedef {import('../../../result/types.js').Figures} Figures
 * @typedef {import('../../../result/types.js').Summary} Summary
 * @typedef {import('../rendezvous-rotation-types.js').RendezvousRotation} RendezvousRotation
 */

/** A share of fewer records is chance. */
const LIVE_RECORDS = 100

const NOT_SEEN = 'at least this: registrations that nobody saw reach into it'

/** @param {Figures} figures */
const rotationOf = figures =>
  /** @type {Figures & { rotation?: RendezvousRotation | null }} */ (figures).rotation ?? null

/** @param {'withDuplicates' | 'withoutDuplicates'} which @returns {Metric} */
const staleShare = which => ({
  quantity: 'share',
  liveFrom: LIVE_RECORDS,
  read(figures) {
    const { records, stale } = rotationOf(figures)?.discovered[which] ?? { records: 0, stale: 0 }
    return records === 0
      ? none('no record was discovered')
      : { value: (100 * stale) / records, samples: records }
  }
})

/**
 * @param {(rotation: RendezvousRotation) => Summary} summaryOf
 * @param {Exclude<keyof Summary, 'count'>} name
 * @param {number} needed - samples
 * @returns {Metric}
 */
const time = (summaryOf, name, needed) => ({
  quantity: 'time',
  grows: name === 'max',
  read(figures) {
    const rotation = rotationOf(figures)
    const summary = rotation === null ? null : summaryOf(rotation)
    if (summary === null || summary.count === 0) return none('no new peer came to it')
    const figure = summary[name]
    if (figure === null) return tooFew(summary.count, needed)
    return { value: figure.ms, samples: summary.count, ...(figure.censored ? { atLeast: NOT_SEEN } : {}) }
  }
})

/** @param {string} prefix @param {(rotation: RendezvousRotation) => Summary} summaryOf @returns {[string, Metric][]} */
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

/** @param {(rotation: RendezvousRotation) => number} of @returns {Metric} */
const countMetric = of => ({
  quantity: 'number',
  grows: true,
  read(figures) {
    const rotation = rotationOf(figures)
    return rotation === null ? none('nothing was measured') : { value: of(rotation), samples: 1 }
  }
})

/**
 * ROTATION_METRICS are what thresholds of rotating peers of a rendezvous server can be set on beside those of its operations.
 *
 * @type {Readonly<Record<string, Metric>>}
 */
export const ROTATION_METRICS = Object.freeze({
  staleShare: staleShare('withDuplicates'),
  'staleShare.withoutDuplicates': staleShare('withoutDuplicates'),
  overdue: countMetric(({ left }) => left.overdue),
  ...Object.fromEntries([
    ...times('visibleDelay', ({ visible }) => visible.delay.all),
    ...times('firstDiscovery', ({ firstDiscovery }) => firstDiscovery)
  ])
})
