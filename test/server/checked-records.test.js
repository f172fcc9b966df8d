import './harness.js'
import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { after, describe, it, mock } from 'node:test'
import { encodeRegister, Status } from '../../src/protocol/rendezvous.js'
import { sealPeerRecord } from '../../src/protocol/signed-record.js'
import { VerifiedRecords } from '../../src/server/rendezvous-server.js'
import { makePeer, startService } from './harness.js'

const verify = mock.method(crypto, 'verify')
syncBuiltinESMExports()

after(() => {
  mock.restoreAll()
  syncBuiltinESMExports()
})

const TTL = 7200
const alice = await makePeer()
const bob = await makePeer()

/** @param {Awaited<ReturnType<typeof startService>>} server */
function asker(server) {
  /** @param {Awaited<ReturnType<typeof makePeer>>} peer @param {string} ns @param {Uint8Array} [record] */
  return async (peer, ns, record = peer.record) => {
    const before = verify.mock.callCount()
    const client = await server.open(peer)
    const reply = await client.ask(encodeRegister({ ns, signedPeerRecord: record, ttl: TTL }))
    return { status: reply?.registerResponse?.status, checks: verify.mock.callCount() - before }
  }
}

/** @param {Uint8Array} record - whose signature ends it */
function forged(record) {
  const bytes = Uint8Array.from(record)
  bytes[bytes.length - 3] ^= 1
  return bytes
}

describe('the signature of a peer record', () => {
  it('is checked once, however often and wherever the peer registers with the record', async () => {
    const ask = asker(await startService())
    assert.deepEqual(await ask(alice, 'a'), { status: Status.OK, checks: 1 })
    assert.deepEqual(await ask(alice, 'a'), { status: Status.OK, checks: 0 })
    assert.deepEqual(await ask(alice, 'b'), { status: Status.OK, checks: 0 })
    assert.deepEqual(await ask(bob, 'a'), { status: Status.OK, checks: 1 })
    assert.deepEqual(await ask(alice, 'c'), { status: Status.OK, checks: 0 })
  })

  it('is checked again with another record', async () => {
    const ask = asker(await startService())
    const newer = await sealPeerRecord({ privateKey: alice.privateKey, addresses: [], seq: 2 })
    await ask(alice, 'a')
    assert.deepEqual(await ask(alice, 'a', newer), { status: Status.OK, checks: 1 })
    assert.deepEqual(await ask(alice, 'a', newer), { status: Status.OK, checks: 0 })
  })

  it('is refused when it is wrong, each time, whatever was right before', async () => {
    const ask = asker(await startService())
    const refused = { status: Status.E_INVALID_SIGNED_PEER_RECORD, checks: 1 }
    assert.deepEqual(await ask(alice, 'a', forged(alice.record)), refused)
    await ask(alice, 'a')
    assert.deepEqual(await ask(alice, 'a', forged(alice.record)), refused)
    assert.deepEqual(await ask(alice, 'a', forged(alice.record)), refused)
  })

  it('of another peer is no use', async () => {
    const ask = asker(await startService())
    await ask(alice, 'a')
    assert.equal((await ask(bob, 'a', alice.record)).status, Status.E_NOT_AUTHORIZED)
  })
})

describe('CheckedRecords', () => {
  it('remembers so many peers, and forgets whose record it has known for longest', () => {
    const [one, two, three] = [1, 2, 3].map(id => Uint8Array.of(id))
    const record = Uint8Array.of(7)
    const known = new VerifiedRecords(2)
    for (const peer of [one, two, one, three]) known.add(peer, record)
    const found = [one, two, three].map(peer => known.has(peer, record))
    assert.deepEqual(found, [true, false, true])
  })

  it('keeps nothing of the bytes it is given', () => {
    const [peer, record] = [Uint8Array.of(1), Uint8Array.of(7)]
    const known = new VerifiedRecords()
    known.add(peer, record)
    record[0] = 8
    assert.equal(known.has(peer, record), false)
    assert.equal(known.has(peer, Uint8Array.of(7)), true)
  })
})
