import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import {
  ByteAccount,
  LoopTimeLimiter,
  RequestScheduler,
  WaitQueue
} from '../../../src/server/admission/fair-share.js'

/** @param {string} group */
const callerOf = group => ({ group, address: `${group}.1`, peer: group })

/** Turns of a loop that the test turns, in which a hostile group has had more than a turn's time and wants more. */
function busyTurns() {
  const clock = { now: 0 }
  /** @type {Array<() => void>} */
  const next = []
  const turns = new RequestScheduler({ now: () => clock.now, nextTurn: go => next.push(go) })
  const hostile = callerOf('10.0.0')
  turns.take(hostile)
  clock.now += 5
  turns.done()
  // the first behind a long one waits for the next turn of the loop
  turns.take(hostile)
  next.shift()?.()
  clock.now += 5
  turns.done()
  const waits = turns.take(hostile)
  return { turns, waits, clock, next }
}

describe('a request behind a pause', () => {
  it('is served at once, also after others of its group', () => {
    /** @type {Array<() => void>} */
    const next = []
    const turns = new RequestScheduler({ now: () => 5 * next.length, nextTurn: go => next.push(go) })
    for (let i = 0; i < 100; i++) {
      assert.equal(turns.take(callerOf('10.0.0')), undefined)
      turns.done()
      next.at(-1)?.()
    }
  })
})

describe('a turn of the loop that took long', () => {
  it('lets a group that had nothing of it be served at once, and only once', () => {
    const { turns, waits } = busyTurns()
    assert.ok(waits instanceof Promise)
    const honest = callerOf('10.0.1')
    assert.equal(turns.take(honest), undefined)
    turns.done()
    assert.ok(turns.take(honest) instanceof Promise)
  })

  it('lets so many groups be served at once, however many come', () => {
    const { turns } = busyTurns()
    const served = Array.from({ length: 100 }, (_, i) => {
      const wait = turns.take(callerOf(`10.1.${i}`))
      turns.done()
      return wait === undefined
    })
    assert.ok(served[0])
    assert.ok(served.filter(Boolean).length <= 32)
  })
})

const CONNECTION = { addEventListener() {} }

/** Everything that passes is work, but what is `idle`. */
function loopTime() {
  const clock = { now: 0, idle: 0 }
  const time = new LoopTimeLimiter(200, { now: () => clock.now, cpuMs: () => clock.now - clock.idle })
  const of = (/** @type {string} */ group, /** @type {'requests' | 'connections'} */ what = 'requests') =>
    time.of(what, group, CONNECTION)
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
  async function taken({ clock, shares }, many = 1, seconds = 1) {
    const greedy = Array.from({ length: many }, () => shares.of('10.0.0'))
    let ms = 0
    for (const end = clock.now + seconds * 1000; clock.now < end; clock.now++) {
      for (const share of greedy) {
        if (share.wait() !== undefined) continue
        share.begin()
        clock.now++
        ms++
        await turn()
      }
    }
    return ms
  }

  it('is a whole one for who takes all it can get, however long, and however many of the group do', async () => {
    for (const many of [1, 3]) {
      const loop = loopTime()
      await taken(loop, many)
      const ms = await taken(loop, many, 4)
      assert.ok(Math.abs(ms - 4 * 200) <= 10, `${ms}`)
    }
  })

  it('is enough again for who was slow to start and then asks for less than it', async () => {
    const { clock, shares } = loopTime()
    const share = shares.of('10.0.0')
    // 40 a second, each 20 ms at first, then 4
    let waiting = 0
    let served = 0
    for (const end = 10_000; clock.now < end; clock.now++) {
      if (clock.now % 25 === 0) waiting++
      if (waiting === 0 || share.wait() !== undefined) continue
      for (let left = served < 40 ? 20 : 4; left > 0; left -= 4, clock.now += 4) {
        share.begin()
        await turn()
      }
      waiting--
      served++
    }
    assert.ok(waiting <= 1, `${waiting} still wait`)
  })

  it('is one for requests, and another for what is below them', async () => {
    const { clock, shares } = loopTime()
    const below = shares.of('10.0.0', 'connections')
    const requests = shares.of('10.0.0')
    for (let i = 0; i < 10; i++) {
      below.begin()
      clock.now += 3
      // begun by what arrived, and counted no longer for it
      requests.begin()
      await turn()
    }
    assert.ok(below.wait() instanceof Promise)
    assert.equal(requests.wait(), undefined)
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

/** @param {WaitQueue} waiting @param {string[]} names */
function asked(waiting, names) {
  /** @type {string[]} */
  const woken = []
  for (const name of names) waiting.add().then(() => woken.push(name))
  return woken
}

describe('those who wait', () => {
  it('are woken in the order they came, as many as are told', async () => {
    const waiting = new WaitQueue()
    const woken = asked(waiting, ['a', 'b', 'c'])
    waiting.wake(2)
    await turn()
    assert.deepEqual(woken, ['a', 'b'])
    waiting.wake()
    await turn()
    assert.deepEqual(woken, ['a', 'b', 'c'])
    assert.equal(waiting.size, 0)
  })

  it('wait no longer when they close', async () => {
    const waiting = new WaitQueue()
    const who = new EventTarget()
    const gone = waiting.add(who)
    const woken = asked(waiting, ['a'])
    who.dispatchEvent(new Event('close'))
    await gone
    assert.equal(waiting.size, 1)
    waiting.wake(1)
    await turn()
    assert.deepEqual(woken, ['a'])
  })
})

const KIB = 1024

describe('an account of all addresses that is full', () => {
  const all = new ByteAccount(1000 * KIB)
  const hostile = new ByteAccount(Infinity, all)
  hostile.add(1000 * KIB)

  it('has no room for who holds much, and does not drop what only just came', () => {
    assert.equal(hostile.canAccept(), false)
    assert.equal(hostile.bytes, 1000 * KIB)
  })

  it('has room for who holds little, but not without end', () => {
    const others = Array.from({ length: 20 }, () => new ByteAccount(Infinity, all))
    const letIn = others.filter(other => {
      const room = other.canAccept()
      if (room) other.add(60 * KIB)
      return room
    })
    assert.equal(letIn.length, 9)
    assert.equal(all.bytes, 1540 * KIB)
  })
})

describe('who waits because of a connection that is full', () => {
  it('is asked again when there is room, and not before', async t => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const connection = new ByteAccount(10, new ByteAccount(Infinity))
    const stuck = new ByteAccount(Infinity, connection)
    stuck.add(10)
    let asked = 0
    void new ByteAccount(Infinity, connection).waitForSpace()?.then(() => asked++)
    t.mock.timers.tick(60_000)
    await turn()
    assert.equal(asked, 0)
    stuck.remove(10)
    await turn()
    assert.equal(asked, 1)
  })
})
