import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RpcSendQueue } from '../../../src/simulator/network/connection.js'
import { BARE, MS, pathOf } from './connection.js'
import { pipeDirection } from './direction.js'

describe('the send queue of a peer', () => {
  it('takes 32 beside the one in hand, refuses the next, and takes one for each that leaves', () => {
    const queue = new RpcSendQueue(32)
    const taken = Array.from({ length: 40 }, () => queue.offer(0)).filter(Boolean).length
    assert.deepEqual([taken, queue.refused], [33, 7])
    assert.deepEqual(
      [queue.offer(1), queue.offer(1), queue.offer(3), queue.offer(3), queue.offer(3)],
      [true, false, true, true, false]
    )
  })

  it('refuses what an up-link cannot carry', () => {
    const direction = pipeDirection({ path: pathOf({ latencyNs: 0, bytesPerSecond: 1e6 }), layers: BARE })
    const queue = new RpcSendQueue(32)
    // 1,000 RPCs of 1 ms in half a second
    for (let rpc = 0; rpc < 1000; rpc += 1) {
      const nowNs = rpc * 0.5 * MS
      if (queue.offer(direction.departures.count(nowNs))) direction.send(1000, nowNs)
    }
    assert.equal(queue.refused, 1000 - 499 - 33)
  })
})
