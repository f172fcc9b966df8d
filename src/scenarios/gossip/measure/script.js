import { sumOf } from '../../../kit/lists.js'
import { pairOf, scriptSteps } from '../../../load/script.js'
import { LISTED_LIVES, Lives } from '../../../measure/lives.js'

/**
 * What nodes did of the script of a network file.
 *
 * @typedef {import('../gossip-types.js').ScriptResult} ScriptResult
 * @typedef {import('../../../load/script.js').SubscriptionChange} SubscriptionChange
 * @typedef {import('../../../network/node-host.js').Resubscribed} Resubscribed
 * @typedef {import('../../../measure/lives.js').LifeSoFar & { firstDeliveryMs: number | null }} SubscriptionLife - from subscribing to
 *   unsubscribing; `node`: its place among all of these
 * @typedef {Omit<ScriptResult['steps'][number], 'done' | 'failed'> & { done: number, failed: number, reported: number }} Step
 */

/** Hosts tell once a second what they did: what nobody has told of for so long after it was due was not done. */
const TOLD_WITHIN_MS = 3000

/** ScriptMeasurement follows nodes that subscribe and unsubscribe: whether they did, how late, and when they received a message after it. */
export class ScriptMeasurement {
  #topics
  #lives
  /** Lives of each pair of node and topic, in order. @type {Map<number, SubscriptionLife[]>} */
  #byPair
  /** Changes that are one step for a reader: of one time, topic and kind. @type {Map<string, Step>} */
  #steps = new Map()
  /** Steps that nobody reports: nodes do them by their schedules. */
  #others
  #done = { subscribe: 0, unsubscribe: 0 }
  #failures = 0
  /** @type {number | null} */
  #latestMs = null
  /** @type {string | null} */
  #error = null

  /**
   * @param {import('../plan/gossip-plan.js').GossipPlan} plan
   * @param {readonly SubscriptionChange[]} changes
   * @param {number} startNs - of the publish phase
   */
  constructor(plan, changes, startNs) {
    this.#topics = plan.topics
    this.#byPair = livesByPair(changes)
    this.#lives = new Lives([...this.#byPair.values()].flat(), startNs)
    for (const change of changes) this.#stepOf(change).nodes++
    this.#others = scriptSteps(plan, 'publish', 'leave', 'partition').map(
      ({ atMs, action, topic = null, nodes, forMs = null }) => ({
        ...{ atMs, action, topic, nodes: nodes.length, forMs },
        ...{ done: null, failed: null, latestMs: null }
      })
    )
  }

  /** take takes what nodes did, and what failed when they left or returned. @param {readonly Resubscribed[]} resubscribed @param {readonly string[]} failures */
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
        .get(pairOf(each.node, each.topic))
        ?.find(({ startDueMs, killDueMs }) => (each.subscribed ? startDueMs : killDueMs) === each.atMs)
      if (life !== undefined) Object.assign(life, each.subscribed ? { startedMs: atMs } : { killedMs: atMs })
    }
  }

  /** receive takes a receipt. @param {number} node @param {number} topic @param {number} atNs */
  receive(node, topic, atNs) {
    const atMs = this.#lives.ms(atNs)
    const life = this.#byPair
      .get(pairOf(node, topic))
      ?.findLast(({ startedMs }) => startedMs !== null && startedMs <= atMs)
    if (life !== undefined) life.firstDeliveryMs = Math.min(life.firstDeliveryMs ?? Infinity, atMs)
  }

  /**
   * result so far.
   *
   * @param {number} endNs - up to which all is known
   * @param {ScriptResult['apart']} apart - receipts that were not expected
   * @returns {{ script: ScriptResult, error: string | null }} `error`: why the first action that failed did
   */
  result(endNs, apart) {
    const endMs = this.#lives.ms(endNs)
    const steps = [...this.#steps.values()].map(({ reported, ...step }) => {
      const untold = step.atMs + TOLD_WITHIN_MS < endMs ? step.nodes - reported : 0
      return { ...step, failed: step.failed + untold }
    })
    const all = [...steps, ...this.#others].sort((a, b) => a.atMs - b.atMs)
    return {
      script: {
        steps: all.slice(0, LISTED_LIVES),
        listedAll: all.length <= LISTED_LIVES,
        done: { ...this.#done },
        failed: this.#failures + sumOf(steps, ({ failed }) => failed),
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
function livesByPair(changes) {
  /** @type {Map<number, SubscriptionLife[]>} */
  const lives = new Map()
  let count = 0
  for (const { atMs, node, topic, subscribed } of changes) {
    const own = lives.get(pairOf(node, topic)) ?? []
    lives.set(pairOf(node, topic), own)
    const unknown = { startedMs: null, firstDeliveryMs: null, killDueMs: null, killedMs: null, error: null }
    if (subscribed) own.push({ node: count++, startDueMs: atMs, ...unknown })
    else if (own.length === 0) own.push({ node: count++, startDueMs: null, ...unknown, killDueMs: atMs })
    else own[own.length - 1].killDueMs = atMs
  }
  return lives
}
