import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SimulatedRegistrar } from '../../src/simulator/network/node.js'

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
