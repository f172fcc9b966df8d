import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { makeSubStream } from '../../src/kit/random.js'
import { limitArrivals, makeConstantArrivals } from '../../src/load/arrivals.js'
import { makeThinkTimes, Pacer, runClosedLoop, runOpenLoop } from '../../src/load/pacing.js'
import { LoopTurns } from '../../src/measure/client-overhead.js'
import { VirtualTime } from './virtual-time.js'

const START = 1_000_000_000n
const never = new AbortController().signal

/** A moment in ms after the start. @param {bigint} ns */
const ms = ns => Number(ns - START) / 1e6

/**
 * Runs a loop over a schedule in virtual time.
 *
 * @param {object} options
 * @param {Iterable<number>} options.dueMs
 * @param {(time: VirtualTime, index: number) => Promise<void>} options.operation
 * @param {number} [options.maxInFlight]
 * @param {AbortSignal} [options.signal]
 * @param {VirtualTime} [options.time]
 */
async function loop({ dueMs, operation, maxInFlight = 1000, signal = never, time = new VirtualTime() }) {
  time.nowNs ||= START
  /** @type {{ index: number, due: number, sent: number }[]} */
  const sent = []
  /** @type {{ index: number, due: number }[]} */
  const dropped = []
  await time.run(
    runOpenLoop({
      arrivals: (function* () {
        for (const at of dueMs) yield at * 1e6
      })(),
      startNs: START,
      maxInFlight,
      signal,
      pacer: { until: dueNs => time.until(dueNs) },
      clock: time.clock,
      perform: (dueNs, index) => {
        sent.push({ index, due: ms(dueNs), sent: ms(time.nowNs) })
        return operation(time, index)
      },
      drop: (dueNs, index) => dropped.push({ index, due: ms(dueNs) })
    })
  )
  return { sent, dropped, endedMs: ms(time.nowNs) }
}

const indices = (/** @type {{ index: number }[]} */ list) => list.map(({ index }) => index)

describe('the open loop', () => {
  it('sends each operation when it is due, whatever became of the ones before', async () => {
    const { sent, dropped } = await loop({ dueMs: [0, 10, 20, 30], operation: time => time.sleep(1000) })
    const rows = sent.map(({ due, sent }) => [due, sent])
    assert.deepEqual(
      rows,
      [0, 10, 20, 30].map(at => [at, at])
    )
    assert.deepEqual(dropped, [])
  })

  it('ends when the last operation has ended, not when it was sent', async () => {
    const { endedMs } = await loop({ dueMs: [0, 10], operation: time => time.sleep(500) })
    assert.equal(endedMs, 510)
  })

  it('waits for the first operation, even when it is due later', async () => {
    const { sent } = await loop({ dueMs: [250], operation: async () => {} })
    assert.deepEqual(sent, [{ index: 0, due: 250, sent: 250 }])
  })

  it('ends at once when nothing is due', async () => {
    assert.deepEqual((await loop({ dueMs: [], operation: async () => {} })).sent, [])
  })

  it('sends what is late at once, and counts it from when it was due', async () => {
    const time = new VirtualTime()
    time.nowNs = START + 35_000_000n
    const { sent } = await loop({ dueMs: [0, 10, 20, 30, 40], operation: async () => {}, time })
    const rows = sent.flatMap(({ due, sent }) => [due, sent])
    assert.deepEqual(rows, [0, 35, 10, 35, 20, 35, 30, 35, 40, 40])
  })

  it('gives replies a turn while it catches up', async () => {
    const time = new VirtualTime()
    time.nowNs = START + 10_000_000_000n
    let replies = 0
    /** @type {number[]} */
    const repliesWhenSent = []
    await loop({
      dueMs: Array.from({ length: 100 }, (_, i) => i),
      operation: async () => {
        repliesWhenSent.push(replies)
        await turn()
        replies++
      },
      time
    })
    assert.equal(repliesWhenSent.length, 100)
    assert.ok(repliesWhenSent[99] >= 64, `${repliesWhenSent[99]} replies were seen`)
  })

  describe('when the server stalls for 2 s of 10 s at 500/s', () => {
    /** The server replies after 1 ms, but not between 4 s and 6 s. @param {VirtualTime} time */
    const reply = time => {
      const sentMs = ms(time.nowNs)
      return time.sleep(sentMs > 3999 && sentMs < 6000 ? 6001 - sentMs : 1)
    }

    it('shows it in every operation that was due meanwhile', async () => {
      const times = /** @type {number[]} */ ([])
      const dueMs = [...limitArrivals(makeConstantArrivals(500), { count: 5000 })].map(offset => offset / 1e6)
      const { sent } = await loop({
        dueMs,
        maxInFlight: 100_000,
        operation: async (time, index) => {
          await reply(time)
          times.push(ms(time.nowNs) - dueMs[index])
        }
      })
      times.sort((a, b) => a - b)
      assert.equal(sent.length, 5000)
      assert.equal(times.filter(t => t > 1).length, 1000)
      assert.ok(times[4950 - 1] >= 1500, `p99 ${times[4950 - 1]}`)
    })
  })

  describe('with too much in flight', () => {
    it('drops what is due, and tells it', async () => {
      const { sent, dropped } = await loop({
        dueMs: [0, 10, 20, 30, 40, 50],
        maxInFlight: 2,
        operation: time => time.sleep(35)
      })
      assert.deepEqual(indices(sent), [0, 1, 4, 5])
      assert.deepEqual(dropped, [
        { index: 2, due: 20 },
        { index: 3, due: 30 }
      ])
    })

    for (const maxInFlight of [1, 5]) {
      it(`never has more than ${maxInFlight} under way, and loses count of none`, async () => {
        let inFlight = 0
        let most = 0
        const { sent, dropped } = await loop({
          dueMs: Array.from({ length: 200 }, (_, i) => i),
          maxInFlight,
          operation: async time => {
            most = Math.max(most, ++inFlight)
            await time.sleep(17)
            inFlight--
          }
        })
        assert.equal(most, maxInFlight)
        const found = [...indices(sent), ...indices(dropped)].sort((a, b) => a - b)
        assert.deepEqual(
          found,
          Array.from({ length: 200 }, (_, i) => i)
        )
      })
    }
  })

  describe('that is stopped', () => {
    it('begins no further operation, and waits for those under way', async () => {
      const stopping = new AbortController()
      const { sent, dropped, endedMs } = await loop({
        dueMs: [0, 10, 20, 30],
        signal: stopping.signal,
        operation: async (time, index) => {
          if (index === 1) stopping.abort()
          await time.sleep(100)
        }
      })
      assert.deepEqual(indices(sent), [0, 1])
      assert.deepEqual(dropped, [])
      assert.equal(endedMs, 110)
    })

    it('before it began sends nothing', async () => {
      const { sent } = await loop({ dueMs: [0, 10], signal: AbortSignal.abort(), operation: async () => {} })
      assert.deepEqual(sent, [])
    })

    it('while it catches up stops there', async () => {
      const time = new VirtualTime()
      time.nowNs = START + 1_000_000_000n
      const stopping = new AbortController()
      const { sent } = await loop({
        dueMs: Array.from({ length: 500 }, (_, i) => i),
        signal: stopping.signal,
        time,
        operation: async (_, index) => {
          if (index === 20) stopping.abort()
        }
      })
      assert.equal(sent.length, 21)
    })
  })
})

const neverClosedLoop = () => false

/**
 * @param {{ lanes: number, operations: number, stopped?: (time: VirtualTime, done: number) => boolean }} options
 * @param {(time: VirtualTime, index: number) => number} replyMs
 */
async function loopClosedLoop({ lanes, operations, stopped = neverClosedLoop }, replyMs) {
  const time = new VirtualTime()
  /** @type {number[]} */
  const times = []
  let begun = 0
  let inFlight = 0
  let most = 0
  await time.run(
    runClosedLoop({
      lanes,
      operations,
      stopped: () => stopped(time, times.length),
      perform: async () => {
        most = Math.max(most, ++inFlight)
        const before = time.nowNs
        await time.sleep(replyMs(time, begun++))
        times.push(Number(time.nowNs - before) / 1e6)
        inFlight--
      }
    })
  )
  return { times, begun, most, endedMs: Number(time.nowNs) / 1e6 }
}

describe('the closed loop', () => {
  for (const [lanes, operations, begun, most, endedMs] of [
    [1, 5, 5, 1, 50],
    [2, 5, 5, 2, 30],
    [5, 5, 5, 5, 10],
    [8, 5, 5, 5, 10],
    [3, 0, 0, 0, 0],
    [1, 1, 1, 1, 10]
  ]) {
    it(`does ${operations} operations over ${lanes} lanes, none more, none less`, async () => {
      const found = await loopClosedLoop({ lanes, operations }, () => 10)
      assert.deepEqual([found.begun, found.most, found.endedMs], [begun, most, endedMs])
      assert.equal(found.times.length, operations)
    })
  }

  it('sends the next operation of a lane when its last one ended, however long that of another takes', async () => {
    const { times, endedMs } = await loopClosedLoop({ lanes: 2, operations: 11 }, (_, index) =>
      index === 0 ? 100 : 10
    )
    assert.equal(times.filter(t => t === 10).length, 10)
    assert.equal(endedMs, 100)
  })

  it('begins no further operation once stopped, and waits for those under way', async () => {
    const found = await loopClosedLoop(
      { lanes: 2, operations: Number.POSITIVE_INFINITY, stopped: (_, done) => done >= 3 },
      (_, index) => (index === 0 ? 100 : 10)
    )
    assert.equal(found.begun, 4)
    assert.equal(found.times.length, 4)
    assert.equal(found.endedMs, 100)
  })

  it('does nothing when stopped before it began', async () => {
    assert.equal((await loopClosedLoop({ lanes: 4, operations: 9, stopped: () => true }, () => 1)).begun, 0)
  })

  it('cannot show a stall of the server: only one operation of each lane meets it', async () => {
    const nowMs = (/** @type {VirtualTime} */ time) => Number(time.nowNs) / 1e6
    const { times } = await loopClosedLoop(
      { lanes: 4, operations: Number.POSITIVE_INFINITY, stopped: time => nowMs(time) >= 10_000 },
      time => (nowMs(time) >= 4000 && nowMs(time) < 6000 ? 6001 - nowMs(time) : 2)
    )
    times.sort((a, b) => a - b)
    assert.ok(times.length > 10_000)
    assert.equal(times.filter(t => t > 2).length, 4)
    assert.equal(times[Math.ceil(0.999 * times.length) - 1], 2)
  })
})

/** A clock that goes on by `stepNs` with each look at it. @param {bigint} stepNs */
function steppingClock(stepNs) {
  const time = { nowNs: 0n, looks: 0 }
  const clock = () => {
    time.looks++
    time.nowNs += stepNs
    return time.nowNs
  }
  return { time, clock }
}

const idleTurns = () => new LoopTurns({ schedule: () => {} })

describe('the pacer', () => {
  for (const precise of [true, false]) {
    it(`does not wait for what is due already (${precise ? 'precise' : 'sleeping'})`, async () => {
      const { time, clock } = steppingClock(1000n)
      const pacer = new Pacer({ precise, turns: idleTurns(), clock })
      await pacer.until(500n)
      assert.equal(time.looks, 1)
      assert.equal(pacer.spunNs, 0)
    })

    it(`never comes back early (${precise ? 'precise' : 'sleeping'})`, async () => {
      const { time, clock } = steppingClock(300_000n)
      await new Pacer({ precise, turns: idleTurns(), clock }).until(4_000_000n)
      assert.ok(time.nowNs >= 4_000_000n)
    })

    it(`waits no longer once the signal is aborted (${precise ? 'precise' : 'sleeping'})`, async () => {
      const stopping = new AbortController()
      const pacer = new Pacer({ precise, turns: idleTurns(), clock: () => 0n })
      const waiting = [pacer.until(1_000_000n, stopping.signal), pacer.until(10n ** 15n, stopping.signal)]
      stopping.abort()
      await Promise.all(waiting)
    })
  }

  it('tells how long the loop turned for nothing but waiting', async () => {
    const { clock } = steppingClock(100_000n)
    const pacer = new Pacer({ precise: true, turns: idleTurns(), clock })
    await pacer.until(1_000_000n)
    // three looks at the clock for each turn, of which one step is the turn itself
    assert.ok(pacer.spunNs >= 200_000 && pacer.spunNs <= 1_000_000, `${pacer.spunNs}`)
  })

  it('does not count turns in which something arrived as waiting', async () => {
    const { clock } = steppingClock(100_000n)
    const turns = idleTurns()
    turns.event(0n)
    const pacer = new Pacer({ precise: true, turns, clock })
    await pacer.until(1_000_000n)
    assert.equal(pacer.spunNs, 0)
  })

  it('makes what arrives after an idle turn wait for nothing', async () => {
    /** @type {(() => void)[]} */
    const ends = []
    let now = 0n
    const turns = new LoopTurns({
      clock: () => now,
      schedule: end => ends.push(end),
      readLoop: () => ({ sleptMs: 0, waitingEvents: 0, turns: 0 }),
      coreWaitNs: () => 0
    })
    turns.event(0n)
    now = 8_000_000n
    ends[0]()
    const { clock } = steppingClock(400_000n)
    await new Pacer({ precise: true, turns, clock }).until(1_000_000n)
    assert.deepEqual(turns.event(8_000_000n), { total: 0, max: 0 })
  })
})

/**
 * A client that gets its replies after 10 ms.
 *
 * @param {{ min: number, max: number }} range
 * @param {{ operations: number, endMs?: number, random?: () => number, signal?: AbortSignal }} options
 */
async function client(
  range,
  { operations, endMs, random = makeSubStream(7, 'think'), signal = AbortSignal.any([]) }
) {
  const time = new VirtualTime()
  const endNs = endMs === undefined ? null : BigInt(endMs * 1e6)
  /** @type {number[]} ms */
  const sent = []
  await time.run(
    runClosedLoop({
      lanes: 1,
      operations,
      stopped: () => signal.aborted || (endNs !== null && time.nowNs >= endNs),
      think: makeThinkTimes(range, { random, endNs, signal, clock: time.clock, sleep: time.sleep }),
      perform: async () => {
        sent.push(Number(time.nowNs) / 1e6)
        await time.sleep(10)
      }
    })
  )
  return { sent, endedMs: Number(time.nowNs) / 1e6 }
}

describe('a client that thinks', () => {
  it('waits after each reply, and before its first operation for a part of that', async () => {
    const { sent } = await client({ min: 100, max: 100 }, { operations: 4, random: () => 0.25 })
    assert.deepEqual(sent, [25, 135, 245, 355])
  })

  it('does not think after its last operation', async () => {
    const { endedMs } = await client({ min: 100, max: 100 }, { operations: 2, random: () => 0 })
    assert.equal(endedMs, 0 + 10 + 100 + 10)
  })

  it('thinks for another time each time, within the range, the same with the same seed', async () => {
    const one = await client({ min: 50, max: 150 }, { operations: 300 })
    const gaps = one.sent.slice(1).map((at, i) => at - one.sent[i] - 10)
    assert.ok(gaps.every(gap => gap > 49.9 && gap < 150.1))
    assert.ok(Math.max(...gaps) > 140 && Math.min(...gaps) < 60)
    assert.deepEqual(await client({ min: 50, max: 150 }, { operations: 300 }), one)
  })

  it('thinks no longer than the round goes on, and then sends nothing', async () => {
    const { sent, endedMs } = await client(
      { min: 100, max: 100 },
      { operations: 99, endMs: 200, random: () => 0 }
    )
    assert.deepEqual(sent, [0, 110])
    assert.equal(endedMs, 200)
  })
})
