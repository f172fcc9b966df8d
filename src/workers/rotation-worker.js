import { performance } from 'node:perf_hooks'
import { multiaddr } from '@multiformats/multiaddr'
import pLimit from 'p-limit'
import { bounded, constantArrivals } from '../load/arrivals.js'
import { Deadlines } from '../load/deadlines.js'
import { runOpenLoop } from '../load/open-loop.js'
import { Pacer } from '../load/pacer.js'
import { rotationSchedule } from '../load/rotation-schedule.js'
import { Meter } from '../measure/meter.js'
import { OperationRecorder } from '../measure/operation-recorder.js'
import { ownMemory } from '../measure/own-memory.js'
import { Turns } from '../measure/turns.js'
import { NodeRotation } from '../network/real/node-rotation.js'
import { Namespaces } from '../plan/namespaces.js'
import { subStream } from '../plan/random.js'
import { reportWhile } from './interval-reporter.js'
import { ReplyChecks } from './reply-checks.js'
import { RotatingPeer } from './rotating-peer.js'
import { peerNumbers, RotationEvents } from './rotation-events.js'

/**
 * @typedef {import('../plan/rendezvous-rotation-plan.js').RendezvousRotationPlan} RendezvousRotationPlan
 * @typedef {import('../load/rotation-schedule.js').Life} Life
 * @typedef {import('../measure/meter.js').Interval} Interval
 * @typedef {import('../measure/rendezvous/peer-lives.js').PeerChange} PeerChange
 * @typedef {import('../measure/rendezvous/rotation-measurement.js').RotationTold} RotationTold
 *
 * @typedef {Interval & { rotation: RotationTold }} RotationInterval
 *
 * @typedef {object} RotationSetup - everything a process of rotating peers needs to know, sent once
 * @property {number} index - from 0
 * @property {number} workers
 * @property {RendezvousRotationPlan} plan
 * @property {string} runId
 * @property {string} server - multiaddr
 * @property {boolean} precise - a core is free for pacing without sleeping
 */

const STARTS_AT_ONCE = 20
const LEAVE_TIMEOUT_MS = 10_000

/** Each peer dials one: the server. */
const SERVER = 0

/** RotationWorker holds the peers of some places: it has them discover, and kills and replaces ephemeral ones by the schedule. */
export class RotationWorker {
  #setup
  #report
  #meter = new Meter()
  #turns
  #deadlines
  #pacer
  #checks
  #events
  /** @type {number[]} places that this process holds the peers of */
  #slots
  #lives
  /** Those that discover. @type {Map<number, RotatingPeer>} by place */
  #inPlace = new Map()
  /** @type {Map<number, RotatingPeer>} by number */
  #peers = new Map()
  /** @type {Map<number, () => number>} by place */
  #draws = new Map()
  #rotation
  /** @type {PeerChange[]} */
  #changes = []
  /** Operations beside those that are due. @type {Set<Promise<unknown>>} */
  #beside = new Set()
  #stopping = new AbortController()
  #endNs = 0
  #components

  /** @param {RotationSetup} setup @param {(interval: RotationInterval) => Promise<unknown>} report - resolves when it was received */
  constructor(setup, report) {
    const { plan, index, workers, precise, runId, server } = setup
    this.#setup = setup
    this.#report = report
    this.#turns = new Turns({ onTurn: ns => this.#meter.record('turn', '', '', ns) })
    this.#deadlines = new Deadlines(plan.timeoutMs)
    this.#pacer = new Pacer({ precise, turns: this.#turns })
    this.#checks = new ReplyChecks({
      limit: plan.discoverLimit,
      expected: null,
      random: subStream(plan.seed, 'checks', index)
    })
    const places = Array.from({ length: plan.nClients }, (_, slot) => slot)
    this.#slots = places.filter(slot => slot % workers === index)
    const lives = rotationSchedule({ ...plan, dials: 0 })
    this.#lives = lives.filter(({ slot }) => slot % workers === index)
    this.#events = new RotationEvents(peerNumbers(plan.seed, plan.stable + lives.length))
    this.#rotation = new NodeRotation({
      now: () => Number(process.hrtime.bigint()),
      start: node => this.#start(node),
      dial: node => this.#begin(node),
      kill: async node => this.#kill(node)
    })
    this.#components = {
      plan,
      server: multiaddr(server),
      namespaces: new Namespaces(runId),
      deadlines: this.#deadlines,
      recorder: new OperationRecorder(this.#meter),
      meter: this.#meter,
      turns: this.#turns,
      checks: this.#checks,
      events: this.#events
    }
  }

  /** connect starts the peers of the beginning, connects and registers them. @param {(connected: number) => void} onProgress */
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

  /** register registers all peers in every namespace, or renews that; not measured. */
  async register() {
    for (const peer of this.#inPlace.values()) {
      const refused = (await this.#registerOne(peer)).find(outcome => outcome !== 'OK')
      if (refused !== undefined) throw notRegistered(refused, this.#setup.plan)
    }
  }

  /** warmUp sends what is due in a time, without counting it. @param {bigint} startNs @param {number} durationMs */
  async warmUp(startNs, durationMs) {
    this.#begins('warmup')
    await this.#discoverFrom(startNs, durationMs)
  }

  /**
   * run discovers and rotates.
   *
   * @param {bigint} startNs
   * @returns {Promise<{ endNs: bigint }>} when the last operation had ended
   */
  async run(startNs) {
    const { plan } = this.#setup
    const durationMs = Number(plan.durationMs)
    this.#begins('measure')
    this.#endNs = Number(startNs) + durationMs * 1e6
    await this.#pacer.until(startNs)
    this.#meter.discard()
    this.#events.forgetReplies()
    const endNs = await reportWhile(
      { meter: this.#meter, phaseStartNs: startNs, report: this.#reportWithUsage() },
      async () => {
        for (const [slot, peer] of this.#inPlace) {
          const stepNs = (plan.refreshEveryMs * 1e6 * (slot + 1)) / plan.nClients
          this.#refresh(peer, Number(startNs) + stepNs)
        }
        const rotating = this.#rotation.run({
          lives: this.#lives.map(life => ({ ...life, dials: [SERVER] })),
          startNs: Number(startNs)
        })
        await Promise.all([rotating, this.#discoverFrom(startNs, durationMs)])
        this.#stopping.abort()
        await Promise.all(this.#beside)
        return process.hrtime.bigint()
      }
    )
    return { endNs }
  }

  /** abort ends everything under way. @param {string} reason */
  abort(reason) {
    this.#stopping.abort()
    this.#rotation.abort()
    this.#deadlines.abortAll(new Error(reason))
  }

  /** leave takes back what living peers have registered. @returns {Promise<number>} registrations taken back */
  async leave() {
    const signal = AbortSignal.timeout(LEAVE_TIMEOUT_MS)
    const left = await Promise.allSettled([...this.#peers.values()].map(peer => peer.leave(signal)))
    return left.reduce((sum, result) => sum + (result.status === 'fulfilled' ? result.value : 0), 0)
  }

  /** finish checks the sampled replies. @returns {Promise<{ detail: string, count: number }[]>} what was wrong */
  finish() {
    return this.#checks.finish()
  }

  async close() {
    this.abort('the run is over')
    this.#deadlines.stop()
    await Promise.all([...this.#peers.values()].map(peer => peer.close()))
  }

  /** Random draws are of a phase, so that what is measured does not depend on how far the warm-up came. @param {string} phase */
  #begins(phase) {
    const { seed } = this.#setup.plan
    this.#draws = new Map(this.#slots.map(slot => [slot, subStream(seed, 'namespaces', phase, slot)]))
  }

  /** @param {bigint} startNs @param {number} durationMs */
  #discoverFrom(startNs, durationMs) {
    const { plan, workers, index } = this.#setup
    const perform = (/** @type {bigint} */ dueNs, /** @type {number} */ arrival) => {
      const slot = this.#slots[arrival % this.#slots.length]
      // one for every arrival, whoever is there: the same seed gives the same namespaces
      const ns = this.#drawNamespace(slot)
      return this.#inPlace.get(slot)?.discover(ns, dueNs) ?? Promise.resolve()
    }
    return runOpenLoop({
      arrivals: ofPlaces(
        bounded(constantArrivals(Number(plan.ratePerSecond)), { durationNs: durationMs * 1e6 }),
        { places: plan.nClients, isOurs: slot => slot % workers === index }
      ),
      startNs,
      maxInFlight: Math.ceil(plan.maxInFlight / workers),
      signal: this.#stopping.signal,
      pacer: this.#pacer,
      perform,
      drop: (dueNs, arrival) => this.#inPlace.get(this.#slots[arrival % this.#slots.length])?.dropped(dueNs)
    })
  }

  /** @param {number} slot */
  #drawNamespace(slot) {
    const draw = /** @type {() => number} */ (this.#draws.get(slot))
    return Math.floor(draw() * this.#setup.plan.nNamespaces)
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
  async #begin(node) {
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
    this.#refresh(peer, atNs + this.#setup.plan.refreshEveryMs * 1e6)
    this.#inPlace.set(slot, peer)
    // whoever has just come wants to know who else is there
    await peer.discover(this.#drawNamespace(slot), null)
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
    const { nNamespaces } = this.#setup.plan
    return Promise.all(Array.from({ length: nNamespaces }, (_, ns) => peer.register(ns)))
  }

  /** Registers a peer again and again, until it is killed or the measurement is over. @param {RotatingPeer} peer @param {number} firstNs */
  #refresh(peer, firstNs) {
    const signal = AbortSignal.any([this.#stopping.signal, peer.killed])
    const everyNs = this.#setup.plan.refreshEveryMs * 1e6
    const pacer = new Pacer({ precise: false, turns: this.#turns })
    const registering = async () => {
      for (let dueNs = firstNs; dueNs < this.#endNs; dueNs += everyNs) {
        await pacer.until(BigInt(Math.round(dueNs)), signal)
        if (signal.aborted) return
        await this.#registerOne(peer)
      }
    }
    this.#follow(registering())
  }

  /** @param {Promise<unknown>} work that never rejects */
  #follow(work) {
    this.#beside.add(work)
    work.finally(() => this.#beside.delete(work))
  }

  /** Reports intervals with what became of the peers, and with how busy the process was. */
  #reportWithUsage() {
    let before = this.#usage()
    return (/** @type {Interval} */ interval) => {
      const after = this.#usage()
      const usage = {
        wallMs: after.wallMs - before.wallMs,
        activeMs: after.activeMs - before.activeMs,
        cpuMicros: after.cpuMicros - before.cpuMicros,
        memory: ownMemory()
      }
      before = after
      return this.#report({ ...interval, usage, rotation: this.#told() })
    }
  }

  /** @returns {RotationTold} */
  #told() {
    const changes = [...this.#rotation.take(), ...this.#changes]
    this.#changes = []
    return { ...this.#events.take(), changes }
  }

  /** @returns {import('../measure/meter.js').Usage} since the process began */
  #usage() {
    const { active } = performance.eventLoopUtilization()
    const { user, system } = process.cpuUsage()
    return {
      wallMs: performance.now(),
      activeMs: active - this.#pacer.spunNs / 1e6,
      cpuMicros: user + system
    }
  }
}

/** @param {string} outcome @param {RendezvousRotationPlan} plan */
function notRegistered(outcome, { ttlSeconds }) {
  const hint = outcome === 'E_INVALID_TTL' ? `: give a --ttl that the server allows, not ${ttlSeconds}s` : ''
  const error = new Error(`a peer could not be registered: ${outcome}${hint}`)
  return Object.assign(error, { code: 'NOT_REGISTERED' })
}

/**
 * The schedule goes round all places in turn: these are the times of some of them.
 *
 * @param {Iterable<number>} arrivals
 * @param {{ places: number, isOurs: (place: number) => boolean }} which
 */
function* ofPlaces(arrivals, { places, isOurs }) {
  let arrival = 0
  for (const offset of arrivals) if (isOurs(arrival++ % places)) yield offset
}
