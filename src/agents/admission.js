// Checks of what an agent may run: the limits that its machine's owner set, the plan, addresses, and the settings of
// each worker.
import { isIP } from 'node:net'
import { computeSum } from '../kit/collections.js'
import { formatMultiaddrHost, makeNetworkTest } from '../kit/host-address.js'
import { listRoles } from '../load/clients.js'
import { PUBLIC_TARGET } from '../plan/addresses.js'
import { countWorkers } from './placement.js'

/**
 * @typedef {object} AdmissionLimits - of the owner of a machine with an agent
 * @property {number | null} maxClients - clients or nodes on this machine; null: as many as come
 * @property {number | null} maxRate - operations or messages a second; null: any
 * @property {readonly string[] | null} allowTargets - hosts, addresses and networks; null: none that are public, unless the plan says that
 *   they are its user's own
 */

/** NotAdmittedError is thrown for what the owner of an agent does not allow. */
export class NotAdmittedError extends Error {
  name = 'NotAdmittedError'
  code = 'NOT_ADMITTED'
}

/**
 * admitPlan looks at a plan before anything is started.
 *
 * @param {any} plan - valid
 * @param {{ limits: AdmissionLimits, workers: number }} on - `workers`: of the plan's that this agent is to hold
 * @throws {NotAdmittedError}
 */
export function admitPlan(plan, { limits, workers }) {
  const { maxClients, maxRate, allowTargets } = limits
  const all = countWorkers(plan)
  if (!(Number.isInteger(workers) && workers >= 1 && workers <= all))
    throw new NotAdmittedError(`it cannot run ${workers} of the plan's ${all} workers`)
  const mine = computeMaxCount(amountOf(plan), { workers, all })
  if (maxClients !== null && !(mine <= maxClients))
    throw new NotAdmittedError(`its owner allows ${maxClients} clients, but its share is ${mine}`)
  admitRate(plan, { maxRate, workers })
  if (plan.target != null) admitAddress(plan.target, plan, allowTargets)
}

/** @param {any} plan @returns {number} its clients, or nodes */
const amountOf = ({ nClients, nodes }) => nClients ?? nodes ?? 0

/** They are dealt to all workers in turn. @param {number} count @param {{ workers: number, all: number }} of */
const computeMaxCount = (count, { workers, all }) => Math.min(count, workers * Math.ceil(count / all))

/** @param {any} plan @param {{ maxRate: number | null, workers: number }} on */
function admitRate(plan, { maxRate, workers }) {
  if (maxRate === null) return
  const { ratePerSecond } = plan
  if (ratePerSecond == null)
    throw new NotAdmittedError(
      `its owner allows ${maxRate}/s, but this run has no rate: give --rate if the scenario has it`
    )
  const of = { workers, all: countWorkers(plan) }
  const share = (/** @type {number} */ rate, /** @type {number} */ clients) =>
    (rate * computeMaxCount(clients, of)) / clients
  // roles send at rates of their own, which a plan that was not made by our own program need not sum up
  const ofRoles = computeSum(listRoles(plan), role => share(role.ratePerSecond ?? 0, role.clients))
  const mine = Math.max(share(ratePerSecond, amountOf(plan)), ofRoles)
  if (!(mine <= maxRate))
    throw new NotAdmittedError(`its owner allows ${maxRate}/s, but its share is ${mine}/s`)
}

/**
 * admitAddress looks at where something is to be sent.
 *
 * @param {string} target - multiaddr
 * @param {any} plan - that it is sent for
 * @param {AdmissionLimits['allowTargets']} allowed
 * @throws {NotAdmittedError}
 */
export function admitAddress(target, plan, allowed) {
  if (allowed === null) {
    const why = PUBLIC_TARGET.refuse({ target, iOwnTheTarget: plan.iOwnTheTarget }, new Map())
    if (why) throw new NotAdmittedError(`${target} ${why}`)
    return
  }
  const host = target.split('/')[2] ?? ''
  if (!allowed.includes(host) && !makeNetworkTest(allowed)(host))
    throw new NotAdmittedError(`its owner allows load on ${allowed.join(', ')} only, not on ${target}`)
}

/**
 * makeAdmissionCheck checks what a worker is given: it must follow from the plan that the agent was leased for, and name no path.
 *
 * @param {any} leased - plan
 * @param {{ limits: AdmissionLimits, workers: number, address: string }} on - `address`: of this machine
 * @returns {(input: any) => void} throws NotAdmittedError
 */
export const makeAdmissionCheck = (leased, on) => input => {
  if (typeof input === 'string') return admitText(input, leased, on.limits.allowTargets)
  if (input === null || typeof input !== 'object') return
  const plan = input.plan ?? (input.scenario === undefined ? null : input)
  const { network } = input
  // clients that are full peers have a network of their own
  for (const part of [input, ...(network !== null && typeof network === 'object' ? [network] : [])])
    admitPlace(part, on.address)
  admitShare(input, leased)
  if (plan !== null) {
    for (const key of AS_LEASED) if (plan[key] !== leased[key]) throw differs(key)
    admitRate(plan, { ...on, maxRate: on.limits.maxRate })
  }
  for (const address of addressesIn(input)) admitAddress(address, leased, on.limits.allowTargets)
}

/** Where a worker listens and writes. @param {any} input @param {string} own - address of this machine */
function admitPlace(input, own) {
  for (const path of ['samplesFile', 'traces'])
    if (input[path] != null) throw new NotAdmittedError(`an agent writes no files: ${path} was requested`)
  if (input.address !== undefined && input.address !== own)
    throw new NotAdmittedError(`nodes listen on ${own} here, not on ${input.address}`)
}

/** Of a plan. */
const AS_LEASED = ['target', 'nClients', 'nodes', 'workers', 'requestors', 'seed', 'network']

/** @param {string} key */
const differs = key =>
  new NotAdmittedError(`this is not the plan that the agent was leased for: ${key} differs`)

/** What a worker holds, and what it takes for its part of the rate. @param {any} input @param {any} leased - plan */
function admitShare(input, leased) {
  if (input.workers !== undefined && input.workers !== leased.workers) throw differs('workers')
  const max = Math.ceil(amountOf(leased) / countWorkers(leased))
  for (const key of ['clients', 'nodes']) {
    const count = input[key]?.length
    if (count !== undefined && !(count <= max))
      throw new NotAdmittedError(`${count} ${key} for one worker, but its share is ${max}`)
  }
}

/** A call may be given an address as it is: a multiaddr, or a URL. @param {string} text @param {any} plan @param {AdmissionLimits['allowTargets']} allowed */
function admitText(text, plan, allowed) {
  if (/^\/(ip|dns)/.test(text)) return admitAddress(text, plan, allowed)
  if (!/^https?:/.test(text) || !URL.canParse(text)) return
  const { hostname, port } = new URL(text)
  const host = hostname.replace(/^\[|\]$/g, '')
  admitAddress(`${isIP(host) === 0 ? `/dns/${host}` : formatMultiaddrHost(host)}/tcp/${port}`, plan, allowed)
}

/** Where load is to go: servers, and peers of a network. In a plan `servers` is how many, and `server` where ours runs. @param {any} input */
function addressesIn(input) {
  if (Array.isArray(input)) return input.flatMap(one => one?.multiaddr ?? [])
  const { server, servers, addresses = {} } = input
  const named = [servers, server].flat().filter(one => typeof one === 'string' && one.startsWith('/'))
  const byProtocol = Object.values(addresses).map(one =>
    typeof one === 'string' ? one : `${formatMultiaddrHost(String(one?.host))}/tcp/${one?.port}`
  )
  return [...named, ...byProtocol]
}
