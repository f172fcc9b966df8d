import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { multiaddr } from '@multiformats/multiaddr'
import { registrantKey } from '../../src/client/identities.js'
import { openRegistrations } from '../../src/client/rendezvous-client.js'
import { sealPeerRecord } from '../../src/protocol/signed-record.js'

const address = multiaddr('/ip4/10.0.0.1/tcp/1')
const privateKey = await registrantKey(7, 1)
const recordOf = (/** @type {any[]} */ addresses) => sealPeerRecord({ privateKey, addresses, seq: 1 })

describe('registrations that were found', () => {
  test('are usable without addresses of a kind that is not known', async () => {
    const signedPeerRecord = await recordOf([Uint8Array.of(0xff, 0xff, 0x7f), address])
    for (const verify of [true, false]) {
      const { registrations, rejected } = await openRegistrations([{ ns: 'a', signedPeerRecord, ttl: 9 }], {
        verify
      })
      assert.deepEqual([rejected, registrations[0].addresses.map(String)], [[], [String(address)]])
      assert.deepEqual([registrations[0].ns, registrations[0].ttlSeconds], ['a', 9])
    }
  })

  test('are of the namespace that was asked for where the server leaves it out', async () => {
    const signedPeerRecord = await recordOf([address])
    const { registrations } = await openRegistrations([{ signedPeerRecord }], { ns: 'b', verify: true })
    assert.equal(registrations[0].ns, 'b')
  })

  test('are rejected without a record, or with one that was changed', async () => {
    const changed = Uint8Array.from(await recordOf([address]))
    changed[changed.length - 1] ^= 1
    const { registrations, rejected } = await openRegistrations(
      [{ ns: 'a' }, { ns: 'a', signedPeerRecord: changed }],
      {
        verify: true
      }
    )
    assert.deepEqual([registrations, rejected.map(({ ns }) => ns)], [[], ['a', 'a']])
  })

  test('are checked no further once nobody waits for them', async () => {
    const signal = AbortSignal.abort()
    await assert.rejects(openRegistrations([{ ns: 'a' }], { verify: true, signal }), { code: 'ABORTED' })
  })
})
