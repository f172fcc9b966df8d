import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { stack } from '../../src/libp2p/generation-3/libp2p-3.js'
import { NOTHING_KEPT } from '../../src/libp2p/node-components.js'
import { makePeer } from '../server/harness.js'

it('a peer store that keeps nothing forgets whatever it is told', async () => {
  const store = NOTHING_KEPT
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
  await assert.rejects(NOTHING_KEPT.get(id), ({ stack }) => !/\n +at /.test(stack))
  assert.equal(Error.stackTraceLimit, stackTraceLimit)
})

it('connections of a lean node tell it, and not the one that libp2p makes', async () => {
  const node = /** @type {any} */ (await stack.createNode(/** @type {any} */ ({ lean: true })))
  assert.equal(node.components.peerStore, NOTHING_KEPT)
  const { id } = await makePeer()
  await node.components.peerStore.merge(id, { protocols: ['/a/1'] })
  assert.deepEqual(await node.peerStore.all(), [])
})
