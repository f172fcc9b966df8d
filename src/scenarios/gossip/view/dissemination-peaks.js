import { decodedHistogram } from '../../../measure/encoded-histogram.js'
import { binned } from '../../../report/plots/bins.js'
import { peaksOf } from '../measure/peaks.js'

/**
 * disseminationPeaks finds the peaks of the dissemination times of a run, of messages that reached everyone.
 *
 * @param {import('../gossip-types.js').NetworkResult} result
 * @returns {{ ms: number, share: number, highest: boolean }[]} in order; `share`: of the messages, those between the valleys beside it
 */
export function disseminationPeaks({ outcome: { dissemination } }) {
  if (dissemination.complete.count === 0) return []
  const histogram = decodedHistogram(dissemination.histogram)
  const { bins, beyond } = binned(histogram)
  const counts = bins.map(({ count }) => count)
  const peaks = peaksOf(counts)
  const most = Math.max(...peaks.map(({ place }) => counts[place]))
  const highest = peaks.findIndex(({ place }) => counts[place] === most)
  return peaks.map(({ place, from, to }, i) => {
    const messages = counts.slice(from, to).reduce((sum, count) => sum + count, 0)
    // what is longer than all bins is the tail of the last one
    const tail = i === peaks.length - 1 ? beyond : 0
    return {
      ms: (bins[place].from + bins[place].to) / 2,
      share: (messages + tail) / histogram.count,
      highest: i === highest
    }
  })
}
