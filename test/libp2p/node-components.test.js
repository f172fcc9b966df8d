import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { TypedEventEmitter } from '@libp2p/interface'
import { stack } from '../../src/libp2p/generation-3/libp2p-3.js'
import { EMPTY_PEER_STORE, makeConnectionList, makeQuietRegistrar } from '../../src/libp2p/node-components.js'
import { makePeer } from '../server/harness.js'

it('a peer store that keeps nothing forgets whatever it is told', async () => {
  const store = EMPTY_PEER_STORE
  const { id, record } = await makePeer()
  for (const told of [store.save, store.patch, store.merge]) {
    assert.equal((await told(id, { protocols: ['/a/1'] })).id, id)
  }
  assert.equal(await store.consumePeerRecord(record), false)
  await store.delete(id)
  await store.forEach(() => {
    assert.fail('there is nobody')
  })
  assert.equal(await store.has(id), false)
  assert.deepEqual(await store.all(), [])
  for (const asked of [store.get, store.getInfo]) await assert.rejects(asked(id), { name: 'NotFoundError' })
})

it('it says that it knows nobody without a stack trace: libp2p asks for each peer that goes', async () => {
  const { id } = await makePeer()
  const { stackTraceLimit } = Error
  await assert.rejects(EMPTY_PEER_STORE.get(id), ({ stack }) => !/\n +at /.test(stack))
  assert.equal(Error.stackTraceLimit, stackTraceLimit)
})

it('connections of a lean node tell it, and not the one that libp2p makes', async () => {
  const node = /** @type {any} */ (await stack.createNode(/** @type {any} */ ({ lean: true })))
  assert.equal(node.components.peerStore, EMPTY_PEER_STORE)
  const { id } = await makePeer()
  await node.components.peerStore.merge(id, { protocols: ['/a/1'] })
  assert.deepEqual(await node.peerStore.all(), [])
})

/** @param {Record<string, string>} handlers */
function registrarOf(handlers) {
  return /** @type {any} */ ({
    getHandler(/** @type {string} */ protocol) {
      if (!(protocol in handlers)) throw new Error(`No handler registered for protocol ${protocol}`)
      return handlers[protocol]
    }
  })
}

it('a protocol that nobody handles is told of without a stack trace, and only that', () => {
  const registrar = makeQuietRegistrar({ registrar: registrarOf({ '/echo/1': 'echo' }) })
  assert.equal(registrar.getHandler('/echo/1'), 'echo')
  const before = Error.stackTraceLimit
  assert.throws(
    () => registrar.getHandler('/none/1'),
    (/** @type {Error} */ { message, stack: trace = '' }) =>
      message === 'No handler registered for protocol /none/1' && !trace.includes('\n    at ')
  )
  assert.throws(() => registrar.getHandler('/none/1'))
  assert.equal(Error.stackTraceLimit, before)
  assert.match(/** @type {string} */ (new Error('other').stack), /\n {4}at /)
})

it('a lean node has it: handlers come and go as ever', async () => {
  const node = /** @type {any} */ (await stack.createNode(/** @type {any} */ ({ lean: true })))
  const missing = () => {
    try {
      return node.components.registrar.getHandler('/echo/1')
    } catch (error) {
      return error
    }
  }
  assert.equal(missing().name, 'UnhandledProtocolError')
  assert.ok(!missing().stack.includes('\n    at '))
  assert.equal(missing(), missing())
  const handler = () => {}
  await node.handle('/echo/1', handler)
  assert.equal(missing().handler, handler)
  const other = () => {}
  await node.handle('/echo/1', other, { force: true })
  assert.equal(missing().handler, other)
  await node.unhandle('/echo/1')
  assert.equal(missing().name, 'UnhandledProtocolError')
})

/** @param {'open' | 'closed'} status */
const connection = status => /** @type {any} */ ({ status })

function listed() {
  const events = /** @type {any} */ (new TypedEventEmitter())
  const own = { getConnections: (/** @type {any} */ peer) => (peer == null ? assert.fail() : [peer]) }
  const connectionManager = makeConnectionList()(/** @type {any} */ ({ connectionManager: own, events }))
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
