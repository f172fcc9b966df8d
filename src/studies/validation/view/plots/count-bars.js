import { sumOf } from '../../../../kit/lists.js'
import { askedMarks, askedName } from '../../../../kit/plots/asked-marks.js'
import { amount, ordinal } from '../../../../kit/plots/axes.js'
import { category, quantity } from '../../../../kit/plots/series-plot.js'
import { INK } from '../../../../kit/plots/theme.js'
import { SIDE_COLOURS } from './latency-curves.js'

/**
 * @typedef {import('./latency-curves.js').Observations} Observations
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 *
 * @typedef {{ value: number, side: 'real' | 'simulated', percent: number, least: number, most: number }} Bar
 */

const SIDES = /** @type {const} */ (['real', 'simulated'])

/** @param {readonly number[]} counts */
const total = counts => sumOf(counts)

/** @param {number} x */
const short = x => Number(x.toFixed(3))

/**
 * countBars are the shares of each value on both sides, with the least and the most of a run.
 *
 * @param {Record<'real' | 'simulated', number[][]>} counts - by value, of each run
 * @returns {Bar[]}
 */
export function countBars(counts) {
  const all = SIDES.flatMap(side => counts[side])
  const values = Array.from({ length: Math.max(...all.map(({ length }) => length)) }, (_, value) => value)
  return values
    .filter(value => all.some(run => (run[value] ?? 0) > 0))
    .flatMap(value =>
      SIDES.map(side => {
        const shares = counts[side].map(run => (100 * (run[value] ?? 0)) / total(run))
        return {
          value,
          side,
          percent: short(total(shares) / shares.length),
          least: short(Math.min(...shares)),
          most: short(Math.max(...shares))
        }
      })
    )
}

/** @param {Bar[]} values @param {string} title */
const spec = (values, title) => ({
  data: { values },
  encoding: {
    x: { field: 'value', ...ordinal(title) },
    xOffset: { field: 'side', sort: [...SIDES] }
  },
  layer: [
    {
      name: askedName(),
      mark: { type: 'bar' },
      encoding: {
        y: { field: 'percent', ...amount('Share, %') },
        color: category(
          'side',
          [...SIDES],
          SIDES.map(side => SIDE_COLOURS[side])
        )
      }
    },
    {
      mark: { type: 'rule', color: INK, strokeWidth: 1 },
      encoding: { y: quantity('least'), y2: { field: 'most' } }
    }
  ]
})

/** @param {Observations} observations @param {'hops' | 'meshDegrees'} key @param {Pick<Plot, 'id' | 'title' | 'caption'> & { axis: string }} words */
function plotOf(observations, key, { axis, ...words }) {
  const counts = {
    real: observations.real.map(run => run[key]),
    simulated: observations.simulated.map(run => run[key])
  }
  const bars = countBars(counts)
  return {
    ...words,
    description: `${words.title}, real and simulated: ${bars
      .filter(({ side }) => side === 'real')
      .map(
        ({ value, percent }, i) =>
          `${value}: ${percent.toFixed(1)} and ${bars[2 * i + 1].percent.toFixed(1)} %`
      )
      .join('; ')}.`,
    legend: SIDES.map(side => ({
      label: side,
      colour: SIDE_COLOURS[side],
      mark: /** @type {const} */ ('area')
    })),
    marks: askedMarks(bars, {
      [axis]: ({ value }) => value,
      network: ({ side }) => side,
      'Share, %': ({ percent }) => percent,
      'least of a run': ({ least }) => least,
      'most of a run': ({ most }) => most
    }),
    spec: spec(bars, axis)
  }
}

/**
 * countPlots draw hops and mesh degrees of both sides beside each other.
 *
 * @param {Observations} observations
 * @returns {Plot[]}
 */
export function countPlots(observations) {
  if (observations.real.length === 0 || observations.simulated.length === 0) return []
  return [
    plotOf(observations, 'hops', {
      id: 'hops',
      title: 'Hops of deliveries',
      caption: 'Mean share of the runs; the line goes from the least to the most of a run.',
      axis: 'Hops'
    }),
    plotOf(observations, 'meshDegrees', {
      id: 'mesh-degrees',
      title: 'Mesh degree when publishing began',
      caption: 'Mean share of the nodes; the line goes from the least to the most of a run.',
      axis: 'Mesh peers'
    })
  ]
}
