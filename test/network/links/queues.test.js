import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Carrier } from '../../../src/network/links/carrier.js'
import { PipeDirection } from '../../../src/network/links/pipe-direction.js'
import { SendQueue } from '../../../src/network/links/send-queue.js'
import { BARE, losing, MS, pathOf, tcpOf } from './connection.js'

describe('the send queue of a peer', () => {
  it('takes 32 beside the one in hand, refuses the next, and takes one for each that leaves', () => {
    const queue = new SendQueue(32)
    const taken = Array.from({ length: 40 }, () => queue.offer(0)).filter(Boolean).length
    assert.deepEqual([taken, queue.refused], [33, 7])
    assert.deepEqual(
      [queue.offer(1), queue.offer(1), queue.offer(3), queue.offer(3), queue.offer(3)],
      [true, false, true, true, false]
    )
  })

  it('refuses what an up-link cannot carry', () => {
    const direction = new PipeDirection({ path: pathOf({ latencyNs: 0, bytesPerSecond: 1e6 }), layers: BARE })
    const queue = new SendQueue(32)
    // 1,000 RPCs of 1 ms in half a second
    for (let rpc = 0; rpc < 1000; rpc += 1) {
      const nowNs = rpc * 0.5 * MS
      if (queue.offer(direction.departed(nowNs))) direction.send(1000, nowNs)
    }
    assert.equal(queue.refused, 1000 - 499 - 33)
  })
})

/** A clock of the smallest kind: runs what was scheduled, in the order of time. */
class Simulation {
  nowNs = 0
  /** @type {{ atNs: number, run: () => void }[]} */
  #events = []

  schedule = (/** @type {number} */ atNs, /** @type {() => void} */ run) => {
    assert.ok(atNs >= this.nowNs, `scheduled for ${atNs} ns at ${this.nowNs} ns`)
    this.#events.push({ atNs, run })
    this.#events.sort((a, b) => a.atNs - b.atNs)
  }

  run() {
    for (let next = this.#events.shift(); next !== undefined; next = this.#events.shift()) {
      this.nowNs = next.atNs
      next.run()
    }
  }
}

describe('a carrier', () => {
  it('delivers what was sent, in order, when it is there', () => {
    const simulation = new Simulation()
    const got = /** @type {[string, number][]} */ ([])
    const direction = tcpOf({ latencyNs: 50 * MS, ...losing(1) })
    const carrier = new Carrier({
      direction,
      schedule: atNs => simulation.schedule(atNs, () => carrier.run(atNs)),
      deliver: (/** @type {string} */ payload) => got.push([payload, simulation.nowNs / MS])
    })
    for (const [index, name] of ['a', 'b', 'c', 'd', 'e'].entries()) {
      simulation.schedule(index * MS, () => carrier.send(name, 1000, simulation.nowNs))
    }
    simulation.run()
    assert.deepEqual(got, [
      ['a', 50],
      ['b', 154],
      ['c', 154],
      ['d', 154],
      ['e', 154]
    ])
  })

  it('asks for a pause when too much waits, and calls when there is room again', () => {
    const simulation = new Simulation()
    const path = pathOf({ latencyNs: 50 * MS, bytesPerSecond: 1e6 })
    const room = /** @type {number[]} */ ([])
    const carrier = new Carrier({
      direction: new PipeDirection({ path, layers: BARE }),
      schedule: atNs => simulation.schedule(atNs, () => carrier.run(atNs)),
      deliver: () => {},
      bufferBytes: 2500,
      onRoom: () => room.push(simulation.nowNs / MS)
    })
    assert.deepEqual(
      [1, 2, 3, 4].map(() => carrier.send(null, 1000, 0)),
      [true, true, false, false]
    )
    simulation.run()
    assert.deepEqual(room, [2])
  })

  it('delivers nothing after it was closed', () => {
    const simulation = new Simulation()
    const got = /** @type {string[]} */ ([])
    const direction = new PipeDirection({ path: pathOf({ latencyNs: 50 * MS }), layers: BARE })
    const carrier = new Carrier({
      direction,
      schedule: atNs => simulation.schedule(atNs, () => carrier.run(atNs)),
      deliver: (/** @type {string} */ each) => got.push(each)
    })
    carrier.send('a', 1000, 0)
    simulation.schedule(10 * MS, () => carrier.send('b', 1000, 10 * MS))
    simulation.schedule(55 * MS, () => carrier.close())
    simulation.run()
    assert.deepEqual(got, ['a'])
    assert.equal(carrier.send('c', 1000, 100 * MS), true)
  })
})
