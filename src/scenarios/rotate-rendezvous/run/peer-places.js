import pLimit from 'p-limit'
import { sumOf } from '../../../kit/lists.js'
import { Pacer } from '../../../load/pacer.js'
import { NodeRotation } from '../../../network/real/node-rotation.js'
import { RotatingPeer } from './rotating-peer.js'

/**
 * @typedef {import('./rotating-peer.js').RotatingPeerComponents} RotatingPeerComponents
 * @typedef {import('../../../load/rotation-schedule.js').Life} Life
 * @typedef {import('../measure/peer-lives.js').PeerChange} PeerChange
 *
 * @typedef {object} PlacesOptions
 * @property {readonly number[]} slots - places of this process
 * @property {readonly Life[]} lives - of the ephemeral peers in them
 * @property {RotatingPeerComponents} components
 * @property {(peer: RotatingPeer) => Promise<void>} discover - what a peer does first when it is registered
 */

const STARTS_AT_ONCE = 20

/** Each peer dials one: the server. */
const SERVER = 0

/**
 * PeerPlaces are the places of a process with the peers in them: they are registered and renew that, ephemeral ones are killed by the
 * schedule, and others take their places.
 */
export class PeerPlaces {
  #slots
  #lives
  #components
  #discover
  #rotation
  /** Those that are registered. @type {Map<number, RotatingPeer>} by place */
  #inPlace = new Map()
  /** All that are there. @type {Map<number, RotatingPeer>} by number */
  #peers = new Map()
  /** @type {PeerChange[]} */
  #changes = []
  /** What goes on beside the schedule. @type {Set<Promise<unknown>>} */
  #beside = new Set()
  #stopping = new AbortController()
  #endNs = 0

  /** @param {PlacesOptions} options */
  constructor({ slots, lives, components, discover }) {
    this.#slots = slots
    this.#lives = lives
    this.#components = components
    this.#discover = discover
    this.#rotation = new NodeRotation({
      now: () => Number(process.hrtime.bigint()),
      start: node => this.#start(node),
      dial: node => this.#join(node),
      kill: async node => this.#kill(node)
    })
  }

  /** at is the peer in a place, once it is registered. @param {number} slot @returns {RotatingPeer | undefined} */
  at(slot) {
    return this.#inPlace.get(slot)
  }

  /** connect starts the peers of the beginning, and connects and registers them. @param {(connected: number) => void} onProgress */
  async connect(onProgress) {
    const limit = pLimit(STARTS_AT_ONCE)
    let connected = 0
    const connectOne = async (/** @type {number} */ slot) => {
      await this.#start(slot)
      const peer = this.#peerOf(slot)
      await peer.connect()
      this.#inPlace.set(slot, peer)
      onProgress(++connected)
    }
    await Promise.all(this.#slots.map(slot => limit(connectOne, slot)))
    await this.register()
  }

  /** register registers all peers in every namespace, or renews that. @throws {Error} NOT_REGISTERED */
  async register() {
    for (const peer of this.#inPlace.values()) {
      const refused = (await this.#registerOne(peer)).find(outcome => outcome !== 'OK')
      if (refused !== undefined) throw notRegistered(refused, this.#components.plan)
    }
  }

  /**
   * rotate has peers renew their registrations, and kills and replaces ephemeral ones.
   *
   * @param {number} startNs
   * @returns {Promise<void>} when the last one was killed or started
   */
  async rotate(startNs) {
    const { durationMs, refreshEveryMs, nClients } = this.#components.plan
    this.#endNs = startNs + Number(durationMs) * 1e6
    for (const [slot, peer] of this.#inPlace)
      this.#renew(peer, startNs + (refreshEveryMs * 1e6 * (slot + 1)) / nClients)
    await this.#rotation.run({ lives: this.#lives.map(life => ({ ...life, dials: [SERVER] })), startNs })
  }

  /** end waits for what is under way, and begins nothing more. */
  async end() {
    this.#stopping.abort()
    await Promise.all(this.#beside)
  }

  /** abort begins nothing more. */
  abort() {
    this.#stopping.abort()
    this.#rotation.abort()
  }

  /** takeChanges hands over what became of peers since the last time. @returns {PeerChange[]} */
  takeChanges() {
    const taken = [...this.#rotation.take(), ...this.#changes]
    this.#changes = []
    return taken
  }

  /** leave takes back what living peers have registered. @param {AbortSignal} signal @returns {Promise<number>} registrations taken back */
  async leave(signal) {
    const left = await Promise.allSettled([...this.#peers.values()].map(peer => peer.leave(signal)))
    return sumOf(left, result => (result.status === 'fulfilled' ? result.value : 0))
  }

  async close() {
    await Promise.all([...this.#peers.values()].map(peer => peer.close()))
  }

  /** @param {number} node */
  async #start(node) {
    this.#peers.set(node, await RotatingPeer.start(node, this.#components))
  }

  /** @param {number} node */
  #peerOf(node) {
    return /** @type {RotatingPeer} */ (this.#peers.get(node))
  }

  /** Connects a peer that was started; it then registers and discovers by itself. @param {number} node @returns {Promise<string | null>} what went wrong */
  async #join(node) {
    const peer = this.#peerOf(node)
    try {
      await peer.connect()
    } catch (error) {
      return /** @type {Error} */ (error).message
    }
    this.#follow(this.#settle(peer))
    return null
  }

  /** @param {RotatingPeer} peer */
  async #settle(peer) {
    const outcomes = await this.#registerOne(peer)
    if (peer.killed.aborted) return
    const { node, slot } = /** @type {Life} */ (this.#lives.find(life => life.node === peer.number))
    const atNs = Number(process.hrtime.bigint())
    if (outcomes.every(outcome => outcome === 'OK')) this.#changes.push({ node, registeredNs: atNs })
    this.#renew(peer, atNs + this.#components.plan.refreshEveryMs * 1e6)
    this.#inPlace.set(slot, peer)
    // whoever has just come wants to know who else is there
    await this.#discover(peer)
  }

  /** @param {number} node */
  #kill(node) {
    const peer = this.#peerOf(node)
    peer.kill()
    this.#peers.delete(node)
    for (const [slot, other] of this.#inPlace) if (other === peer) this.#inPlace.delete(slot)
  }

  /** @param {RotatingPeer} peer @returns {Promise<string[]>} outcomes by namespace */
  #registerOne(peer) {
    const { nNamespaces } = this.#components.plan
    return Promise.all(Array.from({ length: nNamespaces }, (_, ns) => peer.register(ns)))
  }

  /** Registers a peer again and again, until it is killed or the measurement is over. @param {RotatingPeer} peer @param {number} firstNs */
  #renew(peer, firstNs) {
    const { plan, turns } = this.#components
    const signal = AbortSignal.any([this.#stopping.signal, peer.killed])
    const pacer = new Pacer({ precise: false, turns })
    const renewing = async () => {
      for (let dueNs = firstNs; dueNs < this.#endNs; dueNs += plan.refreshEveryMs * 1e6) {
        await pacer.until(BigInt(Math.round(dueNs)), signal)
        if (signal.aborted) return
        await this.#registerOne(peer)
      }
    }
    this.#follow(renewing())
  }

  /** @param {Promise<unknown>} work that never rejects */
  #follow(work) {
    this.#beside.add(work)
    work.finally(() => this.#beside.delete(work))
  }
}

/** @param {string} outcome @param {RotatingPeerComponents['plan']} plan */
function notRegistered(outcome, { ttlSeconds }) {
  const hint = outcome === 'E_INVALID_TTL' ? `: give a --ttl that the server allows, not ${ttlSeconds}s` : ''
  const error = new Error(`a peer could not be registered: ${outcome}${hint}`)
  return Object.assign(error, { code: 'NOT_REGISTERED' })
}
