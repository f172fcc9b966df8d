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
  if (rotation === null) return []
  const times = decodedHistogram(rotation.firstDeliveryHistogram)
  if (times.count === 0) return []
  const { bins } = binnedToDraw(times)
  const many = counted(times.count, 'node')
  return [
    histogramPlot({
      id: 'first-delivery',
      title: 'Time from start to first delivery',
      caption: `Of ${many} that took the place of a killed one and received a message. The time until the next message is published is part of it.`,
      description: `How many nodes took how long from their start to the first message they received: ${many}, up to ${significant(times.max / 1000)} ms.`,
      ...{ bins, x: 'From start to first delivery, ms', y: 'Nodes' }
    })
  ]
}
