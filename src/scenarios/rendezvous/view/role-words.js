import { counted } from '../../../kit/numbers.js'
import { groupsOf, rolesOf } from '../../../load/roles.js'
import { arrivalsInWords, rateInWords } from '../../../report/arrival-words.js'

/**
 * @typedef {import('../../../plan/plan.js').Plan} Plan
 * @typedef {import('../../../load/roles.js').Group} Group
 */

/** groupInWords says who they are: `50 providers`. @param {Pick<Group, 'role' | 'clients'>} group */
export const groupInWords = ({ role, clients }) => counted(clients, (role ?? 'clients').slice(0, -1))

/** clientsInWords says who sends: `50 providers and 200 discoverers`. @param {import('../../../load/roles.js').Sending} plan */
export const clientsInWords = plan => groupsOf(plan).map(groupInWords).join(' and ')

/** sentInWords says what they send, and at which rate: `REGISTER at 10/s and DISCOVER at 300/s`. @param {Plan} plan */
export const sentInWords = plan =>
  groupsOf(plan)
    .map(({ type, ratePerSecond }) => {
      const pace = ratePerSecond === null ? '' : ` at ${rateInWords(plan.arrivals, ratePerSecond)}`
      return `${type ?? plan.benchmarkType}${pace}`
    })
    .join(' and ')

/**
 * dueInWords says of an open model what is due when.
 *
 * @param {Plan} plan
 * @returns {string}
 */
export function dueInWords(plan) {
  const roles = rolesOf(plan)
  if (roles.length === 0)
    return `operations are due at ${arrivalsInWords(plan.arrivals, plan.ratePerSecond ?? 0)}`
  const each = roles.map(
    role =>
      `${role.type} of ${groupInWords(role)} at ${arrivalsInWords(plan.arrivals, role.ratePerSecond ?? 0)}`
  )
  return `operations are due, ${each.join(' and ')},`
}

/** An index of 1 that is not said: what is dealt out evenly, all of which succeeds, comes to it by itself. */
const EVEN = 0.9995

/**
 * fairnessInWords says how evenly success was given out, where there are roles, or where it was not even.
 *
 * @param {import('../../../result/types.js').Result} result
 * @returns {string[]}
 */
export function fairnessInWords({ plan, outcome: { fairness } }) {
  if (fairness === undefined) return []
  const roles = rolesOf(plan).map(({ role }) => role)
  const shown = [
    ...(roles.length === 0 ? /** @type {const} */ (['clients']) : roles),
    /** @type {const} */ ('types')
  ]
  const known = shown.flatMap(who => {
    const index = fairness[who] ?? null
    return index === null ? [] : [{ who: who === 'types' ? 'types of operations' : who, index }]
  })
  if (roles.length === 0 && known.every(({ index }) => index >= EVEN)) return []
  const words = known.map(({ who, index }) => `${Number(index.toPrecision(3))} between ${who}`)
  return words.length === 0 ? [] : [`Fairness (Jain's index, 1: all had as much): ${words.join(', ')}.`]
}
