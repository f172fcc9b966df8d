import { counted, grouped, significant } from '../../../kit/numbers.js'
import { FEWEST_FOR_INTERVAL } from '../../../measure/median-interval.js'
import { namespaceNotes } from '../../namespaces/namespace-notes.js'
import { networkPlan } from '../../namespaces/network-plan.js'
import { roundWords } from './round-words.js'
import { fileLines } from './transfer-words.js'

/**
 * @typedef {import('../transfer-types.js').TransferResult} TransferResult
 */

/** @param {TransferResult} result */
function intervals({ plan: { repeats, ways } }) {
  if (repeats >= FEWEST_FOR_INTERVAL) return ['In brackets: the 95 % interval of the median over repeats.']
  const enough = ways.length * Math.ceil(FEWEST_FOR_INTERVAL / ways.length)
  return [`No intervals with ${counted(repeats, 'repeat')}: --repeats ${enough} gives them.`]
}

/** @param {TransferResult} result */
const lineNotes = ({ plan, outcome: { namespaces } }) =>
  namespaces === undefined
    ? [
        'The line is at the socket: TCP below sees loopback, so there is no slow start, no window of TCP, no round trip of its handshake.'
      ]
    : namespaces.flatMap(({ latencyMs, bytesPerSecond, ...found }) =>
        namespaceNotes(
          /** @type {any} */ (found),
          { ...networkPlan(plan, 1 + plan.requestors), upBandwidthBytesPerSecond: bytesPerSecond },
          '--bandwidths'
        ).map(line => `${roundWords({ latencyMs, bytesPerSecond })}: ${line}`)
      )

/** @param {TransferResult} result */
const reading = result =>
  result.outcome.cases.length === 0
    ? []
    : [
        'Seconds: median over repeats, from the request until the slowest requestor has stored and checked every block; connections stand before. CPU and peak memory: provider / requestors.',
        ...(result.plan.memorySnapshots === 'detailed'
          ? ['No times: collections of memory came between (--memorySnapshots detailed).']
          : intervals(result)),
        ...lineNotes(result),
        ...result.outcome.leftOut.map(({ why }) => `Left out: ${why}.`),
        ...fileLines(result)
      ]

/** @param {TransferResult} result */
function failures({ outcome: { transfers } }) {
  const failed = transfers.filter(({ outcome }) => outcome !== 'OK')
  if (failed.length === 0) return []
  return [
    `${counted(failed.length, 'transfer')} of ${grouped(transfers.length)} failed. The first: ${failed[0].way}, requestor ${failed[0].requestor}: ${failed[0].error}`
  ]
}

/** @param {number} bytes */
const mb = bytes => `${significant(bytes / 1e6)} MB`

/** @param {TransferResult} result */
function limits({ outcome: { limits } }) {
  if (limits === null) return []
  const { inProgressRequests: requests, memoryPerPeerBytes: peer, memoryTotalBytes: total } = limits
  return [
    `Limits of the provider, and what was reached: ${requests.most} of ${grouped(requests.limit)} requests in progress, ${mb(peer.most)} of ${mb(peer.limit)} for a requestor, ${mb(total.most)} of ${mb(total.limit)} for all; ${counted(limits.waitingRequests, 'request')} waited at once.`
  ]
}

/** @param {TransferResult} result */
function fairness({ outcome: { cases } }) {
  const known = cases.flatMap(({ fairness }) => (fairness === null ? [] : fairness))
  return known.length === 0
    ? []
    : [
        `Fairness to requestors (Jain's index of goodput): ${Math.min(...known).toFixed(3)} or better in every round.`
      ]
}

/** TRANSFER_NOTES are the lines about a result of transfers. @type {import('../../../report/view.js').ScenarioNotes<any>} */
export const TRANSFER_NOTES = {
  signs: [],
  reading,
  failures,
  references: () => [],
  further: (/** @type {TransferResult} */ result) => [...limits(result), ...fairness(result)]
}
