import { DiscoveredRecords } from './discovered-records.js'
import { EventsInOrder } from './events-in-order.js'
import { PeerLives } from './peer-lives.js'
import { RegistrationsHeld } from './registrations-held.js'
import { VisibleDelays } from './visible-delays.js'

/**
 * @typedef {import('./events-in-order.js').RotateRendezvousEvent} RotateRendezvousEvent
 * @typedef {import('./events-in-order.js').ReplyEvent} ReplyEvent
 * @typedef {import('./peer-lives.js').PeerChange} PeerChange
 * @typedef {import('../../../load/rotation-schedule.js').Life} Life
 * @typedef {import('../rotate-rendezvous-types.js').RotateRendezvous} RotateRendezvous
 * @typedef {import('../rotate-rendezvous-types.js').RotateRendezvousPoint} RotateRendezvousPoint
 *
 * @typedef {object} RotateRendezvousTold - what a process tells of its peers
 * @property {number} untilNs - all there is until then
 * @property {readonly RotateRendezvousEvent[]} events
 * @property {readonly PeerChange[]} changes
 * @property {number} cutOff - operations under way when their peer was killed
 */

/** RotateRendezvousMeasurement gathers what processes tell of peers that come and go at a rendezvous server. */
export class RotateRendezvousMeasurement {
  #startNs
  #ephemeralFrom
  #events
  #lives
  #held
  #visible
  #discovered
  /** @type {Set<number>} */
  #dead = new Set()
  #cutOff = 0
  #untilNs
  /** @type {number | null} */
  #endNs = null
  /** @type {RotateRendezvousPoint[]} */
  #series = []
  #sincePoint = { replies: 0, records: 0, stale: 0 }

  /**
   * @param {object} rotation
   * @param {{ stable: number, ephemeral: number, nNamespaces: number, workers: number }} rotation.plan
   * @param {readonly Life[]} rotation.lives
   * @param {number} rotation.startNs
   */
  constructor({ plan, lives, startNs }) {
    const { stable, ephemeral, nNamespaces, workers } = plan
    this.#startNs = startNs
    this.#untilNs = startNs
    this.#ephemeralFrom = stable + ephemeral
    this.#events = new EventsInOrder(workers, startNs)
    this.#lives = new PeerLives(lives, startNs)
    this.#held = new RegistrationsHeld(nNamespaces)
    this.#visible = new VisibleDelays({
      namespaces: nNamespaces,
      isNew: node => node >= this.#ephemeralFrom
    })
    this.#discovered = new DiscoveredRecords(nNamespaces, {
      isDead: node => this.#dead.has(node),
      registeredNs: (node, ns) => this.#held.registeredNs(node, ns)
    })
  }

  /** take takes what a process tells. @param {RotateRendezvousTold} told @param {number} process */
  take({ events, changes, cutOff, untilNs }, process) {
    this.#cutOff += cutOff
    this.#lives.change(changes)
    const kills = changes.flatMap(({ node, killedNs }) =>
      killedNs === undefined
        ? []
        : [/** @type {RotateRendezvousEvent} */ ({ kind: 'killed', atNs: killedNs, node })]
    )
    this.#events.add([...events, ...kills], { process, untilNs })
    this.#look(this.#events.take())
    this.#untilNs = Math.max(this.#untilNs, this.#events.toldNs)
  }

  /** count takes how many registrations the server holds. @param {number} atNs @param {number | null} registrations */
  count(atNs, registrations) {
    this.#events.add([{ kind: 'counted', atNs, registrations }], null)
  }

  /** end looks at what is left, when nothing more will be told. @param {number} atNs */
  end(atNs) {
    this.#look(this.#events.takeAll())
    this.#untilNs = Math.max(this.#untilNs, atNs)
    this.#endNs = atNs
  }

  /** @param {readonly RotateRendezvousEvent[]} events */
  #look(events) {
    for (const event of events) {
      if (event.kind === 'reply') this.#reply(event)
      else if (event.kind === 'registered') {
        this.#held.register(event)
        if (event.certain) this.#visible.register(event.node, event.ns, event.atNs)
      } else if (event.kind === 'killed') this.#kill(event.node, event.atNs)
      else this.#point(event.atNs, event.registrations)
    }
  }

  /** @param {number} node @param {number} atNs */
  #kill(node, atNs) {
    this.#dead.add(node)
    this.#held.kill(node, atNs)
    this.#visible.kill(node, atNs)
    this.#discovered.forget(node)
  }

  /** @param {ReplyEvent} reply */
  #reply(reply) {
    const { node: discoverer, ns, peers, atNs } = reply
    const others = peers.filter(node => node !== discoverer)
    const stale = others.filter(node => this.#dead.has(node))
    this.#discovered.reply(reply)
    if (others.length > stale.length) this.#lives.discover(discoverer, atNs)
    for (const node of others) this.#visible.see(node, ns, atNs)
    for (const node of stale) this.#held.see(node, reply)
    this.#sincePoint.replies++
    this.#sincePoint.records += others.length
    this.#sincePoint.stale += stale.length
  }

  /** @param {number} atNs @param {number | null} server */
  #point(atNs, server) {
    this.#series.push({
      atMs: (atNs - this.#startNs) / 1e6,
      server,
      ...this.#held.countAt(atNs),
      ...this.#sincePoint
    })
    this.#sincePoint = { replies: 0, records: 0, stale: 0 }
  }

  /**
   * result so far.
   *
   * @param {number | null} operationsPerMinute
   * @returns {RotateRendezvous}
   */
  result(operationsPerMinute) {
    const { lives, connect, register, firstDiscovery } = this.#lives.result(this.#endNs)
    return {
      lives,
      connect,
      register,
      firstDiscovery: firstDiscovery.summary,
      firstDiscoveryHistogram: firstDiscovery.histogram,
      operationsPerMinute,
      cutOff: this.#cutOff,
      visible: this.#visible.result(this.#untilNs),
      left: this.#held.left(this.#untilNs),
      discovered: this.#discovered.result(),
      series: [...this.#series]
    }
  }
}
