import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { TypedEventEmitter } from '@libp2p/interface'
import { listedConnections } from '../../src/libp2p/node-components.js'

/** @param {'open' | 'closed'} status */
const connection = status => /** @type {any} */ ({ status })

function listed() {
  const events = /** @type {any} */ (new TypedEventEmitter())
  const own = { getConnections: (/** @type {any} */ peer) => (peer == null ? assert.fail() : [peer]) }
  const connectionManager = listedConnections()(/** @type {any} */ ({ connectionManager: own, events }))
  assert.equal(connectionManager, own)
  const tell = (/** @type {string} */ what, /** @type {any} */ detail) =>
    events.dispatchEvent(new CustomEvent(what, { detail }))
  return { tell, list: connectionManager.getConnections.bind(connectionManager) }
}

it('connections are listed while they are open, without libp2p going through all peers', () => {
  const { tell, list } = listed()
  const [a, b, c] = [connection('open'), connection('open'), connection('open')]
  for (const each of [a, b, c]) tell('connection:open', each)
  tell('connection:close', b)
  tell('connection:close', connection('closed'))
  assert.deepEqual(list(), [a, c])
})

it('what was listed stays as it was while connections come and go', () => {
  const { tell, list } = listed()
  tell('connection:open', connection('open'))
  const before = list()
  tell('connection:open', connection('open'))
  assert.equal(before.length, 1)
  assert.equal(list().length, 2)
})

it('a connection that is closed before it is told of is none', () => {
  const { tell, list } = listed()
  tell('connection:open', connection('closed'))
  assert.deepEqual(list(), [])
})

it('those of a peer are told by libp2p', () => {
  const peer = /** @type {any} */ ({})
  assert.deepEqual(listed().list(peer), [peer])
})
