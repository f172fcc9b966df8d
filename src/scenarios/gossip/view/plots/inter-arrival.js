import { grouped, significant } from '../../../../kit/numbers.js'
import { SERIES } from '../../../../kit/plots/theme.js'
import { decodedHistogram } from '../../../../measure/encoded-histogram.js'
import { binnedToDraw } from '../../../../report/plots/bins.js'
import { histogramPlot } from '../../../../report/plots/histogram-plot.js'

/**
 * @typedef {import('../../gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 */

/** Figures of the plan that stand as rules over the bars. */
const RULES = /** @type {const} */ (['p50', 'p90'])

/**
 * interArrivalPlot draws the times between one publication of the network and the next.
 *
 * @param {GossipResult} result
 * @returns {Plot[]}
 */
export function interArrivalPlot({ outcome: { interArrival } }) {
  const { bins, beyond } = binnedToDraw(decodedHistogram(interArrival.actual.histogram))
  if (bins.length === 0) return []
  const { summary } = interArrival.actual
  const end = bins[bins.length - 1].to
  const planned = RULES.flatMap(key => {
    const ms = interArrival.planned.summary[key]?.ms
    return ms === undefined || ms > end || ms < bins[0].from ? [] : [{ ms }]
  })
  return [
    histogramPlot({
      id: 'inter-arrival',
      title: 'Time between publications',
      caption: `Over all nodes, as they were published.${beyond > 0 ? ` ${grouped(beyond)} took longer than drawn, up to ${significant(summary.max?.ms ?? 0)} ms.` : ''}`,
      description: `Times between publications: ${significant(summary.avg?.ms ?? 0)} ms on average, planned ${significant(interArrival.planned.summary.avg?.ms ?? 0)} ms.`,
      ...{ bins, x: 'Time between publications, ms', y: 'Publications' },
      over: [
        {
          label: planned.length === 0 ? undefined : 'planned: p50 and p90',
          colour: SERIES[1],
          mark: 'dashed',
          values: planned,
          fields: { x: 'ms' },
          look: { type: 'rule', strokeWidth: 2, strokeDash: [5, 3] }
        }
      ]
    })
  ]
}
