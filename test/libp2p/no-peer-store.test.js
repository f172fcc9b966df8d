import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { noPeerStore } from '../../src/libp2p/no-peer-store.js'
import { makePeer } from '../server/harness.js'

it('noPeerStore forgets whatever it is told', async () => {
  const store = noPeerStore()()
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
