import { loopbackHost } from '../../kit/ip-address.js'
import { addressOf } from '../../network/namespaces/frames.js'
import { networkPlan } from '../namespaces/network-plan.js'

/**
 * @typedef {OwnPlan & import('../namespaces/network-plan.js').LinksAsked} PerfPlan
 *
 * @typedef {object} OwnPlan
 * @property {'perf'} scenario
 * @property {readonly import('./plan/ways.js').Measure[]} measures
 * @property {number} sizeBytes - of a transfer, in all its streams together
 * @property {readonly number[]} streams - on each connection
 * @property {number} connections
 * @property {number} exchanges - of one byte, in each repeat
 * @property {number} clients - that open connections
 * @property {number} handshakeRatePerSecond - of each of them
 * @property {number} handshakeForMs
 * @property {readonly string[]} stack
 * @property {readonly string[]} security
 * @property {readonly string[]} muxer
 * @property {number | null} windowBytes - null: as libp2p has it
 * @property {readonly import('./plan/ways.js').Baseline[]} baselines
 * @property {string | null} target
 * @property {boolean} iOwnTheTarget
 * @property {number | null} targetPid
 * @property {'loopback' | 'namespaces'} network
 * @property {number} latencyMs - one way
 * @property {number | null} bandwidthBytesPerSecond - null: no limit
 * @property {number} repeats
 * @property {number} timeoutMs
 * @property {number} seed
 * @property {readonly import('../../plan/threshold.js').Threshold[]} thresholds
 */

/**
 * perfPlan is a plan of this scenario, which other code is handed as a plan of any.
 *
 * @param {unknown} plan
 * @returns {PerfPlan}
 */
export const perfPlan = plan => /** @type {PerfPlan} */ (plan)

/**
 * hostOf is where the server of a plan listens.
 *
 * @param {PerfPlan} plan
 */
export const hostOf = ({ network }) => (network === 'namespaces' ? addressOf(0) : loopbackHost())

/**
 * lineOf is the line that a plan puts behind every socket. Between namespaces the links are what lies between.
 *
 * @param {PerfPlan} plan
 * @returns {{ latencyMs: number, bytesPerSecond: number | null, both: boolean } | null} null: none; `both`: only our end has one
 */
export const lineOf = ({ network, latencyMs, bandwidthBytesPerSecond: bytesPerSecond, target }) =>
  network === 'namespaces' || (latencyMs === 0 && bytesPerSecond === null)
    ? null
    : { latencyMs, bytesPerSecond, both: target !== null }

/** linksOf is the network of namespaces of a plan: the server is in 0, the client in 1. @param {PerfPlan} plan */
export function linksOf(plan) {
  const { seed, linkLossShare, latencyMs: ms, bandwidthBytesPerSecond: linkBandwidthBytesPerSecond } = plan
  const linkLatency = /** @type {const} */ ({ kind: 'constant', ms })
  return networkPlan({ seed, linkLossShare, linkLatency, linkBandwidthBytesPerSecond }, ENDS)
}

/** Server and client. */
const ENDS = 2

/**
 * The shapes of a result of this scenario; the documents are described by perf-schema.js.
 *
 * @typedef {import('../../result/types.js').Shape<typeof import('./perf-schema.js').outcome>} PerfOutcome
 * @typedef {PerfOutcome['transfers'][number]} Transfer
 * @typedef {PerfOutcome['rows'][number]} TransferRow
 * @typedef {PerfOutcome['latency'][number]} LatencyRow
 * @typedef {PerfOutcome['handshakes'][number]} HandshakeRow
 *
 * @typedef {Omit<import('../../result/types.js').Result, 'scenario' | 'plan' | 'outcome'> &
 *   { scenario: 'perf', plan: PerfPlan, outcome: PerfOutcome }} PerfResult
 */

/**
 * perfResult is a result of this scenario, which other code is handed as one of any.
 *
 * @param {unknown} result
 * @returns {PerfResult}
 */
export const perfResult = result => /** @type {PerfResult} */ (result)
