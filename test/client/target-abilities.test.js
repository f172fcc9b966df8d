import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { findAbilities } from '../../src/client/target-abilities.js'
import { encodeDiscoverResponse, encodeRegisterResponse, Status } from '../../src/protocol/rendezvous.js'
import { openSignedRecord, RecordDomain } from '../../src/protocol/signed-record.js'
import { framed, onePerStream, scriptedConnection } from './scripted-peer.js'

const { PEER_RECORD, ROUTING_STATE } = RecordDomain

/** @typedef {import('./scripted-peer.js').Script} Script */

/** @type {Script} */
const answer = ({ discover, register, unregister }, far) => {
  if (discover !== undefined) far.send(framed(encodeDiscoverResponse({ status: Status.OK })))
  if (register !== undefined) far.send(framed(encodeRegisterResponse({ status: Status.OK, ttl: 7200 })))
  // which is how a server says that it is done
  if (unregister !== undefined) far.close().catch(() => {})
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
    signal: AbortSignal.timeout(120_000),
    ...options
  })

const STOCK = {
  repeats: false,
  problem: null,
  grantedSeconds: 7200,
  refusal: null,
  ttlBounds: null,
  otherDomain: null
}

/** Takes times to live within bounds. @param {number} min @param {number} max @returns {Script} */
const granting = (min, max) => (request, far) => {
  const { ttl = 7200 } = request.register ?? {}
  if (ttl >= min && ttl <= max) return answer(request, far)
  far.send(framed(encodeRegisterResponse({ status: Status.E_INVALID_TTL })))
}

// streams in memory and signals that time out keep no process alive
const alive = setInterval(() => {}, 1000)
after(() => clearInterval(alive))

describe('what a server can do is found out', () => {
  it('several requests on a stream, records as they are sealed', async () => {
    assert.deepEqual(await abilitiesOf(answer), { ...STOCK, severalPerStream: true })
  })

  it('one request on each stream', async () => {
    assert.deepEqual(await abilitiesOf(onePerStream(answer)), { ...STOCK, severalPerStream: false })
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

  for (const [min, max] of [
    [7201, 259_200],
    [1, 7199],
    [100_000, 400_000]
  ])
    it(`which times to live it takes, where it refuses that of the run: ${min} to ${max} s`, async () => {
      const { refusal, ttlBounds } = await abilitiesOf(granting(min, max))
      assert.equal(refusal?.code, 'E_INVALID_TTL')
      assert.deepEqual(ttlBounds, { minSeconds: min, maxSeconds: max })
    })

  it('no bounds where there is none among likely times to live', async () => {
    const { refusal, ttlBounds } = await abilitiesOf(granting(1e9, 2e9))
    assert.deepEqual([refusal?.code, ttlBounds], ['E_INVALID_TTL', null])
  })

  it('that it answers one request twice: replies on one stream could be anyone\u2019s', async () => {
    const { repeats, problem } = await abilitiesOf((request, far) => {
      answer(request, far)
      answer(request, far)
    })
    assert.deepEqual([repeats, problem], [true, null])
  })

  for (const [name, script, code] of /** @type {[string, Script, string][]} */ ([
    ['no rendezvous message', (_, far) => far.send(Buffer.from([1, 7])), 'MALFORMED'],
    ['nothing', () => {}, 'TIMEOUT']
  ]))
    it(`that it answers with ${name}, which is its affair`, async () => {
      const { problem, severalPerStream } = await abilitiesOf(script, { timeoutMs: 50 })
      assert.deepEqual([problem?.code, severalPerStream], [code, null])
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
