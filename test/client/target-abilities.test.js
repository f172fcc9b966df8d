import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { findAbilities } from '../../src/client/target-abilities.js'
import { encodeDiscoverResponse, encodeRegisterResponse } from '../../src/protocol/messages.js'
import { openSignedRecord, RecordDomain } from '../../src/protocol/signed-record.js'
import { Status } from '../../src/protocol/status.js'
import { framed, onePerStream, scriptedConnection } from './scripted-peer.js'

const { PEER_RECORD, ROUTING_STATE } = RecordDomain

/** @typedef {import('./scripted-peer.js').Script} Script */

/** @type {Script} */
const answer = ({ discover, register }, far) => {
  if (discover !== undefined) far.send(framed(encodeDiscoverResponse({ status: Status.OK })))
  if (register !== undefined) far.send(framed(encodeRegisterResponse({ status: Status.OK, ttl: 7200 })))
}

/** One that takes records of a domain, and ends the stream at others, as rust-libp2p does. @param {string} domain @returns {Script} */
const takesOnly = domain => async (request, far) => {
  const { signedPeerRecord } = request.register ?? {}
  if (signedPeerRecord !== undefined && (await openSignedRecord(signedPeerRecord)).domain !== domain)
    return far.abort(new Error('cannot be decoded'))
  answer(request, far)
}

/** @param {Script} script @param {object} [options] */
const abilitiesOf = async (script, options) =>
  findAbilities(scriptedConnection(script), {
    privateKey: await generateKeyPair('Ed25519'),
    ns: 'probe',
    registration: { ttlSeconds: 7200, domain: PEER_RECORD },
    signal: AbortSignal.timeout(20_000),
    ...options
  })

// streams in memory and signals that time out keep no process alive
const alive = setInterval(() => {}, 1000)
after(() => clearInterval(alive))

describe('what a server can do is found out', () => {
  it('several requests on a stream, records as they are sealed', async () => {
    assert.deepEqual(await abilitiesOf(answer), {
      severalPerStream: true,
      refusal: null,
      otherDomain: null
    })
  })

  it('one request on each stream', async () => {
    assert.deepEqual(await abilitiesOf(onePerStream(answer)), {
      severalPerStream: false,
      refusal: null,
      otherDomain: null
    })
  })

  it('one request on each stream, where a second is left without an answer', async () => {
    const served = new WeakSet()
    const abilities = await abilitiesOf(
      (request, far) => {
        if (!served.has(far)) answer(request, far)
        served.add(far)
      },
      { waitMs: 50 }
    )
    assert.equal(abilities.severalPerStream, false)
  })

  it('records of the other domain alone', async () => {
    const { otherDomain } = await abilitiesOf(takesOnly(ROUTING_STATE))
    assert.equal(otherDomain, ROUTING_STATE)
  })

  it('a refusal of the time to live, in its words', async () => {
    const { refusal, otherDomain } = await abilitiesOf(({ discover, register }, far) => {
      if (discover !== undefined) answer({ discover, type: 3 }, far)
      if (register !== undefined)
        far.send(framed(encodeRegisterResponse({ status: Status.E_INVALID_TTL, statusText: 'too short' })))
    })
    assert.equal(refusal?.code, 'E_INVALID_TTL')
    assert.match(refusal?.message ?? '', /too short/)
    assert.equal(otherDomain, null)
  })

  it('nothing of registrations where none are to be made', async () => {
    /** @type {unknown[]} */
    const registers = []
    await abilitiesOf(
      (request, far) => {
        if (request.register !== undefined) registers.push(request.register)
        answer(request, far)
      },
      { registration: null }
    )
    assert.deepEqual(registers, [])
  })

  it('and what was registered for that is taken back', async () => {
    /** @type {string[]} */
    const unregistered = []
    await abilitiesOf((request, far) => {
      if (request.unregister !== undefined) {
        unregistered.push(request.unregister.ns ?? '')
        far.close()
      }
      answer(request, far)
    })
    assert.deepEqual(unregistered, ['probe'])
  })
})
