// What a lean node (src/libp2p) relies on that no documentation of libp2p promises. libp2p is pinned to a minor version for these (package.json): who
// moves that finds here what is no more.
import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { after, it, mock } from 'node:test'
import { noise } from '@libp2p/noise'
import { tcp } from '@libp2p/tcp'
import { yamux } from '@libp2p/yamux'
import { createLibp2p } from 'libp2p'
import { EMPTY_PEER_STORE, makeConnectionList, makeQuietRegistrar } from '../../src/libp2p/node-components.js'
import { HEADER_BYTES, TYPE_AT, WINDOW_UPDATE } from '../../src/libp2p/yamux.js'

const PROTOCOL = '/seam/1'

/** @param {Record<string, any>} [parts] @returns {Promise<any>} */
async function startNode(parts = {}) {
  const node = await createLibp2p({
    ...{ addresses: { listen: ['/ip4/127.0.0.1/tcp/0'] }, transports: [tcp()] },
    ...{ connectionEncrypters: [noise()], streamMuxers: [yamux()], connectionMonitor: { enabled: false } },
    ...parts
  })
  after(() => node.stop())
  return node
}

/** @param {any} client @param {any} server */
async function opened(client, server) {
  await server.handle(PROTOCOL, (/** @type {any} */ stream) =>
    stream.addEventListener('message', (/** @type {any} */ { data }) => stream.send(data))
  )
  const connection = await client.dial(server.getMultiaddrs())
  return { connection, stream: await connection.newStream(PROTOCOL) }
}

it('libp2p: connections ask the service peerStore (components.peerStore), with each stream', async () => {
  const store = { ...EMPTY_PEER_STORE, merge: mock.fn(EMPTY_PEER_STORE.merge) }
  const client = await startNode({ services: { peerStore: () => store } })
  await opened(client, await startNode())
  const protocols = store.merge.mock.calls.map(
    ({ arguments: [, told] }) => /** @type {any} */ (told).protocols
  )
  assert.ok(protocols.some(told => told?.includes(PROTOCOL)))
  assert.deepEqual(
    (await client.peerStore.all()).flatMap((/** @type {any} */ peer) => peer.protocols),
    []
  )
})

it('libp2p: connections ask the service registrar (components.registrar), with each stream', async () => {
  const asked = mock.fn()
  const client = await startNode({
    services: {
      registrar: (/** @type {any} */ components) => {
        const registrar = makeQuietRegistrar(components)
        return {
          ...registrar,
          getHandler: (/** @type {string} */ protocol) => {
            asked(protocol)
            return registrar.getHandler(protocol)
          }
        }
      }
    }
  })
  await opened(client, await startNode())
  assert.deepEqual(asked.mock.calls[0].arguments, [PROTOCOL])
})

it('libp2p: components.connectionManager counts by its own getConnections, with each connection', async () => {
  const listed = mock.fn()
  const server = await startNode({
    services: {
      connectionManager: (/** @type {any} */ components) => {
        const manager = /** @type {any} */ (makeConnectionList()(components))
        const { getConnections } = manager
        manager.getConnections = (/** @type {any} */ peer) => {
          if (peer === undefined) listed()
          return getConnections(peer)
        }
        return manager
      }
    }
  })
  await opened(await startNode(), server)
  assert.ok(listed.mock.callCount() > 0)
})

it('libp2p: Connection.streams is the list of its muxer, and muxers are given registrar and events', async () => {
  /** @type {any[]} */
  const [given, muxers] = [[], []]
  const client = await startNode({
    streamMuxers: [
      (/** @type {any} */ components) => {
        given.push(components)
        const factory = /** @type {any} */ (yamux())(components)
        const { createStreamMuxer } = factory
        factory.createStreamMuxer = (/** @type {any[]} */ ...args) => {
          const muxer = createStreamMuxer.apply(factory, args)
          muxers.push(muxer)
          return muxer
        }
        return factory
      }
    ]
  })
  const { connection } = await opened(client, await startNode())
  assert.equal(connection.streams, muxers[0].streams)
  assert.equal(typeof given[0].registrar.getMiddleware, 'function')
  assert.equal(typeof given[0].events.addEventListener, 'function')
})

it('@libp2p/yamux: MessageStream.send is given a frame at a time, updates of windows as twelve bytes', async () => {
  /** @type {any[]} */
  const frames = []
  const client = await startNode({
    streamMuxers: [
      (/** @type {any} */ components) => {
        const factory = /** @type {any} */ (yamux())(components)
        const { createStreamMuxer } = factory
        factory.createStreamMuxer = (/** @type {any} */ connection) => {
          const send = connection.send.bind(connection)
          connection.send = (/** @type {any} */ frame) => {
            frames.push(frame)
            return send(frame)
          }
          return createStreamMuxer.call(factory, connection)
        }
        return factory
      }
    ]
  })
  const { stream } = await opened(client, await startNode())
  const answered = new Promise(resolve => stream.addEventListener('message', resolve, { once: true }))
  stream.send(Buffer.from('hello'))
  await answered
  const updates = frames.filter(
    frame => frame instanceof Uint8Array && frame.length === HEADER_BYTES && frame[TYPE_AT] === WINDOW_UPDATE
  )
  assert.ok(updates.length > 0)
  const hello = frames.map(frame => Buffer.from(frame.subarray())).filter(frame => frame.includes('hello'))
  const lengths = hello.map(frame => frame.length)
  assert.deepEqual(lengths, [HEADER_BYTES + 5])
})
