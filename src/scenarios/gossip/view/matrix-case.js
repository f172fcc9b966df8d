import { present } from '../../../kit/lists.js'
import { counted, grouped, MISSING, significant, spell } from '../../../kit/numbers.js'
import { churn as churnKind } from '../plan/churn-option.js'
import { linkLatency } from '../plan/link-latency-option.js'
import { isSimulated } from './is-simulated.js'

/**
 * @typedef {import('../plan/gossip-plan.js').GossipPlan} GossipPlan
 * @typedef {import('../plan/gossip-plan.js').Range} Range
 * @typedef {import('../gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../../../studies/matrix/matrix-folder.js').RowRecord} RowRecord
 */

/**
 * planOf is the plan of a row of the gossip scenario, or of another one that is made of it.
 *
 * @param {Pick<RowRecord, 'plan'>} row
 */
export const planOf = ({ plan }) => /** @type {Readonly<GossipPlan>} */ (plan)

/**
 * ifMeasured fills a cell of a row, if it was measured.
 *
 * @template {import('../gossip-types.js').NetworkResult} R
 * @param {{ result?: R }} line
 * @param {import('../../scenario.js').Handed<[result: R], string>} cell
 */
export const ifMeasured = ({ result }, cell) => (result === undefined ? MISSING : cell(result))

/**
 * nodesText says how many nodes a plan has.
 *
 * @param {GossipPlan} plan
 */
export const nodesText = plan => `${grouped(plan.nodes)}${isSimulated(plan) ? ' simulated' : ''}`

/** A hundredth of a percent has to be seen. @param {number} x */
const exact = x => String(Number(x.toPrecision(12)))

const LATENCY = linkLatency()
const CHURN = churnKind()

/** @param {Readonly<GossipPlan>} plan */
function latencyWords({ linkLatencyMs, linkLatencies }) {
  if (linkLatencies != null) return [LATENCY.write(linkLatencies)]
  return linkLatencyMs > 0 ? [`${grouped(linkLatencyMs)} ms`] : []
}

/** @param {string} of @param {number | null | undefined} bytesPerSecond */
const bandwidthWords = (of, bytesPerSecond) =>
  bytesPerSecond == null ? [] : [`${of}${exact(bytesPerSecond / 1e6)} MB/s`]

/**
 * conditionsText says what joins the nodes of a row, and what is made of it.
 *
 * @param {RowRecord} row
 */
export function conditionsText(row) {
  const plan = planOf(row)
  const { linkLossShare, linkBandwidthBytesPerSecond, partitions, churn, sendQueue } = plan
  const joined = isSimulated(plan) ? ['simulated'] : row.blocked === null ? ['real TCP'] : []
  return present([
    ...joined,
    plan.pubsub === 'floodsub' && plan.pubsub,
    ...latencyWords(plan),
    linkLossShare != null && linkLossShare > 0 && `loss ${exact(linkLossShare * 100)} %`,
    ...bandwidthWords('', plan.upBandwidthBytesPerSecond),
    ...bandwidthWords('down ', plan.downBandwidthBytesPerSecond),
    ...bandwidthWords('link ', linkBandwidthBytesPerSecond),
    partitions?.length > 0 && counted(partitions.length, 'partition'),
    churn != null && `churn ${CHURN.write(churn)}`,
    sendQueue != null && `send queue ${grouped(sendQueue)}`
  ]).join(', ')
}

/** @param {string} text @param {string | undefined} whole - what the case has */
const beforeScaling = (text, whole) => (whole === undefined || whole === text ? text : `${text} of ${whole}`)

/**
 * amountText says for how long, or how many messages, a row publishes.
 *
 * @param {RowRecord} row
 */
export function amountText(row) {
  const { messages, durationMs } = planOf(row)
  const before = /** @type {Partial<GossipPlan>} */ (row.unscaled)
  if (messages !== null)
    return beforeScaling(
      `${grouped(messages)} messages`,
      before.messages == null ? undefined : grouped(before.messages)
    )
  if (durationMs === null) return MISSING
  return beforeScaling(spell(durationMs), before.durationMs == null ? undefined : spell(before.durationMs))
}

/**
 * intervalText writes the times between the messages of a node.
 *
 * @param {Range} range
 */
export const intervalText = ({ min, max }) =>
  min === max ? `${grouped(min)} ms` : `${grouped(min)}–${grouped(max)} ms`

/**
 * rateCell says how many messages a second a row publishes, all nodes together, or how often each node does.
 *
 * @param {RowRecord} row
 */
export function rateCell(row) {
  const { publishers, ratePerSecond, intervalMs } = planOf(row)
  const before = /** @type {Partial<GossipPlan>} */ (row.unscaled)
  if (publishers === 'every')
    return beforeScaling(
      `each ${intervalText(intervalMs)}`,
      before.intervalMs === undefined ? undefined : intervalText(before.intervalMs)
    )
  return ratePerSecond === null
    ? 'auto'
    : beforeScaling(
        significant(ratePerSecond),
        before.ratePerSecond == null ? undefined : significant(before.ratePerSecond)
      )
}
