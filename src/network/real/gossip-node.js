import { atAddress, loopbackHost } from '../../kit/ip-address.js'
import '../../node-shim.js'
import { rendezvousClient } from '../../client/rendezvous-client.js'
import { DEFAULT_STACK, stackNamed } from '../../libp2p/stacks.js'
import { gossipsubOptions } from '../gossip/gossipsub-options.js'
import { NO_PINGS } from '../gossip/no-pings.js'
import { settingsWithout } from '../gossip/settings-without.js'
import { watchedFloodsub } from './watched-floodsub.js'

/**
 * @typedef {import('../../scenarios/gossip/plan/gossip-plan.js').GossipPlan} GossipPlan
 * @typedef {import('../../client/rendezvous-client.js').RendezvousClient} RendezvousClient
 * @typedef {import('@libp2p/interface').Libp2p<{ gossipsub: import('../gossip/mesh-watch.js').GossipSub, identify: unknown,
 *   rendezvous?: RendezvousClient }>} GossipNode - `rendezvous`: in the topology of that name only
 */

const LOOPBACK = `${atAddress(loopbackHost())}/tcp/0`
/** What a transport has behind an address of TCP. */
const BEHIND = { tcp: '', websocket: '/ws' }
const MANY = 100_000
const TIMEOUT_MS = 60_000
const SLOW_HOST = 'a busy host, or --linkLatency, must not cost the network a connection'
const ONE_HOST = 'all nodes are on one host'

/**
 * GOSSIP_SETTINGS lists what a node of the gossip load test has other than libp2p's and gossipsub's defaults, beside what the plan
 * asks for, with the reason; for the result.
 *
 * @type {Readonly<Record<string, Readonly<{ value: unknown, why: string }>>>}
 */
export const GOSSIP_SETTINGS = {
  'addresses.listen': { value: [LOOPBACK], why: ONE_HOST },
  'gossipsub.scoreParams.IPColocationFactorWeight': {
    value: 0,
    why: `${ONE_HOST}: with the default, more than ten peers behind one address lose score`
  },
  'gossipsub.metricsRegister': {
    value: 'counts RPCs, bytes, control messages and duplicates',
    why: 'the figures of the result'
  },
  'connectionManager.inboundConnectionThreshold': {
    value: MANY,
    why: `${ONE_HOST}: the default admits 5 connections a second from one`
  },
  'connectionManager.maxIncomingPendingConnections': {
    value: MANY,
    why: 'the whole network connects at once'
  },
  'connectionManager.maxConnections': { value: MANY, why: 'the topology decides' },
  'connectionManager.dialTimeout': { value: TIMEOUT_MS, why: SLOW_HOST },
  'connectionManager.addressDialTimeout': { value: TIMEOUT_MS, why: SLOW_HOST },
  'connectionManager.inboundUpgradeTimeout': { value: TIMEOUT_MS, why: SLOW_HOST },
  'connectionManager.inboundStreamProtocolNegotiationTimeout': { value: TIMEOUT_MS, why: SLOW_HOST },
  'connectionManager.outboundStreamProtocolNegotiationTimeout': { value: TIMEOUT_MS, why: SLOW_HOST },
  'identify.timeout': { value: TIMEOUT_MS, why: SLOW_HOST },
  ...NO_PINGS,
  'tcp.inboundSocketInactivityTimeout': { value: 0, why: 'without those pings a quiet connection would end' },
  'tcp.outboundSocketInactivityTimeout': { value: 0, why: 'without those pings a quiet connection would end' }
}

/**
 * gossipSettings are those of the nodes of a plan.
 *
 * @param {Pick<GossipPlan, 'transport' | 'pubsub' | 'muxer'>} plan
 * @param {boolean} [overAgents] - the nodes are on several machines
 * @returns {typeof GOSSIP_SETTINGS}
 */
export const gossipSettings = ({ transport, pubsub, muxer }, overAgents = false) => ({
  ...settingsWithout(
    muxer.includes('yamux') ? [] : ['yamux.'],
    pubsub === 'floodsub' ? floodsubSettings() : GOSSIP_SETTINGS
  ),
  'addresses.listen': { value: [LOOPBACK + BEHIND[transport]], why: ONE_HOST },
  ...(overAgents && OVER_AGENTS)
})

/** What nodes have otherwise where they are on several machines. @type {typeof GOSSIP_SETTINGS} */
const OVER_AGENTS = {
  'addresses.listen': { value: 'an address of their machine', why: 'nodes are on several machines' },
  connectionGater: { value: 'the nodes of the run alone', why: 'others could reach them' }
}

const floodsubSettings = () => ({
  ...settingsWithout(['gossipsub.'], GOSSIP_SETTINGS),
  'floodsub.components.registrar': {
    value: 'counts RPCs, bytes and messages that are received; they are given as sent too',
    why: GOSSIP_SETTINGS['gossipsub.metricsRegister'].why
  },
  'floodsub.topicValidators': {
    value: 'one of each topic, that notes whom the first copy came from',
    why: GOSSIP_SETTINGS['gossipsub.metricsRegister'].why
  }
})

/** Everything set for `part`, by option. @param {string} part @returns {Record<string, any>} */
const settingsOf = part =>
  Object.fromEntries(
    Object.entries(GOSSIP_SETTINGS).flatMap(([name, { value }]) =>
      name.startsWith(`${part}.`) ? [[name.slice(part.length + 1), value]] : []
    )
  )

/** @param {Pick<import('@libp2p/gossipsub').GossipsubOpts, 'metricsRegister'>} watchedBy */
async function floodsubService({ metricsRegister }) {
  const { floodsub, TopicValidatorResult } = await import('@libp2p/floodsub')
  return watchedFloodsub({
    make: floodsub({ globalSignaturePolicy: 'StrictSign' }),
    accept: TopicValidatorResult.Accept,
    metricsRegister: /** @type {import('@libp2p/gossipsub/metrics').MetricsRegister} */ (metricsRegister)
  })
}

/**
 * createGossipNode makes a full libp2p node with unmodified gossipsub, as the plan asks for. It is not started.
 *
 * @param {object} init
 * @param {GossipPlan} init.plan
 * @param {import('@libp2p/interface').PrivateKey} init.privateKey
 * @param {Pick<import('@libp2p/gossipsub').GossipsubOpts, 'metricsRegister'> & Partial<import('@libp2p/gossipsub').GossipsubOpts>} init.watchedBy
 * @param {string} [init.stack] - generation of libp2p
 * @param {import('../../libp2p/types.js').Wire} [init.wire] - is told when bytes have come
 * @param {string} [init.listen] - multiaddr of TCP
 * @param {import('../../libp2p/types.js').NodeParts['connectionGater']} [init.connectionGater] - who may connect; default: everybody
 * @returns {Promise<GossipNode>}
 */
export async function createGossipNode({
  plan,
  privateKey,
  watchedBy,
  stack = DEFAULT_STACK,
  listen = LOOPBACK,
  connectionGater,
  wire
}) {
  const { security, transport, muxer, topology, network, linkLatencyMs, pubsub } = plan
  const floods = pubsub === 'floodsub'
  const node = await stackNamed(stack).createNode({
    privateKey,
    addresses: { listen: [listen + BEHIND[transport]] },
    transport,
    tcp: settingsOf('tcp'),
    // between namespaces the router makes it
    linkLatencyMs: network === 'loopback' ? linkLatencyMs : 0,
    wire,
    security,
    muxer: /** @type {import('../../libp2p/types.js').Muxer[]} */ (muxer.split(',')),
    muxerOptions: settingsOf('yamux'),
    connectionGater,
    connectionManager: settingsOf('connectionManager'),
    connectionMonitor: settingsOf('connectionMonitor'),
    identify: settingsOf('identify'),
    gossipsub: floods ? undefined : { ...gossipsubOptions(plan), ...watchedBy },
    services: {
      ...(topology.kind === 'rendezvous' && { rendezvous: rendezvousClient() }),
      ...(floods && { gossipsub: await floodsubService(watchedBy) })
    }
  })
  return /** @type {GossipNode} */ (/** @type {unknown} */ (node))
}
