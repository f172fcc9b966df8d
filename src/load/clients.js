// How much each client of a rendezvous plan sends: its role, its rate, the length of its load.

import { makeSubStream } from '../kit/random.js'
import { countDueOperations } from './arrivals.js'

/**
 * @typedef {import('../scenarios/rendezvous/options.js').Plan} Plan
 * @typedef {'providers' | 'discoverers'} RoleName
 *
 * @typedef {object} ClientGroup - clients of a plan that send alike, with arrivals of their own
 * @property {RoleName | null} role - null: they are all clients
 * @property {'REGISTER' | 'DISCOVER' | null} type - of their operations; null: as the plan says
 * @property {number} first - the first of them; the others follow
 * @property {number} clients - how many they are
 * @property {number | null} ratePerSecond - at which operations of all of them together are due; null: the closed model
 *
 * @typedef {ClientGroup & { role: RoleName, type: 'REGISTER' | 'DISCOVER' }} ClientRole
 * @typedef {Partial<Pick<Plan, 'providers' | 'discoverers' | 'providerRatePerSecond' | 'discovererRatePerSecond'>>} RolePlan - of a plan
 * @typedef {RolePlan & { nClients: number, ratePerSecond?: number | null }} SendingPlan
 */

/**
 * listRoles are the groups of a plan in which some clients only register, and the others only discover.
 *
 * @param {RolePlan} plan - also one of a scenario without roles
 * @returns {ClientRole[]} none: all clients send the same
 */
export function listRoles({ providers, discoverers, ...rates }) {
  if (providers == null || discoverers == null) return []
  const { providerRatePerSecond = null, discovererRatePerSecond = null } = rates
  const registering = { first: 0, clients: providers, ratePerSecond: providerRatePerSecond }
  const discovering = { first: providers, clients: discoverers, ratePerSecond: discovererRatePerSecond }
  return [
    { role: 'providers', type: 'REGISTER', ...registering },
    { role: 'discoverers', type: 'DISCOVER', ...discovering }
  ]
}

/** Without roles all clients are one group. @param {SendingPlan} plan @returns {ClientGroup} */
const allClients = ({ nClients, ratePerSecond = null }) => ({
  ...{ role: null, type: null },
  ...{ first: 0, clients: nClients, ratePerSecond }
})

/**
 * listGroups are the clients of a plan by what they send: those of each role, or all.
 *
 * @param {SendingPlan} plan
 * @returns {ClientGroup[]}
 */
export function listGroups(plan) {
  const roles = listRoles(plan)
  return roles.length === 0 ? [allClients(plan)] : roles
}

/**
 * findSenders are the clients that send operations of a type. CONNECT is of all of them.
 *
 * @param {SendingPlan} plan
 * @param {string} [type]
 * @returns {ClientGroup}
 */
export const findSenders = (plan, type) =>
  listRoles(plan).find(role => role.type === type) ?? allClients(plan)

/**
 * isFullLoad says whether clients send again as soon as they are answered.
 *
 * @param {SendingPlan & { thinkTimeMs?: object | null }} plan
 * @param {string} [type] - those that send operations of it; default: all
 */
export function isFullLoad(plan, type) {
  const groups = type === undefined ? listGroups(plan) : [findSenders(plan, type)]
  return plan.thinkTimeMs == null && groups.every(({ ratePerSecond }) => ratePerSecond === null)
}

/**
 * findDueRate is the rate at which operations of a type are due: in a mix its part of all.
 *
 * @param {SendingPlan & { benchmarkType: string, mix?: Record<string, number> | null, connectionPerOperation: boolean }} plan
 * @param {string} type
 * @returns {number | null} operations per second; null: none are due at a rate, as in the closed model, or where peers connect and register
 *   by clocks of their own
 */
export function findDueRate(plan, type) {
  const { ratePerSecond } = findSenders(plan, type)
  if (ratePerSecond === null || listRoles(plan).length > 0) return ratePerSecond
  if (type === 'CONNECT') return plan.connectionPerOperation ? ratePerSecond : null
  if (plan.benchmarkType === 'MIXED') return ratePerSecond * Number(plan.mix?.[type.toLowerCase()])
  return type === plan.benchmarkType ? ratePerSecond : null
}

/**
 * findGroupPlaces finds the clients of a group among those of a worker.
 *
 * @param {ClientGroup} group
 * @param {readonly number[]} clients - indices of a worker's clients among all
 * @returns {number[]} their places in the list
 */
export const findGroupPlaces = ({ role, first, clients: count }, clients) =>
  clients.flatMap((client, place) =>
    role === null || (client >= first && client < first + count) ? [place] : []
  )

/**
 * findClientWork says which operations a client sends.
 *
 * @param {RolePlan & Pick<Plan, 'benchmarkType' | 'mix'>} plan
 * @param {number} client - its index among all
 * @returns {Pick<Plan, 'benchmarkType' | 'mix'>}
 */
export function findClientWork(plan, client) {
  const role = listRoles(plan).find(({ first, clients }) => client < first + clients)
  return role === undefined ? plan : { benchmarkType: role.type, mix: null }
}

/**
 * @typedef {object} LoadLength - how much load is generated: it ends with the operations or the duration, whichever comes first
 * @property {number | null} operations - of all workers together; null: no limit
 * @property {number | null} durationMs - no operation begins after it; null: no limit
 * @property {number} minDurationMs - more operations follow until so much time has passed
 */

/** A stretch of the warm-up that changes registrations has so many operations at least. */
const WARM_UP_OPERATIONS = 1000

/** What is left of a stretch of the warm-up is not worth further load below this. */
const SHORTEST_MS = 50

/**
 * doesChangeState says whether the operations of a plan leave other registrations behind than they found. A mix that refreshes
 * registers again what it unregistered.
 *
 * @param {Pick<Plan, 'benchmarkType' | 'registerMode'>} plan
 */
export const doesChangeState = ({ benchmarkType, registerMode }) =>
  benchmarkType === 'UNREGISTER' || (benchmarkType !== 'DISCOVER' && registerMode === 'new')

/**
 * countMaxOperations is how many operations can change the registrations of all clients before a server's cap on the registrations of
 * one peer is reached.
 *
 * @param {Pick<Plan, 'nClients' | 'maxPeerRegistrations'>} plan
 */
export const countMaxOperations = ({ nClients, maxPeerRegistrations }) => nClients * maxPeerRegistrations

/**
 * planMeasuredLength is how much load the measurement has. In the open model the number of operations follows from the schedule.
 *
 * @param {Plan} plan
 * @returns {LoadLength}
 */
export function planMeasuredLength(plan) {
  const { benchmarkRuns, durationMs, minDurationMs, ratePerSecond } = plan
  // of each role as many operations as are due by the end
  if (ratePerSecond === null || listRoles(plan).length > 0)
    return { operations: benchmarkRuns, durationMs, minDurationMs }
  const due = durationMs === null ? Infinity : Math.max(1, countDueOperations({ ...plan, ratePerSecond }))
  const minOperations = (ratePerSecond * minDurationMs) / 1000
  const operations = Math.min(due, Math.max(benchmarkRuns ?? Infinity, Math.ceil(minOperations)))
  return { operations, durationMs: null, minDurationMs: 0 }
}

/**
 * planWarmUpLength is how much load the rest of a stretch of the warm-up has.
 *
 * @param {Plan} plan
 * @param {number} leftMs - of the stretch
 * @returns {LoadLength | null} null: it is over
 */
export function planWarmUpLength(plan, leftMs) {
  if (leftMs < SHORTEST_MS) return null
  const enough = Math.max(plan.benchmarkRuns ?? Infinity, WARM_UP_OPERATIONS)
  const operations = doesChangeState(plan) ? Math.min(countMaxOperations(plan), enough) : null
  return { operations, durationMs: leftMs, minDurationMs: 0 }
}

/**
 * orderServers gives all servers in the order in which a client goes to them: its own, and then the others, drawn for each client, so that those of
 * a server that is gone are spread over all that are left.
 *
 * @param {number} client - they are dealt like cards
 * @param {number} servers
 * @param {number} seed
 * @returns {number[]} from 0
 */
export function orderServers(client, servers, seed) {
  const own = client % servers
  const weights = Array.from({ length: servers }, (_, server) =>
    makeSubStream(seed, 'sticky', client, server)()
  )
  const others = weights.map((_, server) => server).filter(server => server !== own)
  return [own, ...others.sort((a, b) => weights[b] - weights[a])]
}
