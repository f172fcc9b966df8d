import { camelCase } from '../../../plan/option-text.js'
import { makePlan } from '../../../plan/plan.js'

/**
 * @typedef {import('../../../scenarios/scenario.js').Scenario} Scenario
 * @typedef {import('../../../plan/read-options.js').Problem} Problem
 */

/** What a run in which some come and go decides itself, or has none of. */
const ITS_OWN = new Set([
  ...['rate', 'duration', 'warmup', 'nClients', 'nodes', 'benchmarkType', 'mix', 'registerMode', 'arrivals'],
  ...['initialRegistrations', 'messages', 'publishers', 'discoverLimit', 'ttl', 'nNamespaces']
])

/** A topology of a file has as many nodes as that says. @param {string} key @param {unknown} value */
const fits = (key, value) => !ITS_OWN.has(key) && !(key === 'topology' && String(value).startsWith('file:'))

/**
 * rotationOptions are those of a run in which some come and go: of those that were given for loads, what it knows as well, then its own.
 *
 * @param {Scenario} scenario - in which some do
 * @param {Record<string, unknown>} options - of loads, as typed
 * @param {Record<string, unknown>} own - as typed
 * @returns {Record<string, unknown>}
 */
export function rotationOptions({ options: table }, options, own) {
  const shared = Object.entries(options).filter(([name, value]) => {
    const option = table[camelCase(name)]
    if (option === undefined || option.fixed !== undefined) return false
    return (option.part ?? 'plan') === 'plan' && fits(camelCase(name), value)
  })
  return { ...Object.fromEntries(shared), ...own }
}

/**
 * rotationPlan makes the plan of such a run.
 *
 * @param {Scenario} scenario
 * @param {Record<string, unknown>} options - as typed, without the rate
 * @param {number} perSecond
 * @returns {{ plan: any, problems: Problem[] }} `plan`: null where it cannot be run
 */
export function rotationPlan(scenario, options, perSecond) {
  const { plan = null, problems = [] } = makePlan(scenario, { ...options, rate: `${perSecond}/s` })
  return { plan, problems }
}
