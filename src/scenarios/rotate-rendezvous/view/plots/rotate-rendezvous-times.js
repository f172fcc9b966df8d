import { counted, significant } from '../../../../kit/numbers.js'
import { decodedHistogram } from '../../../../measure/encoded-histogram.js'
import { binnedToDraw } from '../../../../report/description/bins.js'
import { histogramPlot } from '../../../../report/plots/histogram-plot.js'

/**
 * @typedef {import('../../rotate-rendezvous-types.js').RotateRendezvousResult} RotateRendezvousResult
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 *
 * @typedef {object} Times - a distribution with what to say of it
 * @property {string} id
 * @property {string} title
 * @property {string} caption
 * @property {string} x - title of the axis
 * @property {string} one - of what there are so many
 * @property {string} histogram
 */

/** @param {Times} times @returns {Plot[]} */
function histogramOf({ id, title, caption, x, one, histogram }) {
  const times = decodedHistogram(histogram)
  if (times.count === 0) return []
  const { bins } = binnedToDraw(times)
  const many = counted(times.count, one)
  return [
    histogramPlot({
      id,
      title,
      caption: `Of ${many}. ${caption}`,
      description: `${title}: ${many}, up to ${significant(times.max / 1000)} ms.`,
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
  const { visible, left, firstDiscoveryHistogram } = rotation
  return [
    ...histogramOf({
      id: 'visible-delay',
      title: 'From registered to seen',
      caption:
        'From the reply to REGISTER to the first reply to a DISCOVER of another peer that holds it. The time until the next DISCOVER of anybody is part of it.',
      x: 'From the reply to REGISTER to the first reply with it, ms',
      one: 'registration',
      histogram: visible.histogram
    }),
    ...histogramOf({
      id: 'first-discovery',
      title: 'From start to first discovery',
      caption:
        'Until a peer was given the record of another one that was living; those that never were are not in it.',
      x: 'From start to first discovery, ms',
      one: 'peer',
      histogram: firstDiscoveryHistogram
    }),
    ...histogramOf({
      id: 'last-seen',
      title: 'From kill to last given out',
      caption: 'Of killed peers whose time to live was over within the measurement.',
      x: 'From the kill to the last reply with it, ms',
      one: 'registration',
      histogram: left.lastSeenHistogram
    })
  ]
}
