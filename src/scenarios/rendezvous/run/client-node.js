import { multiaddr } from '@multiformats/multiaddr'
import { clientAddressFor } from '../../../client/client-address.js'
import { Purpose, privateKeyOf } from '../../../client/identities.js'
import { createClientNode } from '../../../client/node.js'
import { stackNameOf } from '../../../libp2p/stacks.js'
import { WireWatch } from '../../../measure/wire-watch.js'
import { sealPeerRecord } from '../../../protocol/signed-record.js'

/** Nobody dials it: peers only say that they are there. */
const PORT = 4001

/**
 * @typedef {object} ClientNode
 * @property {Awaited<ReturnType<typeof createClientNode>>} node - started
 * @property {WireWatch} wire - of its connections
 * @property {Uint8Array} signedPeerRecord - made once, as a peer does whose addresses do not change
 */

/**
 * startClientNode starts the libp2p node of one peer. Its identity comes from the plan's seed and its index.
 *
 * @param {number} index - among all peers of the run
 * @param {object} of
 * @param {Pick<import('../../../plan/plan.js').Plan, 'seed' | 'stack' | 'stock' | 'recordDomain'>} of.plan
 * @param {import('@multiformats/multiaddr').Multiaddr} of.server
 * @param {import('../../../measure/turns.js').Turns} of.turns - of the event loop
 * @param {import('../../../libp2p/node-settings.js').SettingsReader} of.settings - of the nodes of this process
 * @returns {Promise<ClientNode>}
 */
export async function startClientNode(index, { plan, server, turns, settings }) {
  const privateKey = await privateKeyOf(plan.seed, Purpose.CLIENT, index)
  const localAddress = clientAddressFor(server, index, process.platform)
  const wire = new WireWatch(turns)
  const stack = stackNameOf(plan.stack, index)
  const node = await createClientNode({ privateKey, localAddress, wire, stack, stock: plan.stock })
  await settings.read(node, { stack })
  const signedPeerRecord = await sealPeerRecord({
    privateKey,
    addresses: [multiaddr(`/ip4/${localAddress ?? '127.0.0.1'}/tcp/${PORT}`)],
    seq: 1,
    domain: plan.recordDomain
  })
  await node.start()
  return { node, signedPeerRecord, wire }
}
