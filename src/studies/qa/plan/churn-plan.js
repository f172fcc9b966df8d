import { camelCase } from '../../../plan/option-text.js'
import { makePlan } from '../../../plan/plan.js'

/**
 * @typedef {import('../../../scenarios/scenario.js').Scenario} Scenario
 * @typedef {import('../../../plan/read-options.js').Problem} Problem
 */

/** What a run with churn decides itself, or has none of. */
const ITS_OWN = new Set([
  ...['rate', 'duration', 'warmup', 'nClients', 'nodes', 'benchmarkType', 'mix', 'registerMode', 'arrivals'],
  ...['initialRegistrations', 'messages', 'publishers', 'discoverLimit', 'ttl', 'nNamespaces', 'churn']
])

/** A topology of a file has as many nodes as that says. @param {string} key @param {unknown} value */
const fits = (key, value) => !ITS_OWN.has(key) && !(key === 'topology' && String(value).startsWith('file:'))

/**
 * churnOptions are those of a run with churn: what is usual, of those that were given for loads what it has a use for, then its own.
 *
 * @param {Scenario} scenario
 * @param {object} options - as typed
 * @param {Readonly<Record<string, string>>} options.usual
 * @param {Record<string, unknown>} options.ofLoads
 * @param {Record<string, unknown>} options.own
 * @returns {Record<string, unknown>}
 */
export function churnOptions({ options: table }, { usual, ofLoads, own }) {
  const shared = Object.entries(ofLoads)
    .map(([name, value]) => /** @type {const} */ ([camelCase(name), value]))
    .filter(([key, value]) => (table[key]?.part ?? 'plan') === 'plan' && fits(key, value))
  return { ...usual, ...Object.fromEntries(shared), ...own }
}

/**
 * churnPlan makes the plan of such a run.
 *
 * @param {Scenario} scenario
 * @param {Record<string, unknown>} options - as typed, without the rate
 * @param {number} perSecond
 * @returns {{ plan: any, problems: Problem[] }} `plan`: null where it cannot be run
 */
export function churnPlan(scenario, options, perSecond) {
  const { plan = null, problems = [] } = makePlan(scenario, { ...options, rate: `${perSecond}/s` })
  return { plan, problems }
}
