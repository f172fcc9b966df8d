import { sumOf } from '../../../kit/lists.js'
import { decodedHistogram } from '../../../measure/encoded-histogram.js'
import { failsStrict } from '../../../result/strict.js'
import { lateAllowedMs } from '../measure/publication-times.js'

/**
 * @typedef {import('../gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../gossip-types.js').GossipOutcome} GossipOutcome
 * @typedef {import('../../../result/types.js').Summary} Summary
 * @typedef {import('../../rendezvous/saturation/load-point.js').Times} Times
 *
 * @typedef {'upBandwidth' | 'downBandwidth' | 'linkBandwidth'} Line - by the flag that limits it
 * @typedef {Line | 'processing'} Part - of the model of a simulated network
 *
 * @typedef {object} Use - of one of them, shares
 * @property {number} average - over all nodes, or links
 * @property {number} busiest - estimate: of a node that has as much more to do as it has more neighbours; of a link of the mesh
 *
 * @typedef {object} GossipPoint - what a gossip network made of one load
 * @property {boolean} simulated
 * @property {number} durationMs - that messages were due for
 * @property {number} inTimeMs - within which a message is to reach everyone
 * @property {number} due - messages that somebody was to receive
 * @property {{ planned: number, inTime: number }} published - messages that were to be published, and those that were in time
 * @property {number} achieved - messages that reached everyone in time
 * @property {number} dueDeliveries - of all messages due
 * @property {number} deliveries - that came in time
 * @property {number} missing - deliveries that never came
 * @property {Times} rt - dissemination: publish call to the last delivery of a message
 * @property {number | null} tailMs - p99 of dissemination; of fewer than 100 messages the slowest; null: no message reached everyone
 * @property {number} cores - of the machine, as far as this program may use them
 * @property {boolean} [throttled] - it was held back, for it had used what it may of them
 * @property {number | null} utilization - of the event loop of the busiest process, 0 to 1; null: simulated
 * @property {number | null} cpuPercent - of all processes, 100 is one core; null: simulated
 * @property {number} lateMs - 1 % of the messages were published later than this after they were due; 0: not so late that the run warns of it
 * @property {number} memoryCeilings - processes that reached --memoryCeiling
 * @property {number} streamsAborted - outbound streams of gossipsub
 * @property {Partial<Record<Part, Use>> | null} model - how much of a simulated network was used: of the lines that have a limit, and of
 *   the nodes' time for processing; null: real
 * @property {boolean} generatorLimited - --strict fails for the run
 */

/** IN_TIME_MS: a message is to reach everyone within a second, unless another time is given. */
export const IN_TIME_MS = 1000

/**
 * gossipPointOf reads from the result of a run with a duration what its load came to.
 *
 * @param {GossipResult} result
 * @param {{ inTimeMs: number }} how
 * @returns {GossipPoint}
 */
export function gossipPointOf(result, { inTimeMs }) {
  const { plan, outcome, run } = result
  const simulated = plan.network === 'simulated'
  const durationMs = plan.durationMs ?? outcome.measuredMs
  const amounts = amountsOf(outcome, plan.nodes)
  const { health, machine, host, warnings } = run
  const told = (/** @type {string} */ warned, /** @type {string} */ value) =>
    Number(warnings.find(({ code }) => code === warned)?.values[value] ?? 0)
  return {
    simulated,
    durationMs,
    inTimeMs,
    ...amounts,
    achieved: countUpTo(outcome.dissemination.histogram, inTimeMs),
    deliveries: countUpTo(outcome.latency.histogram, inTimeMs),
    tailMs: tailOf(outcome.dissemination.histogram),
    missing: outcome.missing.pairs,
    rt: timesOf(outcome.dissemination.all),
    cores: Math.min(machine.cores, host?.quotaCores ?? Infinity),
    throttled: warnings.some(({ code }) => code === 'THROTTLED'),
    utilization: simulated ? null : Math.max(0, ...health.map(({ utilization }) => utilization)),
    cpuPercent: simulated ? null : sum(health.map(({ cpuPercent }) => cpuPercent)),
    lateMs: told('PUBLISH_LATE', 'p99Ms'),
    memoryCeilings: told('MEMORY_CEILING', 'workers'),
    streamsAborted: outcome.streams.aborted,
    model: simulated ? modelOf(result) : null,
    generatorLimited: failsStrict(result)
  }
}

/** @param {number[]} numbers */
const sum = numbers => sumOf(numbers)

/**
 * Messages and deliveries that were due. A message is expected at as many nodes as those that were published are, on average. One that
 * publishing ended before it was late is not due.
 *
 * @param {GossipOutcome} outcome
 * @param {number} nodes
 */
function amountsOf({ messages, delivery, lateness, interArrival }, nodes) {
  const allowedMs = lateAllowedMs({ interArrival })
  const { published, skipped, failed } = messages
  const { histogram, censoredHistogram } = lateness
  const cutOff = censoredHistogram == null ? 0 : countUpTo(censoredHistogram, allowedMs)
  const planned = (messages.planned ?? published + skipped + failed) - cutOff
  const receivers = published === 0 ? nodes - 1 : delivery.expected / published
  return {
    due: planned - (published - delivery.expectedMessages),
    dueDeliveries: Math.round(planned * receivers),
    published: { planned, inTime: countUpTo(/** @type {string} */ (histogram), allowedMs) }
  }
}

/**
 * What lines and processors of the nodes had to do: lines carry the bytes of RPCs and more, which is not counted.
 *
 * @param {GossipResult} result
 * @returns {NonNullable<GossipPoint['model']>}
 */
function modelOf({ plan, outcome }) {
  const { counters, topology, measuredMs } = outcome
  const seconds = Math.max(1e-3, measuredMs / 1000)
  const uneven = unevenness(outcome)
  /** @type {[Line, number, number, number][]} */
  const lines = [
    ['upBandwidth', counters.bytesSent, plan.nodes, uneven.nodes],
    ['downBandwidth', counters.bytesReceived, plan.nodes, uneven.nodes],
    ['linkBandwidth', counters.bytesSent, 2 * topology.edgeCount, uneven.links]
  ]
  const shares = lines.flatMap(([line, bytes, count, more]) => {
    const limit = bandwidthOf(plan, line)
    return limit === null ? [] : [[line, useOf(bytes / (limit * seconds * Math.max(1, count)), more)]]
  })
  const processing = processingMs(plan, outcome) / 1000 / (plan.nodes * seconds)
  return { ...Object.fromEntries(shares), processing: useOf(processing, uneven.nodes) }
}

/** @param {number} average @param {number} more @returns {Use} */
const useOf = (average, more) => ({ average, busiest: Math.min(1, average * more) })

/**
 * How many times the average the node with the most neighbours has, and how many times as many links there are as the mesh has.
 *
 * @param {Pick<GossipOutcome, 'topology' | 'mesh'>} outcome
 */
function unevenness({ topology: { measures }, mesh }) {
  const { max, avg } = measures?.degrees ?? { max: 1, avg: 1 }
  const degrees = Object.entries(mesh.degrees).map(([degree, count]) => ({ degree: Number(degree), count }))
  const inMesh = sum(degrees.map(({ degree, count }) => degree * count))
  const meshAvg = inMesh / Math.max(1, sum(degrees.map(({ count }) => count)))
  return { nodes: avg > 0 ? max / avg : 1, links: meshAvg > 0 ? Math.max(1, avg / meshAvg) : 1 }
}

/**
 * bandwidthOf is the limit of a line of a simulated network.
 *
 * @param {object} plan
 * @param {Line} line
 * @returns {number | null} bytes per second; null: without a limit
 */
export const bandwidthOf = (plan, line) =>
  /** @type {Record<string, number | null>} */ (plan)[`${line}BytesPerSecond`] ?? null

/** LINES that can have a limit. @type {readonly Line[]} */
export const LINES = ['upBandwidth', 'downBandwidth', 'linkBandwidth']

/** Of all nodes together. @param {GossipResult['plan']} plan @param {GossipOutcome} outcome */
function processingMs({ signing, fastMsgId }, { counters, delivery, network }) {
  const setting = (/** @type {string} */ name) =>
    Number(/** @type {{ value?: unknown }} */ (network.settings[`simulated.processing.${name}`])?.value ?? 0)
  const copies = fastMsgId ? delivery.delivered : counters.messagesReceived
  const checked = signing ? copies : 0
  return (counters.rpcsReceived * setting('rpcNs') + checked * setting('signatureNs')) / 1e6
}

/** @param {Summary} summary @returns {Times} */
const timesOf = ({ avg, p50, p90, p95, p99, max }) => ({ avg, p50, p90, p95, p99, max })

/** @param {string} encoded @returns {number | null} ms */
function tailOf(encoded) {
  const histogram = decodedHistogram(encoded)
  return histogram.count === 0 ? null : histogram.quantile(0.99) / 1000
}

/**
 * countUpTo counts the values of a histogram that are not above a limit.
 *
 * @param {string} encoded
 * @param {number} ms
 */
export function countUpTo(encoded, ms) {
  const histogram = decodedHistogram(encoded)
  let [low, high] = [0, histogram.count]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    // the middle of a value's share: that of its border would be rounded to either side
    if (histogram.quantile((middle - 0.5) / histogram.count) <= ms * 1000) low = middle
    else high = middle - 1
  }
  return low
}
