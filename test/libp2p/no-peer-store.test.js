import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { noPeerStore } from '../../src/libp2p/no-peer-store.js'
import { makePeer } from '../server/harness.js'

/** What is there when services are made, taken by parts of libp2p before. */
const usual = () => /** @type {import('@libp2p/interface').PeerStore} */ ({})

it('noPeerStore has the one that parts of libp2p hold forget whatever it is told', async () => {
  const store = usual()
  assert.equal(noPeerStore()({ peerStore: store }), store)
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

it('noPeerStore says that it knows nobody without a stack trace: libp2p asks for each peer that goes', async () => {
  const { id } = await makePeer()
  const { stackTraceLimit } = Error
  await assert.rejects(noPeerStore()({ peerStore: usual() }).get(id), ({ stack }) => !/\n +at /.test(stack))
  assert.equal(Error.stackTraceLimit, stackTraceLimit)
})
