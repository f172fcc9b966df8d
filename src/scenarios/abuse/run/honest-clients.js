import '../../../node-shim.js'
import { setTimeout as sleep } from 'node:timers/promises'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { multiaddr } from '@multiformats/multiaddr'
import { dial } from '../../../client/dial.js'
import { createClientNode } from '../../../client/node.js'
import { openSession } from '../../../client/session.js'
import { StreamPerRequest } from '../../../client/stream-per-request.js'
import { findAbilities } from '../../../client/target-abilities.js'
import { encodeDiscover, encodeRegister, encodeUnregister } from '../../../protocol/messages.js'
import { RecordDomain, sealPeerRecord } from '../../../protocol/signed-record.js'
import { Status, statusName } from '../../../protocol/status.js'
import { ADDRESS, namespaceOf } from '../../rendezvous/hostile/large-registrations.js'
import { letIn } from '../../rendezvous/hostile/peers.js'
import { LAST_REPLIES_MS } from '../measure/answers.js'

/**
 * @typedef {import('../../../client/session.js').Session} Session
 * @typedef {import('../measure/answers.js').Answers} Answers
 *
 * @typedef {object} Setup
 * @property {string} multiaddr - of the server
 * @property {(string | undefined)[]} addresses - that clients connect from, one each; undefined: the system chooses
 * @property {number} ratePerSecond - of all of them together
 * @property {boolean} [stock] - they are libp2p as published
 * @property {boolean} registers - whether each is registered itself: at a server of others nothing else may be
 */

const LIMIT = 20
const TTL = 7200
const NAMESPACE = namespaceOf(0)

/** HonestClient asks over one stream where the server serves several requests on it, and opens another when it is gone. */
class HonestClient {
  #server
  #node
  #privateKey
  /** @type {Promise<Session | StreamPerRequest> | undefined} */
  #session
  #severalPerStream = true
  #domain = RecordDomain.PEER_RECORD
  #ask = encodeDiscover({ ns: NAMESPACE, limit: LIMIT })

  /** @param {string} server @param {import('@libp2p/interface').Libp2p} node @param {import('@libp2p/interface').PrivateKey} privateKey */
  constructor(server, node, privateKey) {
    this.#server = multiaddr(server)
    this.#node = node
    this.#privateKey = privateKey
  }

  /** start makes one that connects when it asks. @param {string} server @param {{ localAddress: string | undefined, stock?: boolean }} how */
  static async start(server, how) {
    const privateKey = await generateKeyPair('Ed25519')
    const node = await createClientNode({ privateKey, ...how })
    await node.start()
    return new HonestClient(server, node, privateKey)
  }

  /** discover throws where it is not answered with OK. */
  async discover() {
    const { message } = await (await this.#open()).request(this.#ask)
    const { status } = message.discoverResponse ?? { status: Status.E_INTERNAL_ERROR }
    if (status !== Status.OK) throw Object.assign(new Error('was refused'), { code: statusName(status) })
  }

  /** findAbilities finds out how a server of others wants to be asked. */
  async findAbilities() {
    const { severalPerStream, otherDomain } = await findAbilities(await dial(this.#node, this.#server), {
      privateKey: this.#privateKey,
      ns: String(this.#node.peerId),
      registration: { ttlSeconds: TTL, domain: this.#domain },
      signal: new AbortController().signal
    })
    return { severalPerStream: severalPerStream !== false, domain: otherDomain ?? this.#domain }
  }

  /** register asks from now on as a server wants it. @param {{ severalPerStream: boolean, domain: string }} abilities */
  async register({ severalPerStream, domain }) {
    if (!severalPerStream) this.#forget()
    this.#severalPerStream = severalPerStream
    this.#domain = domain
    const privateKey = this.#privateKey
    const signedPeerRecord = await sealPeerRecord({
      privateKey,
      addresses: [ADDRESS],
      seq: Date.now(),
      domain
    })
    const session = await this.#open()
    await session.request(encodeRegister({ ns: NAMESPACE, signedPeerRecord, ttl: TTL }))
  }

  /** stop takes back what is registered, as far as the server still listens. @param {{ registered: boolean }} what */
  async stop({ registered }) {
    if (registered) {
      const silent = [encodeUnregister({ ns: NAMESPACE })]
      await (await this.#open()).requestBehind(silent, this.#ask, { signal: AbortSignal.timeout(1000) })
    }
    await this.#node.stop()
  }

  /** @returns {Promise<Session | StreamPerRequest>} */
  #open() {
    if (this.#session !== undefined) return this.#session
    const opened = this.#opened()
    opened.catch(() => this.#forget())
    this.#session = opened
    return opened
  }

  async #opened() {
    const connection = await dial(this.#node, this.#server)
    if (this.#severalPerStream) return openSession(connection, { onClosed: () => this.#forget() })
    connection.addEventListener('close', () => this.#forget())
    return new StreamPerRequest(connection)
  }

  #forget() {
    this.#session = undefined
  }
}

/** HonestClients ask so often a second, at the times that were due, whatever is answered. */
export class HonestClients {
  #setup
  /** @type {HonestClient[]} */
  #clients = []

  /** @param {Setup} setup */
  constructor(setup) {
    this.#setup = setup
  }

  async start() {
    const { multiaddr, addresses, registers, stock } = this.#setup
    this.#clients = await Promise.all(
      addresses.map(localAddress => HonestClient.start(multiaddr, { localAddress, stock }))
    )
    for (const client of this.#clients) await letIn(() => client.discover())
    if (!registers) return
    const abilities = await this.#clients[0].findAbilities()
    for (const client of this.#clients) await client.register(abilities)
  }

  /**
   * measure asks for so long, and waits a while for what is not answered then.
   *
   * @param {{ ms: number }} how
   * @returns {Promise<Answers>}
   */
  async measure({ ms }) {
    const everyMs = 1000 / this.#setup.ratePerSecond
    const dueMs = Float64Array.from({ length: Math.max(1, Math.floor(ms / everyMs)) }, (_, i) => i * everyMs)
    const tookMs = new Float64Array(dueMs.length).fill(Infinity)
    /** @type {Record<string, number>} */
    const failures = {}
    const began = performance.now()
    let over = false
    const asked = []
    for (const [i, offset] of dueMs.entries()) {
      const early = began + offset - performance.now()
      if (early > 0) await sleep(early)
      const answered = this.#clients[i % this.#clients.length].discover().then(
        () => {
          if (!over) tookMs[i] = performance.now() - began - offset
        },
        error => {
          const code = error.code ?? error.name
          if (!over) failures[code] = (failures[code] ?? 0) + 1
        }
      )
      asked.push(answered)
    }
    await Promise.race([Promise.all(asked), sleep(LAST_REPLIES_MS, undefined, { ref: false })])
    over = true
    return { dueMs, tookMs, failures: withUnanswered(tookMs, failures) }
  }

  async close() {
    const { registers } = this.#setup
    await Promise.allSettled(this.#clients.map(client => client.stop({ registered: registers })))
  }
}

/** @param {Float64Array} tookMs @param {Record<string, number>} failures */
function withUnanswered(tookMs, failures) {
  const failed = tookMs.filter(ms => ms === Infinity).length
  const told = Object.values(failures).reduce((sum, count) => sum + count, 0)
  return failed === told ? failures : { ...failures, TIMEOUT: failed - told }
}
