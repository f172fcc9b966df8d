import { isCensored } from '../load/outcomes.js'
import { decodedHistogram } from '../measure/encoded-histogram.js'
import { merged } from '../measure/histogram.js'

/**
 * pooledTimes reads stored histograms: all operations, and those with a reply.
 *
 * @param {readonly Readonly<Record<string, string>>[]} parts - histograms by outcome
 */
export function pooledTimes(parts) {
  const decoded = parts
    .flatMap(byOutcome => Object.entries(byOutcome))
    .map(([outcome, text]) => ({ outcome, histogram: decodedHistogram(text) }))
  /** @param {(outcome: string) => boolean} chosen */
  const pooled = chosen =>
    merged(decoded.filter(({ outcome }) => chosen(outcome)).map(({ histogram }) => histogram))
  return { all: pooled(() => true), answered: pooled(outcome => !isCensored(outcome)) }
}
