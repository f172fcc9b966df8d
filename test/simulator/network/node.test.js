import assert from 'node:assert/strict'
import { before, describe, it, test } from 'node:test'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { RPC } from '@libp2p/gossipsub/message'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { multiaddr } from '@multiformats/multiaddr'
import { makePayload } from '../../../src/network/gossipsub.js'
import {
  Processing,
  SimulatedConnectionManager,
  SimulatedRegistrar
} from '../../../src/simulator/network/node.js'
import { makeProcessingCosts } from '../../../src/simulator/simulation-settings.js'
import { VirtualTime } from '../../../src/simulator/virtual-time.js'

const SIGNATURE_NS = 100
const SEEN_NS = 1e6

/** An RPC with one message, behind its length. @param {number} number */
function rpc(number) {
  const bytes = RPC.encode({ subscriptions: [], messages: [{ topic: 'a', data: makePayload(1, number, 8) }] })
  return Uint8Array.from([bytes.length, ...bytes])
}

/** How long a node takes for what comes to it, each at a moment. @param {[atNs: number, message: number][]} come */
function taken(come) {
  const time = new VirtualTime()
  const costs = {
    rpcNs: 0,
    signatureNs: SIGNATURE_NS,
    signatures: /** @type {const} */ ('first'),
    seenNs: SEEN_NS
  }
  const processing = new Processing(time, 0, costs)
  /** @type {number[]} */
  const tookNs = []
  for (const [atNs, message] of come)
    time.at(atNs, 0, () => {
      processing.take(rpc(message), () => tookNs.push(time.nowNs - atNs))
    })
  while (time.runNext(Number.POSITIVE_INFINITY));
  return tookNs
}

test('a signature is checked once, and again when the library has forgotten the message', () => {
  const late = SEEN_NS + 1000
  assert.deepEqual(
    taken([
      [0, 1],
      [500, 1],
      [SEEN_NS, 1],
      [SEEN_NS + 500, 2],
      [late, 1],
      [late + 500, 1],
      [late + 1000, 2]
    ]),
    [SIGNATURE_NS, 0, 0, SIGNATURE_NS, SIGNATURE_NS, 0, 0]
  )
})

test('a message is known for as long as by the library', () => {
  const plan = { signing: true, fastMsgId: true, keyType: /** @type {const} */ ('ed25519') }
  assert.equal(makeProcessingCosts({ ...plan, gossipsub: {} }).seenNs, 120e9)
  assert.equal(makeProcessingCosts({ ...plan, gossipsub: { seenTTL: 5000 } }).seenNs, 5e9)
})

/** @typedef {import('@libp2p/interface').PeerId} PeerId */
/** @typedef {import('@libp2p/interface').Connection} Connection */

/** @type {PeerId[]} */
let peers
before(async () => {
  peers = await Promise.all(
    Array.from({ length: 2 }, async () => peerIdFromPrivateKey(await generateKeyPair('Ed25519')))
  )
})

/** @param {PeerId} remotePeer @param {() => void} [close] @returns {Connection} */
const connectionTo = (remotePeer, close = () => {}) =>
  /** @type {any} */ ({ remotePeer, close: async () => close() })

const noDial = () => assert.fail('dialled')

describe('the connections of a simulated node', () => {
  it('are given for one peer and for all, until they are removed', () => {
    const manager = new SimulatedConnectionManager(noDial)
    const [first, second, other] = [peers[0], peers[0], peers[1]].map(peer => connectionTo(peer))
    for (const each of [first, second, other]) manager.add(each)
    assert.deepEqual(manager.getConnections(), [first, second, other])
    assert.deepEqual(manager.getConnections(peers[0]), [first, second])
    manager.remove(first)
    assert.deepEqual(manager.getConnections(peers[0]), [second])
    manager.remove(second)
    manager.remove(second)
    assert.deepEqual(manager.getConnections(peers[0]), [])
    assert.deepEqual(manager.getConnections(), [other])
  })

  it('are opened by dialling only where there is none yet', async () => {
    const dialled = connectionTo(peers[1])
    const manager = new SimulatedConnectionManager(async peer => {
      assert.equal(peer, peers[1])
      return dialled
    })
    const there = connectionTo(peers[0])
    manager.add(there)
    assert.equal(await manager.openConnection(peers[0]), there)
    assert.equal(await manager.openConnection(peers[1]), dialled)
  })

  it('to one peer are closed without those to others', async () => {
    /** @type {string[]} */
    const closed = []
    const manager = new SimulatedConnectionManager(noDial)
    manager.add(connectionTo(peers[0], () => closed.push('first')))
    manager.add(connectionTo(peers[0], () => closed.push('second')))
    manager.add(connectionTo(peers[1], () => closed.push('other')))
    await manager.closeConnections(peers[0])
    assert.deepEqual(closed, ['first', 'second'])
  })

  it('cannot be dialled by an address', async () => {
    const manager = new SimulatedConnectionManager(noDial)
    await assert.rejects(manager.openConnection(multiaddr('/ip4/127.0.0.1/tcp/1')), {
      message: /^dialling an address is not simulated: .* see docs\/simulation\.md$/
    })
  })

  for (const name of /** @type {const} */ ([
    'getConnectionsMap',
    'getMaxConnections',
    'setMaxConnections',
    'openStream',
    'acceptIncomingConnection',
    'afterUpgradeInbound',
    'getDialQueue',
    'isDialable'
  ]))
    it(`refuse ${name}, by name, instead of answering what is not true`, () => {
      const manager = new SimulatedConnectionManager(noDial)
      assert.throws(() => manager[name](), { message: new RegExp(`^${name} is not simulated: `) })
    })
})

const PEER = /** @type {any} */ ('a peer')
const CONNECTION = /** @type {any} */ ({ remotePeer: PEER })

describe('the registrar of a simulated node', () => {
  it('knows who handles which protocol, until nobody does', async () => {
    const registrar = new SimulatedRegistrar()
    const handler = () => {}
    await registrar.handle('/b', handler)
    await registrar.handle('/a', handler, { maxInboundStreams: 1 })
    assert.deepEqual(registrar.getProtocols(), ['/a', '/b'])
    assert.deepEqual(registrar.getHandler('/a'), { handler, options: { maxInboundStreams: 1 } })
    assert.deepEqual(registrar.getHandler('/b'), { handler, options: {} })
    await registrar.unhandle('/b')
    assert.deepEqual(registrar.getProtocols(), ['/a'])
    assert.throws(() => registrar.getHandler('/b'), { message: 'nobody handles /b here' })
  })

  it('keeps the middleware of a protocol until it is taken away', () => {
    const registrar = new SimulatedRegistrar()
    const middleware = [() => {}]
    assert.deepEqual(registrar.getMiddleware('/a'), [])
    registrar.use('/a', middleware)
    assert.equal(registrar.getMiddleware('/a'), middleware)
    assert.deepEqual(registrar.getMiddleware('/b'), [])
    registrar.unuse('/a')
    assert.deepEqual(registrar.getMiddleware('/a'), [])
  })

  it('tells those who asked for a protocol of its peers, until they ask no more', async () => {
    const registrar = new SimulatedRegistrar()
    /** @type {unknown[]} */
    const told = []
    const id = await registrar.register('/a', {
      onConnect: (peer, connection) => void told.push(['connect', peer, connection]),
      onDisconnect: peer => void told.push(['disconnect', peer])
    })
    registrar.connected(CONNECTION, ['/b'])
    registrar.connected(CONNECTION, ['/a', '/b'])
    registrar.disconnected(PEER, ['/a'])
    assert.deepEqual(told, [
      ['connect', PEER, CONNECTION],
      ['disconnect', PEER]
    ])
    registrar.unregister(id)
    registrar.connected(CONNECTION, ['/a'])
    assert.equal(told.length, 2)
  })

  it('tells those with a filter once of a peer, and of its end only when they knew it', async () => {
    const registrar = new SimulatedRegistrar()
    const known = new Set()
    /** @type {string[]} */
    const told = []
    const topology = {
      filter: /** @type {any} */ ({
        has: (/** @type {unknown} */ peer) => known.has(peer),
        add: (/** @type {unknown} */ peer) => known.add(peer),
        remove: (/** @type {unknown} */ peer) => known.delete(peer)
      }),
      onConnect: () => void told.push('connect'),
      onDisconnect: () => void told.push('disconnect')
    }
    await registrar.register('/a', topology)
    await registrar.register('/b', topology)
    registrar.disconnected(PEER, ['/a'])
    assert.deepEqual(told, [])
    registrar.connected(CONNECTION, ['/a', '/b'])
    registrar.disconnected(PEER, ['/a', '/b'])
    assert.deepEqual(told, ['connect', 'disconnect'])
  })

  it('asks nothing of those who want to know of nothing', async () => {
    const registrar = new SimulatedRegistrar()
    await registrar.register('/a', {})
    assert.doesNotThrow(() => registrar.connected(CONNECTION, ['/a']))
    assert.doesNotThrow(() => registrar.disconnected(PEER, ['/a']))
  })
})
