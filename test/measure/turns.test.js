import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Turns } from '../../src/measure/turns.js'

/** An event loop whose turns a test makes; times in ms. */
function eventLoop() {
  const time = { ms: 0, idle: 0 }
  /** @type {(() => void)[]} */
  let ends = []
  /** @type {number[]} */
  const lengths = []
  const turns = new Turns({
    clock: () => BigInt(time.ms * 1e6),
    schedule: end => ends.push(end),
    idleMs: () => time.idle,
    onTurn: ns => lengths.push(ns / 1e6)
  })
  return {
    turns,
    lengths,
    /** work keeps the loop busy. @param {number} ms */
    work: ms => {
      time.ms += ms
    },
    /** sleep lets the loop wait for events. @param {number} ms */
    sleep: ms => {
      time.ms += ms
      time.idle += ms
    },
    event: () => turns.event(BigInt(time.ms * 1e6)) / 1e6,
    endTurn: () => {
      assert.equal(ends.length, 1, 'the end of each turn is asked for once')
      const [end] = ends
      ends = []
      end()
    }
  }
}

describe('an event of the load generator', () => {
  it('waited for nothing when the loop slept before it', () => {
    const loop = eventLoop()
    loop.sleep(100)
    assert.equal(loop.event(), 0)
  })

  it('waited for the events before it in the same turn', () => {
    const loop = eventLoop()
    const waited = [loop.event()]
    loop.work(3)
    waited.push(loop.event())
    loop.work(2)
    waited.push(loop.event())
    assert.deepEqual(waited, [0, 3, 5])
    loop.endTurn()
    assert.deepEqual(loop.lengths, [5])
  })

  it('waited for half of the turn right before its own, on average', () => {
    const loop = eventLoop()
    loop.event()
    loop.work(8)
    loop.endTurn()
    assert.equal(loop.event(), 4)
    loop.work(1)
    assert.equal(loop.event(), 5)
  })

  it('waited only for the last of several turns', () => {
    const loop = eventLoop()
    for (const ms of [20, 6]) {
      loop.event()
      loop.work(ms)
      loop.endTurn()
    }
    assert.equal(loop.event(), 3)
    assert.deepEqual(loop.lengths, [20, 6])
  })

  it('waited for nothing when the loop slept since the turn before', () => {
    const loop = eventLoop()
    loop.event()
    loop.work(8)
    loop.endTurn()
    loop.sleep(0.01)
    assert.equal(loop.event(), 0)
  })

  it('waited for nothing when the loop only turned idly since', () => {
    const loop = eventLoop()
    loop.event()
    loop.work(8)
    loop.endTurn()
    loop.turns.idle()
    assert.equal(loop.event(), 0)
  })

  it('keeps its wait when the loop is called idle in the middle of its turn', () => {
    const loop = eventLoop()
    loop.event()
    loop.work(8)
    loop.turns.idle()
    loop.endTurn()
    assert.equal(loop.event(), 4)
  })
})

describe('the event loop', () => {
  it('is busy from the first event of a turn to its end', () => {
    const loop = eventLoop()
    assert.equal(loop.turns.busy, false)
    loop.event()
    assert.equal(loop.turns.busy, true)
    loop.endTurn()
    assert.equal(loop.turns.busy, false)
  })

  it('is measured with the clock and turns of the process', async () => {
    const length = await new Promise(resolve => {
      const turns = new Turns({ onTurn: resolve })
      assert.ok(turns.event(process.hrtime.bigint()) >= 0)
    })
    assert.ok(length > 0)
  })
})
