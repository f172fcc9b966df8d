import { summarize } from '../../measure/summary.js'
import { pooledTimes } from '../../result/pooled-times.js'

/**
 * @typedef {import('../../measure/figure.js').Figure} Figure
 *
 * @typedef {object} Compared - a figure of one run
 * @property {number} value
 * @property {boolean} atLeast - operations without a reply reach into it: it would be larger
 *
 * @typedef {Readonly<Record<string, Compared | null>>} ComparedFigures - by name
 */

/**
 * pool puts histograms of operations together.
 *
 * @param {readonly Readonly<Record<string, string>>[]} parts - histograms by outcome
 */
export function pool(parts) {
  const { all, answered } = pooledTimes(parts)
  return summarize(all, { answered })
}

/**
 * comparedFigures gives the figures of a run that comparisons decide on.
 *
 * @param {Pick<import('../../result/types.js').AnyResult, 'outcome' | 'run'>} result
 * @param {readonly Figure[]} figures
 * @returns {ComparedFigures}
 */
export const comparedFigures = (result, figures) =>
  Object.fromEntries(
    figures.map(({ name, read }) => {
      const reading = read(result.outcome, result.run, pool)
      const compared = { value: reading.value, atLeast: reading.atLeast !== undefined }
      return [name, reading.value === null ? null : /** @type {Compared} */ (compared)]
    })
  )
