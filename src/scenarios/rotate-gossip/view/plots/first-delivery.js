import { counted, significant } from '../../../../kit/numbers.js'
import { decodedHistogram } from '../../../../measure/encoded-histogram.js'
import { binnedToDraw } from '../../../../report/plots/bins.js'
import { histogramPlot } from '../../../../report/plots/histogram-plot.js'

/**
 * @typedef {import('../../rotate-gossip-types.js').RotateGossipResult} RotateGossipResult
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 */

/**
 * firstDeliveryPlot draws how long nodes took from their start to the first message they received.
 *
 * @param {RotateGossipResult} result
 * @returns {Plot[]}
 */
export function firstDeliveryPlot({ outcome: { rotation } }) {
  if (rotation === null || rotation.firstDelivery.count === 0) return []
  const { bins } = binnedToDraw(decodedHistogram(rotation.firstDeliveryHistogram))
  const { count, max } = rotation.firstDelivery
  return [
    histogramPlot({
      id: 'first-delivery',
      title: 'Time from start to first delivery',
      caption: `Of ${counted(count, 'node')} that took the place of a killed one. The time until the next message is published is part of it.`,
      description: `How many nodes took how long from their start to the first message they received: ${counted(count, 'node')}, up to ${significant(max?.ms ?? 0)} ms.`,
      ...{ bins, x: 'From start to first delivery, ms', y: 'Nodes' }
    })
  ]
}
