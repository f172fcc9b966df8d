import { messagesIn } from '../simulated/messages-in.js'

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
const COUNTED = {
  bytes: ['gossipsub_rpc_recv_bytes_total', 'gossipsub_rpc_sent_bytes_total'],
  rpcs: ['gossipsub_rpc_recv_count_total', 'gossipsub_rpc_sent_count_total'],
  messages: ['gossipsub_rpc_recv_message_total', 'gossipsub_rpc_sent_message_total'],
  duplicates: ['gossipsub_pre_validation_duplicate_total']
}

/**
 * watchedFloodsub makes a service of unmodified floodsub that can be watched as gossipsub can: by the same events, methods and metrics. Its
 * mesh are all peers that subscribe, for all of them are sent everything.
 *
 * @param {FloodsubParts} parts
 * @returns {(components: Components) => WatchedFloodsub}
 */
export const watchedFloodsub = parts => components => new WatchedFloodsub(parts, components)

class WatchedFloodsub extends EventTarget {
  #floodsub
  #peerId
  #add
  #accept
  /** of the application, by topic. @type {Map<string, import('@libp2p/floodsub').TopicValidatorFn>} */
  topicValidators = new Map()

  /** @param {FloodsubParts} parts @param {Components} components */
  constructor({ make, accept, metricsRegister }, { peerId, privateKey, logger, registrar }) {
    super()
    this.#peerId = peerId
    this.#add = adder(metricsRegister)
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
    this.#floodsub.subscribe(topic)
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
    if (answer === this.#accept) this.#tell('gossipsub:message', { propagationSource, msg })
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
      const { end, rpcs, rpcBytes } = wholeRpcs(bytes)
      const messages = messagesIn(bytes.subarray(0, end)).length
      rest = bytes.subarray(end)
      this.#add('rpcs', rpcs)
      this.#add('bytes', rpcBytes)
      this.#add('messages', messages)
      // first copies are taken off when they are validated
      this.#add('duplicates', messages)
    })
  }
}

/** @param {MetricsRegister} register @returns {(what: keyof typeof COUNTED, by: number) => void} */
function adder(register) {
  const gauges = Object.fromEntries(
    Object.entries(COUNTED).map(([what, names]) => [
      what,
      names.map(name => register.gauge({ name, help: name }))
    ])
  )
  return (what, by) => {
    for (const gauge of gauges[what]) gauge.inc(by)
  }
}

/**
 * wholeRpcs finds the RPCs that are there to their end, each behind its length.
 *
 * @param {Uint8Array} bytes
 * @returns {{ end: number, rpcs: number, rpcBytes: number }} `end`: where the first begins that is not
 */
export function wholeRpcs(bytes) {
  const found = { end: 0, rpcs: 0, rpcBytes: 0 }
  for (;;) {
    let [at, length, factor] = [found.end, 0, 1]
    for (; at < bytes.length && bytes[at] > 127; factor *= 128) length += (bytes[at++] & 127) * factor
    if (at >= bytes.length) return found
    length += bytes[at++] * factor
    if (at + length > bytes.length) return found
    found.end = at + length
    found.rpcs += 1
    found.rpcBytes += length
  }
}
