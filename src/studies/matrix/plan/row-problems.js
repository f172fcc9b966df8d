/**
 * @typedef {import('../../../plan/read-options.js').Problem} Problem
 * @typedef {Map<string, unknown>} Options - by key
 *
 * @typedef {object} Place - where a case comes from
 * @property {string} file
 * @property {string} label - file and row
 * @property {{ defaults: Options, row: Options, varied: Options }} layers
 *
 * @typedef {{ place: Place, problems: Problem[] }} Refused
 */

const ROWS_NAMED = 3

/**
 * Says where the option of a problem was given: the command line, the defaults of the file, or the row.
 *
 * @param {string} flag - as makePlan names it
 * @param {Place} place
 * @returns {{ flag: string, scope: 'row' | 'file' | 'all' }}
 */
function origin(flag, { file, label, layers }) {
  const prefix = `${label}: `
  if (!flag.startsWith(prefix)) {
    return { flag, scope: 'all' }
  }
  const key = flag.slice(prefix.length)
  const inRow = layers.row.has(key) || layers.varied.has(key)
  return inRow ? { flag, scope: 'row' } : { flag: `${file} defaults: ${key}`, scope: 'file' }
}

/** @param {string[]} labels */
function listed(labels) {
  const more = labels.length - ROWS_NAMED
  return [...labels.slice(0, ROWS_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

/**
 * gatherProblems names every problem of all cases once: with its row, or with the rows that have it where it comes from
 * the defaults of a file or the command line and not all rows have it.
 *
 * @param {Refused[]} cases - all of them, also those without a problem
 * @returns {Problem[]}
 */
export function gatherProblems(cases) {
  /** @type {Map<string, { problem: Problem, labels: Set<string>, among: Set<string> }>} */
  const found = new Map()
  /** @param {(place: Place) => boolean} belongs */
  const labelsOf = belongs =>
    new Set(cases.filter(({ place }) => belongs(place)).map(({ place }) => place.label))
  for (const { place, problems } of cases) {
    for (const { flag: named, value, allowed } of problems) {
      const { flag, scope } = origin(named, place)
      const key = JSON.stringify([flag, value, allowed])
      const among =
        found.get(key)?.among ??
        (scope === 'row'
          ? new Set([place.label])
          : labelsOf(({ file }) => scope === 'all' || file === place.file))
      const labels = found.get(key)?.labels ?? new Set()
      found.set(key, { problem: { flag, value, allowed }, labels: labels.add(place.label), among })
    }
  }
  return [...found.values()].map(({ problem, labels, among }) =>
    labels.size === among.size
      ? problem
      : { ...problem, allowed: `${problem.allowed} (${listed([...labels])})` }
  )
}
