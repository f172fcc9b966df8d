import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeSubStream } from '../../../../src/kit/random.js'
import {
  EvidenceIndex,
  findMissingReason,
  MessageNumbers,
  MISSING_REASONS,
  mergeEvidence
} from '../../../../src/scenarios/gossip/measure/receipts.js'
import { NOTHING } from './rows.js'

describe('message numbers', () => {
  it('are those that were added', () => {
    const random = makeSubStream(7, 'numbers')
    const numbers = new MessageNumbers()
    const known = new Set()
    for (let i = 0; i < 5000; i++) {
      const number = Math.floor(random() * 2 ** (8 + random() * 24))
      assert.equal(numbers.has(number), known.has(number))
      numbers.add(number)
      known.add(number)
      assert.ok(numbers.has(number))
    }
  })

  it('of full pages are still known, and their neighbours are not', () => {
    const numbers = new MessageNumbers()
    for (let number = 100_000; number >= 0; number--) numbers.add(number)
    numbers.add(5)
    for (const number of [0, 5, 32_767, 32_768, 65_535, 100_000]) assert.ok(numbers.has(number), `${number}`)
    for (const number of [100_001, 131_072, 2 ** 32 - 1]) assert.ok(!numbers.has(number), `${number}`)
  })
})

/**
 * @typedef {import('../../../../src/scenarios/gossip/measure/receipts.js').DeliveryEvidence} DeliveryEvidence
 * @typedef {import('../../../../src/scenarios/gossip/measure/receipts.js').MissingPair} MissingPair
 */

/** Node 9 misses a message published at 10 s; nodes 1 and 2 had it, the last of them at 12 s. The run ended at 60 s. @type {MissingPair} */
const PAIR = {
  ...{ message: 5, publisher: 1, node: 9, topic: 0, publishedNs: 10e9, lastNs: 12e9 },
  had: node => node <= 2
}
const RUN = { endNs: 60e9, slowestNs: 3e9 }

/** @param {number} node @param {number} atS @returns {Partial<DeliveryEvidence>} */
const ended = (node, atS) => ({ ended: [{ node, atNs: atS * 1e9 }] })

/** @param {number} fromS @param {number} toS @returns {Partial<DeliveryEvidence>} */
const parted = (fromS, toS) => ({ partitions: [{ fromNs: fromS * 1e9, toNs: toS * 1e9 }] })

/** @param {...[node: number, fromS: number, toS: number]} all @returns {Partial<DeliveryEvidence>} */
const away = (...all) => ({
  absences: all.map(([node, fromS, toS]) => ({ node, fromNs: fromS * 1e9, toNs: toS * 1e9 }))
})

/** @param {number} fromS @param {number | null} toS @returns {Partial<DeliveryEvidence>} */
const withoutMesh = (fromS, toS, topic = 0) => ({
  withoutMesh: [{ node: 9, topic, fromNs: fromS * 1e9, toNs: toS === null ? null : toS * 1e9 }]
})

/** @param {number} from @param {number} to @param {number} atS @returns {Partial<DeliveryEvidence>} */
const aborted = (from, to, atS) => ({ abortedStreams: [{ from, to, atNs: atS * 1e9 }] })

/** @param {number} from @param {number} bytes @returns {Partial<DeliveryEvidence>} */
const waiting = (from, bytes) => ({ backlog: [{ from, to: 9, bytes }] })

const GONE_BEFORE = ended(9, 10)
const GONE_AFTER = ended(9, 11)
const NO_MESH = withoutMesh(5, 11)
const ABORTED = aborted(1, 9, 8)
const PARTED = parted(9, 11)
const LEFT = away([9, 11, 41])
const REFUSED = { refusedMessages: [4, 5] }
/** Nodes 0 to 8, and node 9 with those after it. */
const APART = { components: [0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 9] }
const BACKLOG = waiting(2, 4096)
const TWICE = {
  ended: [
    { node: 9, atNs: 11e9 },
    { node: 9, atNs: 10e9 }
  ]
}

/** @param {Partial<DeliveryEvidence>} evidence @param {Partial<MissingPair>} [pair] @param {Partial<typeof RUN>} [run] */
const reasonOf = (evidence, pair, run) =>
  findMissingReason({ ...PAIR, ...pair }, new EvidenceIndex({ ...NOTHING, ...evidence }, { ...RUN, ...run }))

/** @type {[string, string, Partial<DeliveryEvidence>, Partial<MissingPair>?, Partial<typeof RUN>?][]} */
const REASONS = [
  ['unreachable', 'the topology has no way from the publisher to the node', APART],
  ['unknown', 'it has one', APART, { publisher: 10 }],
  ['node-gone', 'the node was ended at the publication', GONE_BEFORE],
  ['node-gone', 'the node went while the message was under way', GONE_AFTER],
  ['node-gone', 'it went at the very end', ended(9, 60)],
  ['node-gone', 'it went twice', TWICE],
  ['unknown', 'another node went', ended(8, 1)],
  ['partition', 'a partition lasted when it was published', PARTED],
  ['partition', 'one began while it was under way', parted(12, 40)],
  ['unknown', 'one was over', parted(9, 10)],
  ['unknown', 'one began when nothing was under way any more', parted(13.1, 40)],
  ['churn', 'the node left while it was under way', LEFT],
  ['churn', 'a peer that had it left', away([2, 12.5, 42])],
  ['churn', 'a node was away whom it may have had to come over', away([5, 8, 11])],
  ['churn', 'or had just returned', away([5, 1, 6])],
  ['unknown', 'nodes had been back for long, or left much later', away([5, 1, 4.9], [1, 30, 40])],
  ['send-queue', 'a copy was dropped', REFUSED],
  ['unknown', 'a copy of another message was', { refusedMessages: [4] }],
  ['no-mesh', 'the node had no mesh peer when it was published', NO_MESH],
  ['no-mesh', 'it never got one', withoutMesh(10, null)],
  ['unknown', 'it had one by then', withoutMesh(5, 10)],
  ['unknown', 'it lost them later', withoutMesh(10.1, null)],
  ['unknown', 'it had none for another topic', withoutMesh(5, 11, 1)],
  ['stream-aborted', 'a peer that had it had lost its stream to the node before', ABORTED],
  ['stream-aborted', 'or lost it afterwards', aborted(1, 9, 20)],
  ['unknown', 'the stream of a peer without the message was aborted', aborted(5, 9, 8)],
  ['unknown', 'a stream from the node was aborted', aborted(9, 1, 8)],
  ['backlog', 'bytes of a peer that had it still waited', BACKLOG],
  ['unknown', 'nothing waited', waiting(2, 0)],
  ['unknown', 'bytes of a peer without it waited', waiting(5, 4096)],
  ['end-of-run', 'it was received somewhere within the last second', {}, { lastNs: 59.5e9 }],
  ['end-of-run', 'others took longer than it had', {}, { publishedNs: 58e9, lastNs: 58e9 }],
  ['unknown', 'it had as long as the slowest', {}, { publishedNs: 57e9, lastNs: 57e9 }],
  ['unknown', 'nothing is known', {}]
]

describe('a delivery is missing because', () => {
  for (const [reason, name, evidence, pair, run] of REASONS)
    it(`${reason}: ${name}`, () => assert.equal(reasonOf(evidence, pair, run), reason))
})

const EVERYTHING = { ...ABORTED, ...BACKLOG, ...NO_MESH }
const ENDING = { lastNs: 59.5e9 }

/** @type {[string, string, Partial<DeliveryEvidence>, Partial<MissingPair>?][]} */
const SEVERAL = [
  [
    'node-gone',
    'everything, when it was ended at the publication',
    { ...EVERYTHING, ...GONE_BEFORE },
    ENDING
  ],
  ['no-mesh', 'everything else, also going later', { ...EVERYTHING, ...GONE_AFTER }, ENDING],
  ['stream-aborted', 'going later, backlog and end', { ...ABORTED, ...BACKLOG, ...GONE_AFTER }, ENDING],
  ['node-gone', 'no mesh, when it went twice', { ...NO_MESH, ...TWICE }],
  ['node-gone', 'a stream aborted when the node went', { ...aborted(1, 9, 11), ...GONE_AFTER }],
  ['node-gone', 'backlog and end', { ...BACKLOG, ...GONE_AFTER }, ENDING],
  [
    'partition',
    'churn and what follows from both',
    { ...PARTED, ...LEFT, ...EVERYTHING, ...REFUSED },
    ENDING
  ],
  ['churn', 'a missing mesh', { ...LEFT, ...EVERYTHING }, ENDING],
  ['no-mesh', 'a node that was away elsewhere', { ...EVERYTHING, ...away([5, 8, 11]) }],
  ['send-queue', 'backlog and end', { ...REFUSED, ...BACKLOG }, ENDING],
  ['backlog', 'the end', BACKLOG, ENDING]
]

describe('of several reasons', () => {
  for (const [first, second, evidence, pair] of SEVERAL)
    it(`${first} comes before ${second}`, () => assert.equal(reasonOf(evidence, pair), first))
})

it('evidence of several hosts is joined, with the nodes that are ended', () => {
  const merged = mergeEvidence(
    [
      { ...NOTHING, ...ABORTED },
      { ...NOTHING, ...NO_MESH, ...ABORTED }
    ],
    GONE_AFTER.ended
  )
  assert.deepEqual([merged.abortedStreams.length, merged.withoutMesh.length], [2, 1])
  assert.deepEqual([merged.ended, mergeEvidence([])], [GONE_AFTER.ended, NOTHING])
})

it('every reason has its name in the list that counts are kept by', () =>
  assert.deepEqual(
    [APART, GONE_BEFORE, PARTED, LEFT, NO_MESH, ABORTED, REFUSED, BACKLOG].map(evidence =>
      reasonOf(evidence)
    ),
    MISSING_REASONS.slice(0, 8)
  ))
