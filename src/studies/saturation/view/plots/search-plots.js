import { around, FROM_ZERO, logMs } from '../../../../kit/plots/axes.js'
import { FAILED, QUIET, SERIES } from '../../../../kit/plots/theme.js'
import { RENDEZVOUS_FACE } from '../faces.js'
import { rateWords } from '../rate-words.js'

/**
 * @typedef {import('../../result/trial.js').SearchTrial} SearchTrial
 * @typedef {import('../faces.js').Face} Face
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 *
 * @typedef {{ rate: number, sustained: 'yes' | 'no', achieved: number, p99: number | null }} Drawn
 */

/** @param {readonly SearchTrial[]} trials @param {Face} face @returns {Drawn[]} */
const drawn = (trials, { tailOf }) =>
  trials.flatMap(({ perSecond, sustained, point }) =>
    point === null || sustained === null
      ? []
      : [
          {
            rate: perSecond,
            sustained: sustained ? /** @type {const} */ ('yes') : /** @type {const} */ ('no'),
            achieved: Number(((point.achieved * 1000) / point.durationMs).toPrecision(4)),
            p99: tailOf(point)
          }
        ]
  )

const DOMAIN = ['yes', 'no']

/** Sustained or not, also by shape. */
const marks = {
  color: {
    field: 'sustained',
    type: 'nominal',
    scale: { domain: DOMAIN, range: [SERIES[0], FAILED] },
    legend: null
  },
  shape: {
    field: 'sustained',
    type: 'nominal',
    scale: { domain: DOMAIN, range: ['circle', 'triangle-up'] },
    legend: null
  }
}

/** @type {Plot['legend']} */
const LEGEND = [
  { label: 'sustained', colour: SERIES[0], mark: 'circle' },
  { label: 'not sustained', colour: FAILED, mark: 'triangle-up' }
]

/** @param {number} most @param {Face} face */
const rateAxis = (most, { what }) => ({
  field: 'rate',
  type: 'quantitative',
  scale: { domain: [0, most * 1.05], nice: false },
  axis: { title: `Rate offered, ${what} per second`, format: ',~f', tickCount: 6 }
})

const POINT = Object.freeze({ type: 'point', filled: true, size: 50, opacity: 0.85 })

/** @param {Face} face @param {Drawn[]} values @returns {Plot} */
const achieved = (face, values) => {
  const most = Math.max(...values.map(({ rate }) => rate))
  return {
    id: 'search-achieved',
    title: 'Achieved against offered',
    caption: 'Each mark is a trial. On the dotted line everything that was due was achieved.',
    description: `Achieved ${face.what} per second of ${values.length} trials up to ${rateWords(most)} per second.`,
    legend: [...LEGEND, { label: 'all that was due', colour: QUIET, mark: 'dotted' }],
    spec: {
      layer: [
        {
          data: {
            values: [
              { rate: 0, achieved: 0 },
              { rate: most * 1.05, achieved: most * 1.05 }
            ]
          },
          mark: { type: 'line', strokeDash: [2, 3], color: QUIET },
          encoding: { x: rateAxis(most, face), y: { field: 'achieved', type: 'quantitative' } }
        },
        {
          data: { values },
          mark: POINT,
          encoding: {
            x: rateAxis(most, face),
            y: {
              field: 'achieved',
              type: 'quantitative',
              scale: FROM_ZERO,
              axis: { title: `Achieved, ${face.what} per second`, format: ',~f', tickCount: 5 }
            },
            ...marks
          }
        }
      ]
    }
  }
}

/** @param {Face} face @param {Drawn[]} all @returns {Plot[]} */
function slowest(face, all) {
  const values = all.filter(({ p99 }) => p99 !== null && p99 > 0)
  if (values.length === 0) return []
  const most = Math.max(...values.map(({ rate }) => rate))
  const axis = logMs(around(values.map(({ p99 }) => p99 ?? 0)), `p99 of the ${face.timeName}, ms`)
  return [
    {
      id: 'search-p99',
      title: 'p99 against offered',
      caption: `Each mark is a trial; ${face.tailWords}.`,
      description: `p99 of ${values.length} trials by rate.`,
      legend: LEGEND,
      spec: {
        data: { values },
        mark: POINT,
        encoding: { x: rateAxis(most, face), y: { field: 'p99', type: 'quantitative', ...axis }, ...marks }
      }
    }
  ]
}

/**
 * searchPlots draw the trials of a search: what was achieved, and p99, against the rate.
 *
 * @param {readonly SearchTrial[]} trials
 * @param {Face} [face]
 * @returns {Plot[]}
 */
export function searchPlots(trials, face = RENDEZVOUS_FACE) {
  const values = drawn(trials, face)
  return values.length === 0 ? [] : [achieved(face, values), ...slowest(face, values)]
}
