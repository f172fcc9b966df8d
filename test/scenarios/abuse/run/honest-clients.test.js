import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noise } from '@libp2p/noise'
import { tcp } from '@libp2p/tcp'
import { yamux } from '@libp2p/yamux'
import { createLibp2p } from 'libp2p'
import { encodeFrame, FrameDecoder } from '../../../../src/protocol/framing.js'
import {
  decodeMessage,
  encodeDiscoverResponse,
  encodeRegisterResponse
} from '../../../../src/protocol/messages.js'
import { openSignedRecord, RecordDomain } from '../../../../src/protocol/signed-record.js'
import { PROTOCOL, Status } from '../../../../src/protocol/status.js'
import { HonestClients } from '../../../../src/scenarios/abuse/run/honest-clients.js'
import { aServer, metricsOf } from '../../rendezvous/hostile/against-a-server.js'

/** @param {import('node:test').TestContext} t */
async function serving(t) {
  const server = await aServer()
  t.after(() => server.stop())
  const metric = async (/** @type {string} */ name) => {
    const text = await metricsOf(server)
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
  }
  return { server, metric }
}

/** @param {string} type */
const done = type => `rendezvous_operations_total\\{type="${type}",status="OK"\\}`

/** @param {string} multiaddr @param {boolean} registers */
const twoAt = (multiaddr, registers) =>
  new HonestClients({ multiaddr, addresses: [undefined, undefined], ratePerSecond: 100, registers })

/**
 * rustLike serves one request on a stream, and takes records of one domain alone.
 *
 * @param {import('node:test').TestContext} t
 */
async function rustLike(t) {
  const answered = { register: 0, discover: 0 }
  const node = await createLibp2p({
    addresses: { listen: ['/ip4/127.0.0.1/tcp/0'] },
    transports: [tcp()],
    connectionEncrypters: [noise()],
    streamMuxers: [yamux()]
  })
  t.after(() => node.stop())
  await node.handle(PROTOCOL, stream => {
    const decoder = new FrameDecoder()
    stream.addEventListener('message', async ({ data }) => {
      const [frame] = [...decoder.push(data)]
      if (frame === undefined || stream.writeStatus !== 'writable') return
      const { register } = decodeMessage(frame)
      if (register !== undefined) {
        const { domain } = await openSignedRecord(register.signedPeerRecord ?? new Uint8Array())
        if (domain !== RecordDomain.ROUTING_STATE) return stream.abort(new Error('cannot be decoded'))
        answered.register++
        stream.send(encodeFrame(encodeRegisterResponse({ status: Status.OK, ttl: 7200 })))
      } else {
        answered.discover++
        stream.send(encodeFrame(encodeDiscoverResponse({ status: Status.OK })))
      }
      stream.close().catch(() => {})
    })
  })
  return { multiaddr: String(node.getMultiaddrs()[0]), answered }
}

describe('honest clients', () => {
  it('ask as a server of others wants it: a stream for each request, records of its domain', async t => {
    const { multiaddr, answered } = await rustLike(t)
    const clients = twoAt(multiaddr, true)
    t.after(() => clients.close())
    await clients.start()
    assert.ok(answered.register >= 2)
    const before = answered.discover
    const { tookMs, failures } = await clients.measure({ ms: 60 })
    assert.deepEqual(failures, {})
    assert.ok(tookMs.every(Number.isFinite))
    assert.equal(answered.discover, before + 6)
  })

  it('ask when it is due, in turn, and take back what they registered', async t => {
    const { server, metric } = await serving(t)
    const clients = twoAt(server.multiaddrs[0], true)
    await clients.start()
    assert.equal(await metric('rendezvous_registrations'), 2)
    const before = await metric(done('DISCOVER'))
    const { dueMs, tookMs, failures } = await clients.measure({ ms: 60 })
    assert.deepEqual([...dueMs], [0, 10, 20, 30, 40, 50])
    assert.deepEqual(failures, {})
    assert.ok(tookMs.every(Number.isFinite))
    assert.equal(await metric(done('DISCOVER')), before + 6)
    await clients.close()
    assert.equal(await metric('rendezvous_registrations'), 0)
  })

  it('count what is not answered by what it failed with', async t => {
    const { server } = await serving(t)
    const clients = twoAt(server.multiaddrs[0], false)
    t.after(() => clients.close())
    await clients.start()
    await server.stop()
    const { tookMs, failures } = await clients.measure({ ms: 40 })
    assert.ok(tookMs.every(ms => ms === Infinity))
    assert.equal(
      Object.values(failures).reduce((sum, count) => sum + count, 0),
      4
    )
    assert.ok(!('TIMEOUT' in failures), JSON.stringify(failures))
  })
})
