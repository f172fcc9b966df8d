import { multiaddr } from '@multiformats/multiaddr'
import { clientAddressFor } from '../client/client-address.js'
import { Purpose, privateKeyOf } from '../client/identities.js'
import { createClientNode } from '../client/node.js'
import { sealPeerRecord } from '../protocol/signed-record.js'
import { stackNameOf } from '../stack/stacks.js'
import { LoadClient } from './load-client.js'

/**
 * startClient starts the libp2p node of one client. Its identity comes from the plan's seed and its index; its
 * signed peer record is made once, as a peer does whose addresses do not change.
 *
 * @param {number} index - among all clients of the run
 * @param {Omit<import('./load-client.js').LoadClientComponents, 'node' | 'signedPeerRecord'>} components
 */
export async function startClient(index, components) {
  const { plan, server } = components
  const privateKey = await privateKeyOf(plan.seed, Purpose.CLIENT, index)
  const localAddress = clientAddressFor(server, index, process.platform)
  const node = await createClientNode({ privateKey, localAddress, stack: stackNameOf(plan.stack, index) })
  const signedPeerRecord = await sealPeerRecord({
    privateKey,
    addresses: [multiaddr(`/ip4/${localAddress ?? '127.0.0.1'}/tcp/4001`)],
    seq: 1,
    domain: plan.recordDomain
  })
  await node.start()
  return new LoadClient(index, { ...components, node, signedPeerRecord })
}
