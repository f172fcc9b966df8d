import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { encodeDiscover, encodeFrame } from '../../src/protocol/rendezvous.js'
import { MemoryStore } from '../../src/server/store/memory-store.js'
import { until } from '../until.js'
import { makePeer, startService } from './harness.js'

const MIB = 1 << 20
const alice = await makePeer()
const bob = await makePeer()

/** @param {number} registrations - of 15 kB, 70 of which are a page of 1 MiB */
async function storeOf(registrations) {
  const store = new MemoryStore()
  const peerId = alice.id.toMultihash().bytes
  for (let i = 0; i < registrations; i++) {
    const signedPeerRecord = new Uint8Array(15_000).fill(i)
    await store.add({ peerId, ns: `ns${i}`, signedPeerRecord, ttlSeconds: 7200 })
  }
  return store
}

describe('replies of 1 MiB', () => {
  it('are sent in parts, between which others are answered', async () => {
    const server = await startService({ store: await storeOf(70) })
    const hostile = server.openFake(Object.assign(alice, { address: '/ip4/10.0.0.1/tcp/1' }))
    const honest = server.openFake(Object.assign(bob, { address: '/ip4/10.0.0.2/tcp/1' }))
    let meanwhile = Number.NaN
    const send = honest.send.bind(honest)
    honest.send = data => {
      meanwhile = hostile.sentBytes
      return send(data)
    }
    hostile.arrive(encodeFrame(encodeDiscover({})))
    honest.arrive(encodeFrame(encodeDiscover({ ns: 'nobody' })))
    await until(() => server.service.waitingBytes === 0)
    assert.ok(meanwhile <= MIB / 8, `${meanwhile} bytes before the other was answered`)
    const [reply] = hostile.replies()
    assert.deepEqual(
      reply.discoverResponse?.registrations.map(({ signedPeerRecord }) => signedPeerRecord?.at(-1)),
      Array.from({ length: 69 }, (_, i) => i)
    )
  })

  it('count as waiting until the last part is sent, and no longer when their stream is closed', async () => {
    const server = await startService({ store: await storeOf(70) })
    const stream = server.openFake(alice)
    // more than is sent in a turn
    stream.arrive(Buffer.concat(Array(10).fill(encodeFrame(encodeDiscover({})))))
    // on a busy machine a turn may end before a reply is made
    for (let turns = 0; turns < 100 && server.service.waitingBytes <= MIB / 2; turns++) await turn()
    assert.ok(server.service.waitingBytes > MIB / 2, `${server.service.waitingBytes}`)
    stream.abort(new Error('gone'))
    const { sentBytes } = stream
    await turn()
    await turn()
    assert.equal(server.service.waitingBytes, 0)
    assert.equal(stream.sentBytes, sentBytes)
  })
})
