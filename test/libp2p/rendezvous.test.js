import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { dial } from '../../src/client/dial.js'
import { createClientNode } from '../../src/client/node.js'
import { rendezvousClient } from '../../src/client/rendezvous-client.js'
import { openSession } from '../../src/client/session.js'
import { describeMissingPackages } from '../../src/libp2p/stacks.js'
import { encodeDiscover } from '../../src/protocol/rendezvous.js'
import { sealPeerRecord } from '../../src/protocol/signed-record.js'
import { readServerOptions } from '../../src/server/options.js'
import { createServerNode } from '../../src/server/process/run-server.js'
import { until } from '../until.js'

const skip = describeMissingPackages('libp2p-2') ?? false
/** Of Yamux, for a stream that begins. */
const WINDOW_BYTES = 256 << 10

/** @type {(() => unknown)[]} */
const toStop = []
after(() => Promise.all(toStop.map(stop => stop())))

/** @param {string} stack @param {Record<string, string>} [flags] */
async function startServer(stack, flags = {}) {
  const options = readServerOptions({ listen: '/ip4/127.0.0.1/tcp/0', stack, ...flags })
  const node = await createServerNode(options, { privateKey: await generateKeyPair('Ed25519') })
  await node.start()
  toStop.push(() => node.stop())
  return { node, address: node.getMultiaddrs()[0] }
}

/** @param {string} stack */
async function startClient(stack) {
  const node = await createClientNode({
    privateKey: await generateKeyPair('Ed25519'),
    announce: ['/ip4/192.0.2.1/tcp/4001'],
    services: { rendezvous: rendezvousClient() },
    stack
  })
  await node.start()
  toStop.push(() => node.stop())
  return node
}

/** @param {string} code */
const withCode = code => (/** @type {any} */ error) => {
  assert.equal(error.code, code, error.message)
  return true
}

for (const [serverStack, stack] of [
  ['libp2p-3', 'libp2p-2'],
  ['libp2p-2', 'libp2p-3']
])
  describe(`a client on ${stack} and a server on ${serverStack}`, { skip }, () => {
    it('register, discover and unregister, and leave no stream behind', async () => {
      const { node: server, address } = await startServer(serverStack, { minTtl: '1s' })
      const client = await startClient(stack)
      const { rendezvous } = client.services
      assert.equal(await rendezvous.register(address, 'here', { ttlSeconds: 600 }), 600)
      const { registrations, rejected } = await rendezvous.discover(address, { ns: 'here' })
      assert.deepEqual(rejected, [])
      const rows = registrations.map(({ peerId, addresses }) => [String(peerId), addresses.map(String)])
      assert.deepEqual(rows, [[String(client.peerId), ['/ip4/192.0.2.1/tcp/4001']]])
      await rendezvous.unregister(address, 'here')
      assert.deepEqual((await rendezvous.discover(address, { ns: 'here' })).registrations, [])
      await client.stop()
      // the server hears of it a moment later
      await until(() => server.services.rendezvous.streams === 0 && server.getConnections().length === 0)
    })

    it('carry many requests on one stream, with replies larger than a window', async () => {
      const { node: server, address } = await startServer(serverStack)
      const { store } = server.services.rendezvous
      await store.start()
      const client = await startClient(stack)
      const privateKey = await generateKeyPair('Ed25519')
      await client.services.rendezvous.register(address, 'x')
      const record = await sealPeerRecord({ privateKey, addresses: [], seq: 1 })
      assert.ok(record.byteLength > 0)
      const session = await openSession(await dial(client, address))
      const replies = await Promise.all(
        Array.from({ length: 1500 }, () => session.request(encodeDiscover({ ns: 'x' })))
      )
      const bytes = replies.reduce((sum, { byteLength }) => sum + byteLength, 0)
      assert.ok(bytes > WINDOW_BYTES, `${bytes} bytes`)
      assert.ok(replies.every(({ message }) => message.discoverResponse?.registrations.length === 1))
      await session.close()
    })

    it('call what goes wrong by the same names', async () => {
      const { node: server, address } = await startServer(serverStack, { streamIdleTimeout: '50ms' })
      const client = await startClient(stack)
      const connection = await dial(client, address)
      const session = await openSession(connection)
      const closed = new Promise(resolve => connection.addEventListener('close', resolve, { once: true }))
      // nothing is asked for so long that the server resets the stream
      await until(() => session.closed)
      assert.ok(withCode('RESET')(session.error))
      await server.stop()
      await closed
      await assert.rejects(openSession(connection), withCode('LOST'))
      await assert.rejects(dial(client, address), withCode('REFUSED'))
    })
  })

describe('a client on libp2p-2', { skip }, () => {
  it('says that a peer does not speak the protocol, and that another peer answers', async () => {
    const { address } = await startServer('libp2p-3')
    const other = await startServer('libp2p-3')
    const client = await startClient('libp2p-2')
    const wrong = `${String(address).split('/p2p/')[0]}/p2p/${other.node.peerId}`
    const { multiaddr } = await import('@multiformats/multiaddr')
    await assert.rejects(dial(client, multiaddr(wrong)), withCode('WRONG_PEER'))
    await other.node.services.rendezvous.stop()
    const connection = await dial(client, other.address)
    await assert.rejects(openSession(connection), withCode('UNSUPPORTED'))
  })
})
