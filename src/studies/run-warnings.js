import { describeWarning } from '../result/warnings.js'

/**
 * runWarnings are the warnings of runs, each code once: those of most runs first.
 *
 * @param {readonly import('../result/types.js').AnyResult[]} results
 * @returns {import('../report/description/description.js').DescribedWarning[]}
 */
export function runWarnings(results) {
  /** @type {Map<string, { text: string, runs: Set<unknown> }>} */
  const byCode = new Map()
  for (const result of results)
    for (const warning of result.run.warnings) {
      const known = byCode.get(warning.code) ?? {
        text: describeWarning(warning, result),
        runs: new Set()
      }
      known.runs.add(result)
      byCode.set(warning.code, known)
    }
  return [...byCode]
    .sort(([, a], [, b]) => b.runs.size - a.runs.size)
    .map(([code, { text, runs }]) => ({ code, text: `${runs.size} of ${results.length} runs: ${text}` }))
}
