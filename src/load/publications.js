import { subStream } from '../kit/random.js'
import { bounded } from './arrivals.js'
import { offeredLoad } from './offered-load.js'

/**
 * @typedef {import('../network/node-host.js').Publications} Publications
 *
 * @typedef {object} Load
 * @property {number} seed
 * @property {number | null} ratePerSecond - of the whole network
 * @property {import('../plan/arrivals-option.js').Arrivals} arrivals
 * @property {number | null} messages - in all; null: for `durationMs`
 * @property {number | null} durationMs
 * @property {Readonly<import('../plan/ranges.js').Range>} messageBytes
 * @property {import('../scenarios/gossip/plan/publishers-option.js').Publishers} [publishers] - default: random
 */

/** @param {Load} plan @returns {number[]} ns */
function offsetsOf({ seed, ratePerSecond, arrivals, messages, durationMs }) {
  const rate = /** @type {number} */ (ratePerSecond)
  const offered = { arrivals, ratePerSecond: rate, durationMs }
  const due = offeredLoad(offered, subStream(seed, 'arrivals'))
  const bounds = messages === null ? { durationNs: Number(durationMs) * 1e6 } : { count: messages }
  return [...bounded(due, bounds)]
}

/**
 * makePublications makes the schedule of a whole network: for each message a random node of those that publish and subscribe to
 * something, a random one of its topics, and a random size.
 *
 * @param {Load} plan - with a rate
 * @param {readonly (readonly number[])[]} subscriptions - topics of each node; somebody subscribes to something
 * @param {number} [firstMessage] - number of the first message
 * @returns {Publications}
 */
export function makePublications(plan, subscriptions, firstMessage = 0) {
  const offsets = offsetsOf(plan)
  const named = typeof plan.publishers === 'object' ? plan.publishers.nodes : subscriptions.keys()
  const publishers = [...named].filter(node => subscriptions[node].length > 0)
  const [source, topic, size] = ['sources', 'topics', 'sizes'].map(name => subStream(plan.seed, name))
  const { min, max } = plan.messageBytes
  const rows = emptyPublications(offsets.length)
  for (const [row, offsetNs] of offsets.entries()) {
    const node = publishers[Math.floor(source() * publishers.length)]
    const topics = subscriptions[node]
    rows.message[row] = firstMessage + row
    rows.node[row] = node
    rows.topic[row] = topics[Math.floor(topic() * topics.length)]
    rows.offsetNs[row] = offsetNs
    rows.bytes[row] = min + Math.floor(size() * (max - min + 1))
  }
  return rows
}

/** @param {number} length @returns {Publications} */
const emptyPublications = length => ({
  message: new Uint32Array(length),
  node: new Uint16Array(length),
  topic: new Uint8Array(length),
  offsetNs: new Float64Array(length),
  bytes: new Uint32Array(length)
})

/**
 * publicationsOf gives the rows of some nodes, in the same order.
 *
 * @param {Publications} rows
 * @param {(node: number) => boolean} belongs
 * @returns {Publications}
 */
export function publicationsOf({ message, node, topic, offsetNs, bytes }, belongs) {
  const mine = (/** @type {number} */ _, /** @type {number} */ row) => belongs(node[row])
  return {
    message: message.filter(mine),
    topic: topic.filter(mine),
    offsetNs: offsetNs.filter(mine),
    bytes: bytes.filter(mine),
    node: node.filter(belongs)
  }
}
