import { largestOf } from '../../../../kit/lists.js'
import { significant } from '../../../../kit/numbers.js'
import { amount } from '../../../../kit/plots/axes.js'
import { seriesPlot, steps } from '../../../../kit/plots/series-plot.js'
import { QUIET, SERIES } from '../../../../kit/plots/theme.js'
import { publishAxis, publishColumns } from './publish-time.js'

/**
 * @typedef {import('../../gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 * @typedef {'planned' | 'published' | 'delivered'} Name
 * @typedef {{ from: number, to: number, perSecond: number }} Stretch - of time, s
 */

/**
 * rates are how many were planned, published or delivered a second over time. A second in which nothing was is there with 0.
 *
 * @param {GossipResult} result
 * @param {Name} name
 * @returns {Stretch[]}
 */
export function rates(result, name) {
  const columns = publishColumns(result)
  const counts = Array.from({ length: columns.count }, () => 0)
  for (const entry of result.outcome.timeline) {
    const column = columns.of(entry.second)
    if (column >= 0) counts[column] += entry[name]
  }
  return counts.map((count, column) => {
    const { from, to } = columns.stretch(column)
    return { from, to, perSecond: count / Math.max(1e-3, to - from) }
  })
}

/** @param {Stretch[]} stretches */
const levels = stretches =>
  steps(stretches.map(({ from, to, perSecond }) => ({ from, to, value: perSecond })))

/** @param {Stretch[]} stretches */
const highest = stretches => significant(largestOf(stretches, ({ perSecond }) => perSecond))

/**
 * transmissionPlots draw what was published and delivered over time.
 *
 * @param {GossipResult} result
 * @returns {Plot[]}
 */
export function transmissionPlots(result) {
  if (result.outcome.timeline.length === 0) return []
  const [planned, published, delivered] = /** @type {Name[]} */ (['planned', 'published', 'delivered']).map(
    name => rates(result, name)
  )
  return [
    seriesPlot({
      id: 'transmission',
      title: 'Publications, planned and real',
      caption: 'Where the full line falls below the dotted one, messages were late, skipped or failed.',
      description: `Messages published a second over time: ${highest(published)} at most, planned ${highest(planned)}.`,
      x: publishAxis(result),
      y: amount('Messages per second'),
      series: [
        { label: 'published', colour: SERIES[0], mark: 'line', values: levels(published) },
        { label: 'planned', colour: QUIET, mark: 'dotted', values: levels(planned) }
      ]
    }),
    seriesPlot({
      id: 'deliveries',
      title: 'Deliveries over time',
      caption: 'First receipts by when they came, all nodes together.',
      description: `Deliveries a second over time, ${highest(delivered)} at most.`,
      x: publishAxis(result),
      y: amount('Deliveries per second'),
      series: [{ colour: SERIES[2], mark: 'line', values: levels(delivered) }]
    })
  ]
}
