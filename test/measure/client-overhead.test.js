import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeSubStream } from '../../src/kit/random.js'
import {
  decodeOverheads,
  encodeOverheads,
  isEncodedOverheads,
  LoopTurns,
  mergeOverheads,
  Overheads,
  WireTimer
} from '../../src/measure/client-overhead.js'
import { summarize } from '../../src/measure/histogram.js'
import { histogramOf, range, SHAPES } from './samples.js'

/** @typedef {[us: number, overheadUs: number]} Operation */

/** @param {readonly Operation[]} operations */
function overheadsOf(operations) {
  const overheads = new Overheads()
  for (const [us, overheadUs] of operations) overheads.record(us, overheadUs)
  return overheads
}

/** What is held, whatever order it was counted in. @param {Overheads} overheads */
function held(overheads) {
  const { values, counts, ...totals } = overheads.toData()
  return { ...totals, cells: Array.from(values, (value, i) => [value, counts[i]]).sort(([a], [b]) => a - b) }
}

const random = makeSubStream(7, 'overheads')

/** Of each, some part is overhead. @param {number} count @returns {Operation[]} */
const someOperations = count =>
  range(1, count).map(() => {
    const us = SHAPES['heavy-tailed'](random)
    return [us, us * random()]
  })

/** @param {number} found @param {number} expected @param {number} share */
const assertWithin = (found, expected, share) =>
  assert.ok(Math.abs(found - expected) <= share * expected, `${found}, expected ${expected}`)

describe('the client overhead of operations that took about as long', () => {
  it('is known to 6 %, however long or short it is', () => {
    for (let us = 1; us < 2 ** 31; us = Math.ceil(us * 1.37))
      for (const share of [1, 0.5, 0.013]) {
        const overheadUs = Math.round(us * share)
        const found = Number(overheadsOf(Array(10).fill([us, overheadUs])).near(us))
        assertWithin(found, overheadUs, 0.06)
      }
  })

  it('is of operations whose time is told apart to 3 %', () => {
    for (let us = 100; us < 2 ** 30; us = Math.ceil(us * 1.7)) {
      const near = Array(10).fill([us, us / 2])
      // 5 %, and what buckets are wide
      const beyond = Array(1000).fill([us * 1.081, 0])
      assertWithin(Number(overheadsOf([...near, ...beyond]).near(us)), us / 2, 0.06)
      const within = Array(1000).fill([us * 1.019, 0])
      assert.equal(overheadsOf([...near, ...within]).near(us), 0)
    }
  })

  it('is their median', () => {
    const overheads = overheadsOf(range(1, 99).map(i => [10_000, 10 * i]))
    assertWithin(Number(overheads.near(10_000)), 500, 0.06)
  })

  it('is that of the ten nearest where fewer are within 5 %', () => {
    /** @type {Operation[]} */
    const near = Array(9).fill([10_000, 100])
    const further = /** @type {Operation[]} */ (Array(20).fill([20_000, 8000]))
    const far = /** @type {Operation[]} */ (Array(500).fill([90_000, 90_000]))
    assertWithin(Number(overheadsOf([...near, ...further, ...far]).near(10_000)), 8000, 0.06)
    assertWithin(Number(overheadsOf([...near, [10_000, 100], ...further, ...far]).near(10_000)), 100, 0.06)
    assertWithin(Number(overheadsOf(near).near(10_000)), 100, 0.06)
    assertWithin(Number(overheadsOf(near).near(1e7)), 100, 0.06)
  })

  it('is never a difference of percentiles: where short operations waited and long ones did not, that at p99 is none', () => {
    /** @type {Operation[]} */
    const operations = [...Array(9800).fill([1000, 990]), ...Array(200).fill([50_000, 0])]
    const overheads = overheadsOf(operations)
    const { p50, p99 } = summarize(histogramOf(operations.map(([us]) => us)), { overheads })
    assertWithin(Number(p50?.overheadMs), 0.99, 0.06)
    assert.equal(p99?.overheadMs, 0)
    // and the other way round
    const late = overheadsOf(operations.map(([us]) => [us, us === 1000 ? 0 : 49_000]))
    const other = summarize(histogramOf(operations.map(([us]) => us)), { overheads: late })
    assert.equal(other.p50?.overheadMs, 0)
    assertWithin(Number(other.p99?.overheadMs), 49, 0.06)
  })

  it('is never more than they took', () =>
    assert.ok(Number(overheadsOf(Array(20).fill([1001, 1001])).near(1001)) <= 1001))

  it('is not known of no operations', () => assert.equal(new Overheads().near(1000), null))

  it('is at least 0, and at most what has room', () => {
    const overheads = overheadsOf([
      [-5, -7],
      [1e12, 1e12]
    ])
    assert.equal(overheads.count, 2)
    assert.deepEqual(held(overheads), held(decodeOverheads(encodeOverheads(overheads))))
    assert.equal(overheads.near(0), 0)
  })
})

describe('overheads of several workers, or runs', () => {
  const [a, b, c] = [300, 1, 2000].map(count => overheadsOf(someOperations(count)))

  it('are, together, exactly those of all operations, in whatever order they are merged', () => {
    const operations = someOperations(3000)
    const parts = [0, 1, 2].map(part => overheadsOf(operations.filter((_, i) => i % 3 === part)))
    assert.deepEqual(held(mergeOverheads(parts)), held(overheadsOf(operations)))
    assert.deepEqual(held(mergeOverheads([a, b, c])), held(mergeOverheads([c, a, b])))
    assert.deepEqual(
      held(mergeOverheads([mergeOverheads([a, b]), c])),
      held(mergeOverheads([a, mergeOverheads([b, c])]))
    )
    assert.deepEqual(held(mergeOverheads([a, new Overheads()])), held(a))
    assert.equal(mergeOverheads([]).count, 0)
  })

  it('leave each as it was', () => {
    const before = held(a)
    mergeOverheads([a, b]).record(5, 5)
    assert.deepEqual(held(a), before)
  })

  it('count operations alike at once, as one by one', () => {
    const once = new Overheads()
    once.record(5000, 70, 30)
    assert.deepEqual(held(once), held(overheadsOf(Array(30).fill([5000, 70]))))
  })
})

describe('overheads of operations of any time', () => {
  it('have a histogram, with their exact sum and maximum', () => {
    const operations = someOperations(2000)
    const { count, sum, max, ...histogram } = overheadsOf(operations).histogram()
    const rounded = operations.map(([, us]) => Math.round(us))
    assert.deepEqual([count, max], [2000, Math.max(...rounded)])
    assert.equal(
      sum,
      rounded.reduce((all, us) => all + us, 0)
    )
    assert.ok(histogram)
    const exact = rounded.sort((a, b) => a - b)[999]
    assertWithin(overheadsOf(operations).histogram().quantile(0.5), exact, 0.07)
  })
})

describe('overheads in a result', () => {
  it('are read as they were written', () => {
    for (const count of [0, 1, 5000]) {
      const overheads = overheadsOf(someOperations(count))
      assert.deepEqual(held(decodeOverheads(encodeOverheads(overheads))), held(overheads))
      assert.ok(isEncodedOverheads(encodeOverheads(overheads)))
    }
  })

  it('take tens of kB at most, however many operations there were', () => {
    const encoded = encodeOverheads(overheadsOf(someOperations(100_000)))
    assert.ok(encoded.length < 40_000, `${encoded.length} bytes`)
  })

  const whole = Buffer.from(encodeOverheads(overheadsOf(someOperations(50))), 'base64')
  for (const [what, text] of /** @type {const} */ ([
    ['nothing', ''],
    ['a word', 'garbage'],
    ['something that is cut off', whole.subarray(0, -1).toString('base64')],
    ['something that has more to it', Buffer.concat([whole, Buffer.of(1)]).toString('base64')],
    ['counts of others', Buffer.concat([Buffer.of(whole[0] ^ 1), whole.subarray(1)]).toString('base64')]
  ]))
    it(`are not ${what}`, () => {
      assert.throws(() => decodeOverheads(text), RangeError)
      assert.equal(isEncodedOverheads(text), false)
    })
})

/** An event loop whose turns a test makes; times in ms. */
function eventLoop() {
  const time = { ms: 0, idle: 0, found: 0, loops: 0, coreWait: 0 }
  /** @type {(() => void)[]} */
  let ends = []
  /** @type {number[]} */
  const lengths = []
  const turns = new LoopTurns({
    clock: () => BigInt(time.ms * 1e6),
    schedule: end => ends.push(end),
    readLoop: () => ({ sleptMs: time.idle, waitingEvents: time.found, turns: time.loops }),
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
    const { total, max } = loop.turns.event(8_000_000n)
    assert.deepEqual([total, max], [4e6, 8e6])
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
      const turns = new LoopTurns({ onTurn: resolve })
      assert.ok(turns.event(process.hrtime.bigint()).total >= 0)
    })
    assert.ok(length > 0)
  })
})

describe('asking for how long the thread had no core', () => {
  it('is done once in 300 µs, however often it is wanted', () => {
    let asked = 0
    const turns = new LoopTurns({ coreWaitNs: () => ++asked })
    for (let ns = 0; ns <= 3_000_000; ns += 10_000) turns.coreWaitNs(BigInt(ns))
    assert.equal(asked, 1 + 3_000_000 / 300_000)
  })
})

/** A client whose bytes a test sends and receives; times in ms. */
function client({ waited = 0, sure = true } = {}) {
  const time = { ms: 0, coreWaitMs: 0 }
  const clock = () => BigInt(time.ms * 1e6)
  const turns = /** @type {import('../../src/measure/client-overhead.js').LoopTurns} */ (
    /** @type {unknown} */ ({
      event: () => ({ total: waited * 1e6, max: (sure ? waited : 2 * waited) * 1e6 }),
      coreWaitNs: () => time.coreWaitMs * 1e6
    })
  )
  const wire = new WireTimer(turns, clock)
  return {
    wire,
    /** answered is an operation before, whose answer came so soon. @param {number} ms */
    answered: ms => {
      const stage = wire.begin(clock())
      wire.wrote(0)
      time.ms += ms
      wire.read()
      wire.end(stage, clock())
    },
    /** @param {number} ms */
    after: ms => {
      time.ms += ms
      return wire
    },
    begin: () => wire.begin(clock()),
    /** @param {import('../../src/measure/client-overhead.js').WireStage} stage */
    end: stage => wire.end(stage, clock()) / 1e6,
    /** noCore: the thread waits for a core. @param {number} ms */
    noCore: ms => {
      time.ms += ms
      time.coreWaitMs += ms
    }
  }
}

describe('to an operation a client adds', () => {
  it('what it does before its bytes are handed to the system, and after they have come', () => {
    const one = client()
    const stage = one.begin()
    one.after(2).wrote(0)
    one.after(50).read()
    one.after(3)
    assert.equal(one.end(stage), 5)
  })

  it('no more of a send than twice the fastest took: the server had its core for the rest', () => {
    const one = client()
    one.after(1).wrote(1e6)
    const stage = one.begin()
    one.after(10).wrote(9e6)
    one.after(1).read()
    assert.equal(one.end(stage), 3, '1 ms before the send, and 2 ms of it')
  })

  it('what bytes that nobody asked for had waited when they are understood', () => {
    const one = client({ waited: 7 })
    assert.equal(one.wire.heard(0n), 0)
    one.after(50).read()
    one.after(2)
    one.noCore(1)
    assert.equal(one.wire.heard(53_000_000n), 8e6, '7 ms before they were read, and 1 ms for a core since')
  })

  it('what the bytes of the reply had waited for its event loop, and for a core', () => {
    const one = client({ waited: 7 })
    one.answered(20)
    const stage = one.begin()
    one.wire.wrote(0)
    one.after(50).read()
    assert.equal(one.end(stage), 7)
  })

  it('no more than the reply can have waited: none came sooner after it was asked for than the fastest', () => {
    const one = client({ waited: 70 })
    one.answered(4)
    const stage = one.begin()
    one.after(2).wrote(0)
    one.after(10).read()
    assert.equal(one.end(stage), 8)
  })

  it('half of the time in which the reply can have come, where that is all that is known', () => {
    const one = client({ waited: 15, sure: false })
    one.answered(4)
    const [soon, late] = [one.begin(), one.begin()]
    one.wire.wrote(0)
    one.after(10).read()
    assert.equal(one.end(soon), 3, 'it came within the last 6 ms')
    one.after(30).read()
    assert.equal(one.end(late), 15, 'it came within the last 30 ms')
  })

  it('nothing by bytes that were written later, as those of a window that is opened', () => {
    const one = client()
    const stage = one.begin()
    one.after(1).wrote(0)
    one.after(20).read()
    one.after(0).wrote(0)
    one.after(20).read()
    assert.equal(one.end(stage), 1)
  })

  it('as much to each of several that are under way', () => {
    const one = client()
    const [first, second] = [one.begin(), one.begin()]
    one.after(1).wrote(0)
    one.after(20).read()
    assert.deepEqual([one.end(first), one.end(second)], [1, 1])
  })

  it('what its event loop says, where its stack tells nothing of bytes', () => {
    const one = client({ waited: 7 })
    const stage = one.begin()
    one.after(50)
    assert.equal(one.end(stage), 7)
  })
})
