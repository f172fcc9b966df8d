import { multiaddr } from '@multiformats/multiaddr'
import { clientAddressFor } from '../../../client/client-address.js'
import { dial } from '../../../client/dial.js'
import { ClientError } from '../../../client/errors.js'
import { Purpose, privateKeyOf } from '../../../client/identities.js'
import { createClientNode } from '../../../client/node.js'
import { findAbilities } from '../../../client/target-abilities.js'

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
 * @throws {ClientError} where the run could not be made: ONE_REQUEST_PER_STREAM, OTHER_RECORD_DOMAIN, and what connecting throws
 */
export async function probeTarget(plan, { address, ns, stop }) {
  const server = multiaddr(address)
  const privateKey = await privateKeyOf(plan.seed, Purpose.ABILITIES, 0)
  const node = await createClientNode({
    privateKey,
    localAddress: clientAddressFor(server, plan.nClients, process.platform)
  })
  await node.start()
  try {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(plan.timeoutMs)])
    const connection = await dial(node, server, { signal })
    const abilities = await findAbilities(connection, {
      privateKey,
      ns,
      registration: registers(plan) ? { ttlSeconds: plan.ttlSeconds, domain: plan.recordDomain } : null,
      signal
    })
    requireFitting(plan, abilities)
    return abilities
  } finally {
    await node.stop()
  }
}

/** @param {Plan} plan */
const registers = ({ benchmarkType, initialRegistrations }) =>
  benchmarkType !== 'DISCOVER' || initialRegistrations > 0

/** @param {Plan} plan @param {Abilities} abilities */
function requireFitting({ streamPerOperation, connectionPerOperation, recordDomain }, abilities) {
  const { severalPerStream, otherDomain } = abilities
  if (!severalPerStream && streamPerOperation === false && !connectionPerOperation)
    throw new ClientError(
      'ONE_REQUEST_PER_STREAM',
      'the target serves one request on each stream: leave out --inFlight and --no-streamPerOperation'
    )
  if (otherDomain !== null)
    throw new ClientError(
      'OTHER_RECORD_DOMAIN',
      `the target takes no signed records of the domain ${recordDomain}: use --recordDomain ${otherDomain}`
    )
}
