import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { byteStream, streamPair } from '@libp2p/utils'
import { multiaddr } from '@multiformats/multiaddr'
import { sendPerfRequest } from '../../src/client/perf-request.js'
import { encodeDownloadSize } from '../../src/protocol/perf.js'
import { perfServer } from '../../src/server/perf-server.js'

/** @typedef {import('../../src/server/perf-server.js').PerfRequestResult} PerfRequestResult */

/** @param {string} host */
const connectionFrom = host => ({ remoteAddr: multiaddr(`/ip4/${host}/tcp/1`) })

/** @param {import('../../src/server/perf-server.js').PerfServerInit} [limits] */
async function startService(limits = {}) {
  /** @type {any} */
  let handler
  /** @type {any} */
  let handled
  const registrar = {
    handle: async (/** @type {any} */ protocol, /** @type {any} */ serve, /** @type {any} */ options) => {
      handled = { protocol, ...options }
      handler = serve
    },
    unhandle: async () => {}
  }
  /** @type {PerfRequestResult[]} */
  const served = []
  const service = perfServer({ ...limits, onServed: one => served.push(one) })(
    /** @type {any} */ ({ registrar })
  )
  await service.start()
  return {
    service,
    served,
    handled: () => handled,
    serve: (/** @type {any} */ stream) => handler(stream, connectionFrom('127.0.0.1')),
    /**
     * @param {(stream: import('@libp2p/interface').Stream) => Promise<unknown>} [before] - what the client does before anybody listens
     * @param {string} [host] - of the client
     */
    async open(before, host = '127.0.0.1') {
      const [mine, theirs] = await streamPair({ delay: 0 })
      await before?.(mine)
      handler(theirs, connectionFrom(host))
      return mine
    }
  }
}

/** @param {import('@libp2p/interface').Stream} stream */
async function ended(stream) {
  for (let i = 0; i < 500 && stream.status === 'open'; i++) await sleep(10)
  return stream.status
}

describe('the server of the perf protocol', () => {
  test('is told from other services of a node', async () => {
    const { service } = await startService()
    assert.equal(String(service), '[object libp2p-loadtest/perf-server]')
  })

  test('reads a request to its end, and only then sends what was asked for', async () => {
    const { open, served, handled } = await startService({ maxStreams: 7 })
    assert.deepEqual(handled(), { protocol: '/perf/1.0.0', maxInboundStreams: 7 })
    const stream = await open()
    let came = 0
    stream.addEventListener('message', ({ data }) => {
      came += data.byteLength
    })
    stream.send(Buffer.concat([encodeDownloadSize(200_000), Buffer.alloc(1000)]))
    await sleep(20)
    assert.equal(came, 0, 'nothing before the end of the request')
    await stream.close()
    assert.equal(await ended(stream), 'closed')
    assert.equal(came, 200_000)
    assert.deepEqual(served, [
      { receivedBytes: 1000, wantedBytes: 200_000n, sentBytes: 200_000, error: null }
    ])
  })

  test('serves a request that was there, with its end, before anybody listened', async () => {
    const { open, served } = await startService({ perfStallMs: 500 })
    const stream = await open(async mine => {
      mine.send(encodeDownloadSize(10))
      await mine.close()
      await sleep(20)
    })
    assert.equal(await ended(stream), 'closed')
    assert.deepEqual([served[0].sentBytes, served[0].error], [10, null])
  })

  test('serves a request whose end came while its protocol was negotiated, and its bytes were put back', async () => {
    const { serve, served } = await startService({ perfStallMs: 500 })
    const [mine, theirs] = await streamPair({ delay: 0 })
    // as multistream-select reads and puts back what is not its own
    const negotiation = byteStream(theirs)
    mine.send(encodeDownloadSize(10))
    await mine.close()
    await sleep(20)
    serve(negotiation.unwrap())
    assert.equal(await ended(mine), 'closed')
    assert.deepEqual([served[0].sentBytes, served[0].error], [10, null])
  })

  test('serves our client: byte counts of both ends are the same', async () => {
    const { open, served, service } = await startService()
    const uploadBytes = 3_000_001
    const { receivedBytes } = await sendPerfRequest(await open(), { uploadBytes, downloadBytes: 2_000_003 })
    await sleep(5)
    assert.deepEqual(served, [
      { receivedBytes: uploadBytes, wantedBytes: 2_000_003n, sentBytes: receivedBytes, error: null }
    ])
    assert.equal(service.streams, 0)
  })

  test('resets a request that ends before its number is whole', async () => {
    const { open, served } = await startService()
    const stream = await open()
    stream.send(new Uint8Array(7))
    await stream.close()
    assert.equal(await ended(stream), 'reset')
    assert.equal(/** @type {any} */ (served[0].error).code, 'ERR_NO_NUMBER')
  })

  test('bounds the bytes of an upload, and of what 2^64 − 1 bytes are asked of', async () => {
    const { open, served } = await startService({ maxPerfBytes: 100_000 })
    const up = await open()
    up.send(Buffer.concat([encodeDownloadSize(0), Buffer.alloc(100_001)]))
    assert.equal(await ended(up), 'reset')
    const down = await open()
    down.send(encodeDownloadSize(2n ** 64n - 1n))
    await down.close()
    assert.equal(await ended(down), 'reset')
    assert.deepEqual(
      served.map(({ sentBytes, error }) => [sentBytes, /** @type {any} */ (error).code]),
      [
        [0, 'ERR_TOO_MUCH'],
        [100_000, 'ERR_TOO_MUCH']
      ]
    )
  })

  test('bounds the time of a request, with or without anything moving, and how many there are', async () => {
    const { open, served, service } = await startService({
      perfStallMs: 40,
      perfTimeoutMs: 200,
      maxPerfStreams: 2,
      unlimitedFrom: ['/ip4/127.0.0.0/ipcidr/8']
    })
    const [still, busy] = [await open(), await open()]
    assert.equal(await ended(await open()), 'reset', 'a third one at once')
    const moving = setInterval(() => busy.status === 'open' && busy.send(new Uint8Array(10)), 10)
    assert.equal(await ended(still), 'reset')
    assert.equal(await ended(busy), 'reset')
    clearInterval(moving)
    const codes = served.map(({ error }) => /** @type {any} */ (error).code)
    assert.equal(codes[0], 'ERR_STALLED')
    assert.ok(['ERR_TOO_LONG', 'ERR_STALLED'].includes(codes[1]))
    assert.equal(service.streams, 0)
  })

  test('leaves room for others, however many requests come from one address, or from its neighbours', async () => {
    const { open, served, service } = await startService({ maxPerfStreams: 8 })
    const from = (/** @type {string} */ host) => open(undefined, host)
    const first = [await from('10.0.0.1'), await from('10.0.0.1')]
    assert.equal(await ended(await from('10.0.0.1')), 'reset', 'more than a quarter')
    for (const host of ['10.0.0.2', '10.0.0.3', '10.0.0.4']) for (let i = 0; i < 2; i++) await from(host)
    assert.equal(service.streams, 8)
    const other = await from('10.0.1.1')
    const statuses = [other, first[0]].map(({ status }) => status)
    assert.deepEqual(statuses, ['open', 'open'])
    assert.equal(await ended(first[1]), 'reset')
    assert.equal(service.streams, 8)
    assert.deepEqual(
      served.map(({ error }) => /** @type {any} */ (error).code),
      ['ERR_TOO_MANY']
    )
    await service.stop()
  })

  test('keeps little for a client that asks for much and reads nothing', async () => {
    const { open, service } = await startService({ perfStallMs: 100 })
    const stream = await open()
    stream.pause()
    stream.send(encodeDownloadSize(2n ** 40n))
    await stream.close()
    assert.equal(await ended(stream).then(() => service.streams), 0)
  })
})
