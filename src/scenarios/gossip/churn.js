// Measures a gossip network whose nodes leave, return, are replaced or follow a script: which deliveries were expected,
// which were made.
import { computeSum } from '../../kit/collections.js'
import { countStablePeers, doNodesLeave, makeChurnSchedule, makeLives } from '../../load/churn.js'
import {
  computePublishMs,
  findUnsubscribedSpans,
  listScriptSteps,
  listSubscriptionChanges,
  numberPair
} from '../../load/network-script.js'
import { Histogram, summarize } from '../../measure/histogram.js'
import { LifeRecords, MAX_LISTED_LIVES } from '../../measure/lives.js'
import { StepSeries } from '../../measure/series.js'
import { SETTLE_MS } from '../../plan/churn.js'
import { MessageNumbers } from './measure/receipts.js'

/**
 * @typedef {import('./options.js').GossipPlan} GossipPlan
 * @typedef {import('../../load/churn.js').Absence} Absence
 * @typedef {import('../../load/churn.js').Life} Life
 * @typedef {import('../../load/churn.js').LifeChange} LifeChange
 * @typedef {import('../../network/node-host.js').HostInterval} HostInterval
 * @typedef {import('../../network/node-host.js').PublishedRows} PublishedRows
 * @typedef {import('../../network/node-host.js').ReceivedRows} ReceivedRows
 * @typedef {import('./outcome.js').ChurnResult} ChurnResult
 * @typedef {import('./outcome.js').ReceiptFilter} ReceiptFilter
 * @typedef {NonNullable<ChurnResult['lives']>['listed'][number]} LifeResult
 * @typedef {NonNullable<ChurnResult['peers']>[number]} PeerPoint
 *
 * @typedef {'settled' | 'joining' | 'leaving' | 'earlier' | 'away'} NodePresence - of a node when a message was published; settled: the node
 *   is expected to receive it; joining: the node was started less than `settleMs` before; leaving: the node leaves less than LEAVING_MS
 *   after; earlier: the node was started later, as a new one; away: the node had left
 * @typedef {NodePresence | 'subscribing' | 'unsubscribing' | 'unsubscribed'} PresenceKind - subscribing: it had subscribed to the topic less
 *   than `settleMs` before; unsubscribing: it unsubscribes less than LEAVING_MS after
 *
 * @typedef {{ message: number, node: number, from: number, atNs: number, waitedUs?: number }} Receipt
 */

/** LEAVING_MS: a message can be under way for so long when its receiver leaves. */
const LEAVING_MS = 1000

/**
 * listAbsences gives the absences of all nodes of a run, also of those started later. Nodes that are replaced are away for good; their
 * replacements are away until they are started.
 *
 * @param {GossipPlan} plan
 * @returns {readonly (readonly Absence[])[]} by node
 */
export function listAbsences(plan) {
  if (!plan.churn?.asNew) return makeChurnSchedule(plan)
  const stays = makeChurnSchedule({ ...plan, churn: null }).slice(0, countStablePeers(plan))
  const replaced = makeLives(plan).map(({ startMs, killMs }) => [
    ...(startMs === null ? [] : [{ leavesNs: -Infinity, returnsNs: startMs * 1e6 }]),
    ...(killMs === null ? [] : [{ leavesNs: killMs * 1e6, returnsNs: Infinity }])
  ])
  return [...stays, ...replaced]
}

/**
 * listAbsencesSince gives the absences of nodes, as evidence for missing deliveries.
 *
 * @param {GossipPlan} plan
 * @param {number} startNs - of the publish phase
 * @returns {import('./measure/receipts.js').Disruptions['absences']}
 */
export function listAbsencesSince(plan, startNs) {
  if (!doNodesLeave(plan)) return []
  // a replaced node leaves a gap until its replacement starts
  const gapNs = plan.churn?.asNew ? plan.churn.awayMs * 1e6 : Infinity
  return listAbsences(plan).flatMap((own, node) =>
    own.flatMap(({ leavesNs, returnsNs }) =>
      leavesNs === -Infinity
        ? []
        : { node, fromNs: startNs + leavesNs, toNs: startNs + Math.min(returnsNs, leavesNs + gapNs) }
    )
  )
}

/**
 * PresenceSchedule knows which nodes were there, and subscribed to its topic, when a message was published: by the schedules of absences and
 * subscriptions.
 */
export class PresenceSchedule {
  #absences
  #unsubscribed
  #startUs
  #settleNs

  /**
   * @param {readonly (readonly Absence[])[]} absences - by node
   * @param {object} how
   * @param {number} how.startUs - of the publish phase
   * @param {number} [how.settleMs]
   * @param {ReadonlyMap<number, readonly Absence[]>} [how.unsubscribed] - spans by pair of node and topic; pairs without spans are always subscribed
   */
  constructor(absences, { startUs, settleMs = SETTLE_MS, unsubscribed = new Map() }) {
    this.#absences = absences
    this.#unsubscribed = unsubscribed
    this.#startUs = startUs
    this.#settleNs = settleMs * 1e6
  }

  /** @param {number} node @param {number} publishedUs @param {number} [topic] @returns {PresenceKind} */
  of(node, publishedUs, topic = 0) {
    const spans = this.#unsubscribed.get(numberPair(node, topic))
    const ofTopic = spans === undefined ? 'settled' : this.#within(spans, publishedUs)
    if (ofTopic === 'away' || ofTopic === 'earlier') return 'unsubscribed'
    const ofNode = this.#within(this.#absences[node] ?? [], publishedUs)
    if (ofNode !== 'settled' || ofTopic === 'settled') return ofNode
    return ofTopic === 'joining' ? 'subscribing' : 'unsubscribing'
  }

  /** @param {readonly Absence[]} own @param {number} publishedUs @returns {NodePresence} */
  #within(own, publishedUs) {
    const atNs = (publishedUs - this.#startUs) * 1000
    const next = own.findIndex(({ leavesNs }) => atNs < leavesNs)
    const latest = own.at(next === -1 ? -1 : next - 1)
    if (latest !== undefined && next !== 0) {
      if (atNs < latest.returnsNs) return latest.leavesNs === -Infinity ? 'earlier' : 'away'
      if (atNs < latest.returnsNs + this.#settleNs) return 'joining'
    }
    return next !== -1 && atNs >= own[next].leavesNs - LEAVING_MS * 1e6 ? 'leaving' : 'settled'
  }
}

/**
 * ChurnMeasurement measures a network with churn or a script, from all intervals of its hosts.
 *
 * @implements {ReceiptFilter}
 */
export class ChurnMeasurement {
  #absences
  #presence
  #receipts
  #peers
  /** @type {EphemeralLives | null} null: nodes return as themselves */
  #times
  #script
  /** subscriptions of each node: all topics that it subscribes to at some time. */
  subscriptions
  /** Expected deliveries while messages were published. */
  #deliveries = 0
  #startNs
  #publishEndNs
  #endNs

  /**
   * @param {GossipPlan} plan
   * @param {object} run
   * @param {readonly (readonly number[])[]} run.subscriptions - of all nodes of the run, before the script changes any
   * @param {{ startNs: number, planned: number | null }} run.stretch
   */
  constructor(plan, { subscriptions: initial, stretch: { startNs, planned } }) {
    const { nodes: slots, churn } = plan
    const absences = listAbsences(plan)
    const changes = listSubscriptionChanges(plan)
    const changing = new Set(changes.map(({ node }) => node))
    const subscriptions = initial.map(topics => new Set(topics))
    for (const { node, topic } of changes) subscriptions[node].add(topic)
    this.subscriptions = subscriptions.map(topics => [...topics])
    this.#script = new ScriptMeasurement(plan, changes, startNs)
    const stable = countStablePeers(plan)
    const lives = churn?.asNew ? makeLives(plan) : null
    const slotOf = (/** @type {number} */ node) =>
      lives === null || node < slots ? node : lives[node - stable].slot
    this.#startNs = startNs
    this.#endNs = startNs
    this.#publishEndNs = startNs + computePublishMs(plan) * 1e6
    this.#absences = absences
    this.#presence = new PresenceSchedule(absences, {
      startUs: toUs(startNs),
      settleMs: churn?.settleMs,
      unsubscribed: findUnsubscribedSpans(changes)
    })
    this.#receipts = new Receipts({
      presence: this.#presence,
      changing: [...absences.keys()].filter(node => absences[node].length > 0 || changing.has(node)),
      receipts: new ReceiptsBySlot(slots, planned),
      ...{ slotOf, subscriptions: this.subscriptions, script: this.#script }
    })
    // with a script alone, any node may leave
    this.#peers = new PeerSeries({ startNs, stable: churn == null ? 0 : stable, slots, slotOf })
    this.#times = lives === null ? null : new EphemeralLives(lives, startNs)
  }

  /** isThere says whether a node is expected to receive a message published then. @param {number} node @param {number} publishedUs @param {number} [topic] */
  isThere(node, publishedUs, topic) {
    return this.#presence.of(node, publishedUs, topic) === 'settled'
  }

  /** @param {HostInterval} interval @param {ReceivedRows} received */
  take({ atNs, published, changes = [], peers = [], resubscribed = [], failures = [] }, received) {
    this.#times?.change(changes)
    this.#script.take(resubscribed, failures)
    this.#times?.receive(received)
    if (peers.length > 0) this.#peers.add(atNs, peers)
    const expected = this.#receipts.take(published, received)
    this.#deliveries += expected.atNs.filter(atNs => atNs < this.#publishEndNs).length
    this.#endNs = Math.max(this.#endNs, atNs)
    return expected
  }

  /** change takes starts, connections and kills of nodes. @param {readonly LifeChange[]} changes */
  change(changes) {
    this.#times?.change(changes)
  }

  /** script has the outcome of the script so far. */
  script() {
    const { subscribing, unsubscribing, unsubscribed } = this.#receipts.result().apart
    return this.#script.result(this.#endNs, { subscribing, unsubscribing, unsubscribed })
  }

  /** @returns {ChurnResult} so far */
  result() {
    const publishEndNs = Math.min(this.#publishEndNs, this.#endNs)
    const minutes = (publishEndNs - this.#startNs) / 60e9
    const times = this.#times?.result(publishEndNs)
    const peers = this.#peers.result()
    const { apart, ...counts } = this.#receipts.result()
    const { joining, leaving, earlier, away } = apart
    // nodes that return as themselves do so by the schedule
    const scheduled = this.#absences.flat()
    const sinceNs = this.#endNs - this.#startNs
    return {
      departures: times?.lives.killed ?? scheduled.filter(({ leavesNs }) => leavesNs <= sinceNs).length,
      returns: times?.lives.started ?? scheduled.filter(({ returnsNs }) => returnsNs <= sinceNs).length,
      apart: { joining, leaving, ...(times !== undefined && { earlier }), away },
      ...counts,
      deliveriesPerMinute: minutes > 0 ? this.#deliveries / minutes : null,
      ...times,
      ...(peers.length > 0 && { peers })
    }
  }
}

/** @param {number} ns */
const toUs = ns => Math.round(ns / 1000)

/**
 * Receipts sorts all receipts before they are counted as deliveries. A receipt that was not expected counts apart: its node had just
 * started, was about to leave, or was not there yet. A second receipt of a message in the same slot is a duplicate: a node that is started
 * again, or replaces another one, does not know the messages received before.
 */
class Receipts {
  #parts
  /** Receipts whose publication was not reported yet. @type {Map<number, Receipt[]>} */
  #early = new Map()
  #withDuplicates = new Histogram()
  #withoutDuplicates = new Histogram()
  #counts = { receipts: 0, afterRestart: 0, again: 0, tooLongAgo: 0 }
  #apart = {
    joining: { expected: 0, delivered: 0 },
    leaving: { expected: 0, delivered: 0 },
    earlier: { delivered: 0 },
    away: { delivered: 0 },
    subscribing: { expected: 0, delivered: 0 },
    unsubscribing: { expected: 0, delivered: 0 },
    unsubscribed: { delivered: 0 }
  }

  /**
   * @param {object} parts
   * @param {PresenceSchedule} parts.presence
   * @param {readonly number[]} parts.changing - nodes that are away at some time, or change their subscriptions
   * @param {(node: number) => number} parts.slotOf - the first node of the slot that a node is in
   * @param {ReceiptsBySlot} parts.receipts
   * @param {readonly (readonly number[])[]} parts.subscriptions - of all nodes of the run, at any time
   * @param {ScriptMeasurement} parts.script
   */
  constructor(parts) {
    this.#parts = parts
  }

  /**
   * take sorts the rows of an interval.
   *
   * @param {PublishedRows} published
   * @param {ReceivedRows} received
   * @returns {ReceivedRows} those that are expected deliveries
   */
  take(published, received) {
    /** @type {Receipt[]} */
    const expected = []
    for (let i = 0; i < published.message.length; i++) {
      const early = this.#early.get(published.message[i]) ?? []
      this.#early.delete(published.message[i])
      if (published.recipients[i] < 0) continue
      this.#publication(published, i)
      for (const receipt of early) this.#look(receipt, expected)
    }
    const { message, node, from, atNs, waitedUs } = received
    for (let i = 0; i < message.length; i++) {
      const receipt = {
        message: message[i],
        node: node[i],
        from: from[i],
        atNs: atNs[i],
        waitedUs: waitedUs?.[i]
      }
      this.#look(receipt, expected)
    }
    return {
      message: Uint32Array.from(expected, ({ message }) => message),
      node: Uint16Array.from(expected, ({ node }) => node),
      from: Uint16Array.from(expected, ({ from }) => from),
      atNs: Float64Array.from(expected, ({ atNs }) => atNs),
      ...(waitedUs && { waitedUs: Float32Array.from(expected, ({ waitedUs = 0 }) => waitedUs) })
    }
  }

  /** @param {PublishedRows} rows @param {number} i */
  #publication({ message, node, topic, atNs }, i) {
    const { receipts, changing, subscriptions, presence, slotOf } = this.#parts
    const publishedUs = toUs(atNs[i])
    receipts.publish(message[i], publishedUs, topic[i])
    // a node that leaves and soon returns receives its own messages from others
    receipts.receive(message[i], slotOf(node[i]), node[i])
    for (const one of changing) {
      if (one === node[i] || !subscriptions[one].includes(topic[i])) continue
      const kind = presence.of(one, publishedUs, topic[i])
      /** @type {{ expected?: number, delivered: number } | null} `expected`: of nodes that the message may reach, and need not */
      const counts = kind === 'settled' ? null : this.#apart[kind]
      if (counts?.expected !== undefined) counts.expected++
    }
  }

  /** @param {Receipt} receipt @param {Receipt[]} expected - the receipt is added to these if it is one */
  #look(receipt, expected) {
    const { message, node, atNs } = receipt
    const { receipts, presence, script } = this.#parts
    const publishedUs = receipts.publishedUs(message)
    if (publishedUs === undefined) {
      const early = this.#early.get(message) ?? []
      early.push(receipt)
      this.#early.set(message, early)
    } else if (publishedUs === null) this.#counts.tooLongAgo++
    else if (this.#isFirst(message, node, toUs(atNs) - publishedUs)) {
      const topic = receipts.topicOf(message)
      script.receive(node, topic, atNs)
      const kind = presence.of(node, publishedUs, topic)
      if (kind === 'settled') expected.push(receipt)
      else this.#apart[kind].delivered++
    }
  }

  /** @param {number} message @param {number} node @param {number} latencyUs @returns {boolean} whether it is the first receipt of this node */
  #isFirst(message, node, latencyUs) {
    const { receipts, slotOf } = this.#parts
    const before = receipts.receive(message, slotOf(node), node)
    this.#counts.receipts++
    this.#withDuplicates.record(latencyUs)
    if (before === null) this.#withoutDuplicates.record(latencyUs)
    else if (before === node) this.#counts.again++
    else this.#counts.afterRestart++
    return before !== node
  }

  /** result so far. */
  result() {
    return {
      apart: structuredClone(this.#apart),
      ...this.#counts,
      latency: {
        withDuplicates: summarize(this.#withDuplicates),
        withoutDuplicates: summarize(this.#withoutDuplicates)
      }
    }
  }
}

/**
 * EphemeralLives has the times of starts, first deliveries and kills of ephemeral nodes and their replacements.
 *
 * @extends {LifeRecords<LifeResult>}
 */
export class EphemeralLives extends LifeRecords {
  /** @param {readonly Life[]} lives @param {number} startNs - of the publish phase */
  constructor(lives, startNs) {
    const results = lives.map(({ node, slot, startMs, killMs }) => ({
      ...{ node, slot, startDueMs: startMs, startedMs: null, connectedMs: null, firstDeliveryMs: null },
      ...{ killDueMs: killMs, killedMs: null, dialsFailed: 0, error: null }
    }))
    super(results, startNs)
  }

  /** receive takes all receipts. @param {ReceivedRows} rows */
  receive({ node, atNs }) {
    for (let i = 0; i < node.length; i++) {
      const life = this.of(node[i])
      if (life === undefined) continue
      const ms = this.ms(atNs[i])
      life.firstDeliveryMs = Math.min(life.firstDeliveryMs ?? Infinity, ms)
    }
  }

  /** result so far. @param {number} endNs - of the publish phase, or of the latest report */
  result(endNs) {
    const untilMs = this.ms(endNs)
    const { summary, histogram } = this.sinceStart(({ firstDeliveryMs }) => firstDeliveryMs, untilMs)
    return {
      lives: this.counts(),
      connect: this.sinceStart(({ connectedMs }) => connectedMs, untilMs).summary,
      firstDelivery: summary,
      firstDeliveryHistogram: histogram
    }
  }
}

/** PeerSeries is the number of connected peers of nodes over time: each step has the latest report of each slot of the network. */
export class PeerSeries {
  #network
  /** @type {StepSeries<Int32Array>} peers of each slot; -1: not reported */
  #steps

  /**
   * @param {object} network
   * @param {number} network.startNs
   * @param {number} network.stable
   * @param {number} network.slots - stable and ephemeral nodes
   * @param {(node: number) => number} network.slotOf
   */
  constructor(network) {
    this.#network = network
    this.#steps = new StepSeries({
      startNs: network.startNs,
      join: (first, second) => first.map((peers, slot) => (second[slot] < 0 ? peers : second[slot]))
    })
  }

  /**
   * add takes the report of a host on its running nodes.
   *
   * @param {number} atNs
   * @param {readonly { node: number, peers: number }[]} nodes
   */
  add(atNs, nodes) {
    const { slots, slotOf } = this.#network
    this.#steps.tell(atNs, (before = new Int32Array(slots).fill(-1)) => {
      for (const { node, peers } of nodes) before[slotOf(node)] = peers
      return before
    })
  }

  /** @returns {PeerPoint[]} ascending, at most MAX_STEPS */
  result() {
    const { stable } = this.#network
    return this.#steps.result().map(([atMs, slots]) => ({
      atMs,
      stable: summarizePeers(slots.subarray(0, stable)),
      ephemeral: summarizePeers(slots.subarray(stable))
    }))
  }
}

/** @param {Int32Array} peers @returns {PeerPoint['stable']} null: none of these nodes was up */
function summarizePeers(peers) {
  const up = peers.filter(count => count >= 0)
  if (up.length === 0) return null
  return {
    nodes: up.length,
    min: up.reduce((min, count) => Math.min(min, count)),
    avg: computeSum(up) / up.length,
    max: up.reduce((max, count) => Math.max(max, count))
  }
}

/**
 * @typedef {import('./outcome.js').ScriptResult} ScriptResult
 * @typedef {import('../../load/network-script.js').SubscriptionChange} SubscriptionChange
 * @typedef {import('../../network/node-host.js').SubscriptionRecord} SubscriptionRecord
 * @typedef {import('../../measure/lives.js').RecordedLife & { firstDeliveryMs: number | null }} SubscriptionLife - from subscribing to
 *   unsubscribing; `node`: its index among all of these
 * @typedef {Omit<ScriptResult['steps'][number], 'done' | 'failed'> & { done: number, failed: number, reported: number }} Step
 */

/** Hosts report their actions once a second: an action that is not reported within this time was not done. */
const REPORTED_WITHIN_MS = 3000

/** ScriptMeasurement measures subscriptions and unsubscriptions by a script: whether nodes did them, how late, and the first delivery after each. */
class ScriptMeasurement {
  #topics
  #lives
  /** Lives of each pair of node and topic, in order. @type {Map<number, SubscriptionLife[]>} */
  #byPair
  /** Steps of the result: changes of one time, topic and kind. @type {Map<string, Step>} */
  #steps = new Map()
  /** Steps that hosts do not report: nodes do them by their schedules. */
  #others
  #done = { subscribe: 0, unsubscribe: 0 }
  #failures = 0
  /** @type {number | null} */
  #latestMs = null
  /** @type {string | null} */
  #error = null

  /**
   * @param {import('./options.js').GossipPlan} plan
   * @param {readonly SubscriptionChange[]} changes
   * @param {number} startNs - of the publish phase
   */
  constructor(plan, changes, startNs) {
    this.#topics = plan.topics
    this.#byPair = groupLivesByPair(changes)
    this.#lives = new LifeRecords([...this.#byPair.values()].flat(), startNs)
    for (const change of changes) this.#stepOf(change).nodes++
    this.#others = listScriptSteps(plan, 'publish', 'leave', 'partition').map(
      ({ atMs, action, topic = null, nodes, forMs = null }) => ({
        ...{ atMs, action, topic, nodes: nodes.length, forMs },
        ...{ done: null, failed: null, latestMs: null }
      })
    )
  }

  /** take takes the actions of nodes, and failures to leave or return. @param {readonly SubscriptionRecord[]} resubscribed @param {readonly string[]} failures */
  take(resubscribed, failures) {
    this.#failures += failures.length
    this.#error ??= failures[0] ?? null
    for (const each of resubscribed) {
      const step = this.#stepOf(each)
      step.reported++
      if (each.isAway) continue
      if (each.error !== undefined) {
        step.failed++
        this.#error ??= each.error
        continue
      }
      const atMs = this.#lives.ms(each.atNs)
      step.done++
      this.#done[each.subscribed ? 'subscribe' : 'unsubscribe']++
      step.latestMs = Math.max(step.latestMs ?? 0, atMs - each.atMs)
      this.#latestMs = Math.max(this.#latestMs ?? 0, step.latestMs)
      const life = this.#byPair
        .get(numberPair(each.node, each.topic))
        ?.find(({ startDueMs, killDueMs }) => (each.subscribed ? startDueMs : killDueMs) === each.atMs)
      if (life !== undefined) Object.assign(life, each.subscribed ? { startedMs: atMs } : { killedMs: atMs })
    }
  }

  /** receive takes a receipt. @param {number} node @param {number} topic @param {number} atNs */
  receive(node, topic, atNs) {
    const atMs = this.#lives.ms(atNs)
    const life = this.#byPair
      .get(numberPair(node, topic))
      ?.findLast(({ startedMs }) => startedMs !== null && startedMs <= atMs)
    if (life !== undefined) life.firstDeliveryMs = Math.min(life.firstDeliveryMs ?? Infinity, atMs)
  }

  /**
   * result so far.
   *
   * @param {number} endNs - of the latest report
   * @param {ScriptResult['apart']} apart - receipts that were not expected
   * @returns {{ script: ScriptResult, error: string | null }} `error`: of the first action that failed
   */
  result(endNs, apart) {
    const endMs = this.#lives.ms(endNs)
    const steps = [...this.#steps.values()].map(({ reported, ...step }) => {
      const unreported = step.atMs + REPORTED_WITHIN_MS < endMs ? step.nodes - reported : 0
      return { ...step, failed: step.failed + unreported }
    })
    const all = [...steps, ...this.#others].sort((a, b) => a.atMs - b.atMs)
    return {
      script: {
        steps: all.slice(0, MAX_LISTED_LIVES),
        listedAll: all.length <= MAX_LISTED_LIVES,
        done: { ...this.#done },
        failed: this.#failures + computeSum(steps, ({ failed }) => failed),
        latestMs: this.#latestMs,
        apart,
        firstDelivery: this.#lives.sinceStart(({ firstDeliveryMs }) => firstDeliveryMs, endMs).summary
      },
      error: this.#error
    }
  }

  /** @param {SubscriptionChange} change @returns {Step} */
  #stepOf({ atMs, topic, subscribed }) {
    const key = `${atMs} ${topic} ${subscribed}`
    const step = this.#steps.get(key) ?? {
      ...{ atMs, action: subscribed ? 'subscribe' : 'unsubscribe', topic: this.#topics[topic].name },
      ...{ nodes: 0, forMs: null, done: 0, failed: 0, reported: 0, latestMs: null }
    }
    this.#steps.set(key, step)
    return step
  }
}

/** @param {readonly SubscriptionChange[]} changes - ascending @returns {Map<number, SubscriptionLife[]>} */
function groupLivesByPair(changes) {
  /** @type {Map<number, SubscriptionLife[]>} */
  const lives = new Map()
  let count = 0
  for (const { atMs, node, topic, subscribed } of changes) {
    const own = lives.get(numberPair(node, topic)) ?? []
    lives.set(numberPair(node, topic), own)
    const unknown = { startedMs: null, firstDeliveryMs: null, killDueMs: null, killedMs: null, error: null }
    if (subscribed) own.push({ node: count++, startDueMs: atMs, ...unknown })
    else if (own.length === 0) own.push({ node: count++, startDueMs: null, ...unknown, killDueMs: atMs })
    else own[own.length - 1].killDueMs = atMs
  }
  return lives
}

/** Memory of ReceiptsBySlot at most. */
const MAX_BYTES = 64 * 2 ** 20
/** Memory of a message without its slots: number, time, topic and row. */
const BYTES_EACH = 64
const NOBODY = 0

/**
 * ReceiptsBySlot records of the latest messages when and on which topic each was published, and which life of each slot received it last. It
 * takes at most 64 MiB, and forgets older messages. Their age is the order in which they were reported, not their number: the numbers of nodes
 * that publish at their own intervals drift apart.
 */
export class ReceiptsBySlot {
  #slots
  #capacity
  #known = new MessageNumbers()
  /** @type {Map<number, number>} by message */
  #rows = new Map()
  /** By row. */
  #numbers
  #publishedUs
  #topics
  #lastLife
  #next = 0

  /**
   * @param {number} slots
   * @param {number | null} messages - in all; null: not known
   */
  constructor(slots, messages) {
    this.#slots = slots
    const limit = Math.floor(MAX_BYTES / (BYTES_EACH + 2 * slots))
    this.#capacity = Math.max(1, Math.min(messages ?? limit, limit))
    this.#numbers = new Float64Array(this.#capacity).fill(-1)
    this.#publishedUs = new Float64Array(this.#capacity)
    this.#topics = new Uint8Array(this.#capacity)
    this.#lastLife = new Uint16Array(this.#capacity * slots)
  }

  /** publish adds a message, in the row of the oldest one. @param {number} message @param {number} publishedUs @param {number} topic */
  publish(message, publishedUs, topic) {
    if (this.#known.has(message)) return
    this.#known.add(message)
    const row = this.#next++ % this.#capacity
    this.#rows.delete(this.#numbers[row])
    this.#rows.set(message, row)
    this.#numbers[row] = message
    this.#publishedUs[row] = publishedUs
    this.#topics[row] = topic
    this.#lastLife.fill(NOBODY, row * this.#slots, (row + 1) * this.#slots)
  }

  /** publishedUs is when a message was published. @param {number} message @returns {number | null | undefined} undefined: not reported yet; null: forgotten */
  publishedUs(message) {
    const row = this.#rows.get(message)
    if (row !== undefined) return this.#publishedUs[row]
    return this.#known.has(message) ? null : undefined
  }

  /** topicOf is the topic of a message that is known. @param {number} message */
  topicOf(message) {
    return this.#topics[/** @type {number} */ (this.#rows.get(message))]
  }

  /**
   * receive records the receipt of a known message by a life.
   *
   * @param {number} message
   * @param {number} slot
   * @param {number} life - number of its node
   * @returns {number | null} the life of this slot that had received it before; null: none
   */
  receive(message, slot, life) {
    const cell = /** @type {number} */ (this.#rows.get(message)) * this.#slots + slot
    const before = this.#lastLife[cell]
    this.#lastLife[cell] = life + 1
    return before === NOBODY ? null : before - 1
  }
}
