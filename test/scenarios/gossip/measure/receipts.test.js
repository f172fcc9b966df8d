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
  message: 5,
  publisher: 1,
  node: 9,
  topic: 0,
  publishedNs: 10e9,
  lastNs: 12e9,
  had: node => node <= 2
}
const RUN = { endNs: 60e9, slowestNs: 3e9 }

const GONE_BEFORE = { gone: [{ node: 9, atNs: 10e9 }] }
const GONE_AFTER = { gone: [{ node: 9, atNs: 11e9 }] }
const NO_MESH = { withoutMesh: [{ node: 9, topic: 0, fromNs: 5e9, toNs: 11e9 }] }
const ABORTED = { abortedStreams: [{ from: 1, to: 9, atNs: 8e9 }] }
const PARTED = { partitions: [{ fromNs: 9e9, toNs: 11e9 }] }
const LEFT = { absences: [{ node: 9, fromNs: 11e9, toNs: 41e9 }] }
const REFUSED = { refusedMessages: [4, 5] }
/** Nodes 0 to 8, and node 9 with those after it. */
const APART = { components: [0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 9] }
const BACKLOG = { backlog: [{ from: 2, to: 9, bytes: 4096 }] }

/** @param {Partial<DeliveryEvidence>} evidence @param {Partial<MissingPair>} [pair] @param {Partial<typeof RUN>} [run] */
const reasonOf = (evidence, pair, run) =>
  findMissingReason({ ...PAIR, ...pair }, new EvidenceIndex({ ...NOTHING, ...evidence }, { ...RUN, ...run }))

describe('a delivery is missing because', () => {
  for (const [
    reason,
    name,
    evidence,
    pair,
    run
  ] of /** @type {[string, string, Partial<DeliveryEvidence>, Partial<MissingPair>?, Partial<typeof RUN>?][]} */ ([
    ['unreachable', 'the topology has no way from the publisher to the node', APART],
    ['unknown', 'it has one', APART, { publisher: 10 }],
    ['node-gone', 'the node was gone at the publication', GONE_BEFORE],
    ['node-gone', 'the node went while the message was under way', GONE_AFTER],
    ['node-gone', 'it went at the very end', { gone: [{ node: 9, atNs: 60e9 }] }],
    ['node-gone', 'it went twice', { gone: [...GONE_AFTER.gone, ...GONE_BEFORE.gone] }],
    ['unknown', 'another node went', { gone: [{ node: 8, atNs: 1e9 }] }],
    ['partition', 'a partition lasted when it was published', PARTED],
    ['partition', 'one began while it was under way', { partitions: [{ fromNs: 12e9, toNs: 40e9 }] }],
    ['unknown', 'one was over', { partitions: [{ fromNs: 9e9, toNs: 10e9 }] }],
    [
      'unknown',
      'one began when nothing was under way any more',
      { partitions: [{ fromNs: 13.1e9, toNs: 40e9 }] }
    ],
    ['churn', 'the node left while it was under way', LEFT],
    ['churn', 'a peer that had it left', { absences: [{ node: 2, fromNs: 12.5e9, toNs: 42e9 }] }],
    [
      'churn',
      'a node was away whom it may have had to come over',
      { absences: [{ node: 5, fromNs: 8e9, toNs: 11e9 }] }
    ],
    ['churn', 'or had just returned', { absences: [{ node: 5, fromNs: 1e9, toNs: 6e9 }] }],
    [
      'unknown',
      'nodes had been back for long, or left much later',
      {
        absences: [
          { node: 5, fromNs: 1e9, toNs: 4.9e9 },
          { node: 1, fromNs: 30e9, toNs: 40e9 }
        ]
      }
    ],
    ['send-queue', 'a copy was dropped', REFUSED],
    ['unknown', 'a copy of another message was', { refusedMessages: [4] }],
    ['no-mesh', 'the node had no mesh peer when it was published', NO_MESH],
    ['no-mesh', 'it never got one', { withoutMesh: [{ node: 9, topic: 0, fromNs: 10e9, toNs: null }] }],
    ['unknown', 'it had one by then', { withoutMesh: [{ node: 9, topic: 0, fromNs: 5e9, toNs: 10e9 }] }],
    ['unknown', 'it lost them later', { withoutMesh: [{ node: 9, topic: 0, fromNs: 10.1e9, toNs: null }] }],
    [
      'unknown',
      'it had none for another topic',
      { withoutMesh: [{ node: 9, topic: 1, fromNs: 5e9, toNs: 11e9 }] }
    ],
    ['stream-aborted', 'a peer that had it had lost its stream to the node before', ABORTED],
    ['stream-aborted', 'or lost it afterwards', { abortedStreams: [{ from: 1, to: 9, atNs: 20e9 }] }],
    [
      'unknown',
      'the stream of a peer without the message was aborted',
      { abortedStreams: [{ from: 5, to: 9, atNs: 8e9 }] }
    ],
    ['unknown', 'a stream from the node was aborted', { abortedStreams: [{ from: 9, to: 1, atNs: 8e9 }] }],
    ['backlog', 'bytes of a peer that had it still waited', BACKLOG],
    ['unknown', 'nothing waited', { backlog: [{ from: 2, to: 9, bytes: 0 }] }],
    ['unknown', 'bytes of a peer without it waited', { backlog: [{ from: 5, to: 9, bytes: 4096 }] }],
    ['end-of-run', 'it was received somewhere within the last second', {}, { lastNs: 59.5e9 }],
    ['end-of-run', 'others took longer than it had', {}, { publishedNs: 58e9, lastNs: 58e9 }],
    ['unknown', 'it had as long as the slowest', {}, { publishedNs: 57e9, lastNs: 57e9 }],
    ['unknown', 'nothing is known', {}]
  ])) {
    it(`${reason}: ${name}`, () => assert.equal(reasonOf(evidence, pair, run), reason))
  }
})

describe('of several reasons', () => {
  const everything = { ...ABORTED, ...BACKLOG, ...NO_MESH }
  const ending = { lastNs: 59.5e9 }
  for (const [
    first,
    second,
    evidence,
    pair
  ] of /** @type {[string, string, Partial<DeliveryEvidence>, Partial<MissingPair>?][]} */ ([
    [
      'node-gone',
      'everything, when it was gone at the publication',
      { ...everything, ...GONE_BEFORE },
      ending
    ],
    ['no-mesh', 'everything else, also going later', { ...everything, ...GONE_AFTER }, ending],
    ['stream-aborted', 'going later, backlog and end', { ...ABORTED, ...BACKLOG, ...GONE_AFTER }, ending],
    [
      'node-gone',
      'no mesh, when it went twice',
      { ...NO_MESH, gone: [...GONE_BEFORE.gone, ...GONE_AFTER.gone] }
    ],
    [
      'node-gone',
      'a stream aborted when the node went',
      { abortedStreams: [{ from: 1, to: 9, atNs: 11e9 }], ...GONE_AFTER }
    ],
    ['node-gone', 'backlog and end', { ...BACKLOG, ...GONE_AFTER }, ending],
    [
      'partition',
      'churn and what follows from both',
      { ...PARTED, ...LEFT, ...everything, ...REFUSED },
      ending
    ],
    ['churn', 'a missing mesh', { ...LEFT, ...everything }, ending],
    [
      'no-mesh',
      'a node that was away elsewhere',
      { ...everything, absences: [{ node: 5, fromNs: 8e9, toNs: 11e9 }] }
    ],
    ['send-queue', 'backlog and end', { ...REFUSED, ...BACKLOG }, ending],
    ['backlog', 'the end', BACKLOG, ending]
  ])) {
    it(`${first} comes before ${second}`, () => assert.equal(reasonOf(evidence, pair), first))
  }
})

it('evidence of several hosts is joined, with the nodes that are gone', () => {
  const merged = mergeEvidence(
    [
      { ...NOTHING, ...ABORTED },
      { ...NOTHING, ...NO_MESH, ...ABORTED }
    ],
    GONE_AFTER.gone
  )
  assert.equal(merged.abortedStreams.length, 2)
  assert.equal(merged.withoutMesh.length, 1)
  assert.deepEqual(merged.gone, GONE_AFTER.gone)
  assert.deepEqual(mergeEvidence([]), NOTHING)
})

it('every reason has its name in the list that counts are kept by', () => {
  assert.deepEqual(
    [APART, GONE_BEFORE, PARTED, LEFT, NO_MESH, ABORTED, REFUSED, BACKLOG].map(evidence =>
      reasonOf(evidence)
    ),
    MISSING_REASONS.slice(0, 8)
  )
})
