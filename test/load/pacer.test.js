import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Pacer } from '../../src/load/pacing.js'
import { Turns } from '../../src/measure/client-overhead.js'

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

const idleTurns = () => new Turns({ schedule: () => {} })

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
    const turns = new Turns({
      clock: () => now,
      schedule: end => ends.push(end),
      readLoop: () => ({ sleptMs: 0, foundWaiting: 0, turns: 0 }),
      coreWaitNs: () => 0
    })
    turns.event(0n)
    now = 8_000_000n
    ends[0]()
    const { clock } = steppingClock(400_000n)
    await new Pacer({ precise: true, turns, clock }).until(1_000_000n)
    assert.deepEqual(turns.event(8_000_000n), { total: 0, most: 0 })
  })
})
