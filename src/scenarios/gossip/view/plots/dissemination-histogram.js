import { counted, grouped, significant } from '../../../../kit/numbers.js'
import { decodedHistogram } from '../../../../measure/encoded-histogram.js'
import { binnedToDraw } from '../../../../report/plots/bins.js'
import { histogramPlot } from '../../../../report/plots/histogram-plot.js'

/**
 * @typedef {import('../../gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 */

/**
 * disseminationHistogram draws how long messages took to reach everyone.
 *
 * @param {GossipResult} result
 * @returns {Plot[]}
 */
export function disseminationHistogram({ outcome: { dissemination } }) {
  const { bins, beyond } = binnedToDraw(decodedHistogram(dissemination.histogram))
  if (bins.length === 0) return []
  const { all, complete } = dissemination
  const short = all.count - complete.count
  const caption = [
    'From the publish call to the last delivery, of messages that reached everyone.',
    ...(beyond > 0
      ? [`${grouped(beyond)} took longer than drawn, up to ${significant(complete.max?.ms ?? 0)} ms.`]
      : []),
    ...(short > 0 ? [`${counted(short, 'message')} did not reach everyone.`] : [])
  ]
  return [
    histogramPlot({
      id: 'dissemination',
      title: 'Dissemination time',
      caption: caption.join(' '),
      description: `How many messages took how long to reach everyone: ${counted(complete.count, 'message')}, between ${significant(bins[0].from)} ms and ${significant(complete.max?.ms ?? 0)} ms.`,
      ...{ bins, x: 'Dissemination time, ms', y: 'Messages' }
    })
  ]
}
