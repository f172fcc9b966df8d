import { OPTIONS } from './options.js'

/** @typedef {import('./plan.js').Plan} Plan */

/** Options that every name of a case shows in short. */
const SHORT = new Set([
  'benchmarkType',
  'nClients',
  'initialRegistrations',
  'nNamespaces',
  'benchmarkRuns',
  'duration'
])

/** @param {Plan} plan */
const inShort = ({ nClients, initialRegistrations, nNamespaces, benchmarkRuns, durationMs }) => [
  `c${nClients}`,
  `r${initialRegistrations}`,
  `ns${nNamespaces}`,
  benchmarkRuns === null ? `${durationMs}ms` : `ops${benchmarkRuns}`
]

/** @param {unknown} value as typed */
const safe = value =>
  (typeof value === 'object' ? JSON.stringify(value) : String(value)).replace(/[^\w.=]+/g, '_')

/** @param {Plan} plan @param {string} key @param {unknown} typed */
function longForm(plan, key, typed) {
  const inPlan = /** @type {any} */ (plan)[OPTIONS[key]?.planKey ?? key]
  return `${key}=${safe(typeof inPlan === 'object' ? typed : inPlan)}`
}

/**
 * caseName names a case of a matrix by what its row says: `c100-r10000-ns10-ops500`, with the type of operation first and
 * further options behind where the row or a list of values has them. It depends on the case only, never on the place of
 * the row.
 *
 * @param {Plan} plan
 * @param {object} given
 * @param {string | null} given.name - that the row has been given
 * @param {Map<string, unknown>} given.row - options by key
 * @param {Map<string, unknown>} given.varied - options by key
 * @returns {string}
 */
export function caseName(plan, { name, row, varied }) {
  const long = (/** @type {Map<string, unknown>} */ options) =>
    [...options].map(([key, typed]) => longForm(plan, key, typed))
  if (name !== null) return [name, ...long(varied)].join('-')
  const own = new Map([...row, ...varied])
  const type = own.has('benchmarkType') ? [plan.benchmarkType.toLowerCase()] : []
  const others = new Map([...own].filter(([key, value]) => !SHORT.has(key) && value != null).sort())
  return [...type, ...inShort(plan), ...long(others)].join('-')
}
