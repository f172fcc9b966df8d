import { significant } from '../../../../kit/numbers.js'
import { FROM_ZERO } from '../../../../kit/plots/axes.js'
import { QUIET, SERIES } from '../../../../kit/plots/theme.js'
import { publishAxis, publishColumns } from '../../../../report/plots/publish-time.js'

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
  stretches.flatMap(({ from, to, perSecond }) => {
    const y = Number(perSecond.toPrecision(4))
    return [
      { at: from, perSecond: y },
      { at: to, perSecond: y }
    ]
  })

/** @param {Stretch[]} stretches @param {object} mark */
const line = (stretches, mark) => ({
  data: { values: levels(stretches) },
  mark: { type: 'line', ...mark },
  encoding: {
    x: { field: 'at', type: 'quantitative' },
    y: { field: 'perSecond', type: 'quantitative' }
  }
})

/** @param {Stretch[]} stretches */
const highest = stretches =>
  significant(stretches.reduce((most, { perSecond }) => Math.max(most, perSecond), 0))

/** @param {GossipResult} result @param {object[]} layer @param {string} title */
const spec = (result, layer, title) => ({
  layer,
  encoding: {
    x: publishAxis(result),
    y: { type: 'quantitative', scale: FROM_ZERO, axis: { title, format: ',~f', tickCount: 5 } }
  }
})

/**
 * transmissionPlots draw when messages were planned and published, and when they were delivered.
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
    {
      id: 'transmission',
      title: 'Publications, planned and real',
      caption: 'Where the full line falls below the dotted one, messages were late, skipped or failed.',
      description: `Messages published a second over time: ${highest(published)} at most, planned ${highest(planned)}.`,
      legend: [
        { label: 'published', colour: SERIES[0], mark: 'line' },
        { label: 'planned', colour: QUIET, mark: 'dotted' }
      ],
      spec: spec(
        result,
        [line(published, { color: SERIES[0] }), line(planned, { color: QUIET, strokeDash: [2, 3] })],
        'Messages per second'
      )
    },
    {
      id: 'deliveries',
      title: 'Deliveries over time',
      caption: 'First receipts by when they came, all nodes together.',
      description: `Deliveries a second over time, ${highest(delivered)} at most.`,
      legend: [],
      spec: spec(result, [line(delivered, { color: SERIES[2] })], 'Deliveries per second')
    }
  ]
}
