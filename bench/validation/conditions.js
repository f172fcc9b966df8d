import { computeSum } from '../../src/kit/collections.js'
import { failsStrict } from '../../src/report/warnings.js'
import { NAMESPACES } from '../../src/scenarios/network-options.js'
import { CPU_SHARE } from './measures.js'

/**
 * @typedef {import('../../src/scenarios/gossip/outcome.js').GossipResult} GossipResult
 *
 * @typedef {'links' | 'hops' | 'machine' | 'load' | 'delivered' | 'mesh'} ConditionName
 *
 * @typedef {object} Condition - of the real runs: without it, what they differ in from simulated ones says nothing
 * @property {ConditionName} name
 * @property {number | null} figure - of the run that is worst; null: not known. `links`: CPU time of a delivery, ms; `hops`: what a
 *   hop takes beyond its link (`linkMsOf`), ms; `machine`: runs between namespaces that --strict fails for; `load`: of the busiest
 *   process, in percent of a core; `delivered`: least share; `mesh`: runs in which it did not form
 * @property {number} limit
 * @property {boolean} met
 */

/** A process whose core is full carries no more; its CPU time per message does not fall while it has time. */
const LOAD_PERCENT = 25

/** @param {readonly (number | null | undefined)[]} figures @returns {number | null} null: one is not known */
const largest = figures =>
  figures.some(figure => figure == null) ? null : Math.max(.../** @type {number[]} */ (figures))

/**
 * What a hop takes beyond the latency of its link, on average: CPU time, and waiting for it.
 *
 * @param {GossipResult['outcome']} outcome
 * @param {number} linkMs
 */
function beyondLink({ latency: { delivered }, hops: { deliveries } }, linkMs) {
  const count = computeSum(deliveries)
  const hops = deliveries.reduce((sum, n, hop) => sum + n * hop, 0)
  return delivered.avg === null || hops === 0 ? null : (delivered.avg.ms * count) / hops - linkMs
}

/** @param {ConditionName} name @param {number | null} figure @param {number} limit @returns {Condition} */
const atMost = (name, figure, limit) => ({ name, figure, limit, met: figure !== null && figure <= limit })

/** Whether hops take more than their links for what is asked of these. @param {GossipResult['plan']} plan */
const slowed = ({ linkLossShare, partitions, ...plan }) =>
  Number(linkLossShare) > 0 ||
  partitions.length > 0 ||
  [plan.linkBandwidthBytesPerSecond, plan.upBandwidthBytesPerSecond, plan.downBandwidthBytesPerSecond].some(
    limit => limit !== null
  )

/**
 * What a link takes, on average: a message goes as two segments at least, and is there when the later one is. Of two times that are spread
 * evenly over ± j the later one is j / 3 after the middle.
 *
 * @param {GossipResult['plan']} plan
 */
function linkMsOf({ linkLatencyMs, linkJitter, network }) {
  const latencyMs = /** @type {number} */ (linkLatencyMs)
  if (network !== NAMESPACES || linkJitter == null) return latencyMs
  return latencyMs + (linkJitter.kind === 'share' ? linkJitter.share * latencyMs : linkJitter.ms) / 3
}

/**
 * conditionsOf says whether real runs can be compared with simulated ones: what the machine adds must be little beside what the links
 * do. The CPU time of a hop is at most that of a delivery, to which all that the processes do is charged, heartbeats too; where others
 * are busy on the machine, a hop takes more than that, so what it takes is looked at as well. A network
 * carries what it does until its processes have no CPU time left, so that at a quarter of a core its rate is at most a
 * quarter of the carried one. Between namespaces loss, bandwidths and partitions slow hops down too, and a process for each node does more
 * beside deliveries than for them; there a run says itself whether its router and its nodes were in time. On both sides everything is to come: what
 * does not has no time that could be compared.
 *
 * @param {readonly GossipResult[]} real - at least one
 * @param {readonly GossipResult[]} simulated
 * @returns {Condition[]}
 */
export function conditionsOf(real, simulated) {
  const [{ plan }] = real
  const linkMs = /** @type {number} */ (plan.linkLatencyMs)
  const failing = real.filter(failsStrict).length
  const outcomes = real.map(({ outcome }) => outcome)
  const cpuMs = largest(
    outcomes.map(({ cost: { cpuMicrosPerDelivery } }) =>
      cpuMicrosPerDelivery === null ? null : cpuMicrosPerDelivery / 1000
    )
  )
  const load = largest(outcomes.flatMap(({ resources }) => resources.map(({ cpu }) => cpu.averagePercent)))
  const delivered = Math.min(...[...real, ...simulated].map(({ outcome }) => outcome.delivery.ratio ?? 0))
  const unformed = outcomes.filter(({ mesh }) => mesh.formedAfterMs === null).length
  const apart = plan.network === NAMESPACES
  return [
    ...(apart ? [] : [atMost('links', cpuMs, linkMs * CPU_SHARE)]),
    ...(slowed(plan)
      ? []
      : [
          atMost(
            'hops',
            largest(outcomes.map(outcome => beyondLink(outcome, linkMsOf(plan)))),
            linkMs * CPU_SHARE
          )
        ]),
    ...(apart ? [atMost('machine', failing, 0)] : []),
    atMost('load', load, LOAD_PERCENT),
    { name: 'delivered', figure: delivered, limit: 1, met: delivered === 1 },
    atMost('mesh', unformed, 0)
  ]
}
