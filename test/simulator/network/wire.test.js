import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PipeSending } from '../../../src/network/links/direction.js'
import { TcpSending } from '../../../src/network/links/tcp-connection.js'
import { WireIn, WireOut } from '../../../src/simulator/network/wire.js'
import { VirtualTime } from '../../../src/simulator/virtual-time.js'
import { BARE, losing, MS, pathOf } from '../../network/links/connection.js'

const LATENCY_NS = 50 * MS
const WAY = { from: 0, to: 1, connection: 0 }

/** @typedef {import('../../../src/network/links/direction.js').FarEnd} FarEnd */

/** @param {(far: FarEnd) => import('../../../src/network/links/direction.js').Sending} sending @param {number} [bufferBytes] */
function wire(sending, bufferBytes) {
  const time = new VirtualTime()
  /** @type {[string, number, number][]} what came, when, at which node */
  const come = []
  const deliver = (/** @type {string} */ load) => void come.push([load, time.nowNs / MS, time.node])
  const incoming = new WireIn({ ...WAY, time, receiving: null, deliver })
  const out = new WireOut({ ...WAY, time, sending, other: incoming, bufferBytes })
  const runAll = () => {
    while (time.runNext(Number.POSITIVE_INFINITY));
  }
  return { time, out, incoming, come, runAll }
}

describe('a wire', () => {
  test('brings what was sent, in order, when it is there', () => {
    const tcp = {
      layers: BARE,
      rttNs: 2 * LATENCY_NS,
      returnNs: LATENCY_NS,
      cut: null,
      answerRandom: () => 1,
      ...losing(1)
    }
    const { time, out, come, runAll } = wire(
      far => new TcpSending({ path: pathOf({ latencyNs: LATENCY_NS }), ...tcp }, far)
    )
    for (const [index, name] of ['a', 'b', 'c', 'd', 'e'].entries())
      time.at(index * MS, 0, () => void out.send(1000, name))
    runAll()
    assert.deepEqual(come, [
      ['a', 50, 1],
      ['b', 154, 1],
      ['c', 154, 1],
      ['d', 154, 1],
      ['e', 154, 1]
    ])
  })

  test('asks for a pause when too much waits, and says at the sender when there is room again', () => {
    const path = pathOf({ latencyNs: LATENCY_NS, bytesPerSecond: 1e6 })
    const { time, out, runAll } = wire(far => new PipeSending({ path, layers: BARE }, far), 2500)
    /** @type {number[][]} */
    const room = []
    out.onDrain = () => void room.push([time.nowNs / MS, time.node])
    const found = ['a', 'b', 'c', 'd'].map(load => out.send(1000, load))
    assert.deepEqual(found, [true, true, false, false])
    runAll()
    assert.deepEqual(room, [[2, 0]])
  })

  test('brings nothing after its end was closed', () => {
    const path = pathOf({ latencyNs: LATENCY_NS })
    const { time, out, incoming, come, runAll } = wire(far => new PipeSending({ path, layers: BARE }, far))
    out.send(1000, 'a')
    time.at(10 * MS, 0, () => void out.send(1000, 'b'))
    time.at(55 * MS, 1, () => incoming.close())
    runAll()
    assert.deepEqual(come, [['a', 50, 1]])
    out.close()
    assert.equal(out.send(1000, 'c'), true)
  })
})
