import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { encodeDiscover, encodeFrame, LATE_TEXT } from '../../../src/protocol/rendezvous.js'
import { LoopTimeLimiter, RateLimiter, RateLimiters } from '../../../src/server/admission/fair-share.js'
import { MemoryStore } from '../../../src/server/store/memory-store.js'
import { until } from '../../until.js'
import { makePeer, startService } from '../harness.js'

describe('a rate', () => {
  it('lets so many at once, then so many a second, and forgets what was long ago', () => {
    const clock = { now: 0 }
    const rate = new RateLimiter(100, 50, () => clock.now)
    for (let i = 0; i < 5; i++) {
      assert.equal(rate.untilMs, 0)
      rate.take()
    }
    rate.take()
    assert.equal(rate.untilMs, 10)
    clock.now = 10
    assert.equal(rate.untilMs, 0)
    clock.now = 1e6
    rate.take(6)
    assert.equal(rate.untilMs, 10)
  })

  it('of Infinity never has anybody wait', () => {
    const rate = new RateLimiter(Infinity, 50, () => 0)
    rate.take(1e9)
    assert.equal(rate.untilMs, 0)
  })
})

describe('those who wait for a rate', () => {
  it('are woken a few at a time, and again only when the next may come', async t => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const clock = { now: 0 }
    const pass = async (/** @type {number} */ ms) => {
      clock.now += ms
      t.mock.timers.tick(ms)
      await turn()
    }
    const rate = new RateLimiter(1, 0, () => clock.now)
    rate.take()
    let [woken, served] = [0, 0]
    const asks = async () => {
      for (let wait = rate.wait(); wait !== undefined; wait = rate.wait()) {
        await wait
        woken++
      }
      rate.take()
      served++
    }
    const all = Array.from({ length: 250 }, asks)
    await pass(999)
    assert.deepEqual([woken, served], [0, 0])
    for (let i = 0; i < 10; i++) await pass(1000)
    assert.equal(served, 10)
    assert.ok(woken <= 10 * 16, `${woken} were woken`)
    for (let i = 0; i < 300 && served < 250; i++) await pass(1000)
    await Promise.all(all)
    assert.equal(served, 250)
  })
})

describe('rates by name', () => {
  const clock = { now: 0 }
  const fresh = () => new RateLimiters(() => new RateLimiter(10, 0, () => clock.now))

  it('are not made anew while there is a connection under the name, whatever other names come and go', () => {
    const rates = fresh()
    const connection = new EventTarget()
    const rate = rates.of('a', connection)
    for (let i = 0; i < 5000; i++) {
      const passing = new EventTarget()
      rates.of(`passing ${i}`, passing)
      passing.dispatchEvent(new Event('close'))
    }
    assert.equal(rates.of('a', new EventTarget()), rate)
    assert.ok(rates.size <= 1024, `${rates.size}`)
  })

  it('are kept behind the last connection until what was taken has come', () => {
    const rates = fresh()
    const rate = rates.of('a', { addEventListener: (_, close) => close() })
    rate.take(20)
    const pass = () => {
      for (let i = 0; i < 2000; i++) rates.of(`passing ${i}`, { addEventListener: (_, close) => close() })
    }
    pass()
    assert.equal(rates.of('a', { addEventListener: (_, close) => close() }), rate)
    clock.now += 2000
    pass()
    assert.notEqual(rates.of('a', new EventTarget()), rate)
  })
})

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')

const ASK = encodeFrame(encodeDiscover({}))
const [alice, bob] = await Promise.all([makePeer(), makePeer()])
const at = (/** @type {typeof alice} */ peer, /** @type {string} */ host) => ({
  ...peer,
  address: `/ip4/${host}/tcp/1`
})

/** @param {object} limits @param {string[]} [unlimitedFrom] */
async function serverWith(limits, unlimitedFrom = []) {
  const store = new MemoryStore()
  const peerId = alice.id.toMultihash().bytes
  for (let i = 0; i < 60; i++)
    await store.add({ peerId, ns: `ns${i}`, signedPeerRecord: new Uint8Array(1000), ttlSeconds: 7200 })
  return startService({ store, unlimitedFrom, ...limits })
}

describe('who asks faster than an address may', () => {
  for (const [what, limits, count, burst] of /** @type {const} */ ([
    ['requests', { maxAddressRequestsPerSecond: 4 }, 3, 1],
    // a quarter of a second each, and what comes in two may come at once
    ['bytes of requests', { maxGroupRequestBytesPerSecond: 4 * (ASK.length - 1) }, 6, 9],
    // a reply has 60 kB, and what comes in four seconds may come at once
    ['bytes of replies', { maxAddressReplyBytesPerSecond: 600_000 }, 22, 40]
  ])) {
    it(`by ${what}, is answered later, whatever peers it has, and others at once`, async () => {
      /** @type {string[]} */
      const late = []
      const server = await serverWith({
        ...limits,
        onLate: (/** @type {string} */ address) => late.push(address)
      })
      const flood = [alice, await makePeer()].map(peer => server.openFake(at(peer, '10.0.0.1')))
      const honest = server.openFake(at(bob, '10.0.1.1'))
      for (const stream of flood) stream.arrive(Buffer.concat(Array(count).fill(ASK)))
      honest.arrive(ASK)
      await until(() => honest.sentBytes > 0 && server.seen.operations.length > burst)
      for (let i = 0; i < 5; i++) await turn()
      assert.equal(server.seen.operations.length, burst + 1)
      await until(() => {
        server.clock.now += 50
        return server.seen.operations.length === 2 * count + 1
      })
      assert.ok(late.length <= 2 * count - burst, `${late.length}: each is told of once`)
      assert.ok(late.length > 0 && late.every(address => address === '10.0.0.1'), `${late}`)
      const replies = flood.map(stream => stream.replies())
      const lengths = replies.map(({ length }) => length)
      assert.deepEqual(lengths, [count, count])
      const saying = replies
        .flat()
        .filter(({ discoverResponse }) => discoverResponse?.statusText === LATE_TEXT)
      assert.equal(saying.length, late.length, 'each that waited says so')
      assert.equal(honest.replies()[0].discoverResponse?.statusText, undefined)
    })
  }

  it('by what its requests take of the event loop, with those of its neighbours, is answered later', async () => {
    const clock = { now: 0 }
    const store = Object.assign(new MemoryStore(), {
      page: async () => {
        clock.now += 4
        return { registrations: new Uint8Array(0), count: 0, cursor: 0 }
      }
    })
    // as many as 20 for a request, of which 50 may be had in advance
    const loopTime = new LoopTimeLimiter(200, { now: () => clock.now, cpuMs: () => clock.now })
    const server = await startService({ store, loopTime })
    const neighbours = [alice, await makePeer()].map((peer, i) =>
      server.openFake(at(peer, `10.0.0.${i + 1}`))
    )
    const honest = server.openFake(at(bob, '10.0.1.1'))
    for (const stream of neighbours) stream.arrive(Buffer.concat(Array(3).fill(ASK)))
    honest.arrive(ASK)
    await until(() => honest.sentBytes > 0)
    for (let i = 0; i < 5; i++) await turn()
    assert.ok(server.seen.operations.length <= 6, 'of the neighbours not all')
    await until(() => {
      clock.now += 20
      return server.seen.operations.length === 7
    })
  })

  it('is forgotten with what it asked when its stream ends, however long others wait', async () => {
    const server = await serverWith({ maxAddressRequestsPerSecond: 1 })
    const peer = at(alice, '10.0.0.1')
    const waiting = server.openFake(peer)
    waiting.arrive(Buffer.concat([ASK, ASK]))
    await until(() => waiting.sentBytes > 0)
    const ended = () => {
      const stream = server.openFake(peer)
      stream.arrive(ASK)
      setImmediate(() => stream.abort(new Error('gone')))
      return new WeakRef(stream)
    }
    const all = Array.from({ length: 100 }, ended)
    const isLeft = (/** @type {WeakRef<object>} */ stream) => stream.deref() !== undefined
    await until(
      () => {
        collect()
        return !all.some(isLeft)
      },
      { mostMs: 20_000 }
    )
    assert.equal(server.seen.operations.length, 1)
  })

  it('does not wait where the limits of its address are lifted', async () => {
    const limits = {
      ...{ maxAddressRequestsPerSecond: 1, maxAddressReplyBytesPerSecond: 1 },
      maxGroupLoopMsPerSecond: 1
    }
    const server = await serverWith(limits, ['/ip4/10.0.0.0/ipcidr/24'])
    const stream = server.openFake(at(alice, '10.0.0.1'))
    stream.arrive(Buffer.concat(Array(100).fill(ASK)))
    await until(() => stream.sentBytes > 60_000 * 99)
  })
})
