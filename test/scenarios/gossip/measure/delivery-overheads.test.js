import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DeliveryTracker } from '../../../../src/scenarios/gossip/measure/delivery-tracker.js'
import { NOTHING, publishedRows, receivedRows } from './rows.js'

/** @typedef {import('./rows.js').Receipt} Receipt */

const MESSAGES = 20

/**
 * What became of messages that node 0 published, one a second, to all others.
 *
 * @param {Receipt[]} receipts - of each of them: its number is 0, and times are since it was published
 */
function resultOf(receipts, nodes = 4) {
  const tracked = new DeliveryTracker({ nodes, subscriptions: Array(nodes).fill([0]), startNs: 0 })
  for (let message = 0; message < MESSAGES; message++) {
    const sentMs = 1000 * message
    tracked.addPublished(publishedRows([{ message, node: 0, atMs: sentMs }]))
    tracked.addReceived(receivedRows(receipts.map(row => ({ ...row, message, atMs: sentMs + row.atMs }))))
  }
  tracked.close(NOTHING, 1e12)
  return tracked.result()
}

/** Histograms have three digits. @param {number | undefined} ms */
const inMs = ms => Math.round(Number(ms))

/** To node 1 from the publisher, from there to 2, and from there to 3: each waited. @type {Receipt[]} */
const LINE = [
  { message: 0, node: 3, from: 2, atMs: 100, waitedMs: 8 },
  { message: 0, node: 1, from: 0, atMs: 20, waitedMs: 1 },
  { message: 0, node: 2, from: 1, atMs: 50, waitedMs: 2 }
]

/** Overheads are told apart to 6 %. @param {import('../../../../src/report/schema.js').Percentile | null} time @param {number} ms */
function assertOverhead(time, ms) {
  const found = Number(time?.overheadMs)
  assert.ok(Math.abs(found - ms) <= 0.06 * ms, `${found} ms, expected ${ms}`)
}

describe('the client overhead of a delivery', () => {
  it('is what the message waited at each node of its way', () => {
    // p50 is that of node 2, which waited 2 ms behind 1 ms of node 1
    const { latency, dissemination } = resultOf(LINE)
    assert.equal(inMs(latency.all.p50?.ms), 50)
    assertOverhead(latency.all.p50, 3)
    assertOverhead(dissemination.all.p50, 11)
  })

  it('is never more than a hop took', () => {
    const waitedLong = LINE.map(row => ({ ...row, waitedMs: row.node === 1 ? 500 : 0 }))
    assertOverhead(resultOf(waitedLong).latency.all.p50, 20)
  })

  it('is of a dissemination what it would have been sooner: another delivery may have been the last', () => {
    // node 2 came last because it waited
    const { dissemination } = resultOf(
      [
        { message: 0, node: 1, from: 0, atMs: 90, waitedMs: 0 },
        { message: 0, node: 2, from: 0, atMs: 100, waitedMs: 60 }
      ],
      3
    )
    assertOverhead(dissemination.all.p50, 10)
  })

  it('is there when some deliveries did not come: those have none', () => {
    const { latency } = resultOf(LINE.slice(1))
    assert.equal(latency.all.count, 60)
    assertOverhead(latency.all.p50, 3)
  })

  it('is not there where nobody knows what was waited, as in virtual time', () => {
    const { latency, dissemination } = resultOf(LINE.map(({ waitedMs, ...row }) => row))
    assert.deepEqual([latency.all.p50?.overheadMs, dissemination.all.p50?.overheadMs], [undefined, undefined])
  })

  it('does not follow a circle', () => {
    const { latency } = resultOf(
      [
        { message: 0, node: 1, from: 2, atMs: 20, waitedMs: 1 },
        { message: 0, node: 2, from: 1, atMs: 40, waitedMs: 1 }
      ],
      3
    )
    assert.equal(latency.all.count, 40)
  })
})
