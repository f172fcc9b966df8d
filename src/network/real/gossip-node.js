// Makes a real libp2p node for a gossip run, with unmodified gossipsub, or with floodsub made observable in the same
// way.
import '../../kit/runtime.js'
import { rendezvousClient } from '../../client/rendezvous-client.js'
import { findLoopbackHost, formatMultiaddrHost } from '../../kit/host-address.js'
import { DEFAULT_STACK, findStack } from '../../libp2p/stacks.js'
import { makeGossipsubOptions, readMessageNumbers } from '../gossipsub.js'

/**
 * @typedef {import('@libp2p/floodsub').FloodSub & import('@libp2p/interface').Startable} FloodSub
 * @typedef {import('@libp2p/floodsub').FloodSubComponents} Components
 * @typedef {import('@libp2p/interface-internal').Registrar} Registrar
 * @typedef {import('@libp2p/gossipsub/metrics').MetricsRegister} MetricsRegister
 *
 * @typedef {object} FloodsubParts
 * @property {(components: Components) => import('@libp2p/floodsub').FloodSub} make
 * @property {import('@libp2p/floodsub').TopicValidatorResult} accept - its answer for a message that is to be passed on
 * @property {MetricsRegister} metricsRegister
 */

/** What nobody else counts: what is received of it is given as sent, for TCP loses nothing in between. */
const COUNTED_METRICS = {
  bytes: ['gossipsub_rpc_recv_bytes_total', 'gossipsub_rpc_sent_bytes_total'],
  rpcs: ['gossipsub_rpc_recv_count_total', 'gossipsub_rpc_sent_count_total'],
  messages: ['gossipsub_rpc_recv_message_total', 'gossipsub_rpc_sent_message_total'],
  duplicates: ['gossipsub_pre_validation_duplicate_total']
}

/**
 * WatchedFloodsub is a service of unmodified floodsub that can be watched as gossipsub can: by the same events, methods and metrics. Its
 * mesh are all peers that subscribe, for all of them are sent everything.
 */
class WatchedFloodsub extends EventTarget {
  #floodsub
  #peerId
  #add
  #accept
  /** @type {Set<string>} */
  #topics = new Set()
  /** of the application, by topic. @type {Map<string, import('@libp2p/floodsub').TopicValidatorFn>} */
  topicValidators = new Map()

  /** @param {FloodsubParts} parts @param {Components} components */
  constructor({ make, accept, metricsRegister }, { peerId, privateKey, logger, registrar }) {
    super()
    this.#peerId = peerId
    /** @type {Record<string, { inc: (by: number) => void }[]>} */
    const gauges = {}
    for (const [what, names] of Object.entries(COUNTED_METRICS))
      gauges[what] = names.map(name => metricsRegister.gauge({ name, help: name }))
    this.#add = (/** @type {keyof typeof COUNTED_METRICS} */ what, /** @type {number} */ by) => {
      for (const gauge of gauges[what]) gauge.inc(by)
    }
    this.#accept = accept
    this.#floodsub = /** @type {FloodSub} */ (
      make({ peerId, privateKey, logger, registrar: this.#watching(registrar) })
    )
    this.#floodsub.addEventListener('subscription-change', () => this.#tell('gossipsub:graft', {}))
  }

  start() {
    return this.#floodsub.start()
  }

  stop() {
    return this.#floodsub.stop()
  }

  /** @param {string} topic */
  subscribe(topic) {
    this.#floodsub.topicValidators.set(topic, (peer, message) => this.#firstCopy(peer, message))
    this.#topics.add(topic)
    this.#floodsub.subscribe(topic)
  }

  /** @param {string} topic */
  unsubscribe(topic) {
    this.#topics.delete(topic)
    this.#floodsub.unsubscribe(topic)
  }

  /** @param {string} topic @param {Uint8Array} data */
  publish(topic, data) {
    return this.#floodsub.publish(topic, data)
  }

  /** @param {string} topic */
  getSubscribers(topic) {
    return this.#floodsub.getSubscribers(topic)
  }

  /** @param {string} topic */
  getMeshPeers(topic) {
    return this.getSubscribers(topic).map(String)
  }

  /**
   * Floodsub validates what it has not seen. It has not seen a message of its own that comes back.
   *
   * @param {import('@libp2p/interface').PeerId} propagationSource
   * @param {import('@libp2p/floodsub').Message} msg
   */
  async #firstCopy(propagationSource, msg) {
    this.#add('duplicates', -1)
    if (msg.type === 'signed' && this.#peerId.equals(msg.from)) {
      this.#add('duplicates', 1)
      return this.#accept
    }
    const answer = (await this.topicValidators.get(msg.topic)?.(propagationSource, msg)) ?? this.#accept
    if (answer === this.#accept && this.#topics.has(msg.topic))
      this.#tell('gossipsub:message', { propagationSource, msg })
    return answer
  }

  /** @param {string} type @param {object} detail */
  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }))
  }

  /** A registrar that lets what is received be counted, and tells of peers that are gone. @param {Registrar} registrar */
  #watching(registrar) {
    /** @type {Pick<Registrar, 'handle' | 'register' | 'unhandle' | 'unregister'>} */
    const watching = {
      handle: (protocol, handler, options) =>
        registrar.handle(
          protocol,
          (stream, connection) => {
            const handled = handler(stream, connection)
            this.#count(stream)
            return handled
          },
          options
        ),
      register: (protocol, topology) =>
        registrar.register(protocol, {
          ...topology,
          onDisconnect: peerId => {
            topology.onDisconnect?.(peerId)
            this.#tell('gossipsub:prune', {})
          }
        }),
      unhandle: (...args) => registrar.unhandle(...args),
      unregister: id => registrar.unregister(id)
    }
    return /** @type {Registrar} */ (watching)
  }

  /** @param {import('@libp2p/interface').Stream} stream - that nothing was read of */
  #count(stream) {
    let rest = Buffer.alloc(0)
    stream.addEventListener('message', ({ data }) => {
      const bytes = Buffer.concat([rest, data.subarray()])
      const { end, rpcs, rpcBytes } = countWholeRpcs(bytes)
      const messages = readMessageNumbers(bytes.subarray(0, end)).length
      rest = bytes.subarray(end)
      this.#add('rpcs', rpcs)
      this.#add('bytes', rpcBytes)
      this.#add('messages', messages)
      // first copies are taken off when they are validated
      this.#add('duplicates', messages)
    })
  }
}

/**
 * countWholeRpcs finds the RPCs that are there to their end, each behind its length.
 *
 * @param {Uint8Array} bytes
 * @returns {{ end: number, rpcs: number, rpcBytes: number }} `end`: where the first begins that is not
 */
export function countWholeRpcs(bytes) {
  const whole = { end: 0, rpcs: 0, rpcBytes: 0 }
  for (;;) {
    let [at, length, factor] = [whole.end, 0, 1]
    for (; at < bytes.length && bytes[at] > 127; factor *= 128) length += (bytes[at++] & 127) * factor
    if (at >= bytes.length) return whole
    length += bytes[at++] * factor
    if (at + length > bytes.length) return whole
    whole.end = at + length
    whole.rpcs += 1
    whole.rpcBytes += length
  }
}

/**
 * @typedef {import('../../scenarios/gossip/options.js').GossipPlan} GossipPlan
 * @typedef {import('../../client/rendezvous-client.js').RendezvousClient} RendezvousClient
 * @typedef {import('@libp2p/interface').Libp2p<{ gossipsub: import('../node-observer.js').GossipSub, identify: unknown,
 *   rendezvous?: RendezvousClient }>} GossipNode - `rendezvous`: in the topology of that name only
 */

/**
 * @typedef {object} ClientParts - what a node has besides that is a client of a rendezvous server too
 * @property {import('@libp2p/interface').PrivateKey} privateKey
 * @property {Record<string, (components: any) => any>} services
 * @property {Record<string, unknown>} tcp - options of the transport
 * @property {(remote: import('@multiformats/multiaddr').Multiaddr) => import('../../libp2p/layers/node-parts.js').WireListener} [wireOf] - who is told of bytes
 *   from and to an address
 */

const EFFECTIVELY_UNLIMITED = 100_000
const LONG_TIMEOUT = {
  value: 60_000,
  why: 'a busy host, or --linkLatency, must not cost the network a connection'
}
const ONE_HOST = 'all nodes are on one host'

/** @typedef {import('../../libp2p/node-settings.js').LibrarySettings} NodeOptions */

/** What a node of the gossip load test needs to do its part, beside what the plan asks for. @type {NodeOptions} */
const REQUIRED_OPTIONS = {
  'connectionManager.inboundConnectionThreshold': {
    value: EFFECTIVELY_UNLIMITED,
    why: `${ONE_HOST}: the default admits 5 connections a second from one`
  },
  'connectionManager.maxIncomingPendingConnections': {
    value: EFFECTIVELY_UNLIMITED,
    why: 'the whole network connects at once'
  },
  'connectionManager.maxConnections': { value: EFFECTIVELY_UNLIMITED, why: 'the topology decides' },
  'connectionManager.dialTimeout': LONG_TIMEOUT,
  'connectionManager.addressDialTimeout': LONG_TIMEOUT,
  'connectionManager.inboundUpgradeTimeout': LONG_TIMEOUT,
  'connectionManager.inboundStreamProtocolNegotiationTimeout': LONG_TIMEOUT,
  'connectionManager.outboundStreamProtocolNegotiationTimeout': LONG_TIMEOUT,
  'identify.timeout': LONG_TIMEOUT
}

/**
 * NO_PINGS keeps what libp2p sends by itself out of a network that is measured, unless it is to be stock. Yamux pings each connection every
 * 30 s from both ends: of 95 nodes with 4,465 connections that was two fifths of the packets, and a fifth of the work. The first ping of a
 * connection is sent: by its round trip windows grow.
 *
 * @type {NodeOptions}
 */
export const NO_PINGS = {
  'connectionMonitor.enabled': { value: false, why: 'no pings during the measurement' },
  'yamux.keepAliveInterval': {
    value: 3_600_000,
    why: 'no pings during the measurement but the first of a connection, by which windows grow'
  },
  'tcp.inboundSocketInactivityTimeout': { value: 0, why: 'without those pings a quiet connection would end' },
  'tcp.outboundSocketInactivityTimeout': { value: 0, why: 'without those pings a quiet connection would end' }
}

const FOR_FIGURES = 'the figures of the result'
const TELLS_OF_BYTES = {
  value: 'tells when bytes are handed over and have come',
  why: 'what the process adds to a time is measured; nothing else is done with them'
}
const TELLS_OF_ENDS = {
  value: 'tells when a stream has ended',
  why: 'its streams have no events of their own'
}

/** @type {import('../../libp2p/node-settings.js').Reasons} */
const REASONS = {
  ...Object.fromEntries(
    Object.entries({ ...REQUIRED_OPTIONS, ...NO_PINGS }).map(([name, { why }]) => [name, { why }])
  ),
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
  'tcp.changedTransport': TELLS_OF_BYTES,
  'webSockets.changedTransport': TELLS_OF_BYTES,
  'tcp.lineTransport': { value: 'delays what arrives', why: 'as --linkLatency' },
  'webSockets.lineTransport': { value: 'delays what arrives', why: 'as --linkLatency' },
  'yamux.tellingMuxer': TELLS_OF_ENDS,
  'mplex.tellingMuxer': TELLS_OF_ENDS
}

/** What nodes have otherwise where they are on several machines. @type {typeof REASONS} */
const AGENT_REASONS = {
  'addresses.listen': { value: 'an address of their machine', why: 'nodes are on several machines' },
  connectionGater: { value: 'the nodes of the run alone', why: 'others could reach them' }
}

/**
 * makeGossipReasons say why nodes have other than what libp2p and gossipsub take by themselves.
 *
 * @param {boolean} overAgents - the nodes are on several machines
 * @param {GossipPlan['gossipsub']} [gossipsub] - that the plan asks for
 */
export const makeGossipReasons = (overAgents, gossipsub = {}) => ({
  ...REASONS,
  ...(overAgents && AGENT_REASONS),
  ...(gossipsub.IPColocationFactorWeight !== undefined && {
    'gossipsub.scoreParams.IPColocationFactorWeight': REASONS['gossipsub.*']
  })
})

/**
 * stackPartsOf says which packages the nodes of a plan are made of.
 *
 * @param {Pick<GossipPlan, 'transport' | 'security' | 'muxer' | 'pubsub'>} plan
 * @returns {import('../../libp2p/layers/node-parts.js').Kinds}
 */
export const stackPartsOf = ({ transport, security, muxer, pubsub }) => ({
  transport,
  security,
  muxer: /** @type {import('../../libp2p/layers/node-parts.js').Muxer[]} */ (muxer.split(',')),
  identify: true,
  gossipsub: pubsub === 'gossipsub'
})

/** Everything set for `part`, by option. @param {string} part @param {boolean} stock @returns {Record<string, any>} */
const optionsOf = (part, stock) =>
  Object.fromEntries(
    Object.entries({ ...REQUIRED_OPTIONS, ...(!stock && NO_PINGS) }).flatMap(([name, { value }]) =>
      name.startsWith(`${part}.`) ? [[name.slice(part.length + 1), value]] : []
    )
  )

/** @param {Pick<import('@libp2p/gossipsub').GossipsubOpts, 'metricsRegister'>} watchedBy */
async function floodsubService({ metricsRegister }) {
  const { floodsub, TopicValidatorResult } = await import('@libp2p/floodsub')
  /** @type {FloodsubParts} */
  const parts = {
    make: floodsub({ globalSignaturePolicy: 'StrictSign' }),
    accept: TopicValidatorResult.Accept,
    metricsRegister: /** @type {MetricsRegister} */ (metricsRegister)
  }
  return (/** @type {Components} */ components) => new WatchedFloodsub(parts, components)
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
 * @param {import('../../libp2p/layers/node-parts.js').WireListener} [init.wire] - is told when bytes have come
 * @param {ClientParts} [init.client] - it is a client of a rendezvous server too
 * @param {string} [init.listen] - multiaddr of TCP
 * @param {import('../../libp2p/layers/node-parts.js').NodeParts['connectionGater']} [init.connectionGater] - who may connect; default: everybody
 * @returns {Promise<GossipNode>}
 */
export async function createGossipNode({
  plan,
  privateKey,
  watchedBy,
  stack = DEFAULT_STACK,
  listen = `${formatMultiaddrHost(findLoopbackHost())}/tcp/0`,
  connectionGater,
  wire,
  client
}) {
  const { security, transport, muxer, topology, network, linkLatencyMs, pubsub, stock = false } = plan
  const floods = pubsub === 'floodsub'
  const node = await findStack(stack).createNode({
    privateKey,
    addresses: { listen: [transport === 'websocket' ? `${listen}/ws` : listen] },
    transport,
    tcp: { ...optionsOf('tcp', stock), ...client?.tcp },
    // between namespaces the router makes it
    linkLatencyMs: network === 'loopback' ? linkLatencyMs : 0,
    ...(client?.wireOf === undefined ? { wire } : { wireOf: client.wireOf }),
    security,
    muxer: /** @type {import('../../libp2p/layers/node-parts.js').Muxer[]} */ (muxer.split(',')),
    muxerOptions: optionsOf('yamux', stock),
    connectionGater,
    connectionManager: optionsOf('connectionManager', stock),
    connectionMonitor: optionsOf('connectionMonitor', stock),
    identify: optionsOf('identify', stock),
    gossipsub: floods ? undefined : { ...makeGossipsubOptions(plan), ...watchedBy },
    services: {
      ...(topology.kind === 'rendezvous' && client === undefined && { rendezvous: rendezvousClient() }),
      ...client?.services,
      ...(floods && { gossipsub: await floodsubService(watchedBy) })
    }
  })
  return /** @type {GossipNode} */ (/** @type {unknown} */ (node))
}
