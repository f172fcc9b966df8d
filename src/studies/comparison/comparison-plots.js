import { present } from '../../kit/lists.js'
import { overlay } from '../../report/description/overlay.js'
import { drawn, percentiles } from '../../report/description/series.js'
import { four } from '../../report/description/values.js'
import { pooledTimes } from '../../result/pooled-times.js'
import { SMALLEST_CHANGE } from './compare-metrics.js'
import { letterOf } from './comparison-document.js'

/**
 * @typedef {import('./comparison.js').Side} Side
 * @typedef {import('./compare-metrics.js').MetricComparison} MetricComparison
 * @typedef {import('../../report/description/description.js').Plot} Plot
 * @typedef {import('../../report/description/overlay.js').DescribedRun} DescribedRun
 */

/**
 * changePercent is how far a ratio is from 1, in %.
 *
 * @param {number | null | undefined} ratio
 * @returns {number | null} null: nothing bounds it
 */
export const changePercent = ratio =>
  ratio == null || ratio === 0 || !Number.isFinite(ratio) ? null : 100 * (ratio - 1)

const OF_SEVERAL = 'Of each side the run in the middle.'

/** Pairs by what is known of them. @param {MetricComparison} metric @param {string} letter */
function pairSeries({ pairs }, letter) {
  const points = pairs.flatMap(({ base, candidate }, i) =>
    base !== null && candidate !== null && base.value > 0 && candidate.value > 0
      ? [{ at: i + 1, value: 100 * (candidate.value / base.value - 1), base, candidate }]
      : []
  )
  const kinds = /** @type {const} */ ([
    ['pair of runs', false, false],
    [`at least: operations of ${letter} had no reply`, false, true],
    ['at most: operations of A had no reply', true, false],
    ['not bounded', true, true]
  ])
  return kinds.flatMap(([label, ofBase, ofCandidate]) => {
    const those = points.filter(
      ({ base, candidate }) => base.atLeast === ofBase && candidate.atLeast === ofCandidate
    )
    return those.length === 0
      ? []
      : [
          {
            label,
            style: /** @type {const} */ ('points'),
            values: those.map(({ at, value }) => [at, four(value)])
          }
        ]
  })
}

/** How a figure changed from the first side, pair by pair. @param {MetricComparison} metric @param {string} letter @returns {Plot[]} */
function changePlot(metric, letter) {
  const { figure, pairs, ratio, interval } = metric
  const points = pairSeries(metric, letter)
  const estimate = changePercent(ratio)
  if (estimate === null || points.length === 0) return []
  const limit = 100 * SMALLEST_CHANGE
  const most = 1.1 * Math.max(limit, ...points.flatMap(({ values }) => values.map(([, y]) => Math.abs(y))))
  const band = interval && [changePercent(interval.low) ?? -most, changePercent(interval.high) ?? most]
  return [
    {
      id: `change-${letter}-${metric.metric.replace(/([a-z])([A-Z])/g, '$1-$2')}`
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-'),
      title: `${figure.title}: change from A to ${letter}`,
      kind: 'lines',
      ...(figure.better && { note: `${figure.better === 'higher' ? 'Higher' : 'Lower'} is better.` }),
      x: 'Pair of runs, in the order of time',
      y: 'Change, %',
      series: present([
        band && {
          label: '95 % interval',
          style: /** @type {const} */ ('area'),
          values: [0.5, pairs.length + 0.5].map(at => [at, ...[estimate, ...band].map(four)])
        },
        ...points
      ]),
      marks: [
        { y: four(estimate), label: 'estimate' },
        { y: limit, label: `+${limit} %` },
        { y: -limit, label: `−${limit} %` }
      ]
    }
  ]
}

/** The times of all runs of a side together. @param {readonly Side[]} sides @returns {Plot[]} */
function timesPlot(sides) {
  const { times } = sides[0].scenario.compared
  if (times === undefined) return []
  const series = sides.flatMap(({ label, results }, place) => {
    const { all } = pooledTimes(results.flatMap(({ outcome }) => times.of(outcome)))
    return percentiles(sides.length === 1 ? label : `${letterOf(place)} ${label}`, all)
  })
  return drawn({
    ...{ id: 'times-by-percentile', title: `${times.title} by percentile`, kind: 'lines' },
    note: 'All runs of a side together.',
    x: `${times.what} that took no longer, %`,
    y: `${times.title}, ms`,
    ...{ nines: true, logY: true, series }
  })
}

/**
 * comparisonPlots draw how figures changed, pair by pair, and the times of each side. The best plot is a figure that changed; else the times.
 *
 * @param {Pick<import('./comparison.js').Comparison, 'sides' | 'against'>} comparison
 * @param {readonly DescribedRun[]} runs - one of each side
 * @returns {Plot[]}
 */
export function comparisonPlots({ sides, against }, runs) {
  const changes = against.flatMap(({ metrics }, i) =>
    metrics
      .toSorted((a, b) => Number(b.verdict === 'different') - Number(a.verdict === 'different'))
      .flatMap(metric => changePlot(metric, letterOf(i + 1)))
  )
  const [best, ...others] = [...changes, ...timesPlot(sides)]
  const overlaid = sides.every(({ results }) => results.length === 1)
    ? overlay(runs)
    : overlay(runs).map(plot => ({ ...plot, note: [plot.note, OF_SEVERAL].filter(Boolean).join(' ') }))
  return best === undefined ? overlaid : [{ ...best, main: true }, ...others, ...overlaid]
}
