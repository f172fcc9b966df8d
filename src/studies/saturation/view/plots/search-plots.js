import { amount, around, logAxis, span } from '../../../../kit/plots/axes.js'
import { seriesPlot } from '../../../../kit/plots/series-plot.js'
import { FAILED, QUIET, SERIES } from '../../../../kit/plots/theme.js'
import { rateWords } from '../../../../kit/rate-words.js'

/**
 * @typedef {import('../../result/trial.js').SearchTrial} SearchTrial
 * @typedef {import('../../../../scenarios/saturation.js').Face} Face
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 *
 * @typedef {{ rate: number, sustained: boolean, achieved: number, p99: number | null }} Drawn
 */

/** @param {readonly SearchTrial[]} trials @param {Face} face @returns {Drawn[]} */
const drawn = (trials, { tailOf }) =>
  trials.flatMap(({ perSecond, sustained, point }) =>
    point === null || sustained === null
      ? []
      : [
          {
            rate: perSecond,
            sustained,
            achieved: Number(((point.achieved * 1000) / point.durationMs).toPrecision(4)),
            p99: tailOf(point)
          }
        ]
  )

const SIGNS = /** @type {const} */ ([
  { label: 'sustained', colour: SERIES[0], mark: 'circle' },
  { label: 'not sustained', colour: FAILED, mark: 'triangle-up' }
])

/** Sustained or not, also by shape. @param {Drawn[]} values @param {'achieved' | 'p99'} figure */
const marks = (values, figure) =>
  SIGNS.map((sign, i) => ({
    ...sign,
    values: values.filter(({ sustained }) => sustained === (i === 0)),
    fields: { x: 'rate', y: figure },
    look: { size: 50, opacity: 0.85 }
  }))

/** @param {readonly Drawn[]} values */
const mostOf = values => Math.max(...values.map(({ rate }) => rate))

/** @param {readonly Drawn[]} values @param {Face} face */
const rateAxis = (values, { what }) =>
  span([0, mostOf(values) * 1.05], `Rate offered, ${what} per second`, { tickCount: 6 })

/** @param {Face} face @param {Drawn[]} values @returns {Plot} */
const achieved = (face, values) => {
  const most = mostOf(values)
  const line = [0, most * 1.05].map(rate => ({ at: rate, value: rate }))
  return seriesPlot({
    id: 'search-achieved',
    title: 'Achieved against offered',
    caption: 'Each mark is a trial. On the dotted line everything that was due was achieved.',
    description: `Achieved ${face.what} per second of ${values.length} trials up to ${rateWords(most)} per second.`,
    x: rateAxis(values, face),
    y: amount(`Achieved, ${face.what} per second`),
    series: [
      { label: 'all that was due', colour: QUIET, mark: 'dotted', values: line },
      ...marks(values, 'achieved')
    ]
  })
}

/** @param {Face} face @param {Drawn[]} all @returns {Plot[]} */
function slowest(face, all) {
  const values = all.filter(({ p99 }) => p99 !== null && p99 > 0)
  if (values.length === 0) return []
  const domain = around(values.map(({ p99 }) => p99 ?? 0))
  return [
    seriesPlot({
      id: 'search-p99',
      title: 'p99 against offered',
      caption: `Each mark is a trial; ${face.tailWords}.`,
      description: `p99 of ${values.length} trials by rate.`,
      x: rateAxis(values, face),
      y: logAxis(domain, `p99 of the ${face.timeName}, ms`),
      series: marks(values, 'p99')
    })
  ]
}

/** @param {Drawn[]} values @returns {{ rate: number, percent: number, trials: number }[]} */
const sharesByRate = values =>
  [...new Set(values.map(({ rate }) => rate))].map(rate => {
    const those = values.filter(value => value.rate === rate)
    const sustained = those.filter(({ sustained }) => sustained).length
    return { rate, trials: those.length, percent: (100 * sustained) / those.length }
  })

/** @param {Face} face @param {Drawn[]} all @param {import('../../result/trial.js').Found | null} found @returns {Plot[]} */
function shares(face, all, found) {
  const rates = found?.estimate?.rates ?? []
  if (rates.length === 0) return []
  const values = sharesByRate(all)
  return [
    seriesPlot({
      id: 'search-sustained',
      title: 'Trials that sustained a rate',
      caption:
        'Each circle is a rate. Lines: the 95 % interval of the rate that is sustained in 9, and in 5, of 10 trials.',
      description: `Share of trials that sustained each of ${values.length} rates.`,
      x: rateAxis(all, face),
      y: amount('Sustained, % of trials'),
      series: [
        {
          label: 'trials at a rate',
          colour: SERIES[0],
          mark: 'circle',
          values,
          fields: { x: 'rate', y: 'percent' },
          look: { size: 50, opacity: 0.85 }
        },
        ...rates.map(({ share, low, high }) => ({
          label: `${100 * share} %, 95 % interval`,
          colour: share > 0.5 ? SERIES[1] : QUIET,
          mark: /** @type {const} */ ('line'),
          values: [low, high].map(rate => ({ rate, percent: 100 * share })),
          fields: { x: 'rate', y: 'percent' }
        }))
      ]
    })
  ]
}

/**
 * searchPlots draw the trials of a search: what was achieved, p99, and the share that sustained it, against the rate.
 *
 * @param {Pick<import('../../result/trial.js').SearchState, 'trials' | 'found'>} search
 * @param {Face} face
 * @returns {Plot[]}
 */
export function searchPlots({ trials, found }, face) {
  const values = drawn(trials, face)
  return values.length === 0
    ? []
    : [achieved(face, values), ...slowest(face, values), ...shares(face, values, found)]
}
