import { decodedHistogram } from '../../../measure/encoded-histogram.js'
import { backlogGrows } from './backlog-growth.js'

/**
 * @typedef {import('./delivery-result.js').DeliveryResult} DeliveryResult
 * @typedef {import('../gossip-types.js').WorkerResources} WorkerResources
 *
 * @typedef {object} NotCarried - why a rate was not carried
 * @property {'missing' | 'unpublished' | 'slow' | 'backlog' | 'busy'} why - `missing`: deliveries that did not come; `unpublished`:
 *   messages that should have gone out, and did not; `slow`: p99 of dissemination, in ms; `backlog`: bytes in write buffers that
 *   grew all the while; `busy`: share of the time that the event loop of a worker was busy
 * @property {number} value
 *
 * @typedef {object} Stretch - of publishing
 * @property {Pick<DeliveryResult, 'messages' | 'missing' | 'dissemination'>} deliveries
 * @property {readonly Pick<WorkerResources, 'series'>[]} resources
 * @property {readonly number[]} utilizations - of the workers' event loops, 0 to 1
 * @property {number} publishMs - how long it was published for
 * @property {number} [mostP99Ms] - p99 of dissemination is to stay below it
 */

/** MOST_P99_MS: a message is to reach everyone within a second. */
export const MOST_P99_MS = 1000
const MOST_UTILIZATION = 0.9
/** What is due this shortly before the end may be late for it, and is no sign of more. */
const CUT_OFF_MS = 250

/**
 * notCarried tells why a network did not carry what it was asked for.
 *
 * @param {Stretch} stretch
 * @returns {NotCarried[]} none: it was carried
 */
export function notCarried({ deliveries, resources, utilizations, publishMs, mostP99Ms = MOST_P99_MS }) {
  const { messages, missing, dissemination } = deliveries
  const planned = messages.planned ?? 0
  const unpublished = planned - messages.published
  const cutOff = Math.max(1, (planned * CUT_OFF_MS) / publishMs)
  const p99Ms = p99Of(dissemination.histogram)
  const busiest = Math.max(0, ...utilizations)
  const backlog = backlogGrows(resources, publishMs)
  /** @type {[NotCarried['why'], number, boolean][]} */
  const limits = [
    ['missing', missing.pairs, missing.pairs > 0],
    ['unpublished', unpublished, unpublished > cutOff],
    ['slow', p99Ms, p99Ms >= mostP99Ms],
    ['backlog', backlog ?? 0, backlog !== null],
    ['busy', busiest, busiest > MOST_UTILIZATION]
  ]
  return limits.flatMap(([why, value, exceeded]) => (exceeded ? [{ why, value }] : []))
}

/**
 * Of few messages there is no p99 to publish, but there is one to decide by: the slowest of less than 100.
 *
 * @param {string} encoded
 * @returns {number} ms; 0: no message reached everyone
 */
function p99Of(encoded) {
  const histogram = decodedHistogram(encoded)
  return histogram.count === 0 ? 0 : histogram.quantile(0.99) / 1000
}
