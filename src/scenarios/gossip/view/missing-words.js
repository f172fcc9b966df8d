import { grouped } from '../../../kit/numbers.js'

/** @typedef {import('../measure/delivery-result.js').MissingReason} MissingReason */

/**
 * MISSING_WORDS say what was seen of a delivery that did not come.
 *
 * @type {Readonly<Record<MissingReason, string>>}
 */
export const MISSING_WORDS = {
  unreachable: 'the topology has no way from the publisher to the node',
  'node-gone': 'the node had gone, or went after the message was published',
  partition: 'a partition lasted while the message was under way',
  churn:
    'the node, or one that had the message, left the network while it was under way; or another one was away then',
  'no-mesh': 'the node had no mesh peer for the topic when the message was published',
  'stream-aborted': 'a peer that had the message had lost its outbound stream to the node',
  'send-queue': 'a copy of the message found the send queue of a peer full, and was dropped',
  backlog: 'bytes toward the node still waited at the end, at a peer that had the message',
  'end-of-run': 'the message was still on its way when the run ended',
  unknown: 'nothing recorded explains it'
}

/**
 * byReason lists reasons with their counts, the most frequent first, without those that never occurred.
 *
 * @param {Record<string, number>} counts
 * @returns {[string, number][]}
 */
export const byReason = counts =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .sort((a, b) => b[1] - a[1])

/**
 * reasonsInWords lists reasons in a line.
 *
 * @param {Record<string, number>} counts
 */
export const reasonsInWords = counts =>
  byReason(counts)
    .map(([reason, count]) => `${grouped(count)} ${reason}`)
    .join(', ')
