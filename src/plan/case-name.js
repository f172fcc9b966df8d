/**
 * @typedef {import('./plan.js').AnyPlan} AnyPlan
 * @typedef {import('../scenarios/scenario.js').Planning} Planning
 *
 * @typedef {object} Naming - of the cases of a scenario
 * @property {ReadonlySet<string>} short - options that every name of a case shows in short
 * @property {import('../scenarios/scenario.js').Handed<[plan: AnyPlan, own: Map<string, unknown>], string[]>} inShort - `own`: what the row says, by key
 */

/**
 * safeInNames writes a value so that it can be part of the name of a folder.
 *
 * @param {unknown} value as typed
 */
export const safeInNames = value =>
  (typeof value === 'object' ? JSON.stringify(value) : String(value)).replace(/[^\w.=]+/g, '_')

/** @param {Planning} scenario @param {AnyPlan} plan @param {string} key @param {unknown} typed */
function longForm({ options, flat }, plan, key, typed) {
  // an option by a name that it had stands as it is typed, as a list does
  const inPlan = flat(plan)[options[key]?.planKey ?? key] ?? typed
  return `${key}=${safeInNames(typeof inPlan === 'object' ? typed : inPlan)}`
}

/** @type {import('./case-name.js').Naming} */
const NONE = { short: new Set(), inShort: () => [] }

/**
 * caseName names a case of a matrix by what its row says: `c100-r10000-ns10-ops500`, with the type of operation first and
 * further options behind where the row or a list of values has them. It depends on the case only, never on the place of
 * the row.
 *
 * @param {Planning} scenario
 * @param {AnyPlan} plan
 * @param {object} given
 * @param {string | null} given.name - that the row has been given
 * @param {Map<string, unknown>} given.row - options by key
 * @param {Map<string, unknown>} given.varied - options by key
 * @returns {string}
 */
export function caseName(scenario, plan, { name, row, varied }) {
  const { short, inShort } = scenario.naming ?? NONE
  const long = (/** @type {Map<string, unknown>} */ options) =>
    [...options].map(([key, typed]) => longForm(scenario, plan, key, typed))
  if (name !== null) return [name, ...long(varied)].join('-')
  const own = new Map([...row, ...varied])
  const others = new Map([...own].filter(([key, value]) => !short.has(key) && value != null).sort())
  return [...inShort(plan, own), ...long(others)].join('-')
}
