// Kills, starts and re-registers the clients of a worker process by the churn schedule, and records what server replies
// reveal.
import { setTimeout as sleep } from 'node:timers/promises'
import { makeIdentitySigner, Purpose } from '../../../client/identities.js'
import { makeSubStream } from '../../../kit/random.js'
import { makeLives } from '../../../load/churn.js'
import { ChurnRunner } from '../../../load/churn-runner.js'
import { Pacer } from '../../../load/pacing.js'
import { derivePeerId, readSignerUnverified } from '../../../protocol/signed-record.js'
import { DIALS_PER_TOPIC, makeChurnPlan } from '../peer-options.js'

/**
 * @typedef {import('../options.js').Plan} Plan
 * @typedef {import('../../../load/churn.js').Life} Life
 * @typedef {import('../../../load/registrations.js').MixedType} MixedType
 * @typedef {import('../measure/churn.js').ChurnEvent} ChurnEvent
 * @typedef {import('../../../load/churn.js').LifeChange} LifeChange
 * @typedef {import('../measure/churn.js').ChurnInterval} ChurnInterval
 * @typedef {import('./load-client.js').LoadClient} LoadClient
 * @typedef {import('./load-client.js').ClientObserver} ClientObserver
 *
 * @typedef {object} ChurnParts
 * @property {Plan} plan
 * @property {readonly number[]} clients - indices among all clients, by place of this worker
 * @property {import('../../../load/registrations.js').RunNamespaces} namespaces
 * @property {import('../../../measure/client-overhead.js').LoopTurns} turns
 * @property {import('../../../kit/time.js').Deadlines} deadlines
 * @property {(peer: number, place: number, observer: ClientObserver) => Promise<LoadClient>} start - starts a client with the identity of
 *   that number, in a place of this worker
 * @property {AbortSignal} stopping - begins nothing more
 * @property {import('./full-peers.js').FullPeers | null} peers - null: clients are no full peers
 */

/** Each peer connects to one: its server. */
const SERVER = 0
/** How often a closed loop checks whether its place has a client again. */
const EMPTY_PLACE_MS = 20

/** ClientChurn kills and starts clients of a worker by the schedule of churn; clients renew their registrations. */
export class ClientChurn {
  #parts
  #lives
  #observed
  #churnRunner
  /** Registered clients. @type {(LoadClient | undefined)[]} by place of this worker */
  #inPlace = []
  /** Running clients. @type {Map<number, LoadClient>} by number of their life */
  #running = new Map()
  /** @type {LifeChange[]} */
  #changes = []
  /** Renewals and first discoveries under way. @type {Set<Promise<unknown>>} */
  #background = new Set()
  #ending = new AbortController()
  #endNs = Infinity

  /** @param {ChurnParts} parts */
  constructor(parts) {
    const { plan, clients, namespaces } = parts
    this.#parts = parts
    const lives = makeLives(makeChurnPlan(plan))
    this.#lives = new Map(
      lives
        .filter(({ slot }) => clients.includes(slot))
        .map(life => [life.node, { ...life, dials: [SERVER] }])
    )
    const newcomers = plan.churn?.asNew ? lives.filter(({ startMs }) => startMs !== null).length : 0
    this.#observed = new ObservedReplies(plan, { namespaces, peers: plan.nClients + newcomers })
    this.#churnRunner = new ChurnRunner({
      now: () => Number(process.hrtime.bigint()),
      start: life => this.#start(life),
      dial: life => this.#join(life),
      kill: async life => this.#kill(life)
    })
  }

  /** observerOf makes the observer of the first client in a place. @param {number} client */
  observerOf(client) {
    return this.#observed.of(client)
  }

  /** begin sets the first clients, which are connected. @param {readonly LoadClient[]} clients - by place */
  begin(clients) {
    this.#inPlace = [...clients]
    this.#running = new Map(clients.map((client, place) => [this.#parts.clients[place], client]))
  }

  /** clients lists the running clients. @returns {LoadClient[]} */
  get clients() {
    return [...this.#running.values()]
  }

  /** places are used like clients by the load: the current client of a place performs its operations. */
  get places() {
    return this.#parts.clients.map((_, place) => ({
      perform: (/** @type {MixedType} */ type, /** @type {bigint | null} */ dueNs) =>
        this.#perform(place, type, dueNs),
      drop: (/** @type {MixedType} */ type, /** @type {bigint} */ dueNs) =>
        this.#inPlace[place]?.drop(type, dueNs)
    }))
  }

  /** register registers all clients in every namespace, or renews their registrations; not measured. */
  async register() {
    for (const [node, client] of this.#running) await client.renewUntimed(this.#namespacesOf(node))
  }

  /** A full peer registers in its topics, others everywhere. @param {number} node */
  #namespacesOf(node) {
    const { peers, plan } = this.#parts
    return peers?.topicsOf(this.#peerOf(this.#life(node) ?? { node, slot: node })) ?? plan.nNamespaces
  }

  /**
   * run lets clients renew their registrations, and kills and replaces some, for the duration of the measurement.
   *
   * @param {number} startNs
   * @returns {Promise<void>} when the last one was killed or started
   */
  async run(startNs) {
    const { plan, clients } = this.#parts
    const refreshNs = Number(plan.refreshEveryMs) * 1e6
    this.#endNs = startNs + Number(plan.durationMs) * 1e6
    this.#observed.forgetReplies()
    for (const [place, [node, client]] of [...this.#running].entries())
      this.#refresh(node, client, startNs + (refreshNs * (clients[place] + 1)) / plan.nClients)
    await this.#churnRunner.run({ lives: [...this.#lives.values()], startNs })
  }

  /** end begins nothing more, and waits for all that is under way. */
  async end() {
    this.#ending.abort()
    await Promise.all(this.#background)
  }

  /** abort begins nothing more. */
  abort() {
    this.#ending.abort()
    this.#churnRunner.abort()
  }

  /** take gives the events since its last call. @returns {ChurnInterval} */
  take() {
    const changes = [...this.#churnRunner.take(), ...this.#changes]
    this.#changes = []
    return { ...this.#observed.take(), changes }
  }

  /** @param {number} place @param {MixedType} type @param {bigint | null} dueNs */
  async #perform(place, type, dueNs) {
    const { stopping } = this.#parts
    // operations due from an empty place are left out; a closed loop waits for the next client
    const isEmpty = () => this.#inPlace[place] === undefined && !stopping.aborted
    while (dueNs === null && isEmpty() && Number(process.hrtime.bigint()) < this.#endNs)
      await sleep(EMPTY_PLACE_MS)
    await this.#inPlace[place]?.perform(type, dueNs)
  }

  /** @param {number} node */
  #life(node) {
    return /** @type {Life} */ (this.#lives.get(node))
  }

  /** The peer of a life: a new one, or the one that left. @param {Life} life */
  #peerOf({ node, slot }) {
    return this.#parts.plan.churn?.asNew ? node : slot
  }

  /** @param {number} node */
  async #start(node) {
    const { clients, start } = this.#parts
    const life = this.#life(node)
    const client = await start(this.#peerOf(life), clients.indexOf(life.slot), this.#observed.of(node))
    this.#running.set(node, client)
  }

  /** Connects a client that was started; it then registers and discovers by itself. @param {number} node @returns {Promise<string | null>} what went wrong */
  async #join(node) {
    const client = /** @type {LoadClient} */ (this.#running.get(node))
    const guard = this.#parts.deadlines.guard()
    try {
      await client.connectMeasured(guard.signal)
    } catch (error) {
      return /** @type {Error} */ (error).message
    } finally {
      guard.release()
    }
    this.#follow(this.#settle(node, client))
    return null
  }

  /** @param {number} node @param {LoadClient} client */
  async #settle(node, client) {
    const { plan, clients } = this.#parts
    const outcomes = await client.renew(this.#namespacesOf(node))
    if (client.killed.aborted) return
    const atNs = Number(process.hrtime.bigint())
    if (outcomes.every(outcome => outcome === 'OK')) this.#changes.push({ node, registeredNs: atNs })
    this.#refresh(node, client, atNs + Number(plan.refreshEveryMs) * 1e6)
    // a full peer without peers would publish to nobody; one that is killed meanwhile joins nobody
    await this.#parts.peers?.join(this.#peerOf(this.#life(node)), DIALS_PER_TOPIC).catch(() => {})
    if (client.killed.aborted) return
    this.#inPlace[clients.indexOf(this.#life(node).slot)] = client
    // a new client discovers the others first
    await client.discoverIn(this.#firstNamespace(node))
  }

  /** The first namespace has a random stream of its own: it may be drawn before or after an arrival. @param {number} node */
  #firstNamespace(node) {
    const { seed, nNamespaces } = this.#parts.plan
    return this.#parts.namespaces.planned(
      Math.floor(makeSubStream(seed, 'namespaces', 'first', node)() * nNamespaces)
    )
  }

  /** @param {number} node */
  #kill(node) {
    const client = this.#running.get(node)
    this.#running.delete(node)
    this.#inPlace = this.#inPlace.map(other => (other === client ? undefined : other))
    client?.kill()
    const { peers } = this.#parts
    peers?.kill(this.#peerOf(this.#life(node))).catch(() => {})
  }

  /** Registers a client again and again, until it is killed or the measurement is over. @param {number} node @param {LoadClient} client @param {number} firstNs */
  #refresh(node, client, firstNs) {
    const { plan, turns, stopping } = this.#parts
    const signal = AbortSignal.any([this.#ending.signal, stopping, client.killed])
    const pacer = new Pacer({ precise: false, turns })
    const refreshing = async () => {
      for (let dueNs = firstNs; dueNs < this.#endNs; dueNs += Number(plan.refreshEveryMs) * 1e6) {
        await pacer.until(BigInt(Math.round(dueNs)), signal)
        if (signal.aborted) return
        await client.renew(this.#namespacesOf(node))
      }
    }
    this.#follow(refreshing())
  }

  /** @param {Promise<unknown>} work that never rejects */
  #follow(work) {
    this.#background.add(work)
    work.finally(() => this.#background.delete(work))
  }
}

/** @param {Uint8Array} peerId */
const keyOf = peerId => Buffer.from(peerId.buffer, peerId.byteOffset, peerId.length).toString('latin1')

/**
 * The numbers of all peers of a run, by peer id.
 *
 * @param {number} seed - of the plan
 * @param {number} peers - how many there are
 * @returns {Map<string, number>}
 */
const peerNumbers = (seed, peers) =>
  new Map(
    Array.from({ length: peers }, (_, number) => [
      keyOf(derivePeerId(makeIdentitySigner(seed, Purpose.CLIENT, number).publicKey)),
      number
    ])
  )

/** ObservedReplies collects what clients of a worker learn from the server's replies. */
export class ObservedReplies {
  #numbers
  #namespaces
  #clock
  /** @type {ChurnEvent[]} */
  #events = []
  #cutOff = 0

  /**
   * @param {Pick<Plan, 'seed' | 'nNamespaces'>} plan
   * @param {object} of
   * @param {import('../../../load/registrations.js').RunNamespaces} of.namespaces
   * @param {number} of.peers - that the run ever has
   * @param {() => number} [of.clock] - ns
   */
  constructor({ seed, nNamespaces }, { namespaces, peers, clock = () => Number(process.hrtime.bigint()) }) {
    this.#numbers = peerNumbers(seed, peers)
    this.#namespaces = new Map(Array.from({ length: nNamespaces }, (_, i) => [namespaces.planned(i), i]))
    this.#clock = clock
  }

  /** of makes the observer of a client. @param {number} node - number of its life @returns {ClientObserver} */
  of(node) {
    return {
      registered: ({ ns, ...reply }) => this.#add({ kind: 'registered', node, ...reply }, ns),
      discovered: ({ ns, registrations, ...reply }) => {
        const peers = registrations
          .map(record => this.#numberOf(record))
          .filter(number => number !== undefined)
        const unknown = registrations.length - peers.length
        this.#add({ kind: 'reply', node, ...reply, peers: Uint32Array.from(peers), unknown }, ns)
      },
      cutOff: () => {
        this.#cutOff++
      }
    }
  }

  /** Events of other namespaces than the plan's are left out. @param {any} event @param {string} name */
  #add(event, name) {
    const ns = this.#namespaces.get(name)
    if (ns !== undefined) this.#events.push({ ...event, ns })
  }

  /** forgetReplies removes replies from before the measurement; registrations stay. */
  forgetReplies() {
    this.#events = this.#events.filter(({ kind }) => kind !== 'reply')
    this.#cutOff = 0
  }

  /** take gives the events since its last call. */
  take() {
    const taken = { untilNs: this.#clock(), events: this.#events, cutOff: this.#cutOff }
    this.#events = []
    this.#cutOff = 0
    return taken
  }

  /** @param {import('../../../protocol/rendezvous.js').Register} register @returns {number | undefined} undefined: a peer of another run */
  #numberOf({ signedPeerRecord }) {
    try {
      return this.#numbers.get(keyOf(readSignerUnverified(signedPeerRecord ?? new Uint8Array())))
    } catch {
      // no record at all
      return undefined
    }
  }
}
