import { subStream } from '../../../kit/random.js'
import { shuffled } from '../../../kit/shuffled.js'
import { makeTopology } from '../../../network/topology/make-topology.js'
import { joinByRendezvous } from './gossip-rendezvous.js'

/**
 * joinNodes makes a network of nodes, as the topology of the plan says.
 *
 * @param {Omit<Parameters<typeof joinByRendezvous>[0], 'hosts'> & { hosts: Pick<import('./gossip-pool.js').GossipPool, 'connect' | 'register' | 'meet'> }} parts
 * @returns {Promise<{ dialled: import('../../../network/node-host.js').Dialled[],
 *   steps: import('../gossip-types.js').RendezvousSteps | null }>} `steps`: where nodes found one another
 */
export async function joinNodes(parts) {
  const { topology, nodes, seed, dialOrder } = parts.plan
  if (topology.kind === 'rendezvous') return joinByRendezvous(parts)
  const { edges } = makeTopology(topology, { nodes, random: subStream(seed, 'topology') })
  const dials = dialOrder === 'random' ? shuffled(edges, subStream(seed, 'dial order')) : edges
  return { dialled: await parts.hosts.connect(dials, parts.peers), steps: null }
}
