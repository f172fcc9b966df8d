import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Purpose, signerOfIdentity } from '../../../../src/client/identities.js'
import { subStream } from '../../../../src/kit/random.js'
import { Namespaces } from '../../../../src/load/registrations.js'
import { makePlan } from '../../../../src/plan/plan.js'
import { encodeDiscoverResponse, encodeRegisterBody } from '../../../../src/protocol/rendezvous.js'
import { sealPeerRecord } from '../../../../src/protocol/signed-record.js'
import { RENDEZVOUS } from '../../../../src/scenarios/rendezvous/scenario.js'
import { drawPlaces, lookUp } from '../../../../src/scenarios/rendezvous/worker/server-checks.js'
import { honest, reply, startHostileTarget } from '../../../acceptance/hostile-target.js'

const { plan } = makePlan(RENDEZVOUS, { initialRegistrations: 12, nNamespaces: 2, seed: 5 }, { cores: 2 })
assert.ok(plan)
const namespaces = new Namespaces('5')
const nowMs = () => Number(process.hrtime.bigint()) / 1e6
const later = () => nowMs() + 1e6

/** @type {import('../../../acceptance/hostile-target.js').Behaviour} */
let behave = honest
/** @type {Awaited<ReturnType<typeof startHostileTarget>>} */
let target

/** A registration at the target, as a client of a run makes it. @param {string} purpose @param {number} index @param {string} ns */
async function register(purpose, index, ns) {
  const signedPeerRecord = await sealPeerRecord({
    privateKey: signerOfIdentity(5, purpose, index),
    addresses: [],
    seq: 1
  })
  target.registrations.in(ns).set(`${purpose}${index}`, { ns, signedPeerRecord, ttl: 7200 })
}

/** @param {Partial<Parameters<typeof lookUp>[0]>} [options] */
const lookedUpWith = options =>
  lookUp({
    plan: /** @type {any} */ (plan),
    addresses: [target.multiaddr],
    namespaces,
    preloadExpiresMs: later(),
    registered: [],
    stop: new AbortController().signal,
    ...options
  })

/** @param {Parameters<typeof lookedUpWith>[0]} [options] */
async function found(options) {
  const result = await lookedUpWith(options)
  assert.ok(result)
  return result
}

describe('registrations are looked up', () => {
  before(async () => {
    target = await startHostileTarget(asked => behave(asked))
    for (let i = 0; i < 12; i++) await register(Purpose.REGISTRANT, i, namespaces.planned(i % 2))
    // a client begins with a namespace of its own among those of the plan
    await register(Purpose.CLIENT, 1, namespaces.planned(1))
    await register(Purpose.CLIENT, 1, namespaces.extra(0))
  })
  after(() => target.stop())

  const ofClient = (/** @type {number} */ expiresMs) => ({
    client: 1,
    numbers: Uint32Array.of(0, 2),
    expireMs: Float64Array.of(later(), expiresMs)
  })

  it('those made before and those of clients, in all their namespaces', async () => {
    const result = await found({ registered: [ofClient(later())] })
    assert.deepEqual(
      { ...result, interval: result.interval?.low },
      { registrations: 14, drawn: 14, lookedUp: 14, missing: 0, interval: 0, problem: null }
    )
  })

  it('one that is not there is missing, unless its time to live is over', async () => {
    const gone = { client: 7, numbers: Uint32Array.of(0), expireMs: Float64Array.of(later()) }
    const { lookedUp, missing } = await found({ registered: [ofClient(nowMs() - 1), gone] })
    assert.deepEqual([lookedUp, missing], [14, 1])
  })

  it('page by page, where the target has small pages', async () => {
    behave = ({ message, stream, honestly }) => {
      if (message.discover !== undefined) message.discover.limit = 2
      reply(stream, honestly())
    }
    const { lookedUp, missing, problem } = await found()
    assert.deepEqual([lookedUp, missing, problem], [12, 0, null])
  })

  it('with cookies of 3 MiB', async () => {
    behave = ({ message, stream }) => {
      const cookie = new Uint8Array(3 << 20)
      const ns = message.discover?.ns ?? ''
      const all = message.discover?.cookie === undefined ? [...target.registrations.in(ns).values()] : []
      reply(stream, encodeDiscoverResponse({ status: 0, cookie, bodies: all.map(encodeRegisterBody) }))
    }
    const { missing, problem } = await found()
    assert.deepEqual([missing, problem], [0, null])
  })

  for (const [name, cookie] of /** @type {[string, Uint8Array][]} */ ([
    ['the same page again and again', Uint8Array.of(1)],
    ['a full page and no cookie for the next', new Uint8Array()]
  ]))
    it(`${name} leave it open`, async () => {
      const body = encodeRegisterBody({ signedPeerRecord: new Uint8Array(150) })
      behave = ({ stream }) =>
        reply(stream, encodeDiscoverResponse({ status: 0, bodies: Array(1000).fill(body), cookie }))
      const { lookedUp, missing, interval, problem } = await found()
      assert.deepEqual([lookedUp, missing, interval], [0, 0, null])
      assert.match(String(problem), /do not go on/)
    })

  it('a status other than OK leaves it open, and is told', async () => {
    behave = ({ stream }) => reply(stream, encodeDiscoverResponse({ status: 400 }))
    const { lookedUp, problem } = await found()
    assert.deepEqual([lookedUp, problem], [0, 'DISCOVER was answered with E_UNAVAILABLE (400)'])
  })

  it('as long as the run is not broken off', async () => {
    behave = () => {}
    const { lookedUp, problem } = await found({ stop: AbortSignal.timeout(200) })
    assert.deepEqual([lookedUp, typeof problem], [0, 'string'])
  })

  it('there is nothing to look up where nothing was registered', async () => {
    const options = { plan: /** @type {any} */ ({ ...plan, initialRegistrations: 0 }) }
    assert.equal(await lookedUpWith(options), null)
  })
})

describe('a sample', () => {
  it('is everything where there is little, each once', () => {
    assert.deepEqual(
      drawPlaces(100, subStream(1, 'few')).sort((a, b) => a - b),
      Array.from({ length: 100 }, (_, i) => i)
    )
  })

  it('is drawn without returning anything, all alike, where there is more', () => {
    const times = new Uint32Array(30)
    const random = subStream(1, 'sample')
    for (let i = 0; i < 3000; i++) {
      const places = drawPlaces(30, random, 10)
      assert.equal(new Set(places).size, 10)
      for (const place of places) times[place]++
    }
    // 1,000 each, far within six standard deviations of 26
    assert.ok(
      times.every(n => Math.abs(n - 1000) < 160),
      times.join(' ')
    )
  })

  it('of a large crowd has 10,000', () => {
    assert.equal(drawPlaces(200_000, subStream(1, 'many')).length, 10_000)
  })
})
