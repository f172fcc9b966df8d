import { multiaddr } from '@multiformats/multiaddr'
import { clientAddressFor } from '../../../client/client-address.js'
import { dial } from '../../../client/dial.js'
import { ClientError } from '../../../client/errors.js'
import { Purpose, privateKeyOf } from '../../../client/identities.js'
import { createClientNode } from '../../../client/node.js'
import { findAbilities } from '../../../client/target-abilities.js'
import { present } from '../../../kit/lists.js'
import { grouped } from '../../../kit/numbers.js'
import { within } from '../../../kit/time-limit.js'

/**
 * @typedef {import('../../../plan/plan.js').Plan} Plan
 * @typedef {import('../../../client/target-abilities.js').Abilities} Abilities
 */

/**
 * probeTarget finds out what a server of others can do, before anything is registered there.
 *
 * @param {Plan} plan
 * @param {{ address: string, ns: string, stop: AbortSignal }} options - `ns` of nobody else
 * @returns {Promise<Abilities>}
 * @throws {ClientError} where the run could not be made: ONE_REQUEST_PER_STREAM, OTHER_RECORD_DOMAIN, TTL_REFUSED, and what
 *   connecting throws
 */
async function probeTarget(plan, { address, ns, stop }) {
  const server = multiaddr(address)
  const privateKey = await privateKeyOf(plan.seed, Purpose.ABILITIES, 0)
  const node = await createClientNode({
    privateKey,
    localAddress: clientAddressFor(server, plan.nClients, process.platform),
    stock: plan.stock
  })
  await node.start()
  try {
    const signal = within(stop, plan.timeoutMs)
    const connection = await dial(node, server, { signal })
    const timeoutMs = Math.min(plan.timeoutMs, ANSWER_WITHIN_MS)
    const abilities = await findAbilities(connection, {
      privateKey,
      ns,
      registration: registers(plan) ? { ttlSeconds: plan.ttlSeconds, domain: plan.recordDomain } : null,
      signal: stop,
      timeoutMs
    })
    requireFitting(plan, abilities)
    return abilities
  } finally {
    await node.stop()
  }
}

/**
 * probeTargets finds out what all servers under test can do.
 *
 * @param {Plan} plan
 * @param {{ addresses: readonly string[], ns: string, stop: AbortSignal }} options
 * @returns {Promise<Abilities>} the first's, but for what one of them cannot do
 * @throws {ClientError} as probeTarget
 */
export async function probeTargets(plan, { addresses, ...options }) {
  /** @type {Abilities[]} */
  const all = []
  for (const address of addresses) all.push(await probeTarget(plan, { address, ...options }))
  const [first] = all
  return {
    ...first,
    severalPerStream: all.some(({ severalPerStream }) => severalPerStream === false)
      ? false
      : first.severalPerStream,
    repeats: all.some(({ repeats }) => repeats)
  }
}

/** A reply that takes longer says enough about a server. */
const ANSWER_WITHIN_MS = 10_000

/** @param {Plan} plan */
const registers = ({ benchmarkType, initialRegistrations }) =>
  benchmarkType !== 'DISCOVER' || initialRegistrations > 0

/** @param {Plan} plan @param {Abilities} abilities */
function requireFitting(plan, { severalPerStream, otherDomain, refusal, ttlBounds }) {
  const { streamPerOperation, connectionPerOperation, inFlight, recordDomain, ttlSeconds } = plan
  if (severalPerStream === false && streamPerOperation === false && !connectionPerOperation)
    throw new ClientError(
      'ONE_REQUEST_PER_STREAM',
      `the target serves one request on each stream: leave out ${inFlight > 1 ? '--inFlight' : '--no-streamPerOperation'}`
    )
  if (otherDomain !== null)
    throw new ClientError(
      'OTHER_RECORD_DOMAIN',
      `the target takes no signed records of the domain ${recordDomain}: use --recordDomain ${otherDomain}`
    )
  if (refusal?.code === 'E_INVALID_TTL')
    throw new ClientError(
      'TTL_REFUSED',
      `the target takes no time to live of ${ttlSeconds} s${insteadOf(ttlSeconds, ttlBounds)}`,
      { cause: refusal }
    )
}

/** @param {number} ttlSeconds @param {Abilities['ttlBounds']} bounds */
function insteadOf(ttlSeconds, bounds) {
  if (bounds === null)
    return ', and of no other that was tried: ask who runs it for one, and give it as --ttl'
  const { minSeconds, maxSeconds } = bounds
  const near = Math.min(maxSeconds, Math.max(minSeconds, ttlSeconds))
  return `, but ${grouped(minSeconds)} to ${grouped(maxSeconds)} s: use --ttl ${near}s`
}

/**
 * abilitiesInWords says in a line what a server was found to do.
 *
 * @param {Abilities} abilities
 * @param {Pick<Plan, 'recordDomain'>} plan
 */
export function abilitiesInWords({ severalPerStream, repeats, grantedSeconds }, { recordDomain }) {
  const streams = severalPerStream ? 'many requests on a stream' : 'one request on each stream'
  return present([
    severalPerStream !== null && !repeats && streams,
    grantedSeconds !== null && `takes ${recordDomain} for ${grouped(grantedSeconds)} s`
  ]).join(', ')
}
