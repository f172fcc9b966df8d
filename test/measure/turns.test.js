import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Turns } from '../../src/measure/client-overhead.js'

/** An event loop whose turns a test makes; times in ms. */
function eventLoop() {
  const time = { ms: 0, idle: 0, found: 0, loops: 0, coreWait: 0 }
  /** @type {(() => void)[]} */
  let ends = []
  /** @type {number[]} */
  const lengths = []
  const turns = new Turns({
    clock: () => BigInt(time.ms * 1e6),
    schedule: end => ends.push(end),
    readLoop: () => ({ sleptMs: time.idle, foundWaiting: time.found, turns: time.loops }),
    coreWaitNs: () => time.coreWait * 1e6,
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
    /** noCore: the loop is ready to run, and has no core. @param {number} ms */
    noCore: ms => {
      time.ms += ms
      time.coreWait += ms
    },
    /** otherTurn: the loop wakes up for something else. */
    otherTurn: () => {
      time.loops++
    },
    /** found: when the loop looked, there was something already. */
    found: () => {
      time.found++
    },
    event: () => turns.event(BigInt(time.ms * 1e6)).total / 1e6,
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

  it('waited for half of what the loop did between its sleep and looking again, which was no turn with events', () => {
    const loop = eventLoop()
    loop.event()
    loop.work(1)
    loop.endTurn()
    loop.sleep(20)
    // a timer
    loop.work(6)
    loop.found()
    assert.equal(loop.event(), 3)
  })

  it('waited for a third of what the loop waited for a core when it woke up for timers twice since', () => {
    const loop = eventLoop()
    loop.event()
    loop.endTurn()
    for (let timers = 0; timers < 2; timers += 1) {
      loop.sleep(20)
      loop.noCore(2)
      loop.otherTurn()
    }
    loop.sleep(20)
    loop.noCore(2)
    loop.otherTurn()
    assert.equal(loop.event(), 2)
  })

  it('waited for the core that the loop woke up on', () => {
    const loop = eventLoop()
    loop.event()
    loop.endTurn()
    loop.sleep(20)
    loop.noCore(2)
    assert.equal(loop.event(), 2)
    loop.work(1)
    assert.equal(loop.event(), 3)
    loop.noCore(4)
    assert.equal(loop.event(), 7)
  })

  it('waited for half of the time without a core when the loop was turning idly, after it had slept', () => {
    const loop = eventLoop()
    loop.event()
    loop.endTurn()
    loop.sleep(3)
    for (let turns = 0; turns < 100; turns++) {
      loop.work(0.125)
      loop.otherTurn()
      loop.turns.idle()
    }
    loop.noCore(8)
    loop.otherTurn()
    assert.equal(loop.event(), 4)
  })

  it('waited for half of what the loop did since it turned idly', () => {
    const loop = eventLoop()
    loop.sleep(3)
    loop.turns.idle()
    loop.work(1)
    loop.sleep(2)
    loop.found()
    assert.equal(loop.event(), 0.5)
  })

  it('cannot have waited for longer than since the loop looked', () => {
    const loop = eventLoop()
    loop.event()
    loop.work(8)
    loop.endTurn()
    const { total, most } = loop.turns.event(8_000_000n)
    assert.deepEqual([total, most], [4e6, 8e6])
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
      assert.ok(turns.event(process.hrtime.bigint()).total >= 0)
    })
    assert.ok(length > 0)
  })
})

describe('asking for how long the thread had no core', () => {
  it('is done once in 300 µs, however often it is wanted', () => {
    let asked = 0
    const turns = new Turns({ coreWaitNs: () => ++asked })
    for (let ns = 0; ns <= 3_000_000; ns += 10_000) turns.coreWaitNs(BigInt(ns))
    assert.equal(asked, 1 + 3_000_000 / 300_000)
  })
})
