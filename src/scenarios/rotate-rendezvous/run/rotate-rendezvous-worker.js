import { multiaddr } from '@multiformats/multiaddr'
import { subStream } from '../../../kit/random.js'
import { timeLimit } from '../../../kit/time-limit.js'
import { bounded, constantArrivals } from '../../../load/arrivals.js'
import { runOpenLoop } from '../../../load/open-loop.js'
import { rotationSchedule } from '../../../load/rotation-schedule.js'
import { OperationRecorder } from '../../../measure/operation-recorder.js'
import { Namespaces } from '../../../plan/namespaces.js'
import { Generator } from '../../rendezvous/run/generator.js'
import { ReplyChecks } from '../../rendezvous/run/reply-checks.js'
import { PeerPlaces } from './peer-places.js'
import { peerNumbers, RotateRendezvousEvents } from './rotate-rendezvous-events.js'

/**
 * @typedef {import('../plan/rotate-rendezvous-plan.js').RotateRendezvousPlan} RotateRendezvousPlan
 * @typedef {import('../../../measure/meter.js').Interval} Interval
 * @typedef {import('../measure/rotate-rendezvous-measurement.js').RotateRendezvousTold} RotateRendezvousTold
 *
 * @typedef {Interval & { rotation: RotateRendezvousTold }} RotateRendezvousInterval
 *
 * @typedef {object} RotationSetup - everything a process of rotating peers needs to know, sent once
 * @property {number} index - from 0
 * @property {number} workers
 * @property {RotateRendezvousPlan} plan
 * @property {string} runId
 * @property {string} server - multiaddr
 * @property {boolean} precise - a core is free for pacing without sleeping
 */

const LEAVE_TIMEOUT_MS = 10_000

/** RotateRendezvousWorker is one process of rotating peers: it has those in its places discover, and tells what came of it. */
export class RotateRendezvousWorker {
  #setup
  #generator
  #checks
  #events
  /** @type {number[]} places that this process holds the peers of */
  #slots
  #places
  /** @type {Map<number, () => number>} by place */
  #draws = new Map()
  #stopping = new AbortController()

  /** @param {RotationSetup} setup @param {(interval: RotateRendezvousInterval) => Promise<unknown>} report - resolves when it was received */
  constructor(setup, report) {
    const { plan, index, workers } = setup
    this.#setup = setup
    this.#generator = new Generator(setup, report)
    this.#checks = new ReplyChecks({
      limit: plan.discoverLimit,
      expected: null,
      random: subStream(plan.seed, 'checks', index)
    })
    const places = Array.from({ length: plan.nClients }, (_, slot) => slot)
    this.#slots = places.filter(slot => slot % workers === index)
    const lives = rotationSchedule({ ...plan, dials: 0 })
    this.#events = new RotateRendezvousEvents(peerNumbers(plan.seed, plan.stable + lives.length))
    this.#places = new PeerPlaces({
      slots: this.#slots,
      lives: lives.filter(({ slot }) => slot % workers === index),
      components: this.#peerComponents(),
      discover: peer => peer.discover(this.#firstNamespace(peer.number), null)
    })
  }

  /**
   * connect starts the peers of the beginning, connects and registers them.
   *
   * @param {(connected: number) => void} onProgress
   * @returns {Promise<import('../../../libp2p/node-settings.js').SettingsByKind>} of their nodes
   */
  async connect(onProgress) {
    await this.#places.connect(onProgress)
    return this.#generator.settings.settings()
  }

  /** register renews all registrations; not measured. */
  register() {
    return this.#places.register()
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
  run(startNs) {
    this.#begins('measure')
    return this.#generator.run(
      startNs,
      async () => {
        this.#events.forgetReplies()
        await Promise.all([
          this.#places.rotate(Number(startNs)),
          this.#discoverFrom(startNs, Number(this.#setup.plan.durationMs))
        ])
        await this.#places.end()
        return process.hrtime.bigint()
      },
      () => ({ rotation: { ...this.#events.take(), changes: this.#places.takeChanges() } })
    )
  }

  /** abort ends everything under way. @param {string} reason */
  abort(reason) {
    this.#stopping.abort()
    this.#places.abort()
    this.#generator.deadlines.abortAll(new Error(reason))
  }

  /** leave takes back what living peers have registered. @returns {Promise<number>} registrations taken back */
  leave() {
    return this.#places.leave(timeLimit(LEAVE_TIMEOUT_MS))
  }

  /** finish checks the sampled replies. @returns {Promise<{ detail: string, count: number }[]>} what was wrong */
  finish() {
    return this.#checks.finish()
  }

  async close() {
    this.abort('the run is over')
    this.#generator.stop()
    await this.#places.close()
  }

  /** @returns {import('./rotating-peer.js').RotatingPeerComponents} */
  #peerComponents() {
    const { plan, server, runId } = this.#setup
    const { deadlines, meter, turns, settings } = this.#generator
    return {
      plan,
      server: multiaddr(server),
      namespaces: new Namespaces(runId),
      deadlines,
      recorder: new OperationRecorder(meter),
      meter,
      turns,
      settings,
      checks: this.#checks,
      events: this.#events
    }
  }

  /** Random draws are of a phase, so that what is measured does not depend on how far the warm-up came. @param {string} phase */
  #begins(phase) {
    const { seed } = this.#setup.plan
    this.#draws = new Map(this.#slots.map(slot => [slot, subStream(seed, 'namespaces', phase, slot)]))
  }

  /** @param {bigint} startNs @param {number} durationMs */
  #discoverFrom(startNs, durationMs) {
    const { plan, workers, index } = this.#setup
    const slotOf = (/** @type {number} */ arrival) => this.#slots[arrival % this.#slots.length]
    const due = bounded(constantArrivals(Number(plan.ratePerSecond)), { durationNs: durationMs * 1e6 })
    return runOpenLoop({
      arrivals: ofPlaces(due, { places: plan.nClients, isOurs: slot => slot % workers === index }),
      startNs,
      maxInFlight: Math.ceil(plan.maxInFlight / workers),
      signal: this.#stopping.signal,
      pacer: this.#generator.pacer,
      perform: async (dueNs, arrival) => {
        // one for every arrival, whoever is there: the seed alone tells what a place asks for
        const ns = this.#drawNamespace(slotOf(arrival))
        await this.#places.at(slotOf(arrival))?.discover(ns, dueNs)
      },
      drop: (dueNs, arrival) => this.#places.at(slotOf(arrival))?.dropped(dueNs)
    })
  }

  /** @param {number} slot */
  #drawNamespace(slot) {
    const draw = /** @type {() => number} */ (this.#draws.get(slot))
    return Math.floor(draw() * this.#setup.plan.nNamespaces)
  }

  /** What a new peer asks for first has a stream of its own: it may come before or after an arrival. @param {number} peer */
  #firstNamespace(peer) {
    const { seed, nNamespaces } = this.#setup.plan
    return Math.floor(subStream(seed, 'namespaces', 'first', peer)() * nNamespaces)
  }
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
