import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { multiaddr } from '@multiformats/multiaddr'
import { ConnectionViews, makeToPeer2, NodeView } from '../../../src/libp2p/generation-2/views.js'

const PEER = '12D3KooWKrEPfpTRBNoH35vgD2cQysyNchGY1yNvdq6vFqNXsdMk'
const OTHER = '12D3KooWQYhTNQdmr3ArTeUHRYzFg94BKyTkoWBDWez9kSCVe2Xo'
const ADDRESS = `/ip4/127.0.0.1/tcp/8000/p2p/${PEER}`

const connectionTo = (/** @type {string} */ peer) => ({
  remotePeer: peer,
  status: 'open',
  timeline: { open: 1 },
  aborted: false,
  abort() {
    this.aborted = true
  }
})

/** A node of generation 2, which tells what it was asked. */
class Node extends EventTarget {
  peerId = PEER
  /** @type {Record<string, any>} */
  services = { ping: {} }
  status = 'stopped'
  peerStore = 'its own'
  /** @type {any[]} */
  asked = []
  connection = connectionTo(PEER)

  async start() {
    this.status = 'started'
  }

  async stop() {
    this.status = 'stopped'
  }

  /** @param {any} peer */
  getConnections(peer) {
    return peer === undefined || peer === PEER ? [this.connection] : []
  }

  getPeers() {
    return [PEER]
  }

  getMultiaddrs() {
    return [{ toString: () => ADDRESS }]
  }

  getProtocols() {
    return ['/ping/1.0.0']
  }

  /** @param {any[]} args */
  async dial(...args) {
    this.asked.push(['dial', ...args])
    return this.connection
  }

  /** @param {any[]} args */
  async hangUp(...args) {
    this.asked.push(['hangUp', ...args])
  }
}

function viewed() {
  const node = new Node()
  const peers = makeToPeer2(address => `2:${address}`)
  const view = new NodeView(/** @type {any} */ (node), new ConnectionViews(), peers)
  return { node, view: /** @type {any} */ (view) }
}

describe('a node of generation 2 in the present shape', () => {
  test('starts, stops and tells of itself as it does', async () => {
    const { view } = viewed()
    assert.deepEqual([view.peerId, view.status], [PEER, 'stopped'])
    await view.start()
    assert.equal(view.status, 'started')
    assert.deepEqual([view.getPeers(), view.getProtocols()], [[PEER], ['/ping/1.0.0']])
    assert.deepEqual(view.getMultiaddrs(), [multiaddr(ADDRESS)])
    await view.stop()
    assert.equal(view.status, 'stopped')
  })

  test('has the peer store of its services, else its own', () => {
    const { node, view } = viewed()
    assert.equal(view.peerStore, 'its own')
    node.services.peerStore = 'another'
    assert.equal(view.peerStore, 'another')
  })

  test('gives one view of a connection, dialled or found, which is told of its end', async () => {
    const { node, view } = viewed()
    const options = { signal: AbortSignal.timeout(1e6) }
    const dialled = await view.dial(multiaddr(ADDRESS), options)
    assert.deepEqual(node.asked, [['dial', `2:${ADDRESS}`, options]])
    assert.equal(view.getConnections()[0], dialled)
    assert.equal(view.getConnections(PEER)[0], dialled)
    assert.deepEqual(view.getConnections(OTHER), [])
    let closed = 0
    dialled.addEventListener('close', () => closed++)
    node.dispatchEvent(new CustomEvent('connection:close', { detail: node.connection }))
    assert.equal(closed, 1)
  })

  test('takes several addresses of a peer, and refuses another peer that answers there', async () => {
    const { node, view } = viewed()
    await view.dial([multiaddr(ADDRESS), multiaddr(ADDRESS)])
    assert.deepEqual(node.asked[0][1], [`2:${ADDRESS}`, `2:${ADDRESS}`])
    node.connection = connectionTo(OTHER)
    await assert.rejects(view.dial(multiaddr(ADDRESS)), /does not match expected remote identity key/)
    assert.ok(node.connection.aborted)
  })

  test('hangs up on a peer by its address or its id', async () => {
    const { node, view } = viewed()
    await view.hangUp(multiaddr(ADDRESS))
    await view.hangUp(PEER)
    assert.deepEqual(node.asked, [
      ['hangUp', `2:${ADDRESS}`, undefined],
      ['hangUp', PEER, undefined]
    ])
  })

  test('tells who listens of events until they listen no more', () => {
    const { node, view } = viewed()
    let heard = 0
    const listener = () => heard++
    view.addEventListener('peer:connect', listener)
    node.dispatchEvent(new Event('peer:connect'))
    view.removeEventListener('peer:connect', listener)
    node.dispatchEvent(new Event('peer:connect'))
    assert.equal(heard, 1)
  })
})

const ADDRESSConnectionView = '/ip4/127.0.0.1/tcp/8000'

/** @param {string} id */
const stream2 = id => ({
  id,
  direction: 'outbound',
  status: 'open',
  protocol: /** @type {string | undefined} */ (undefined),
  /** @type {any} */ source: null,
  /** @param {any} source */
  async sink(source) {
    this.source = source
  }
})

function connected() {
  const inner = {
    id: 'c',
    remotePeer: 'peer',
    direction: 'inbound',
    status: 'open',
    timeline: /** @type {{ open: number, close?: number }} */ ({ open: 1 }),
    multiplexer: '/yamux/1.0.0',
    encryption: '/noise',
    remoteAddr: { toString: () => ADDRESSConnectionView },
    limits: { bytes: 7n },
    rtt: 12,
    /** @type {any[]} */
    streams: [],
    /** @type {any[]} */
    did: [],
    /** @param {any} protocols @param {any} [_options] @returns {Promise<any>} */
    async newStream(protocols, _options) {
      if (protocols === '/none') throw new Error('no such protocol')
      const stream = stream2(String(protocols))
      inner.streams.push(stream)
      return stream
    },
    async close(/** @type {any} */ options) {
      inner.did.push(['close', options])
    },
    abort(/** @type {any} */ error) {
      inner.did.push(['abort', error])
    }
  }
  const views = new ConnectionViews()
  return { inner, views, view: views.of(/** @type {any} */ (inner)) }
}

describe('a connection of generation 2 in the present shape', () => {
  test('tells of itself what the one below does', () => {
    const { view } = connected()
    const { id, remotePeer, direction, multiplexer, encryption, limits, rtt, status, remoteAddr } =
      /** @type {any} */ (view)
    assert.deepEqual(
      [id, remotePeer, direction, multiplexer, encryption, limits, rtt, status],
      ['c', 'peer', 'inbound', '/yamux/1.0.0', '/noise', { bytes: 7n }, 12, 'open']
    )
    assert.deepEqual(remoteAddr, multiaddr(ADDRESSConnectionView))
  })

  test('is closed as soon as the one below is, and when it is told to', async () => {
    const { inner, view } = connected()
    const options = { signal: AbortSignal.timeout(1e6) }
    await view.close(options)
    const error = new Error('enough')
    view.abort(error)
    assert.deepEqual(inner.did, [
      ['close', options],
      ['abort', error]
    ])
    inner.timeline.close = 2
    assert.equal(view.status, 'closed')
  })

  test('gives the error of a stream that could not be opened', async () => {
    const { view, inner } = connected()
    inner.timeline.close = 2
    await assert.rejects(view.newStream('/none'), /no such protocol/)
  })

  test('shows streams of services, what waits in them, and their end', async () => {
    const { inner, views, view } = connected()
    const stream = await view.observed().newStream('/meshsub', {})
    const [seen, ...more] = /** @type {any[]} */ (view.streams)
    assert.deepEqual(
      [more, seen.id, seen.direction, seen.status, seen.protocol, seen.writeBufferLength],
      [[], '/meshsub', 'outbound', 'open', '', 0]
    )
    const source = { readableLength: 99 }
    await stream.sink(/** @type {any} */ (source))
    assert.equal(inner.streams[0].source, source)
    assert.equal(seen.writeBufferLength, 99)
    inner.streams[0].protocol = '/meshsub/1.1.0'
    inner.streams[0].status = 'closed'
    assert.deepEqual([seen.protocol, seen.status], ['/meshsub/1.1.0', 'closed'])
    let closed = 0
    seen.addEventListener('close', () => closed++)
    views.streams.ended(inner.streams[0])
    assert.deepEqual([closed, seen.writeBufferLength], [1, 0])
    assert.equal(view.streams[0], seen)
  })

  test('keeps silent about the end of what nobody has looked at', () => {
    const { views } = connected()
    views.closed(/** @type {any} */ ({}))
    views.streams.ended({})
  })
})
