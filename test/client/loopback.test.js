import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'
import { noise } from '@libp2p/noise'
import { tcp } from '@libp2p/tcp'
import { yamux } from '@libp2p/yamux'
import { multiaddr } from '@multiformats/multiaddr'
import { createLibp2p } from 'libp2p'
import { dial } from '../../src/client/dial.js'
import { derivePrivateKey, deriveRegistrantKey, Purpose } from '../../src/client/identities.js'
import { createClientNode } from '../../src/client/node.js'
import { registerOverWire, unregisterOverWire } from '../../src/client/registrants.js'
import { rendezvousClient } from '../../src/client/rendezvous-client.js'
import { openSession } from '../../src/client/session.js'
import { encodeDiscover } from '../../src/protocol/rendezvous.js'
import { RecordDomain } from '../../src/protocol/signed-record.js'
import { rendezvousServer } from '../../src/server/rendezvous-server.js'

/** @typedef {import('@libp2p/interface').Libp2p} Libp2p */

/** @type {(code: string) => (error: any) => boolean} */
const code = expected => error => {
  assert.equal(error.code, expected, error.message)
  return true
}

/** @type {(() => unknown)[]} */
const toStop = []
after(() => Promise.all(toStop.map(stop => stop())))

/**
 * @param {import('libp2p').ServiceFactoryMap} services
 * @param {object} [connectionManager] - without it, connections from this host are not limited
 */
async function startServer(services, connectionManager = { allow: ['/ip4/127.0.0.1'] }) {
  const node = await createLibp2p({
    addresses: { listen: ['/ip4/127.0.0.1/tcp/0'] },
    transports: [tcp()],
    connectionEncrypters: [noise()],
    streamMuxers: [yamux()],
    connectionManager,
    services
  })
  toStop.push(() => node.stop())
  return node
}

let clients = 0
async function startClient() {
  const index = clients++
  const node = await createClientNode({
    privateKey: await derivePrivateKey(7, Purpose.CLIENT, index),
    announce: [`/ip4/192.0.2.${index}/tcp/4001`],
    services: { rendezvous: rendezvousClient() }
  })
  await node.start()
  toStop.push(() => node.stop())
  return node
}

describe('a client and a server over TCP', () => {
  /** @type {Libp2p} */
  let serverNode
  /** @type {import('@multiformats/multiaddr').Multiaddr} */
  let server
  before(async () => {
    serverNode = await startServer({ rendezvous: rendezvousServer({ maxPeerRegistrations: 3 }) })
    server = serverNode.getMultiaddrs()[0]
  })

  it('register, discover and unregister, by multiaddr and by peer id', async () => {
    const [node, other] = [await startClient(), await startClient()]
    assert.equal(await node.services.rendezvous.register(server, 'town', { ttlSeconds: 9000 }), 9000)
    assert.equal(await node.services.rendezvous.register(serverNode.peerId, 'town'), 7200)

    const { registrations, cookie } = await other.services.rendezvous.discover(server, { ns: 'town' })
    const [{ ns, peerId, addresses, ttlSeconds }] = registrations
    assert.deepEqual([ns, `${peerId}`, `${addresses}`], ['town', `${node.peerId}`, '/ip4/192.0.2.0/tcp/4001'])
    assert.ok(ttlSeconds != null && ttlSeconds <= 7200)

    const later = await other.services.rendezvous.discover(server, { ns: 'town', cookie })
    assert.deepEqual(later.registrations, [])

    await node.services.rendezvous.unregister(server, 'town')
    const gone = await other.services.rendezvous.discover(server, { ns: 'town' })
    assert.deepEqual(gone.registrations, [])
  })

  it('say what the server refused', async () => {
    const { rendezvous } = (await startClient()).services
    await assert.rejects(rendezvous.register(server, 'a', { ttlSeconds: 1 }), code('E_INVALID_TTL'))
    await assert.rejects(rendezvous.register(server, 'x'.repeat(256)), code('E_INVALID_NAMESPACE'))
    const forged = { ns: 'a', cookie: new Uint8Array(24) }
    await assert.rejects(rendezvous.discover(server, forged), code('E_INVALID_COOKIE'))
  })

  for (const recordDomain of Object.values(RecordDomain)) {
    it(`find all of 12 registrants registered over the wire under ${recordDomain}, until they are taken back`, async () => {
      const { rendezvous } = (await startClient()).services
      /** @type {number[]} */
      const progress = []
      const options = {
        server,
        seed: 7,
        count: 12,
        recordDomain,
        namespaceOf: (/** @type {number} */ index) => `wire-${index % 2}`,
        onProgress: (/** @type {number} */ done) => progress.push(done)
      }
      await registerOverWire({ ...options, ttlSeconds: 7200 })
      assert.deepEqual(
        progress,
        Array.from({ length: 12 }, (_, i) => i + 1)
      )

      const found = new Set()
      for await (const { registrations } of rendezvous.discoverAll(server, { ns: 'wire-1', pageLimit: 3 })) {
        for (const { peerId } of registrations) found.add(`${peerId}`)
      }
      const expected = new Set()
      for (let i = 1; i < 12; i += 2) {
        const { publicKey } = await deriveRegistrantKey(7, i)
        expected.add(`${publicKey}`)
      }
      assert.deepEqual(found, expected)

      await unregisterOverWire(options)
      const { registrations } = await rendezvous.discover(server, { ns: 'wire-1' })
      assert.deepEqual(registrations, [])
    })
  }

  it('register over the wire again what a server drops above its limits', async () => {
    const narrow = await startServer({ rendezvous: rendezvousServer() }, { maxIncomingPendingConnections: 2 })
    const options = {
      server: narrow.getMultiaddrs()[0],
      seed: 7,
      count: 6,
      concurrency: 6,
      namespaceOf: () => 'narrow'
    }
    await registerOverWire(options)
    const { rendezvous } = (await startClient()).services
    const { registrations } = await rendezvous.discover(options.server, { ns: 'narrow' })
    assert.equal(registrations.length, 6)
  })

  it('stop registering at the first registrant that is refused, and name it', async () => {
    const namespaceOf = (/** @type {number} */ index) => 'x'.repeat(index === 3 ? 300 : 3)
    const registering = registerOverWire({ server, seed: 7, count: 1000, concurrency: 2, namespaceOf })
    await assert.rejects(registering, error => {
      assert.match(/** @type {Error} */ (error).message, /^registrant 3: .*E_INVALID_NAMESPACE/)
      return code('E_INVALID_NAMESPACE')(error)
    })
  })

  it('stop registering when the signal aborts, with its reason', async () => {
    const abort = new AbortController()
    const registering = registerOverWire({
      server,
      seed: 7,
      count: 1000,
      namespaceOf: () => 'a',
      signal: abort.signal,
      onProgress: () => abort.abort(new Error('enough'))
    })
    await assert.rejects(registering, /^Error: enough/)
  })

  it('answer 200 pipelined requests of one session in order', async () => {
    const node = await startClient()
    const session = await openSession(await dial(node, server))
    const requests = Array.from({ length: 200 }, (_, i) =>
      session.request(encodeDiscover({ ns: i % 2 === 0 ? 'none' : 'x'.repeat(256) }))
    )
    const statuses = (await Promise.all(requests)).map(({ message }) => message.discoverResponse?.status)
    assert.deepEqual(
      statuses,
      statuses.map((_, i) => (i % 2 === 0 ? 0 : 100))
    )
    await session.close()
  })
})

describe('a client over TCP, when things go wrong', () => {
  it('calls it UNSUPPORTED when the peer is no rendezvous server', async () => {
    const other = await startServer({})
    const node = await startClient()
    await assert.rejects(openSession(await dial(node, other.getMultiaddrs()[0])), code('UNSUPPORTED'))
  })

  it('calls it LOST when the server is killed under a request, and REFUSED when it is dialled again', async () => {
    const child = fork(new URL('./silent-server.js', import.meta.url))
    toStop.push(() => child.kill('SIGKILL'))
    const [address] = await once(child, 'message')
    const server = multiaddr(address)
    const node = await startClient()
    const connection = await dial(node, server)
    const session = await openSession(connection)
    const exit = once(child, 'exit')
    child.once('message', () => child.kill('SIGKILL'))
    await assert.rejects(session.request(encodeDiscover({})), code('LOST'))
    await assert.rejects(openSession(connection), code('LOST'))
    await exit
    await assert.rejects(dial(node, server), code('REFUSED'))
  })

  /** @type {{ expected: string, when: string, treat: import('@libp2p/interface').StreamHandler }[]} */
  const treatments = [
    { expected: 'RESET', when: 'resets the stream at once', treat: stream => stream.abort(new Error('no')) },
    {
      expected: 'RESET',
      when: 'resets the stream at a request',
      treat: stream => stream.addEventListener('message', () => stream.abort(new Error('no')))
    },
    { expected: 'ENDED', when: 'closes the stream at once', treat: stream => stream.close() },
    {
      expected: 'ENDED',
      when: 'closes the stream at a request',
      treat: stream => stream.addEventListener('message', () => stream.close())
    }
  ]
  for (const { expected, when, treat } of treatments) {
    it(`calls it ${expected} when the server ${when}`, async () => {
      const rude = await startServer({})
      await rude.handle('/rendezvous/1.0.0', treat)
      const node = await startClient()
      const connection = await dial(node, rude.getMultiaddrs()[0])
      const exchange = async () => (await openSession(connection)).request(encodeDiscover({}))
      await assert.rejects(exchange(), code(expected))
    })
  }
})
