import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Purpose, privateKeyOf } from '../../../../src/client/identities.js'
import { registrantRecord } from '../../../../src/client/registrant-records.js'
import { RecordDomain, sealPeerRecord } from '../../../../src/protocol/signed-record.js'
import {
  peerNumbers,
  RotateRendezvousEvents
} from '../../../../src/scenarios/rotate-rendezvous/run/rotate-rendezvous-events.js'

const SEED = 7

/** The record that a peer of the run registers. @param {number} number */
async function recordOf(number) {
  const privateKey = await privateKeyOf(SEED, Purpose.CLIENT, number)
  return { ns: 'a', signedPeerRecord: await sealPeerRecord({ privateKey, addresses: [], seq: 1 }) }
}

const events = () => new RotateRendezvousEvents(peerNumbers(SEED, 3), () => 99)

describe('what peers were told', () => {
  test('is kept by the numbers of the peers; records of others, and what is none, are only counted', async () => {
    const told = events()
    const stranger = await registrantRecord({ seed: SEED, domain: RecordDomain.PEER_RECORD }, 1)
    const registrations = [
      await recordOf(2),
      await recordOf(0),
      { ns: 'a', signedPeerRecord: stranger },
      { ns: 'a', signedPeerRecord: Uint8Array.of(1, 2, 3) },
      { ns: 'a' }
    ]
    told.reply({ atNs: 5, sentNs: 4, node: 1, ns: 0, registrations })
    const { untilNs, events: kept } = told.take()
    assert.equal(untilNs, 99)
    assert.deepEqual(kept, [
      { kind: 'reply', atNs: 5, sentNs: 4, node: 1, ns: 0, peers: Uint32Array.of(2, 0), unknown: 3 }
    ])
    assert.deepEqual(told.take().events, [])
  })

  test('before the measurement is left out, but for what is registered', () => {
    const told = events()
    told.registered({ atNs: 1, node: 0, ns: 0, ttlSeconds: 60, certain: true })
    told.reply({ atNs: 2, sentNs: 1, node: 0, ns: 0, registrations: [] })
    told.cutOff()
    told.forgetReplies()
    const { events: kept, cutOff } = told.take()
    assert.deepEqual(
      kept.map(({ kind }) => kind),
      ['registered']
    )
    assert.equal(cutOff, 0)
  })
})
