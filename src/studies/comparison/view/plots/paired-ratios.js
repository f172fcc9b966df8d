import { askedMarks, askedName } from '../../../../kit/plots/asked-marks.js'
import { logTicks, ordinal } from '../../../../kit/plots/axes.js'
import { category } from '../../../../kit/plots/series-plot.js'
import { HEAT, INK, PAPER, QUIET, SERIES } from '../../../../kit/plots/theme.js'
import { change, changeSpan } from '../../../../report/change.js'
import { SMALLEST_CHANGE } from '../../compare-metrics.js'
import { verdictWords } from '../comparison-page.js'

/**
 * @typedef {import('../../compare-metrics.js').MetricComparison} MetricComparison
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 *
 * @typedef {object} PairRatio
 * @property {number} pair - from 1
 * @property {number} ratio - candidate ÷ base
 * @property {'exact' | 'at least' | 'at most' | 'unbounded'} known - where operations without a reply reach into a figure
 * @property {boolean} doubtful
 */

const COLOUR = SERIES[0]

/** How a ratio is drawn. @type {Readonly<Record<PairRatio['known'], import('../../../../kit/plots/theme.js').Shape>>} */
const SHAPES = {
  exact: 'circle',
  'at least': 'triangle-up',
  'at most': 'triangle-down',
  unbounded: 'cross'
}

/** @param {boolean} baseAtLeast @param {boolean} candidateAtLeast @returns {PairRatio['known']} */
function knownOf(baseAtLeast, candidateAtLeast) {
  if (baseAtLeast) return candidateAtLeast ? 'unbounded' : 'at most'
  return candidateAtLeast ? 'at least' : 'exact'
}

/**
 * pairRatios are the ratios of a metric, a pair of runs each.
 *
 * @param {MetricComparison} comparison
 * @returns {PairRatio[]} pairs that lack a figure left out
 */
export const pairRatios = ({ pairs }) =>
  pairs.flatMap(({ base, candidate }, i) =>
    base === null || candidate === null || base.value <= 0 || candidate.value <= 0
      ? []
      : [
          {
            pair: i + 1,
            ratio: candidate.value / base.value,
            known: knownOf(base.atLeast, candidate.atLeast),
            doubtful: base.doubtful || candidate.doubtful
          }
        ]
  )

/** Decimal fractions are not exact: an end of an axis that falls on a number belongs to it. */
const TINY = 1e-9

/** Steps between the numbers of an axis of changes. */
const STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5]

/** Longer axes are logarithmic to the eye too: numbers of even steps would crowd at one end. */
const EVEN_UP_TO = 2.2

const LADDER = [0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5]

/**
 * changeTicks are the ratios that an axis of changes names: even steps of per cent, or round ratios where it is long.
 *
 * @param {[number, number]} domain
 * @returns {number[]}
 */
export function changeTicks([least, most]) {
  const rungs = LADDER.filter(ratio => ratio >= least && ratio <= most)
  if (most / least > EVEN_UP_TO)
    return least >= LADDER[0] / 1.5 && most <= 7.5 ? rungs : logTicks(least, most)
  const step = STEPS.find(size => (most - least) / size <= 7 + TINY) ?? 1
  const first = Math.ceil((least - 1) / step - TINY)
  const last = Math.floor((most - 1) / step + TINY)
  return Array.from({ length: last - first + 1 }, (_, i) => Number((1 + (first + i) * step).toFixed(4)))
}

/** Domain that ratios, their interval and the smallest change that counts fit in. @param {number[]} values @returns {[number, number]} */
function domainOf(values) {
  const all = [...values, 1 - 1.2 * SMALLEST_CHANGE, 1 + 1.2 * SMALLEST_CHANGE]
  const [least, most] = [Math.min(...all), Math.max(...all)]
  const room = (most / least) ** 0.06
  return [least / room, most * room]
}

const CHANGE_LABEL =
  "datum.value == 1 ? '0' : (datum.value > 1 ? '+' : '−') + format(abs(100 * (datum.value - 1)), ',.3~r')"

/** @param {MetricComparison} comparison @param {PairRatio[]} ratios */
function spec({ pairs, ratio, interval }, ratios) {
  const ends = interval === null ? [] : [interval.low, interval.high]
  const finite = ends.filter(end => end > 0 && Number.isFinite(end))
  const domain = domainOf([...ratios.map(point => point.ratio), ...finite])
  const within = (/** @type {number} */ value) => Math.min(Math.max(value, domain[0]), domain[1])
  const y = {
    type: 'quantitative',
    scale: { type: 'log', domain, nice: false },
    axis: { title: 'Change from A to B, %', values: changeTicks(domain), labelExpr: CHANGE_LABEL }
  }
  /** @param {number[]} values @param {Record<string, unknown>} mark */
  const rules = (values, mark) => ({
    data: { values: values.map(value => ({ value })) },
    mark: { type: 'rule', ...mark },
    encoding: { y: { field: 'value', ...y } }
  })
  const band = {
    data: { values: interval === null ? [] : [{ low: within(interval.low), high: within(interval.high) }] },
    mark: { type: 'rect', fill: HEAT[0] },
    encoding: { y: { field: 'low', ...y }, y2: { field: 'high' } }
  }
  const known = /** @type {PairRatio['known'][]} */ (Object.keys(SHAPES))
  return {
    layer: [
      band,
      rules([1], { color: QUIET, strokeWidth: 1 }),
      rules([1 - SMALLEST_CHANGE, 1 + SMALLEST_CHANGE], { color: QUIET, strokeDash: [4, 4] }),
      rules(ratio === null ? [] : [ratio], { color: COLOUR, strokeWidth: 2 }),
      {
        name: askedName(),
        data: { values: ratios },
        mark: { type: 'point', size: 52, strokeWidth: 1.75, stroke: INK, opacity: 1 },
        encoding: {
          x: {
            field: 'pair',
            ...ordinal('Pair of runs, in the order of time'),
            scale: { domain: pairs.map((_, i) => i + 1) }
          },
          y: { field: 'ratio', ...y },
          shape: category(
            'known',
            known,
            known.map(name => SHAPES[name])
          ),
          fill: { condition: { test: 'datum.doubtful', value: PAPER }, value: INK }
        }
      }
    ]
  }
}

/** What a mark that is no plain circle means. @type {Readonly<Record<PairRatio['known'], string>>} */
const MEANINGS = {
  exact: 'a pair of runs',
  'at least': 'at least so much: operations of B without a reply',
  'at most': 'at most so much: operations of A without a reply',
  unbounded: 'bounded on neither side'
}

/** @param {MetricComparison} comparison @param {PairRatio[]} ratios @returns {Plot['legend']} */
function legend({ interval }, ratios) {
  const known = new Set(ratios.map(point => point.known))
  return [
    ...[...known].map(name => ({ label: MEANINGS[name], colour: INK, mark: SHAPES[name] })),
    { label: 'estimate', colour: COLOUR, mark: 'line' },
    ...(interval === null
      ? []
      : [{ label: '95 % interval', colour: HEAT[0], mark: /** @type {const} */ ('area') }]),
    { label: `±${100 * SMALLEST_CHANGE} %`, colour: QUIET, mark: 'dashed' }
  ]
}

/** @param {MetricComparison} comparison @param {PairRatio[]} ratios */
function caption(comparison, ratios) {
  const { figure, ratio, interval } = comparison
  const estimate =
    ratio === null ? '' : ` ${change(ratio)}${interval === null ? '' : ` (${changeSpan(interval)})`}`
  const hollow = ratios.some(({ doubtful }) => doubtful) ? ' Hollow: doubtful.' : ''
  return `B against A:${estimate}, ${verdictWords(comparison)}. ${figure.better === 'higher' ? 'Higher' : 'Lower'} is better.${hollow}`
}

/** @param {MetricComparison} comparison @returns {Plot[]} */
function plotOf(comparison) {
  const { metric, figure } = comparison
  const ratios = pairRatios(comparison)
  if (ratios.length === 0) return []
  return [
    {
      id: `pairs-${metric}`,
      title: figure.title,
      caption: caption(comparison, ratios),
      description: `Change of ${figure.title} from A to B in each pair of runs: ${ratios.map(point => change(point.ratio)).join(', ')}.`,
      legend: legend(comparison, ratios),
      marks: askedMarks(ratios, {
        Pair: ({ pair }) => pair,
        'Change from A to B': ({ ratio }) => change(ratio),
        mark: ({ known }) => (known === 'exact' ? null : MEANINGS[known]),
        doubtful: ({ doubtful }) => (doubtful ? 'yes' : null)
      }),
      spec: spec(comparison, ratios)
    }
  ]
}

/**
 * pairedRatios draw how each primary metric changed from the one plan to the other, pair by pair, with what is concluded from
 * them.
 *
 * @param {readonly MetricComparison[]} metrics
 * @returns {Plot[]} a metric without a pair that has both figures has none
 */
export const pairedRatios = metrics => metrics.flatMap(plotOf)
