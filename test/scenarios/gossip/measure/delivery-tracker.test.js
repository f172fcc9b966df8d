import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { decodeHistogram } from '../../../../src/measure/distribution.js'
import { DeliveryTracker } from '../../../../src/scenarios/gossip/measure/delivery-tracker.js'
import { range } from '../../../measure/samples.js'
import { NOTHING, publishedRows, receivedRows } from './rows.js'

/**
 * @typedef {import('./rows.js').Publication} Publication
 * @typedef {import('./rows.js').Receipt} Receipt
 */

/** Node 4 subscribes to nothing, the others to topic 0; 2 and 3 to topic 1 as well. */
const SUBSCRIPTIONS = [[0], [0], [0, 1], [0, 1], []]

const tracker = () => new DeliveryTracker({ nodes: 5, subscriptions: SUBSCRIPTIONS, startNs: 1000e6 })

/**
 * What became of rows; the run ends at 5 s.
 *
 * @param {Publication[]} published
 * @param {Receipt[]} received
 */
function resultOf(published, received, { evidence = NOTHING, endMs = 5000 } = {}) {
  const tracked = tracker()
  tracked.addPublished(publishedRows(published))
  tracked.addReceived(receivedRows(received))
  tracked.close(evidence, endMs * 1e6)
  return tracked.result()
}

/** A message of node 0 to nodes 1, 2 and 3 along a line. @type {Receipt[]} */
const LINE = [
  { message: 7, node: 1, from: 0, atMs: 1010 },
  { message: 7, node: 2, from: 1, atMs: 1030 },
  { message: 7, node: 3, from: 2, atMs: 1060 }
]
const OF_NODE_0 = { message: 7, node: 0, dueMs: 999, atMs: 1000, bytes: 100 }

describe('a message that reached everyone', () => {
  const result = resultOf([OF_NODE_0], LINE)

  it('counts once', () =>
    assert.deepEqual(result.messages, { planned: null, published: 1, skipped: 0, failed: 0, bytes: 100 }))

  it('has a latency for each delivery, and the last is its dissemination time', () => {
    assert.deepEqual([result.latency.all.count, result.latency.all.avg?.ms], [3, (10 + 30 + 60) / 3])
    assert.deepEqual(result.latency.all.max, { ms: 60, censored: false })
    assert.equal(result.dissemination.all.count, 1)
    assert.deepEqual(result.dissemination.complete.max, { ms: 60, censored: false })
    assert.deepEqual([result.latency.censoredHistogram, result.dissemination.censoredHistogram], [null, null])
  })

  it('counts at its topic, its nodes and in its seconds', () => {
    assert.deepEqual(result.topics, [
      { topic: 0, published: 1, expected: 3, delivered: 3 },
      { topic: 1, published: 0, expected: 0, delivered: 0 }
    ])
    assert.deepEqual(result.nodes, [
      { node: 0, published: 1, expected: 0, delivered: 0, averageMs: null },
      { node: 1, published: 0, expected: 1, delivered: 1, averageMs: 10 },
      { node: 2, published: 0, expected: 1, delivered: 1, averageMs: 30 },
      { node: 3, published: 0, expected: 1, delivered: 1, averageMs: 60 },
      { node: 4, published: 0, expected: 0, delivered: 0, averageMs: null }
    ])
    assert.deepEqual(result.timeline, [
      { second: -1, planned: 1, published: 0, delivered: 0 },
      { second: 0, planned: 0, published: 1, delivered: 3 }
    ])
    assert.deepEqual(
      result.perSecond.map(({ second, histogram }) => [second, histogram.map(([, count]) => count)]),
      [[0, [1, 1, 1]]]
    )
  })

  it('has its latencies in the second of its publication, its deliveries in their own', () => {
    const { perSecond, timeline } = resultOf([{ ...OF_NODE_0, atMs: 1950 }], [{ ...LINE[0], atMs: 2200 }])
    assert.deepEqual(perSecond, [{ second: 0, histogram: [[249_856, 1]] }])
    assert.deepEqual(timeline[timeline.length - 1], { second: 1, planned: 0, published: 0, delivered: 1 })
  })

  it('leaves nothing missing and nothing odd', () => {
    assert.deepEqual([result.missing.pairs, result.missing.listed, result.missing.listedAll], [0, [], true])
    assert.deepEqual(Object.values(result.anomalies), [0, 0, 0, 0, 0])
  })

  it('is stored in histograms that give the times back', () => {
    const histogram = decodeHistogram(result.latency.histogram)
    assert.equal(histogram.count, 3)
    assert.ok(Math.abs(histogram.quantile(1) / 60_000 - 1) < 0.002)
  })
})

describe('a message that did not reach everyone', () => {
  const result = resultOf(
    [OF_NODE_0, { message: 8, node: 1, atMs: 2000 }],
    [...LINE, { ...LINE[0], message: 8, node: 2, atMs: 2020 }]
  )

  it('has taken at least until the end: everything that reaches into it is a lower bound', () => {
    assert.deepEqual(result.dissemination.all.max, { ms: 3000, censored: true })
    assert.deepEqual([result.dissemination.all.avg?.censored, result.dissemination.all.count], [true, 2])
    assert.deepEqual([result.dissemination.complete.count, result.latency.all.count], [1, 6])
    assert.deepEqual(result.latency.all.max, { ms: 3000, censored: true })
    assert.equal(result.latency.all.avg?.ms, (10 + 30 + 60 + 20 + 3000 + 3000) / 6)
    assert.equal(result.latency.delivered.max?.ms, 60)
  })

  it('keeps how long was waited for what did not come', () => {
    const waited = decodeHistogram(String(result.latency.censoredHistogram))
    assert.equal(waited.count, 2)
  })
})

describe('who is to receive a message', () => {
  for (const [name, publication, expected] of /** @type {[string, Publication, number][]} */ ([
    ['all subscribers but the publisher', { message: 1, node: 2, topic: 1, atMs: 0 }, 1],
    ['all subscribers, from a node that is none', { message: 1, node: 4, topic: 1, atMs: 0 }, 2],
    ['nobody, of a topic without subscribers', { message: 1, node: 0, topic: 9, atMs: 0 }, 0],
    ['even when no peer could be sent it', { message: 1, node: 0, atMs: 0, recipients: 0 }, 3],
    ['nobody, when it was skipped', { message: 1, node: 0, atMs: 0, recipients: -1 }, 0],
    ['nobody, when publishing failed', { message: 1, node: 0, atMs: 0, recipients: -2 }, 0]
  ]))
    it(name, () => {
      const { delivery, missing } = resultOf([publication], [])
      assert.equal(delivery.expected, expected)
      assert.equal(missing.pairs, expected)
      assert.equal(delivery.ratio, expected === 0 ? null : 0)
      assert.equal(delivery.completeRatio, expected === 0 ? null : 0)
    })

  it('is counted apart from what was skipped or failed', () => {
    const { messages, topics } = resultOf(
      [-1, -2, -2, 0, 3].map((recipients, message) => ({ message, node: 0, atMs: 0, bytes: 10, recipients })),
      []
    )
    assert.deepEqual(messages, { planned: null, published: 2, skipped: 1, failed: 2, bytes: 20 })
    assert.equal(topics[0].published, 2)
  })
})

describe('hops', () => {
  /** @param {number} node @param {number} from @param {number} [ms] - later than the first @returns {Receipt} */
  const at = (node, from, ms = 0) => ({ message: 7, node, from, atMs: 1010 + ms })
  /** @type {[string, Receipt[], [deliveries: number[], last: number[], unknown: number, lastUnknown: number]][]} */
  const cases = [
    ['branch along the tree', [at(1, 0), at(2, 0), at(3, 1, 1)], [[0, 2, 1], [0, 0, 1], 0, 0]],
    [
      'of the last copy are those of the one delivered last, not of the longest way',
      [at(1, 0), at(2, 1, 1), at(3, 0, 2)],
      [[0, 2, 1], [0, 1], 0, 0]
    ],
    [
      'of copies at the same time are those of the longer way',
      [at(1, 0), at(2, 1), at(3, 0)],
      [[0, 2, 1], [0, 0, 1], 0, 0]
    ],
    [
      'behind a relay that does not subscribe are unknown',
      [at(1, 0), at(2, 4, 1), at(3, 2, 2)],
      [[0, 1], [], 2, 1]
    ],
    ['in a circle are unknown', [at(1, 2), at(2, 1), at(3, 0, 1)], [[0, 1], [0, 1], 2, 0]],
    ['from a node that does not exist are unknown', [at(1, 60_000)], [[], [], 1, 1]]
  ]
  for (const [name, received, [deliveries, last, unknown, lastUnknown]] of cases)
    it(name, () =>
      assert.deepEqual(resultOf([OF_NODE_0], received).hops, { deliveries, last, unknown, lastUnknown })
    )
})

describe('what cannot be', () => {
  it('is counted: a second receipt, and the first counts', () => {
    const { anomalies, delivery, latency } = resultOf(
      [OF_NODE_0],
      [LINE[0], { ...LINE[0], atMs: 1002 }, ...LINE]
    )
    assert.deepEqual([anomalies.duplicateReceipts, delivery.delivered, latency.delivered.max?.ms], [2, 3, 60])
  })

  it('is counted: receipts of nodes that were not to receive it, told before or after the publication', () => {
    const wrong = [0, 4, 77].map(node => ({ message: 7, node, from: 1, atMs: 1001 }))
    const tracked = tracker()
    tracked.addReceived(receivedRows(wrong))
    tracked.addPublished(publishedRows([OF_NODE_0]))
    tracked.addReceived(receivedRows([...wrong, ...LINE, ...wrong]))
    tracked.close(NOTHING, 5e9)
    assert.deepEqual([tracked.result().anomalies.duplicateReceipts, tracked.result().delivery.ratio], [9, 1])
    const actual = tracked.result().nodes.map(({ delivered }) => delivered)
    assert.deepEqual(actual, [0, 1, 1, 1, 0])
  })

  for (const recipients of [-1, -2])
    it(`is counted: receipts of a message that was not published (${recipients})`, () => {
      const tracked = tracker()
      tracked.addReceived(receivedRows(LINE.slice(1)))
      tracked.addPublished(publishedRows([{ ...OF_NODE_0, recipients }]))
      tracked.addReceived(receivedRows(LINE))
      tracked.close(NOTHING, 5e9)
      const { anomalies, delivery } = tracked.result()
      assert.deepEqual([anomalies.duplicateReceipts, delivery.delivered], [5, 0])
    })

  it('is counted: a second publication of a number, open or closed', () => {
    const open = { message: 8, node: 0, atMs: 1000 }
    const { anomalies, messages } = resultOf([OF_NODE_0, OF_NODE_0, open, open], LINE)
    assert.deepEqual([anomalies.duplicatePublications, messages.published], [2, 2])
  })

  it('is counted: messages that nobody published', () => {
    const { anomalies, delivery, missing } = resultOf([], [...LINE, { ...LINE[0], message: 9 }])
    assert.deepEqual([anomalies.unknownMessages, delivery.delivered, delivery.ratio], [2, 0, null])
    assert.equal(missing.pairs, 0)
  })

  it('is counted: deliveries before their publication, which are in no distribution', () => {
    const { anomalies, delivery, latency, dissemination, nodes } = resultOf(
      [OF_NODE_0],
      LINE.map(row => ({ ...row, atMs: row.atMs - 20 }))
    )
    assert.deepEqual([anomalies.negativeLatencies, delivery.ratio, latency.delivered.count], [1, 1, 2])
    assert.deepEqual([latency.delivered.avg?.ms, dissemination.complete.max?.ms], [25, 40])
    assert.equal(nodes[1].averageMs, null)
  })

  it('is counted: times farther off than are kept', () => {
    const { anomalies, latency } = resultOf([OF_NODE_0], [{ ...LINE[0], atMs: 4e6 }], { endMs: 5e6 })
    assert.deepEqual([anomalies.timesBeyondRange, latency.delivered.max?.ms], [1, (2 ** 31 - 1) / 1000])
  })
})

describe('publications', () => {
  const { lateness, interArrival } = resultOf(
    [
      { message: 3, node: 3, dueMs: 1150, atMs: 1149 },
      { message: 1, node: 1, dueMs: 1050, atMs: 1060 },
      { message: 2, node: 2, dueMs: 1100, atMs: 1100, recipients: -1 },
      { message: 0, node: 0, dueMs: 1000, atMs: 1002 }
    ],
    []
  )

  it('are late by the time from when they were due; early ones are counted', () => {
    assert.deepEqual([lateness.summary.count, lateness.summary.avg?.ms], [3, (2 + 10 + 0) / 3])
    assert.equal(lateness.early, 1)
  })

  it('that were due when publishing ended are planned, later than until then, and failed nowhere', () => {
    const { lateness, interArrival, timeline, messages } = resultOf(
      [
        { message: 0, node: 0, dueMs: 1000, atMs: 1001 },
        { message: 1, node: 1, dueMs: 1100, atMs: 3000, recipients: -3 },
        { message: 2, node: 0, dueMs: 2100, atMs: 3000, recipients: -3 }
      ],
      []
    )
    assert.deepEqual([messages.published, messages.skipped, messages.failed], [1, 0, 0])
    assert.equal(lateness.summary.count, 3)
    assert.deepEqual([lateness.summary.max?.ms, lateness.summary.max?.censored], [1900, true])
    assert.equal(decodeHistogram(lateness.histogram).count, 1)
    assert.equal(decodeHistogram(String(lateness.censoredHistogram)).count, 2)
    assert.equal(interArrival.planned.summary.count, 2)
    const actual = timeline.reduce((sum, { planned }) => sum + planned, 0)
    assert.equal(actual, 3)
  })

  it('have inter-arrival times over the whole network: those planned, and those of what was published', () => {
    assert.deepEqual([interArrival.planned.summary.count, interArrival.planned.summary.max?.ms], [3, 50])
    assert.deepEqual([interArrival.actual.summary.count, interArrival.actual.summary.max?.ms], [2, 89])
    assert.equal(interArrival.actual.summary.avg?.ms, (58 + 89) / 2)
    assert.equal(interArrival.actual.outOfOrder, 0)
  })
})

describe('while a run goes on', () => {
  it('figures count what is under way as expected and not delivered', () => {
    const tracked = tracker()
    tracked.addReceived(receivedRows(LINE.slice(0, 1)))
    assert.equal(tracked.figures().delivery.ratio, null)
    tracked.addPublished(publishedRows([OF_NODE_0]))
    tracked.addReceived(receivedRows(LINE.slice(1, 2)))
    const under = tracked.figures()
    assert.deepEqual([under.delivery.expected, under.delivery.delivered, under.openMessages], [3, 2, 1])
    assert.deepEqual([under.latency.delivered.max?.ms, under.dissemination.complete.max], [30, null])
    tracked.addReceived(receivedRows(LINE.slice(2)))
    const done = tracked.figures()
    assert.deepEqual([done.delivery.delivered, done.openMessages, done.dissemination.all.max?.ms], [3, 0, 60])
  })

  it('there is no result, and afterwards there are no rows', () => {
    const tracked = tracker()
    assert.throws(() => tracked.result(), /before close/)
    tracked.close(NOTHING, 5e9)
    assert.throws(() => tracked.addReceived(receivedRows(LINE)), /was closed/)
    assert.throws(() => tracked.close(NOTHING, 5e9), /was closed/)
  })
})

describe('missing deliveries', () => {
  it('are listed up to 1,000, counted all, and the reason comes from the evidence', () => {
    const evidence = { ...NOTHING, ended: [{ node: 3, atNs: 1500e6 }] }
    const published = range(0, 999).map(message => ({ message, node: 0, atMs: 2000 + message / 1000 }))
    const received = published.map(({ message }) => ({ message, node: 1, from: 0, atMs: 2100 }))
    const { missing } = resultOf(published.toReversed(), received, { evidence })
    assert.deepEqual([missing.pairs, missing.byReason['node-gone']], [2000, 1000])
    assert.deepEqual([missing.byReason.unknown, missing.listed.length], [1000, 1000])
    assert.equal(missing.listedAll, false)
    assert.deepEqual(missing.listed.slice(0, 3), [
      { message: 0, node: 2, topic: 0, reason: 'unknown' },
      { message: 0, node: 3, topic: 0, reason: 'node-gone' },
      { message: 1, node: 2, topic: 0, reason: 'unknown' }
    ])
  })

  it('whose publisher, or a peer with the message, lost its stream to the node say so', () => {
    const evidence = { ...NOTHING, abortedStreams: [{ from: 1, to: 3, atNs: 900e6 }] }
    const actual = resultOf([OF_NODE_0], LINE.slice(0, 2), { evidence }).missing.listed[0].reason
    assert.equal(actual, 'stream-aborted')
    assert.equal(resultOf([OF_NODE_0], [], { evidence }).missing.byReason['stream-aborted'], 0)
  })

  it('of messages that others took longer for than was left of the run are due to its end', () => {
    const late = { message: 8, node: 0, atMs: 3000 }
    const slow = LINE.map(row => ({ ...row, atMs: row.atMs + 1000 }))
    assert.equal(resultOf([OF_NODE_0, late], slow, { endMs: 4050 }).missing.byReason['end-of-run'], 3)
    assert.equal(resultOf([OF_NODE_0, late], slow, { endMs: 4070 }).missing.byReason['end-of-run'], 0)
  })
})

it('memory does not grow with the number of messages: 60,000 of them, 50 open at a time', () => {
  const nodes = 20
  const tracked = new DeliveryTracker({ nodes, subscriptions: range(1, nodes).map(() => [0]), startNs: 0 })
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  const used = () => {
    collect()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }
  let after10000 = 0
  for (let first = 0; first < 60_000; first += 50) {
    if (first === 10_000) after10000 = used()
    const messages = range(first, first + 49)
    // Within the same second, so that what is kept per second is the same.
    const published = messages.map(message => ({ message, node: message % nodes, atMs: (message % 50) * 10 }))
    tracked.addPublished(publishedRows(published))
    tracked.addReceived(
      receivedRows(
        published.flatMap(({ message, node, atMs }) =>
          range(1, nodes - 1).map(hop => ({
            message,
            node: (node + hop) % nodes,
            from: node,
            atMs: atMs + hop
          }))
        )
      )
    )
  }
  assert.deepEqual(tracked.memory, { open: 0, made: 50 })
  const grown = used() - after10000
  assert.ok(grown < 2e6, `${grown} bytes more after 50,000 messages`)
  assert.equal(tracked.figures().delivery.completeMessages, 60_000)
})
