import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeSubStream } from '../../../../src/kit/random.js'
import { DeliveryTracker } from '../../../../src/scenarios/gossip/measure/delivery-tracker.js'
import { range } from '../../../measure/samples.js'
import { reference } from './reference.js'
import { NOTHING, publishedRows, receivedRows } from './rows.js'

/**
 * @typedef {import('./rows.js').Publication} Publication
 * @typedef {import('./rows.js').Receipt} Receipt
 * @typedef {ReturnType<typeof randomRun>} Run
 */

/** A network with losses, relays, publications that failed and clocks that are off. @param {number} seed */
function randomRun(seed) {
  const random = makeSubStream(seed, 'deliveries')
  /** @param {number} below */
  const whole = below => Math.floor(random() * below)
  const nodes = 3 + whole(10)
  const topics = 1 + whole(3)
  const subscriptions = range(1, nodes).map(() => range(0, topics - 1).filter(() => random() < 0.7))
  const loss = random() < 0.3 ? 0 : random() * 0.2
  const published = range(0, 79).map(message => ({
    ...{ message, node: whole(nodes), topic: whole(topics), dueMs: 1000 + message * 50 },
    ...{ atMs: 1000 + message * 50 + whole(30_000) / 1000, bytes: 8 + whole(1000) },
    recipients: random() < 0.05 ? -1 - whole(2) : whole(6)
  }))
  /** @type {Receipt[]} */
  const received = []
  for (const { message, node: publisher, topic, atMs, recipients } of published) {
    if (recipients < 0) continue
    const had = [publisher]
    for (const node of range(0, nodes - 1)) {
      if (node === publisher || !subscriptions[node].includes(topic) || random() < loss) continue
      const from = random() < 0.02 ? whole(nodes) : had[whole(had.length)]
      received.push({
        ...{ message, node, from },
        atMs: atMs + (whole(400_000) - (random() < 0.01 ? 400_000 : 0)) / 1000
      })
      had.push(node)
    }
  }
  const rowless = new Set(seed % 3 === 0 ? [5, 17] : [])
  return {
    nodes,
    subscriptions,
    published: published.filter(({ message }) => !rowless.has(message)),
    received,
    endMs: 9000
  }
}

/** @template T @param {T[]} list @param {() => number} random */
const shuffled = (list, random) =>
  list
    .map(item => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)

/**
 * The result of a run whose rows come in an order of their own, spread over workers and intervals.
 *
 * @param {Run} run
 * @param {string} order
 */
function resultIn({ nodes, subscriptions, published, received, endMs }, order) {
  const random = makeSubStream(3, order)
  const tracker = new DeliveryTracker({ nodes, subscriptions, startNs: 1e9, planned: 80 })
  const parcels = order === 'at once' ? 1 : 2 + Math.floor(random() * 30)
  /** @template T @param {T[]} list */
  const spread = list => {
    const mixed = order === 'at once' ? list : shuffled(list, random)
    const cuts = mixed.map(() => Math.floor(random() * parcels))
    return range(0, parcels - 1).map(parcel => mixed.filter((_, i) => cuts[i] === parcel))
  }
  const publications = spread(published)
  const receipts = spread(received)
  const steps = range(0, parcels - 1).flatMap(parcel => [
    () => tracker.addPublished(publishedRows(publications[parcel])),
    () => tracker.addReceived(receivedRows(receipts[parcel]))
  ])
  for (const step of order === 'at once' ? steps : shuffled(steps, random)) step()
  tracker.close(NOTHING, endMs * 1e6)
  return tracker.result()
}

/** @param {{ ms: number } | null} figure @param {number | null} exact */
function assertNear(figure, exact) {
  if (figure === null || exact === null) assert.equal(figure, exact)
  else assert.ok(Math.abs(figure.ms - exact) <= 0.001 + 0.001 * exact, `${figure.ms} instead of ${exact}`)
}

/** @param {import('../../../../src/report/schema.js').Summary} summary @param {Record<string, number | null>} exact */
function assertSummary(summary, exact) {
  assert.equal(summary.count, exact.count)
  assertNear(summary.avg, exact.avg)
  assertNear(summary.p50, exact.p50)
  assertNear(summary.max, exact.max)
}

describe('the result of random networks', () => {
  for (const seed of range(1, 30)) {
    const run = randomRun(seed)
    const result = resultIn(run, 'at once')

    it(`is what the definitions say (${seed})`, () => {
      const exact = reference(run)
      assert.deepEqual([result.delivery, result.hops], [exact.delivery, exact.hops])
      const actual = result.nodes.map(({ averageMs: _, ...counts }) => counts)
      assert.deepEqual(actual, exact.nodes)
      assert.deepEqual(
        result.missing.listed.map(({ message, node }) => `${message} ${node}`),
        exact.pairs
      )
      assert.equal(result.anomalies.unknownMessages, exact.unknownMessages)
      assert.equal(result.anomalies.negativeLatencies, exact.negativeLatencies)
      assert.equal(result.anomalies.duplicateReceipts, 0)
      assertSummary(result.latency.all, exact.latency.all)
      assertSummary(result.latency.delivered, exact.latency.delivered)
      assertSummary(result.dissemination.all, exact.dissemination.all)
      assertSummary(result.dissemination.complete, exact.dissemination.complete)
    })

    it(`is the same whatever order and worker the rows come from (${seed})`, () => {
      for (const order of ['a', 'b', 'c']) assert.deepEqual(resultIn(run, order), result)
    })

    it(`adds up (${seed})`, () => {
      /** @param {number[]} values */
      const sum = values => values.reduce((total, value) => total + value, 0)
      const { delivery, topics, nodes, hops, timeline, perSecond, missing, anomalies } = result
      for (const parts of [topics, nodes]) {
        assert.equal(sum(parts.map(({ expected }) => expected)), delivery.expected)
        assert.equal(sum(parts.map(({ delivered }) => delivered)), delivery.delivered)
        assert.equal(sum(parts.map(({ published }) => published)), result.messages.published)
      }
      assert.equal(sum(hops.deliveries) + hops.unknown, delivery.delivered)
      assert.equal(sum(timeline.map(({ delivered }) => delivered)), delivery.delivered)
      assert.equal(sum(timeline.map(({ published }) => published)), result.messages.published)
      assert.equal(
        sum(perSecond.flatMap(({ histogram }) => histogram.map(([, count]) => count))) +
          anomalies.negativeLatencies,
        delivery.delivered
      )
      assert.equal(missing.pairs, delivery.expected - delivery.delivered)
      assert.equal(sum(Object.values(missing.byReason)), missing.pairs)
    })
  }
})
