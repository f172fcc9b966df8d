import { amount, around, logAxis, span } from '../../../../kit/plots/axes.js'
import { seriesPlot } from '../../../../kit/plots/series-plot.js'
import { FAILED, QUIET, SERIES } from '../../../../kit/plots/theme.js'
import { rateWords } from '../../../../kit/rate-words.js'
import { CAPACITY_FACE } from '../faces.js'

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

/**
 * searchPlots draw the trials of a search: what was achieved, and p99, against the rate.
 *
 * @param {readonly SearchTrial[]} trials
 * @param {Face} [face]
 * @returns {Plot[]}
 */
export function searchPlots(trials, face = CAPACITY_FACE) {
  const values = drawn(trials, face)
  return values.length === 0 ? [] : [achieved(face, values), ...slowest(face, values)]
}
