import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { encodeDiscover, encodeFrame, encodeRegister, Status } from '../../src/protocol/rendezvous.js'
import { until } from '../until.js'
import { makePeer, startService } from './harness.js'
import { shortTurns } from './turn-watch.js'

/** @typedef {Awaited<ReturnType<typeof startService>>} Server */

const hex = (/** @type {string} */ text) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const alice = await makePeer()
const bob = await makePeer()
const TTL = 7200

const EMPTY = Uint8Array.of(0)
const ANY_DISCOVER = Uint8Array.of(2, 8, 3)

/** @param {Uint8Array} frame @param {number} count */
const many = (frame, count) => Buffer.concat(Array(count).fill(frame))

/** @param {Server} server @param {number} count */
const served = (server, count) => until(() => server.seen.operations.length === count, { everyMs: 1 })

describe('many requests in one piece', () => {
  /** @type {Array<[name: string, frame: Uint8Array, count: number, type: string]>} */
  const floods = [
    ['30,000 empty ones', EMPTY, 30_000, 'REGISTER'],
    ['10,000 DISCOVERs of 3 bytes', ANY_DISCOVER, 10_000, 'DISCOVER']
  ]
  for (const [name, frame, count, type] of floods) {
    it(`${name} are all served, and let others come between`, async t => {
      const bytes = many(frame, count)
      // of a type that nobody else sends, so that the order can be seen
      const ask = encodeFrame(type === 'REGISTER' ? encodeDiscover({}) : encodeRegister({}))
      const longest = await shortTurns(t, 50, async () => {
        const server = await startService()
        const flood = server.openFake(alice)
        const honest = server.openFake(bob)
        await turn()
        flood.arrive(bytes)
        assert.ok(server.seen.operations.length <= 64)
        honest.arrive(many(ask, 20))
        for (let asked = 0; asked < 10; asked++) {
          await turn()
          honest.arrive(ask)
        }
        await served(server, count + 30)
        const gaps = gapsBetween(server.seen.operations.map(([operation]) => operation !== type))
        assert.equal(gaps.length, 29)
        assert.ok(Math.max(...gaps) <= 64, `${gaps}`)
        assert.equal(flood.replies().length, count)
      })
      assert.ok(Math.min(...longest) <= 50, `longest turns of the event loop: ${longest} ms`)
    })
  }

  it('on many streams of many peers of one address keep nobody else waiting', async () => {
    const server = await startService()
    const crowd = await Promise.all(Array.from({ length: 40 }, makePeer))
    const floods = crowd.map(peer => server.openFake(Object.assign(peer, { address: '/ip4/10.0.0.1/tcp/1' })))
    const honest = server.openFake(bob)
    for (const stream of floods) stream.arrive(many(EMPTY, 100))
    honest.arrive(many(encodeFrame(encodeDiscover({})), 20))
    await served(server, 40 * 100 + 20)
    const gaps = gapsBetween(server.seen.operations.map(([operation]) => operation === 'DISCOVER'))
    assert.ok(Math.max(...gaps) <= 1, `${gaps}: requests of another address come in turn`)
  })

  it('of many neighbouring addresses keep nobody else waiting, and count as neighbours in IPv6 as well', async () => {
    for (const address of [
      (/** @type {number} */ i) => `/ip4/10.0.0.${i + 1}/tcp/1`,
      (/** @type {number} */ i) => `/ip6/2001:db8:1:${i + 1}::1/tcp/1`
    ]) {
      const server = await startService()
      const crowd = await Promise.all(Array.from({ length: 25 }, makePeer))
      const floods = crowd.map((peer, i) => server.openFake(Object.assign(peer, { address: address(i) })))
      const honest = server.openFake(Object.assign(bob, { address: '/ip4/192.0.2.1/tcp/1' }))
      for (const stream of floods) stream.arrive(many(EMPTY, 100))
      honest.arrive(many(encodeFrame(encodeDiscover({})), 20))
      await served(server, 25 * 100 + 20)
      const gaps = gapsBetween(server.seen.operations.map(([operation]) => operation === 'DISCOVER'))
      assert.ok(Math.max(...gaps) <= 1, `${gaps}`)
    }
  })

  it('are held up to a number of bytes', async () => {
    const limits = {
      maxConnectionWaitingBytes: 1 << 20,
      maxAddressWaitingBytes: 2 << 20,
      maxWaitingBytes: 3 << 20
    }
    const server = await startService(limits)
    const peers = ['10.0.0.1', '10.0.0.1', '10.0.0.1', '10.0.0.2', '10.0.0.3'].map(host => ({
      ...alice,
      address: `/ip4/${host}/tcp/1`
    }))
    const streams = peers.flatMap(peer => Array.from({ length: 20 }, () => server.openFake(peer)))
    let most = 0
    for (let i = 0; i < 10; i++) {
      for (const stream of streams) {
        stream.arrive(many(ANY_DISCOVER, 8000))
        most = Math.max(most, server.service.waitingBytes)
      }
    }
    assert.ok(most < 3.5 * 2 ** 20, `${most} bytes`)
    assert.ok(server.seen.refused.length >= 60)
    assert.ok(server.seen.refused.every(error => /** @type {any} */ (error).code === 'ERR_TOO_MUCH_WAITING'))
    const other = await server.open(bob)
    assert.ok(await other.ask(encodeDiscover({})))
    await server.service.stop()
    assert.equal(server.service.waitingBytes, 0)
  })

  it('of which the end never comes are held up to a number of bytes, and count no longer when it comes', async () => {
    const limits = { maxConnectionWaitingBytes: 1 << 20, maxAddressWaitingBytes: 2 << 20 }
    const server = await startService(limits)
    const peers = [1, 2, 3].map(() => ({ ...alice, address: '/ip4/10.0.0.1/tcp/1' }))
    const frame = encodeFrame(
      encodeRegister({ ns: 'ns', signedPeerRecord: new Uint8Array(16_000), ttl: TTL })
    )
    const streams = peers.flatMap(peer => Array.from({ length: 100 }, () => server.openFake(peer)))
    for (const stream of streams) {
      stream.arrive(frame.subarray(0, 9000))
      stream.arrive(frame.subarray(9000, -1))
    }
    const { waitingBytes } = server.service
    assert.ok(waitingBytes > 1.9 * 2 ** 20 && waitingBytes < 2.1 * 2 ** 20, `${waitingBytes} bytes`)
    const left = streams.filter(({ status }) => status === 'open')
    assert.equal(server.seen.refused.length, 300 - left.length)
    for (const stream of left) stream.arrive(frame.subarray(-1))
    await served(server, left.length)
    await until(() => server.service.waitingBytes === 0)
    assert.ok(left.every(stream => stream.status === 'open' && stream.replies().length === 1))
    streams.at(0)?.arrive(frame.subarray(0, 9000))
    assert.ok(server.service.waitingBytes >= 9000 - 3)
    streams.at(0)?.abort(new Error('gone'))
    assert.equal(server.service.waitingBytes, 0)
  })

  it('of a client that sends more than is read at once are served all the same', async () => {
    const server = await startService()
    const stream = server.openFake(alice)
    for (let i = 0; i < 20; i++) stream.arrive(many(ANY_DISCOVER, 1000))
    assert.equal(stream.readStatus, 'paused')
    stream.end()
    await served(server, 20_000)
    await turn()
    assert.equal(stream.replies().length, 20_000)
    assert.equal(stream.status, 'closed')
    assert.equal(server.service.waitingBytes, 0)
  })
})

/** @param {boolean[]} marks @returns {number[]} how many are not marked between each two that are */
function gapsBetween(marks) {
  const at = marks.flatMap((marked, index) => (marked ? [index] : []))
  return at.slice(1).map((index, i) => index - at[i] - 1)
}

describe('a good request with a bad one behind it', () => {
  const good = encodeFrame(encodeRegister({ ns: 'ns', signedPeerRecord: alice.record, ttl: TTL }))
  /** At every byte near the ends and where one follows the other, and now and then within a record. @param {number} length */
  const cutsOf = length =>
    Array.from({ length }, (_, i) => i + 1).filter(
      cut => cut <= 12 || cut >= good.length - 6 || cut % 20 === 0
    )
  /** @type {Array<[string, Uint8Array]>} */
  const cases = [
    ['too large', Uint8Array.of(0xff, 0xff, 0x7f)],
    ['noise', Uint8Array.of(4, 0xff, 0xff, 0xff, 0xff)],
    ['no request', Uint8Array.of(2, 8, 1)]
  ]
  for (const [name, bad] of cases) {
    it(`is served and answered, however the bytes are cut: ${name}`, async () => {
      const bytes = Buffer.concat([good, bad])
      for (const cut of cutsOf(bytes.length)) {
        const server = await startService()
        const stream = server.openFake(alice)
        stream.arrive(bytes.subarray(0, cut))
        await turn()
        stream.arrive(bytes.subarray(cut))
        await until(() => stream.status !== 'open', { everyMs: 0 })
        const [reply, ...more] = stream.replies()
        assert.equal(reply?.registerResponse?.status, Status.OK, `cut at ${cut}`)
        assert.deepEqual(more, [])
        assert.equal(server.seen.refused.length, 1)
      }
    })
  }
})

describe('numbers that are valid in protobuf', () => {
  for (const [name, varint] of [
    ['2^53', '8080808080808010'],
    ['2^63', '80808080808080808001'],
    ['2^64 - 1', 'ffffffffffffffffff01']
  ]) {
    it(`a ttl of ${name} is refused with 102, a limit of it gives the largest page, and the stream goes on`, async () => {
      const server = await startService({ maxDiscoverLimit: 1 })
      const client = await server.open(alice)
      for (const ns of ['a', 'b']) {
        await client.ask(encodeRegister({ ns, signedPeerRecord: alice.record, ttl: TTL }))
      }
      const ttl = hex(`18 ${varint}`)
      const refused = await client.ask(
        Buffer.concat([hex('0800 12'), Uint8Array.of(3 + ttl.length), hex('0a01 61'), ttl])
      )
      assert.equal(refused?.registerResponse?.status, Status.E_INVALID_TTL)
      const limit = hex(`10 ${varint}`)
      const found = await client.ask(Buffer.concat([hex('0803 2a'), Uint8Array.of(limit.length), limit]))
      assert.equal(found?.discoverResponse?.registrations.length, 1)
      assert.deepEqual(server.seen.refused, [])
    })
  }
})
