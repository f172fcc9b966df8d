import { sumOf } from '../../../../kit/lists.js'
import { counted, significant } from '../../../../kit/numbers.js'
import { askedMarks, askedName } from '../../../../kit/plots/asked-marks.js'
import { amount, ordinal } from '../../../../kit/plots/axes.js'
import { category } from '../../../../kit/plots/series-plot.js'
import { SERIES } from '../../../../kit/plots/theme.js'
import { hopFigures } from '../../measure/hop-figures.js'

/**
 * @typedef {import('../../gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 * @typedef {{ hops: number, percent: number, what: string }} Bar
 */

const ALL = 'all deliveries'
const LAST = 'last delivery of each message'

const COLOURS = [SERIES[0], SERIES[1]]

/** @param {readonly number[]} counts @param {string} what @returns {Bar[]} */
function shares(counts, what) {
  const total = sumOf(counts)
  return counts.flatMap((count, hops) =>
    count === 0 ? [] : [{ hops, percent: Number(((100 * count) / total).toFixed(3)), what }]
  )
}

/**
 * hopBars are the shares of all deliveries, and of the last ones of messages, by hops.
 *
 * @param {GossipResult} result
 */
export const hopBars = ({ outcome: { hops } }) => [
  ...shares(hops.deliveries, ALL),
  ...shares(hops.last, LAST)
]

/**
 * hopsPlot draws how many hops deliveries took.
 *
 * @param {GossipResult} result
 * @returns {Plot[]}
 */
export function hopsPlot(result) {
  const bars = hopBars(result)
  if (bars.length === 0) return []
  const { hops } = result.outcome
  const last = hopFigures(hops.last)
  const unknown =
    hops.unknown === 0 ? '' : ` Of ${counted(hops.unknown, 'delivery', 'deliveries')} they are not known.`
  return [
    {
      id: 'hops',
      title: 'Hops of deliveries, and of the last one of each message',
      caption: `Along first receipts: the publisher has 0, everyone else one more than the peer it came from.${unknown}`,
      description: `How many hops deliveries took; the last delivery of a message took ${last === null ? 'an unknown number' : `${significant(last.avg)} on average and ${last.max} at most`}.`,
      legend: [ALL, LAST].map((label, i) => ({
        label,
        colour: COLOURS[i],
        mark: /** @type {const} */ ('area')
      })),
      marks: askedMarks(bars, {
        Hops: ({ hops }) => hops,
        of: ({ what }) => what,
        'Share, %': ({ percent }) => percent
      }),
      spec: {
        name: askedName(),
        data: { values: bars },
        mark: { type: 'bar' },
        encoding: {
          x: { field: 'hops', ...ordinal('Hops') },
          xOffset: { field: 'what', type: 'nominal', scale: { domain: [ALL, LAST] } },
          y: { field: 'percent', ...amount('Share, %') },
          color: category('what', [ALL, LAST], COLOURS)
        }
      }
    }
  ]
}
