import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { subStream } from '../../src/kit/random.js'
import { runClosedLoop, thinkTimes } from '../../src/load/pacing.js'
import { VirtualTime } from './virtual-time.js'

/**
 * A client that gets its replies after 10 ms.
 *
 * @param {{ min: number, max: number }} range
 * @param {{ operations: number, endMs?: number, random?: () => number, signal?: AbortSignal }} options
 */
async function client(
  range,
  { operations, endMs, random = subStream(7, 'think'), signal = AbortSignal.any([]) }
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
      think: thinkTimes(range, { random, endNs, signal, clock: time.clock, sleep: time.sleep }),
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
