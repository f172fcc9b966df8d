import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { tcp } from '@libp2p/tcp'
import { multiaddr } from '@multiformats/multiaddr'
import { DelayedConnection } from '../../../src/libp2p/generation-3/line-connection.js'
import { lineTransport } from '../../../src/libp2p/layers/transports.js'
import { makeSilentLogger } from '../../../src/libp2p/node-components.js'

/** @typedef {import('@libp2p/interface').MultiaddrConnection} MultiaddrConnection */

const LATENCY_MS = 30
/** So long that a busy machine is not taken for the end of it. */
const LONG_MS = 400
const A_WHILE_MS = 50

/** @type {(() => unknown)[]} */
const cleanUps = []
afterEach(() => Promise.all(cleanUps.splice(0).map(cleanUp => cleanUp())))

/** @param {import('../../../src/libp2p/layers/transports.js').LineEnds} ends */
const linedTcp = ends =>
  lineTransport(
    tcp(),
    connection => new DelayedConnection(connection, ends)
  )(/** @type {any} */ ({ logger: makeSilentLogger() }))

/** Both ends of a delayed connection over loopback, before anything is negotiated on it. */
async function connected({ latencyMs = LATENCY_MS, isSent = false } = {}) {
  const line = { latencyMs, bytesPerSecond: null }
  const transport = linedTcp(isSent ? { sent: line, received: null } : { sent: null, received: line })
  /** @type {PromiseWithResolvers<MultiaddrConnection>} */
  const accepted = Promise.withResolvers()
  const upgrader = /** @type {any} */ ({
    upgradeInbound: async (/** @type {MultiaddrConnection} */ connection) => accepted.resolve(connection),
    upgradeOutbound: async (/** @type {MultiaddrConnection} */ connection) => connection
  })
  const listener = transport.createListener({ upgrader })
  await listener.listen(multiaddr('/ip4/127.0.0.1/tcp/0'))
  cleanUps.push(() => listener.close())
  const dialled = await transport.dial(listener.getAddrs()[0], {
    upgrader,
    signal: AbortSignal.timeout(120_000)
  })
  const near = /** @type {MultiaddrConnection} */ (/** @type {unknown} */ (dialled))
  const far = await accepted.promise
  cleanUps.push(() => near.abort(new Error('test is over')))
  return { near, far }
}

/** What arrives at an end, and when. @param {MultiaddrConnection} connection */
function arrivalsAt(connection) {
  const arrivals = { text: '', atMs: /** @type {number[]} */ ([]), closed: /** @type {string[]} */ ([]) }
  connection.addEventListener('message', ({ data }) => {
    arrivals.text += new TextDecoder().decode(data.subarray())
    arrivals.atMs.push(performance.now())
  })
  connection.addEventListener('close', ({ error }) => {
    arrivals.closed.push(error == null ? 'closed' : error.name)
  })
  return arrivals
}

const bytes = (/** @type {string} */ text) => new TextEncoder().encode(text)

/** @param {() => boolean} condition */
async function until(condition) {
  const giveUpMs = performance.now() + 5000
  while (!condition()) {
    if (performance.now() > giveUpMs) throw new Error('it did not happen within 5 s')
    await sleep(1)
  }
}

for (const isSent of [true, false]) {
  describe(`a connection that delays what is ${isSent ? 'sent' : 'received'}`, () => {
    const delayed = (/** @type {{ latencyMs?: number }} */ options = {}) => connected({ ...options, isSent })

    it('brings bytes unchanged, in order, in both directions, and never early', async () => {
      const { near, far } = await delayed()
      for (const [from, to] of [
        [near, far],
        [far, near]
      ]) {
        const arrivals = arrivalsAt(to)
        /** @type {number[]} */
        const sentMs = []
        for (const part of ['a', 'bc', 'def', 'g']) {
          sentMs.push(performance.now())
          from.send(bytes(part))
          await sleep(7)
        }
        await until(() => arrivals.text.length === 7)
        assert.equal(arrivals.text, 'abcdefg')
        assert.ok(arrivals.atMs[0] - sentMs[0] >= LATENCY_MS, `${arrivals.atMs[0] - sentMs[0]} ms`)
        const last = /** @type {number} */ (arrivals.atMs.at(-1)) - sentMs[3]
        assert.ok(last >= LATENCY_MS, `${last} ms`)
      }
    })

    it('has much under way at once', async () => {
      const { near, far } = await delayed()
      const arrivals = arrivalsAt(far)
      const text = Array.from({ length: 40 }, (_, i) => `${i}`.padEnd(50_000, 'x')).join('')
      for (let i = 0; i < text.length; i += 50_000) near.send(bytes(text.slice(i, i + 50_000)))
      await until(() => arrivals.text.length === text.length)
      assert.equal(arrivals.text, text)
    })

    it('holds back what it receives while it is paused', async () => {
      const { near, far } = await delayed()
      const arrivals = arrivalsAt(far)
      far.pause()
      near.send(bytes('wait'))
      await sleep(3 * LATENCY_MS)
      assert.equal(arrivals.text, '')
      far.resume()
      await until(() => arrivals.text === 'wait')
    })

    it('tells a sender that the line is full, and when it can go on', async () => {
      const { near, far } = await delayed()
      far.pause()
      let sent = 0
      while (near.send(new Uint8Array(1_000_000))) {
        assert.ok(++sent < 100, 'nothing takes so much')
        await sleep(5)
      }
      assert.ok(near.writableNeedsDrain)
      let received = 0
      far.addEventListener('message', ({ data }) => {
        received += data.byteLength
      })
      const drained = once(/** @type {any} */ (near), 'drain')
      far.resume()
      await drained
      await until(() => received === (sent + 1) * 1_000_000)
      assert.ok(near.send(bytes('more')))
    })
  })
}

describe('a connection that delays what is received', () => {
  it('that the other end closes, closes here after what was sent before', async () => {
    const { near, far } = await connected({ latencyMs: LONG_MS })
    const arrivals = arrivalsAt(far)
    near.send(bytes('last words'))
    const closing = near.close()
    await sleep(A_WHILE_MS)
    assert.deepEqual([far.status, arrivals.text], ['open', ''])
    // it does not know yet, so what it sends gets lost rather than failing
    far.send(bytes('hello?'))
    await closing
    await until(() => arrivals.closed.length > 0)
    assert.deepEqual([arrivals.text, arrivals.closed, far.status], ['last words', ['closed'], 'closed'])
    assert.equal(near.status, 'closed')
  })

  it('that is closed here brings nothing any more', async () => {
    const { near, far } = await connected({ latencyMs: LONG_MS })
    const arrivals = arrivalsAt(near)
    far.send(bytes('too late'))
    await sleep(A_WHILE_MS)
    await near.close()
    await sleep(2 * LONG_MS)
    assert.deepEqual([arrivals.text, arrivals.closed], ['', ['closed']])
  })

  it('that is aborted here is reset at the other end, later', async () => {
    const { near, far } = await connected({ latencyMs: LONG_MS })
    const [here, there] = [arrivalsAt(near), arrivalsAt(far)]
    far.send(bytes('too late'))
    await sleep(A_WHILE_MS)
    near.abort(new TypeError('broken'))
    assert.deepEqual(here.closed, ['TypeError'])
    await sleep(A_WHILE_MS)
    assert.deepEqual(there.closed, [])
    await until(() => there.closed.length > 0)
    assert.deepEqual([far.status, here.text, there.closed.length], ['reset', '', 1])
  })

  it('that cannot be dialled fails as without delay', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
    await new Promise(resolve => server.close(resolve))
    const transport = linedTcp({ sent: { latencyMs: 1, bytesPerSecond: null }, received: null })
    const options = /** @type {any} */ ({ upgrader: {}, signal: AbortSignal.timeout(1000) })
    await assert.rejects(transport.dial(multiaddr(`/ip4/127.0.0.1/tcp/${port}`), options), /ECONNREFUSED/)
  })
})

describe('a connection that delays what is sent', () => {
  it('has its end under way behind what was sent before', async () => {
    const { near, far } = await connected({ latencyMs: LONG_MS, isSent: true })
    const [here, there] = [arrivalsAt(near), arrivalsAt(far)]
    near.send(bytes('last words'))
    const closing = near.close()
    await sleep(A_WHILE_MS)
    assert.deepEqual([there.text, there.closed, here.closed], ['', [], []])
    await closing
    await until(() => there.closed.length > 0)
    assert.deepEqual([there.text, there.closed, here.closed], ['last words', ['closed'], ['closed']])
  })

  it('that is closed may be given up', async () => {
    const { near } = await connected({ latencyMs: LONG_MS, isSent: true })
    await assert.rejects(near.close({ signal: AbortSignal.timeout(A_WHILE_MS) }), { name: 'TimeoutError' })
    near.abort(new Error('given up'))
    assert.equal(near.status, 'aborted')
  })

  it('that is aborted while it closes ends both', async () => {
    const { near, far } = await connected({ latencyMs: LONG_MS, isSent: true })
    const there = arrivalsAt(far)
    const closing = near.close()
    near.abort(new Error('in a hurry'))
    await closing
    await sleep(A_WHILE_MS)
    assert.deepEqual([near.status, there.closed], ['aborted', []])
    await until(() => there.closed.length > 0)
  })

  it('that is aborted here is reset at the other end, later', async () => {
    const { near, far } = await connected({ latencyMs: LONG_MS, isSent: true })
    const [here, there] = [arrivalsAt(near), arrivalsAt(far)]
    near.abort(new TypeError('broken'))
    await sleep(A_WHILE_MS)
    assert.deepEqual([here.closed, there.closed], [['TypeError'], []])
    await until(() => there.closed.length > 0)
    assert.deepEqual([far.status, there.closed.length], ['reset', 1])
  })
})
