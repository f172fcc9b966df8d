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

/** To node 1 from the publisher, from there to 2, and from there to 3: each waited, the last one for a core. @type {Receipt[]} */
const LINE = [
  { message: 0, node: 3, from: 2, atMs: 100, waitedMs: 8, machineMs: 7 },
  { message: 0, node: 1, from: 0, atMs: 20, waitedMs: 1, machineMs: 0 },
  { message: 0, node: 2, from: 1, atMs: 50, waitedMs: 2, machineMs: 0 }
]

describe('the bracket of a time', () => {
  const { latency, dissemination } = resultOf(LINE)

  it('begins without what the message waited at each node of its way', () => {
    // p50 is that of node 2, which waited 2 ms behind 1 ms of node 1
    assert.deepEqual([latency.all.p50?.ms, latency.all.p50?.lowMs].map(inMs), [50, 47])
    assert.equal(inMs(dissemination.all.p50?.lowMs), 89)
  })

  it('makes it doubtful when it is wider than a tenth, by who made it so', () => {
    assert.equal(latency.all.p50?.doubtful, false)
    assert.deepEqual([dissemination.all.p50?.doubtful, dissemination.all.p50?.cause], [true, 'machine'])
    const bySelf = resultOf(LINE.map(row => ({ ...row, machineMs: 0 }))).dissemination.all.p50
    assert.deepEqual([bySelf?.doubtful, bySelf?.cause], [true, 'generator'])
  })

  it('is of the delivery that would have been the last one', () => {
    // node 2 came last because it waited
    const { dissemination } = resultOf(
      [
        { message: 0, node: 1, from: 0, atMs: 90, waitedMs: 0, machineMs: 0 },
        { message: 0, node: 2, from: 0, atMs: 100, waitedMs: 60, machineMs: 0 }
      ],
      3
    )
    assert.equal(inMs(dissemination.all.p50?.lowMs), 90)
  })

  it('is there when some deliveries did not come: nothing was added to those', () => {
    const { latency } = resultOf(LINE.slice(1))
    assert.equal(latency.all.count, 60)
    assert.equal(inMs(latency.all.p50?.lowMs), 47)
  })

  it('is not there where nobody knows what was waited, as in virtual time', () => {
    const { latency } = resultOf(LINE.map(({ waitedMs, machineMs, ...row }) => row))
    assert.equal(latency.all.p50?.lowMs, undefined)
    assert.equal(latency.all.p50?.doubtful, false)
  })

  it('does not follow a circle', () => {
    const { latency } = resultOf(
      [
        { message: 0, node: 1, from: 2, atMs: 20, waitedMs: 1, machineMs: 0 },
        { message: 0, node: 2, from: 1, atMs: 40, waitedMs: 1, machineMs: 0 }
      ],
      3
    )
    assert.equal(latency.all.count, 40)
  })
})
