import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { LoopTime } from '../../src/server/loop-time.js'

const CONNECTION = { addEventListener() {} }

/** Everything that passes is work, but what is `idle`. */
function loopTime() {
  const clock = { now: 0, idle: 0 }
  const time = new LoopTime(200, { now: () => clock.now, cpuMs: () => clock.now - clock.idle })
  const of = (/** @type {string} */ group, address = `${group}.1`) => time.of({ group, address }, CONNECTION)
  return { clock, shares: { of } }
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
    assert.ok(shares.of('10.0.0', '10.0.0.2').wait() instanceof Promise, 'whoever of the group asks')
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

  it('is not used up by waiting for a core', async () => {
    const { clock, shares } = loopTime()
    const share = shares.of('10.0.0')
    for (let i = 0; i < 20; i++) {
      share.begin()
      clock.now += 3
      clock.idle += 3
      await turn()
    }
    assert.equal(share.wait(), undefined)
  })

  /** What each gets that takes all it can. @param {ReturnType<typeof loopTime>} loop @param {number} seconds */
  async function taken({ clock, shares }, addresses = ['10.0.0.1'], seconds = 1) {
    const greedy = addresses.map(address => shares.of('10.0.0', address))
    const ms = addresses.map(() => 0)
    for (const end = clock.now + seconds * 1000; clock.now < end; clock.now++) {
      for (const [i, share] of greedy.entries()) {
        if (share.wait() !== undefined) continue
        share.begin()
        clock.now++
        ms[i]++
        await turn()
      }
    }
    return ms
  }

  it('is less and less for an address that takes all it can get, and for its neighbours what it was', async () => {
    const loop = loopTime()
    await taken(loop)
    // 200 / 16, and what may be had in advance
    assert.ok((await taken(loop, ['10.0.0.1'], 4))[0] <= 4 * 12.5 + 1)
    const [greedy, neighbour] = await taken(loop, ['10.0.0.1', '10.0.0.2'], 0.1)
    assert.ok(neighbour >= 15 && greedy <= 3, `${neighbour} and ${greedy}`)
    loop.clock.now += 25_000
    const [again] = await taken(loop, ['10.0.0.1'], 0.1)
    assert.ok(again >= 15, `${again}`)
  })

  it('is a quarter for a group of many such addresses', async () => {
    const loop = loopTime()
    const addresses = Array.from({ length: 20 }, (_, i) => `10.0.0.${i}`)
    await taken(loop, addresses, 2)
    const ms = (await taken(loop, addresses, 4)).reduce((sum, each) => sum + each, 0)
    assert.ok(ms <= (4 * 200) / 4 + 20, `${ms}`)
    const other = loop.shares.of('10.0.1')
    other.begin()
    loop.clock.now++
    await turn()
    assert.equal(other.wait(), undefined)
  })

  it('is less for who has to wait for other reasons again and again', async () => {
    const { clock, shares } = loopTime()
    const [late, other] = ['10.0.0', '10.0.1'].map(group => shares.of(group))
    for (let i = 0; i < 100; i++, clock.now += 10) late.late(10)
    for (const share of [late, other]) {
      share.begin()
      clock.now += 1
      await turn()
    }
    assert.ok(late.wait() instanceof Promise, '16 ms are more than 10')
    assert.equal(other.wait(), undefined)
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
