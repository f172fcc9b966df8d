import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { boundedArrivals, constantArrivals } from '../../src/load/arrivals.js'
import { runOpenLoop } from '../../src/load/pacing.js'
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
    assert.deepEqual(
      sent.map(({ due, sent }) => [due, sent]),
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
    assert.deepEqual(
      sent.map(({ due, sent }) => [due, sent]),
      [
        [0, 35],
        [10, 35],
        [20, 35],
        [30, 35],
        [40, 40]
      ]
    )
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
      const dueMs = [...boundedArrivals(constantArrivals(500), { count: 5000 })].map(offset => offset / 1e6)
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
        assert.deepEqual(
          [...indices(sent), ...indices(dropped)].sort((a, b) => a - b),
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
      const { sent } = await loop({
        dueMs: [0, 10],
        signal: AbortSignal.abort(),
        operation: async () => {}
      })
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
