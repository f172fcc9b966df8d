import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { multiaddr } from '@multiformats/multiaddr'
import { SimulatedConnectionManager } from '../../src/simulator/network/node.js'

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
