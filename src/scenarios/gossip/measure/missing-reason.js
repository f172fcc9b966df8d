import { SETTLE_MS } from '../../../plan/churn-option.js'

/**
 * @typedef {import('./evidence.js').EvidenceIndex} EvidenceIndex
 *
 * @typedef {'unreachable' | 'node-gone' | 'partition' | 'churn' | 'no-mesh' | 'stream-aborted' | 'send-queue' | 'backlog' | 'end-of-run'
 *   | 'unknown'} MissingReason
 *
 * @typedef {object} MissingPair - a node that was to receive a message and did not
 * @property {number} message
 * @property {number} publisher
 * @property {number} node
 * @property {number} topic
 * @property {number} publishedNs
 * @property {number} lastNs - last receipt of the message anywhere; its publication if there was none
 * @property {(node: number) => boolean} had - whether a node had the message: its publisher and its receivers
 */

/** @type {readonly MissingReason[]} */
export const MISSING_REASONS = [
  'unreachable',
  'node-gone',
  'partition',
  'churn',
  'no-mesh',
  'stream-aborted',
  'send-queue',
  'backlog',
  'end-of-run',
  'unknown'
]

/** A message that was received somewhere so short before the end was still on its way. */
const STILL_COMING_NS = 1e9
/** A node that has returned, or replaced another one, is expected to be part of meshes again by then. */
const SETTLE_NS = SETTLE_MS * 1e6

/** @type {[MissingReason, (pair: MissingPair, evidence: EvidenceIndex) => boolean][]} */
const RULES = [
  ['unreachable', ({ publisher, node }, evidence) => evidence.areApart(publisher, node)],
  ['node-gone', ({ node, publishedNs }, evidence) => evidence.goneNs(node) <= publishedNs],
  [
    'partition',
    ({ publishedNs, lastNs }, evidence) => evidence.wasParted(publishedNs, lastNs + STILL_COMING_NS)
  ],
  [
    'churn',
    ({ node, publishedNs, lastNs, had }, evidence) =>
      evidence.leavers(publishedNs, lastNs + STILL_COMING_NS).some(other => other === node || had(other))
  ],
  ['no-mesh', ({ node, topic, publishedNs }, evidence) => evidence.wasWithoutMesh(node, topic, publishedNs)],
  [
    'stream-aborted',
    ({ node, had }, evidence) =>
      evidence.abortedTo(node).some(({ from, atNs }) => had(from) && atNs < evidence.goneNs(node))
  ],
  ['node-gone', ({ node }, evidence) => evidence.goneNs(node) <= evidence.endNs],
  ['send-queue', ({ message }, evidence) => evidence.wasRefused(message)],
  ['backlog', ({ node, had }, evidence) => evidence.backlogTo(node).some(({ from }) => had(from))],
  [
    'end-of-run',
    ({ publishedNs, lastNs }, { endNs, slowestNs }) =>
      endNs - lastNs < STILL_COMING_NS || endNs - publishedNs < slowestNs
  ],
  [
    'churn',
    ({ publishedNs, lastNs }, evidence) =>
      evidence.someoneWasAway(publishedNs - SETTLE_NS, lastNs + STILL_COMING_NS)
  ]
]

/**
 * missingReason names what the evidence says about a delivery that did not come. The first rule that holds gives the reason; it
 * is what was seen, and not a proof that nothing else was in the way.
 *
 * | order | reason | what was seen |
 * |---|---|---|
 * | 1 | unreachable | the topology has no way from the publisher to the node: they are in different components |
 * | 2 | node-gone | the node was gone when the message was published |
 * | 3 | partition | a partition of the simulated network lasted when the message was published, or within a second of its last receipt |
 * | 4 | churn | the node, or one that had the message, left the network between the publication and a second after the last receipt |
 * | 5 | no-mesh | the node had no mesh peer for the topic when the message was published |
 * | 6 | stream-aborted | a peer that had the message had lost its outbound stream to the node by the end of the run, and not because the node went: other peers may have had theirs |
 * | 7 | node-gone | the node went after the publication. What it received in the last second before that may not have been told |
 * | 8 | send-queue | a copy of the message found the send queue of a peer full, and was dropped: to this node, or to one on the way to it |
 * | 9 | backlog | bytes still waited at the end in the stream of a peer that had the message to the node |
 * | 10 | end-of-run | the message was received somewhere, or published, less than a second before the end; or it was published less before the end than the slowest message took that reached everyone |
 * | 11 | churn | some node was away while the message was under way, or had returned less than 5 s before: the way to this one may have led over it |
 * | 12 | unknown | none of these |
 *
 * @param {MissingPair} pair
 * @param {EvidenceIndex} evidence
 * @returns {MissingReason}
 */
export function missingReason(pair, evidence) {
  return RULES.find(([, holds]) => holds(pair, evidence))?.[0] ?? 'unknown'
}
