// The schedule of the messages of a network: when, by which node, on which topic, how large.
import { makeSubStream } from '../kit/random.js'
import { limitArrivals, makeArrivals, mergeArrivals } from './arrivals.js'
import { expandTopics, listScriptSteps, selectNodes } from './network-script.js'

/**
 * @typedef {import('../network/node-host.js').Publications} Publications
 *
 * @typedef {import('../scenarios/gossip/options.js').GossipPlan} GossipPlan
 * @typedef {Pick<GossipPlan, 'seed' | 'ratePerSecond' | 'arrivals' | 'messages' | 'durationMs' | 'messageBytes' | 'networkFile'>
 *   & { publishers?: GossipPlan['publishers'], topics?: readonly { name: string }[] }} PublicationLoad - `publishers`: default: random
 */

/** @param {PublicationLoad} plan @returns {number[]} ns */
function offsetsOf({ seed, ratePerSecond, arrivals, messages, durationMs }) {
  const rate = /** @type {number} */ (ratePerSecond)
  const offered = { arrivals, ratePerSecond: rate, durationMs }
  const due = makeArrivals(offered, makeSubStream(seed, 'arrivals'))
  const bounds = messages === null ? { durationNs: Number(durationMs) * 1e6 } : { count: messages }
  return [...limitArrivals(due, bounds)]
}

/**
 * makePublications makes the schedule of a whole network: for each message a random node of those that publish and subscribe to
 * something, a random one of its topics, and a random size. Where a network file has topics, each has its own publishers, sizes and
 * rate, and its script publishes besides.
 *
 * @param {PublicationLoad} plan - with a rate
 * @param {readonly (readonly number[])[]} subscriptions - topics of each node; somebody subscribes to something
 * @param {number} [firstMessage] - number of the first message
 * @returns {Publications}
 */
export function makePublications(plan, subscriptions, firstMessage = 0) {
  const { networkFile } = plan
  const described = networkFile && { ...plan, networkFile, nodes: subscriptions.length }
  const all = described?.networkFile.topics
    ? ofTopics(described, subscriptions)
    : ofFlags(plan, subscriptions)
  if (described) {
    all.push(...ofScript(described))
    all.sort((a, b) => a.offsetNs - b.offsetNs)
  }
  return {
    message: Uint32Array.from(all, (_, row) => firstMessage + row),
    node: Uint16Array.from(all, ({ node }) => node),
    topic: Uint8Array.from(all, ({ topic }) => topic),
    offsetNs: Float64Array.from(all, ({ offsetNs }) => offsetNs),
    bytes: Uint32Array.from(all, ({ bytes }) => bytes)
  }
}

/**
 * @typedef {PublicationLoad & { nodes: number, networkFile: NonNullable<GossipPlan['networkFile']> }} DescribedLoad
 * @typedef {{ offsetNs: number, node: number, topic: number, bytes: number }} PublicationRow
 */

/** @param {PublicationLoad} plan @param {readonly (readonly number[])[]} subscriptions @returns {PublicationRow[]} */
function ofFlags(plan, subscriptions) {
  const named = typeof plan.publishers === 'object' ? plan.publishers.nodes : subscriptions.keys()
  const publishers = [...named].filter(node => subscriptions[node].length > 0)
  const [source, topic, size] = ['sources', 'topics', 'sizes'].map(name => makeSubStream(plan.seed, name))
  const { min, max } = plan.messageBytes
  return offsetsOf(plan).map(offsetNs => {
    const node = publishers[Math.floor(source() * publishers.length)]
    const topics = subscriptions[node]
    const place = topics[Math.floor(topic() * topics.length)]
    return { offsetNs, node, topic: place, bytes: min + Math.floor(size() * (max - min + 1)) }
  })
}

/**
 * The messages of a file's topics, merged by time, up to the length of the run. At a constant rate the first message of a topic is due at a
 * random part of the time between two, so that topics of one rate do not publish at the same moments.
 *
 * @param {DescribedLoad} plan
 * @param {readonly (readonly number[])[]} subscriptions
 * @returns {PublicationRow[]}
 */
function ofTopics(plan, subscriptions) {
  const { seed, arrivals, durationMs, messages, networkFile } = plan
  const sources = expandTopics(networkFile).flatMap(({ name, spec }, topic) => {
    const { ratePerSecond, publishers } = spec
    if (ratePerSecond === null) return []
    const random = makeSubStream(seed, 'arrivals', name)
    const phaseNs = arrivals === 'constant' ? (random() * 1e9) / ratePerSecond : 0
    const [source, size] = ['sources', 'sizes'].map(what => makeSubStream(seed, what, name))
    const own =
      publishers === null
        ? [...subscriptions.keys()].filter(node => subscriptions[node].includes(topic))
        : selectNodes(publishers, plan, 'publishers', name)
    const due = makeArrivals({ arrivals, ratePerSecond, durationMs }, random)
    return [{ topic, due: later(due, phaseNs), own, source, size, ...spec.messageBytes }]
  })
  const merged = mergeArrivals(sources.map(({ due }) => due))
  const maxMessages = messages ?? Infinity
  const endNs = durationMs === null ? Infinity : durationMs * 1e6
  const rows = []
  for (const { offset, of } of merged) {
    if (offset >= endNs || rows.length >= maxMessages) break
    const { topic, own, source, size, min, max } = sources[of]
    const node = own[Math.floor(source() * own.length)]
    rows.push({ offsetNs: offset, node, topic, bytes: min + Math.floor(size() * (max - min + 1)) })
  }
  return rows
}

/** @param {Iterable<number>} due @param {number} phaseNs */
function* later(due, phaseNs) {
  for (const dueNs of due) yield Math.floor(phaseNs + dueNs)
}

/** @param {DescribedLoad} plan @returns {PublicationRow[]} */
const ofScript = plan =>
  listScriptSteps(plan, 'publish').flatMap(({ nodes, atMs, topic, bytes = 0 }) => {
    const place = plan.topics?.findIndex(({ name }) => name === topic) ?? -1
    return nodes.map(node => ({ offsetNs: atMs * 1e6, node, topic: place, bytes }))
  })

/**
 * selectPublications gives the rows of some nodes, in the same order.
 *
 * @param {Publications} rows
 * @param {(node: number) => boolean} belongs
 * @returns {Publications}
 */
export function selectPublications({ message, node, topic, offsetNs, bytes }, belongs) {
  const mine = (/** @type {number} */ _, /** @type {number} */ row) => belongs(node[row])
  return {
    message: message.filter(mine),
    topic: topic.filter(mine),
    offsetNs: offsetNs.filter(mine),
    bytes: bytes.filter(mine),
    node: node.filter(belongs)
  }
}
