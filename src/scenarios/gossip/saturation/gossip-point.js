import { sumOf } from '../../../kit/lists.js'
import { decodedHistogram } from '../../../measure/encoded-histogram.js'
import { failsStrict } from '../../../result/strict.js'
import { amountsOf, countUpTo, limitedNetwork, lineUses, processingUse } from '../measure/limited-network.js'

/**
 * @typedef {import('../gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../../../result/types.js').Summary} Summary
 * @typedef {import('../../rendezvous/saturation/load-point.js').Times} Times
 *
 * @typedef {import('../measure/limited-network.js').Line | 'processing'} Part - of the model of a simulated network
 * @typedef {import('../measure/limited-network.js').Use} Use
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
 * @property {number | null} utilization - of the event loop of the busiest process, 0 to 1; null: simulated
 * @property {number | null} cpuPercent - of all processes, 100 is one core; null: simulated
 * @property {import('../../../result/types.js').LimitedBy} [limitedBy] - absent: nothing was published, or the trial is of an earlier release
 * @property {Partial<Record<Part, Use>> | null} model - how much of a simulated network was used: of the lines that have a limit, and of
 *   the nodes' time for processing; null: real
 * @property {boolean} generatorLimited - --strict fails for the run
 */

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
  const { health } = run
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
    utilization: simulated ? null : Math.max(0, ...health.map(({ utilization }) => utilization)),
    cpuPercent: simulated ? null : sum(health.map(({ cpuPercent }) => cpuPercent)),
    // that of the result is for deliveries within a second
    limitedBy: limitedNetwork(result, { inTimeMs }),
    model: simulated ? { ...lineUses(result), processing: processingUse(result) } : null,
    generatorLimited: failsStrict(result)
  }
}

/** @param {number[]} numbers */
const sum = numbers => sumOf(numbers)

/** @param {Summary} summary @returns {Times} */
const timesOf = ({ avg, p50, p90, p95, p99, max }) => ({ avg, p50, p90, p95, p99, max })

/** @param {string} encoded @returns {number | null} ms */
function tailOf(encoded) {
  const histogram = decodedHistogram(encoded)
  return histogram.count === 0 ? null : histogram.quantile(0.99) / 1000
}
