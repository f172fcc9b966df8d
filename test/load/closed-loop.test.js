import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runClosedLoop } from '../../src/load/pacing.js'
import { VirtualTime } from './virtual-time.js'

const never = () => false

/**
 * @param {{ lanes: number, operations: number, stopped?: (time: VirtualTime, done: number) => boolean }} options
 * @param {(time: VirtualTime, index: number) => number} replyMs
 */
async function loop({ lanes, operations, stopped = never }, replyMs) {
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
      const found = await loop({ lanes, operations }, () => 10)
      assert.deepEqual([found.begun, found.most, found.endedMs], [begun, most, endedMs])
      assert.equal(found.times.length, operations)
    })
  }

  it('sends the next operation of a lane when its last one ended, however long that of another takes', async () => {
    const { times, endedMs } = await loop({ lanes: 2, operations: 11 }, (_, index) =>
      index === 0 ? 100 : 10
    )
    assert.equal(times.filter(t => t === 10).length, 10)
    assert.equal(endedMs, 100)
  })

  it('begins no further operation once stopped, and waits for those under way', async () => {
    const found = await loop(
      { lanes: 2, operations: Number.POSITIVE_INFINITY, stopped: (_, done) => done >= 3 },
      (_, index) => (index === 0 ? 100 : 10)
    )
    assert.equal(found.begun, 4)
    assert.equal(found.times.length, 4)
    assert.equal(found.endedMs, 100)
  })

  it('does nothing when stopped before it began', async () => {
    assert.equal((await loop({ lanes: 4, operations: 9, stopped: () => true }, () => 1)).begun, 0)
  })

  it('cannot show a stall of the server: only one operation of each lane meets it', async () => {
    const nowMs = (/** @type {VirtualTime} */ time) => Number(time.nowNs) / 1e6
    const { times } = await loop(
      { lanes: 4, operations: Number.POSITIVE_INFINITY, stopped: time => nowMs(time) >= 10_000 },
      time => (nowMs(time) >= 4000 && nowMs(time) < 6000 ? 6001 - nowMs(time) : 2)
    )
    times.sort((a, b) => a - b)
    assert.ok(times.length > 10_000)
    assert.equal(times.filter(t => t > 2).length, 4)
    assert.equal(times[Math.ceil(0.999 * times.length) - 1], 2)
  })
})
