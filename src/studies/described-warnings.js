import { warningText } from '../report/description/describe-run.js'

/** @typedef {import('../report/description/description.js').DescribedWarning} DescribedWarning */

const MAX_NAMED = 3

/**
 * mergedWarnings are the warnings of several runs, each code once, with the runs that have it and the text of the first.
 *
 * @param {readonly { name: string, warnings: readonly DescribedWarning[] }[]} runs
 * @param {string} many - what the runs are called: `rows`
 * @returns {DescribedWarning[]}
 */
export function mergedWarnings(runs, many) {
  /** @type {Map<string, { text: string, names: Set<string> }>} */
  const kinds = new Map()
  for (const { name, warnings } of runs)
    for (const { code, text } of warnings) {
      const kind = kinds.get(code) ?? { text, names: new Set() }
      kind.names.add(name)
      kinds.set(code, kind)
    }
  return [...kinds].map(([code, { text, names }]) => ({
    code,
    text: `${named([...names], { many, total: runs.length })}: ${text}`
  }))
}

/** @param {readonly string[]} names @param {{ many: string, total: number }} of */
function named(names, { many, total }) {
  if (names.length === 1) return names[0]
  if (names.length === total) return `All ${total} ${many}, for example`
  const more = names.length > MAX_NAMED ? `, and ${names.length - MAX_NAMED} more` : ''
  return `${names.length} ${many} (${names.slice(0, MAX_NAMED).join(', ')}${more}), for example`
}

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
        text: warningText(warning, result),
        runs: new Set()
      }
      known.runs.add(result)
      byCode.set(warning.code, known)
    }
  return [...byCode]
    .sort(([, a], [, b]) => b.runs.size - a.runs.size)
    .map(([code, { text, runs }]) => ({ code, text: `${runs.size} of ${results.length} runs: ${text}` }))
}
