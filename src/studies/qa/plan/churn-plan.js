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
  return { ...usual, ...Object.fromEntries(shared), ...amountOf(usual, own), ...own }
}

/** How many ephemeral peers a churn has: `10,every=5s`. @param {unknown} churn */
const ephemeralIn = churn => Number(/^\s*(\d+)\s*,/.exec(String(churn))?.[1] ?? 0)

/** As many stay as usual, whatever the group that leaves. @param {Readonly<Record<string, string>>} usual @param {Record<string, unknown>} own */
function amountOf(usual, own) {
  const amount = Object.hasOwn(usual, 'nodes') ? 'nodes' : 'nClients'
  const ephemeral = ephemeralIn(own.churn)
  if (ephemeral === 0) return {}
  return { [amount]: String(Number(usual[amount]) - ephemeralIn(usual.churn) + ephemeral) }
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
