import { atAddress, loopbackHost } from '../../kit/ip-address.js'
import '../../node-shim.js'
import { rendezvousClient } from '../../client/rendezvous-client.js'
import { DEFAULT_STACK, stackNamed } from '../../libp2p/stacks.js'
import { gossipsubOptions } from '../gossip/gossipsub-options.js'
import { watchedFloodsub } from './watched-floodsub.js'

/**
 * @typedef {import('../../scenarios/gossip/plan/gossip-plan.js').GossipPlan} GossipPlan
 * @typedef {import('../../client/rendezvous-client.js').RendezvousClient} RendezvousClient
 * @typedef {import('@libp2p/interface').Libp2p<{ gossipsub: import('../gossip/mesh-watch.js').GossipSub, identify: unknown,
 *   rendezvous?: RendezvousClient }>} GossipNode - `rendezvous`: in the topology of that name only
 */

/**
 * @typedef {object} ClientParts - what a node has besides that is a client of a rendezvous server too
 * @property {import('@libp2p/interface').PrivateKey} privateKey
 * @property {Record<string, (components: any) => any>} services
 * @property {Record<string, unknown>} tcp - options of the transport
 * @property {(remote: import('@multiformats/multiaddr').Multiaddr) => import('../../libp2p/types.js').Wire} [wireOf] - who is told of bytes
 *   from and to an address
 */

const LOOPBACK = `${atAddress(loopbackHost())}/tcp/0`
/** What a transport has behind an address of TCP. */
const BEHIND = { tcp: '', websocket: '/ws' }
const MANY = 100_000
const TIMEOUT_MS = 60_000
const SLOW_HOST = 'a busy host, or --linkLatency, must not cost the network a connection'
const ONE_HOST = 'all nodes are on one host'

/** @typedef {Readonly<Record<string, Readonly<{ value: unknown, why: string }>>>} NodeOptions */

/** What a node of the gossip load test needs to do its part, beside what the plan asks for. @type {NodeOptions} */
const NEEDED = {
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
  'identify.timeout': { value: TIMEOUT_MS, why: SLOW_HOST }
}

/**
 * NO_PINGS keeps what libp2p sends by itself out of a network that is measured, unless it is to be stock. Yamux pings each connection every
 * 30 s from both ends: of 95 nodes with 4,465 connections that was two fifths of the packets, and a fifth of the work. The first ping of a
 * connection is sent: by its round trip windows grow.
 *
 * @type {NodeOptions}
 */
export const NO_PINGS = {
  'connectionMonitor.enabled': { value: false, why: 'no pings beside the measured traffic' },
  'yamux.keepAliveInterval': {
    value: 3_600_000,
    why: 'no pings beside the measured traffic but the first of a connection, by which windows grow'
  },
  'tcp.inboundSocketInactivityTimeout': { value: 0, why: 'without those pings a quiet connection would end' },
  'tcp.outboundSocketInactivityTimeout': { value: 0, why: 'without those pings a quiet connection would end' }
}

const FOR_FIGURES = 'the figures of the result'

/** @type {import('../../libp2p/node-settings.js').Reasons} */
const REASONS = {
  ...Object.fromEntries(Object.entries({ ...NEEDED, ...NO_PINGS }).map(([name, { why }]) => [name, { why }])),
  'connectionManager.*': { why: 'comes of its other options' },
  'addresses.listen': { why: ONE_HOST },
  'gossipsub.scoreParams.IPColocationFactorWeight': {
    why: `${ONE_HOST}: with the default, more than ten peers behind one address lose score`
  },
  'gossipsub.metricsRegister': {
    value: 'counts RPCs, bytes, control messages and duplicates',
    why: FOR_FIGURES
  },
  'gossipsub.metricsTopicStrToLabel': { value: 'a name for each topic', why: FOR_FIGURES },
  'gossipsub.*': { why: 'the plan asks for it' },
  'services.gossipsub': {
    value:
      'floodsub, whose registrar counts RPCs, bytes and messages that are received, and whose validators note whom the first copy came from',
    why: FOR_FIGURES
  },
  'services.rendezvous': { value: 'our rendezvous client', why: 'nodes find one another' },
  'tcp.changedTransport': {
    value: 'tells when bytes are handed over and have come',
    why: 'what the process adds to a time is measured; nothing else is done with them'
  },
  'webSockets.changedTransport': {
    value: 'tells when bytes are handed over and have come',
    why: 'what the process adds to a time is measured; nothing else is done with them'
  },
  'tcp.lineTransport': { value: 'delays what arrives', why: 'as --linkLatency' },
  'webSockets.lineTransport': { value: 'delays what arrives', why: 'as --linkLatency' },
  'yamux.tellingMuxer': {
    value: 'tells when a stream has ended',
    why: 'its streams have no events of their own'
  },
  'mplex.tellingMuxer': {
    value: 'tells when a stream has ended',
    why: 'its streams have no events of their own'
  }
}

/** What nodes have otherwise where they are on several machines. @type {typeof REASONS} */
const OVER_AGENTS = {
  'addresses.listen': { value: 'an address of their machine', why: 'nodes are on several machines' },
  connectionGater: { value: 'the nodes of the run alone', why: 'others could reach them' }
}

/**
 * gossipReasons say why nodes have other than what libp2p and gossipsub take by themselves.
 *
 * @param {boolean} overAgents - the nodes are on several machines
 */
export const gossipReasons = overAgents => ({ ...REASONS, ...(overAgents && OVER_AGENTS) })

/**
 * madeOf says which packages the nodes of a plan are made of.
 *
 * @param {Pick<GossipPlan, 'transport' | 'security' | 'muxer' | 'pubsub'>} plan
 * @returns {import('../../libp2p/types.js').Kinds}
 */
export const madeOf = ({ transport, security, muxer, pubsub }) => ({
  transport,
  security,
  muxer: muxersOf(muxer),
  identify: true,
  gossipsub: pubsub === 'gossipsub'
})

/** @param {string} muxer */
const muxersOf = muxer => /** @type {import('../../libp2p/types.js').Muxer[]} */ (muxer.split(','))

/** Everything set for `part`, by option. @param {string} part @param {boolean} stock @returns {Record<string, any>} */
const optionsOf = (part, stock) =>
  Object.fromEntries(
    Object.entries({ ...NEEDED, ...(!stock && NO_PINGS) }).flatMap(([name, { value }]) =>
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
 * A stock one pings its peers, as libp2p does by itself.
 *
 * @param {object} init
 * @param {GossipPlan} init.plan
 * @param {import('@libp2p/interface').PrivateKey} init.privateKey
 * @param {Pick<import('@libp2p/gossipsub').GossipsubOpts, 'metricsRegister'> & Partial<import('@libp2p/gossipsub').GossipsubOpts>} init.watchedBy
 * @param {string} [init.stack] - generation of libp2p
 * @param {import('../../libp2p/types.js').Wire} [init.wire] - is told when bytes have come
 * @param {ClientParts} [init.client] - it is a client of a rendezvous server too
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
  wire,
  client
}) {
  const { security, transport, muxer, topology, network, linkLatencyMs, pubsub, stock = false } = plan
  const floods = pubsub === 'floodsub'
  const node = await stackNamed(stack).createNode({
    privateKey,
    addresses: { listen: [listen + BEHIND[transport]] },
    transport,
    tcp: { ...optionsOf('tcp', stock), ...client?.tcp },
    // between namespaces the router makes it
    linkLatencyMs: network === 'loopback' ? linkLatencyMs : 0,
    ...(client?.wireOf === undefined ? { wire } : { wireOf: client.wireOf }),
    security,
    muxer: muxersOf(muxer),
    muxerOptions: optionsOf('yamux', stock),
    connectionGater,
    connectionManager: optionsOf('connectionManager', stock),
    connectionMonitor: optionsOf('connectionMonitor', stock),
    identify: optionsOf('identify', stock),
    gossipsub: floods ? undefined : { ...gossipsubOptions(plan), ...watchedBy },
    services: {
      ...(topology.kind === 'rendezvous' && client === undefined && { rendezvous: rendezvousClient() }),
      ...client?.services,
      ...(floods && { gossipsub: await floodsubService(watchedBy) })
    }
  })
  return /** @type {GossipNode} */ (/** @type {unknown} */ (node))
}
