import { present } from '../../../../kit/lists.js'
import { span } from '../../../../kit/plots/axes.js'
import { seriesPlot } from '../../../../kit/plots/series-plot.js'
import { HEAT, INK, QUIET, SERIES } from '../../../../kit/plots/theme.js'
import { change, changeSpan } from '../../../../report/change.js'
import { SMALLEST_CHANGE } from '../../compare-metrics.js'
import { verdictWords } from '../figure-table.js'

/**
 * @typedef {import('../../compare-metrics.js').MetricComparison} MetricComparison
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 */

/** @param {number} ratio */
const percent = ratio => Number((100 * (ratio - 1)).toPrecision(4))

/**
 * How the pairs are drawn that have a figure on both sides: operations without a reply may bound a ratio on one side, or on both.
 *
 * @param {string} letter
 * @returns {readonly { mark: import('../../../../kit/plots/theme.js').Shape, label: string, base: boolean, candidate: boolean }[]}
 */
const kindsOf = letter => [
  { mark: 'circle', label: 'a pair of runs', base: false, candidate: false },
  {
    ...{ mark: 'triangle-up', base: false, candidate: true },
    label: `at least so much: operations of ${letter} without a reply`
  },
  {
    mark: 'triangle-down',
    label: 'at most so much: operations of A without a reply',
    base: true,
    candidate: false
  },
  { mark: 'cross', label: 'bounded on neither side', base: true, candidate: true }
]

/** @param {MetricComparison} comparison @param {string} letter @returns {import('../../../../kit/plots/series-plot.js').Series[]} */
const pointsOf = ({ pairs }, letter) =>
  kindsOf(letter).flatMap(({ mark, label, base: ofBase, candidate: ofCandidate }) =>
    [false, true].flatMap(isDoubtful => {
      const values = pairs.flatMap(({ base, candidate }, i) =>
        base !== null &&
        candidate !== null &&
        base.value > 0 &&
        candidate.value > 0 &&
        base.atLeast === ofBase &&
        candidate.atLeast === ofCandidate &&
        (base.doubtful || candidate.doubtful) === isDoubtful
          ? [{ at: i + 1, value: percent(candidate.value / base.value) }]
          : []
      )
      const look = isDoubtful ? { label: `${label}, doubtful`, colour: QUIET } : { label, colour: INK }
      return values.length === 0 ? [] : [{ mark, values, ...look }]
    })
  )

/** @param {MetricComparison} comparison @param {string} letter @returns {Plot[]} */
function plotOf(comparison, letter) {
  const { metric, figure, pairs, ratio, interval } = comparison
  const points = pointsOf(comparison, letter)
  if (ratio === null || points.length === 0) return []
  const ends = [0.5, pairs.length + 0.5]
  const level = (/** @type {number} */ value) => ends.map(at => ({ at, value }))
  const limit = 100 * SMALLEST_CHANGE
  const bounds = interval === null ? [] : [interval.low, interval.high].filter(Number.isFinite).map(percent)
  const values = points.flatMap(({ values }) =>
    values.map(point => /** @type {{ value: number }} */ (point).value)
  )
  const [least, most] = [Math.min, Math.max].map(end => 1.1 * end(...values, ...bounds, -limit, limit))
  const estimate = `${change(ratio)}${interval === null ? '' : ` (${changeSpan(interval)})`}`
  return [
    seriesPlot({
      id: `pairs-${letter}-${metric}`,
      title: figure.title,
      caption: `${letter} against A: ${estimate}, ${verdictWords(comparison)}. ${figure.better === 'higher' ? 'Higher' : 'Lower'} is better.`,
      description: `Change of ${figure.title} from A to ${letter} in each pair of runs: ${values.map(value => `${value} %`).join(', ')}.`,
      x: span([0.5, pairs.length + 0.5], 'Pair of runs, in the order of time', { tickMinStep: 1 }),
      y: span([least, most], `Change from A to ${letter}, %`),
      series: present([
        interval !== null && {
          ...{
            label: '95 % interval',
            colour: HEAT[0],
            mark: /** @type {const} */ ('area'),
            look: { opacity: 1 }
          },
          fields: { x: 'at', y: 'low', y2: 'high' },
          values: ends.map(at => ({
            at,
            low: percent(interval.low),
            high: Math.min(percent(interval.high), most)
          }))
        },
        ...[limit, -limit].map((value, i) => ({
          ...{
            label: i === 0 ? `±${limit} %` : undefined,
            colour: QUIET,
            mark: /** @type {const} */ ('dashed')
          },
          values: level(value)
        })),
        { label: 'estimate', colour: SERIES[0], mark: 'line', values: level(percent(ratio)) },
        ...points
      ])
    })
  ]
}

/**
 * pairedRatios draw how each primary metric changed from the first side to another, pair by pair, with what is concluded from them.
 *
 * @param {readonly MetricComparison[]} metrics
 * @param {string} letter - of the other side
 * @returns {Plot[]} a metric without a pair that has both figures has none
 */
export const pairedRatios = (metrics, letter) => metrics.flatMap(metric => plotOf(metric, letter))
