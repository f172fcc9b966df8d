import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { LoopTime } from '../../src/server/loop-time.js'

function loopTime() {
  const clock = { now: 0 }
  return { clock, shares: new LoopTime(200, () => clock.now) }
}

describe('what a group has of the event loop', () => {
  it('is counted with the promises behind what was begun, however many there are', async () => {
    const { clock, shares } = loopTime()
    const share = shares.of('10.0.0')
    for (let i = 0; i < 10; i++) {
      share.begin()
      for (let behind = 0; behind < 3; behind++) {
        await null
        clock.now++
      }
      await turn()
    }
    // counted from 3 on: 30 ms are what there is in 150, of which 50 may be had in advance
    clock.now = 102
    assert.ok(share.wait() instanceof Promise)
    assert.ok(shares.of('10.0.0').wait() instanceof Promise, 'whoever of the group asks')
    assert.equal(shares.of('10.0.1').wait(), undefined)
    clock.now = 103
    assert.equal(share.wait(), undefined)
  })

  it('ends where something begins for another', async () => {
    const { clock, shares } = loopTime()
    const [one, other] = ['10.0.0', '10.0.1'].map(group => shares.of(group))
    one.begin()
    for (let i = 0; i < 10; i++) {
      one.begin()
      other.begin()
      clock.now += 3
      await turn()
    }
    assert.equal(one.wait(), undefined)
    assert.ok(other.wait() instanceof Promise)
  })

  it("is not used up by a pause of the process, which is nobody's doing", async () => {
    const { clock, shares } = loopTime()
    const share = shares.of('10.0.0')
    share.begin()
    clock.now = 1000
    await turn()
    assert.equal(share.wait(), undefined)
  })

  it('is not used up by what only waits', async () => {
    const { clock, shares } = loopTime()
    const share = shares.of('10.0.0')
    share.begin()
    await turn()
    clock.now = 1000
    share.begin()
    await turn()
    assert.equal(share.wait(), undefined)
  })
})
