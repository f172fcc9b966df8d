import { sumOf } from '../../../kit/lists.js'
import { decodedHistogram } from '../../../measure/encoded-histogram.js'
import { binnedToDraw } from '../../../report/plots/bins.js'
import { peaksOf } from '../measure/peaks.js'

/**
 * disseminationPeaks finds the peaks of the dissemination times of a run, of messages that reached everyone.
 *
 * @param {import('../gossip-types.js').NetworkResult} result
 * @returns {{ peaks: { ms: number, share: number, highest: boolean }[], beyond: number }} in order; `share`: of the messages, those between the
 *   valleys beside it; `beyond`: the share of those that took longer than all bins
 */
export function disseminationPeaks({ outcome: { dissemination } }) {
  if (dissemination.complete.count === 0) return { peaks: [], beyond: 0 }
  const histogram = decodedHistogram(dissemination.histogram)
  const { bins, beyond } = binnedToDraw(histogram)
  const counts = bins.map(({ count }) => count)
  const peaks = peaksOf(counts)
  const most = Math.max(...peaks.map(({ place }) => counts[place]))
  const highest = peaks.findIndex(({ place }) => counts[place] === most)
  return {
    beyond: beyond / histogram.count,
    peaks: peaks.map(({ place, from, to }, i) => ({
      ms: (bins[place].from + bins[place].to) / 2,
      share: sumOf(counts.slice(from, to)) / histogram.count,
      highest: i === highest
    }))
  }
}
