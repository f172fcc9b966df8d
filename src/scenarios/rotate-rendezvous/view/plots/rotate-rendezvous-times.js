import { counted, significant } from '../../../../kit/numbers.js'
import { decodedHistogram } from '../../../../measure/encoded-histogram.js'
import { binnedToDraw } from '../../../../report/plots/bins.js'
import { histogramPlot } from '../../../../report/plots/histogram-plot.js'

/**
 * @typedef {import('../../rotate-rendezvous-types.js').RotateRendezvousResult} RotateRendezvousResult
 * @typedef {import('../../../../result/types.js').Summary} Summary
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 *
 * @typedef {object} Times - a distribution with what to say of it
 * @property {string} id
 * @property {string} title
 * @property {string} caption
 * @property {string} x - title of the axis
 * @property {string} one - of what there are so many
 * @property {Summary} summary
 * @property {string} histogram
 */

/** @param {Times} times @returns {Plot[]} */
function histogramOf({ id, title, caption, x, one, summary, histogram }) {
  if (summary.count === 0) return []
  const { bins } = binnedToDraw(decodedHistogram(histogram))
  const many = counted(summary.count, one)
  return [
    histogramPlot({
      id,
      title,
      caption: `Of ${many}. ${caption}`,
      description: `${title}: ${many}, up to ${significant(summary.max?.ms ?? 0)} ms.`,
      ...{ bins, x, y: `${one[0].toUpperCase()}${one.slice(1)}s` }
    })
  ]
}

/**
 * rotateRendezvousTimesPlots draw how long new peers took until they had discovered another one, how long their registrations took until
 * they were seen, and for how long those of killed peers were given out.
 *
 * @param {RotateRendezvousResult} result
 * @returns {Plot[]}
 */
export function rotateRendezvousTimesPlots({ outcome: { rotation } }) {
  if (rotation === null) return []
  const { visible, left, firstDiscovery, firstDiscoveryHistogram } = rotation
  return [
    ...histogramOf({
      id: 'visible-delay',
      title: 'From registered to seen',
      caption:
        'From the reply to REGISTER to the first reply to a DISCOVER of another peer that holds it. The time until the next DISCOVER of anybody is part of it.',
      x: 'From the reply to REGISTER to the first reply with it, ms',
      one: 'registration',
      summary: visible.delay.known,
      histogram: visible.histogram
    }),
    ...histogramOf({
      id: 'first-discovery',
      title: 'From start to first discovery',
      caption: 'Until a peer was given the record of another one that was living.',
      x: 'From start to first discovery, ms',
      one: 'peer',
      summary: firstDiscovery,
      histogram: firstDiscoveryHistogram
    }),
    ...histogramOf({
      id: 'last-seen',
      title: 'From kill to last given out',
      caption: 'Of killed peers whose time to live was over within the measurement.',
      x: 'From the kill to the last reply with it, ms',
      one: 'registration',
      summary: left.lastSeenAfterKill,
      histogram: left.lastSeenHistogram
    })
  ]
}
