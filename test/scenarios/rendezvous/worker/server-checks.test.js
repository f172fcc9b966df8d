import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { generateKeyPairFromSeed } from '@libp2p/crypto/keys'
import { multiaddr } from '@multiformats/multiaddr'
import { ClientError, ClientErrorCode } from '../../../../src/client/errors.js'
import { makeIdentitySigner, Purpose } from '../../../../src/client/identities.js'
import { makeSubStream } from '../../../../src/kit/random.js'
import { Deadlines, makeTimeLimit } from '../../../../src/kit/time.js'
import { SettingsReader } from '../../../../src/libp2p/node-settings.js'
import { isCensored, RunNamespaces } from '../../../../src/load/registrations.js'
import { LoopTurns } from '../../../../src/measure/client-overhead.js'
import { Meter } from '../../../../src/measure/operations.js'
import { makePlan } from '../../../../src/plan/plan.js'
import { encodeDiscoverResponse, encodeRegisterBody, Status } from '../../../../src/protocol/rendezvous.js'
import { sealPeerRecord } from '../../../../src/protocol/signed-record.js'
import { measuresStaleness } from '../../../../src/scenarios/rendezvous/peer-options.js'
import { RENDEZVOUS } from '../../../../src/scenarios/rendezvous/scenario.js'
import { LoadWorker } from '../../../../src/scenarios/rendezvous/worker/load-worker.js'
import {
  drawIndices,
  lookUpRegistrations,
  ReplyChecks,
  StalenessWatch
} from '../../../../src/scenarios/rendezvous/worker/server-checks.js'
import { honest, reply, startHostileTarget } from '../../../acceptance/hostile-target.js'
import { planned } from '../../../plan/planned.js'
import { until } from '../../../until.js'

/** @typedef {import('../../../../src/protocol/rendezvous.js').Message} Message */
/** @typedef {import('../../../../src/protocol/rendezvous.js').Register} Register */

/** @param {Partial<ConstructorParameters<typeof ReplyChecks>[0]>} [options] */
const checksWith = options =>
  new ReplyChecks({ limit: 3, expected: null, random: makeSubStream(7, 'checks'), ...options })

/** @param {Register[]} registrations @param {number} [status] @returns {Message} */
const page = (registrations, status = Status.OK) =>
  /** @type {any} */ ({ discoverResponse: { registrations, status } })

/** @param {number} status @returns {Message} */
const registered = status => /** @type {any} */ ({ registerResponse: { status } })

/** @param {number} peer @returns {Promise<Register>} */
async function registrationOf(peer) {
  const privateKey = await generateKeyPairFromSeed('Ed25519', new Uint8Array(32).fill(peer))
  const addresses = [multiaddr('/ip4/10.0.0.1/tcp/4001')]
  return { ns: 'a', signedPeerRecord: await sealPeerRecord({ privateKey, addresses, seq: 1 }) }
}

const [first, second, third, fourth] = await Promise.all([1, 2, 3, 4].map(registrationOf))

/** A registration whose record one bit was changed in. @param {Register} register @returns {Register} */
function forged({ ns, signedPeerRecord = new Uint8Array() }) {
  const bytes = Uint8Array.from(signedPeerRecord)
  bytes[bytes.length - 1] ^= 1
  return { ns, signedPeerRecord: bytes }
}

describe('a reply', () => {
  const ABOVE = 'more registrations than the limit of 3'
  const OTHER_KIND = 'was answered with another kind of message'
  /** @type {[string, import('../../../../src/load/registrations.js').MixedType, Message, string, string?][]} */
  const cases = [
    ['to REGISTER is good', 'REGISTER', registered(Status.OK), 'OK'],
    ['to REGISTER counts under its status', 'REGISTER', registered(Status.E_UNAVAILABLE), 'E_UNAVAILABLE'],
    [
      'to DISCOVER may have another status',
      'DISCOVER',
      page([], Status.E_INVALID_COOKIE),
      'E_INVALID_COOKIE'
    ],
    ['to DISCOVER is good', 'DISCOVER', page([first, second]), 'OK'],
    ['to DISCOVER with just the limit is good', 'DISCOVER', page([first, second, third]), 'OK'],
    [
      'to DISCOVER above the limit is bad',
      'DISCOVER',
      page([first, second, third, fourth]),
      'BAD_REPLY',
      ABOVE
    ],
    ['to DISCOVER may be empty where nothing is known', 'DISCOVER', page([]), 'OK'],
    ['of another kind is bad', 'DISCOVER', registered(Status.OK), 'BAD_REPLY', `DISCOVER ${OTHER_KIND}`],
    ['to REGISTER with a page is bad', 'REGISTER', page([]), 'BAD_REPLY', `REGISTER ${OTHER_KIND}`],
    ['that confirms UNREGISTER is good, whatever it found', 'UNREGISTER', page([]), 'OK'],
    ['to UNREGISTER has a status', 'UNREGISTER', page([], Status.E_INTERNAL_ERROR), 'E_INTERNAL_ERROR']
  ]
  for (const [name, type, message, outcome, detail] of cases)
    it(name, async () => {
      const checks = checksWith()
      assert.equal(checks.outcomeOfReply(type, message), outcome)
      assert.deepEqual(await checks.finish(), detail === undefined ? [] : [{ detail, count: 1 }])
    })

  for (const [found, outcome] of /** @type {[Register[], string][]} */ ([
    [[], 'BAD_REPLY'],
    [[first], 'BAD_REPLY'],
    [[first, second], 'OK'],
    [[first, second, third], 'OK']
  ]))
    it(`with ${found.length} registrations is ${outcome} where there are at least 2`, async () => {
      const checks = checksWith({ expected: 2 })
      assert.equal(checks.outcomeOfReply('DISCOVER', page(found)), outcome)
      assert.equal((await checks.finish()).length, outcome === 'OK' ? 0 : 1)
    })

  it('that confirms UNREGISTER needs not hold what DISCOVER must', () =>
    assert.equal(checksWith({ expected: 2 }).outcomeOfReply('UNREGISTER', page([first])), 'OK'))

  it('from an inexistent namespace must be empty', () => {
    const checks = checksWith({ limit: 0 })
    assert.equal(checks.outcomeOfReply('DISCOVER', page([])), 'OK')
    assert.equal(checks.outcomeOfReply('DISCOVER', page([first])), 'BAD_REPLY')
  })

  it('that is bad is counted by what was wrong', async () => {
    const checks = checksWith({ expected: 1 })
    checks.outcomeOfReply('DISCOVER', page([]))
    checks.outcomeOfReply('REGISTER', page([]))
    checks.outcomeOfReply('DISCOVER', page([]))
    assert.deepEqual(await checks.finish(), [
      { detail: 'fewer registrations than the 1 there are', count: 2 },
      { detail: 'REGISTER was answered with another kind of message', count: 1 }
    ])
  })
})

describe('an operation that failed', () => {
  it('for a malformed reply is told among the bad replies', async () => {
    const checks = checksWith()
    const error = new ClientError(ClientErrorCode.MALFORMED, 'no rendezvous message')
    assert.equal(checks.outcomeOf(error), 'BAD_REPLY')
    assert.deepEqual(await checks.finish(), [{ detail: 'no rendezvous message', count: 1 }])
  })

  it('without a reply is not', async () => {
    const checks = checksWith()
    assert.equal(checks.outcomeOf(new ClientError(ClientErrorCode.TIMEOUT, 'x')), 'TIMEOUT')
    assert.deepEqual(await checks.finish(), [])
  })
})

describe('the signatures of sampled replies', () => {
  const INVALID = 'a registration without a valid signed peer record'
  const TWICE = 'the same peer more than once in one reply'
  const NOISE = { ns: 'a', signedPeerRecord: new Uint8Array(90).fill(7) }
  /** @type {[string, Register[], ...found: [detail: string, count: number][]][]} */
  const cases = [
    ['are right', [first, second, third]],
    ['tell a forged record', [first, forged(second)], [INVALID, 1]],
    ['tell each forged record', [forged(first), forged(second)], [INVALID, 2]],
    ['tell a record that is missing', [first, { ns: 'a' }], [INVALID, 1]],
    ['tell noise', [NOISE], [INVALID, 1]],
    ['tell a peer that is there twice', [first, second, first], [TWICE, 1]],
    ['tell a peer twice beside a forged record', [first, first, forged(second)], [INVALID, 1], [TWICE, 1]]
  ]
  for (const [name, registrations, ...found] of cases)
    it(name, async () => {
      const checks = checksWith()
      assert.equal(checks.outcomeOfReply('DISCOVER', page(registrations)), 'OK')
      const expected = found.map(([detail, count]) => ({ detail, count }))
      assert.deepEqual(await checks.finish(), expected)
    })

  it('are checked once', async () => {
    const checks = checksWith()
    checks.outcomeOfReply('DISCOVER', page([forged(first)]))
    assert.deepEqual(await checks.finish(), await checks.finish())
  })

  it('are checked of all replies when they are few', async () => {
    const checks = checksWith()
    for (let i = 0; i < 20; i++) checks.outcomeOfReply('DISCOVER', page([forged(first)]))
    assert.deepEqual(await checks.finish(), [{ detail: INVALID, count: 20 }])
  })

  it('are checked of twenty replies when they are many', async () => {
    const checks = checksWith()
    for (let i = 0; i < 500; i++) checks.outcomeOfReply('DISCOVER', page([forged(first)]))
    assert.deepEqual(await checks.finish(), [{ detail: INVALID, count: 20 }])
  })

  it('are checked for five seconds, however many there are', async () => {
    let ms = 0
    const checks = checksWith({ clock: () => (ms += 10) })
    await checks.checkPages(Array(100_000).fill(first))
    const [{ detail }] = await checks.finish()
    assert.match(detail, /the same peer more than once/)
    assert.ok(ms < 6000, `${ms}`)
  })

  it('of empty and bad replies are not counted in', async () => {
    const checks = checksWith({ expected: 0 })
    for (let i = 0; i < 50; i++) checks.outcomeOfReply('DISCOVER', page([]))
    for (let i = 0; i < 19; i++) checks.outcomeOfReply('DISCOVER', page([forged(first)]))
    assert.deepEqual(await checks.finish(), [{ detail: INVALID, count: 19 }])
  })

  it('are checked of every reply with the same chance', async () => {
    // of 60 replies each is among the 20 sampled in a third of 600 runs: 200, standard deviation 11.5
    const random = makeSubStream(7, 'reservoir')
    const chosen = Array(60).fill(0)
    for (let run = 0; run < 600; run++) {
      const checks = checksWith({ random })
      for (let reply = 0; reply < 60; reply++) {
        const registration = {
          ns: 'a',
          get signedPeerRecord() {
            chosen[reply]++
            return undefined
          }
        }
        checks.outcomeOfReply('DISCOVER', page([registration]))
      }
      await checks.finish()
    }
    const actual = chosen.reduce((sum, n) => sum + n, 0)
    assert.equal(actual, 600 * 20)
    for (const count of chosen) assert.ok(Math.abs(count - 200) < 50, `${chosen}`)
    const early = chosen.slice(0, 20).reduce((sum, n) => sum + n, 0)
    assert.ok(Math.abs(early - 4000) < 200, `of the first twenty ${early}`)
  })
})

describe('what goes wrong beside replies', () =>
  it('is told with how often it did: replies that nobody asked for, and pages that could not be read', async () => {
    const checks = checksWith({})
    checks.unasked()
    checks.unasked()
    checks.pagesFailed(new Error('it is gone'))
    assert.deepEqual(await checks.finish(), [
      { detail: 'another reply to a request that has had its own', count: 2 },
      { detail: 'page by page: it is gone', count: 1 }
    ])
    checks.beginAnew()
    assert.deepEqual(await checks.finish(), [])
  }))

const plan = planned({ servers: 2, store: 'postgres' })

const SHOWN_AFTER_MS = 150

/** @typedef {{ body: Uint8Array, atMs: number, by: number }} Shared */

/** Two servers: what one has acknowledged is shown by the other a while later. @param {number} [shownAfterMs] */
async function twoServers(shownAfterMs = SHOWN_AFTER_MS) {
  /** @type {Map<string, Shared>} */
  const held = new Map()
  let asked = 0
  const server = (/** @type {number} */ me) =>
    startHostileTarget(({ message, stream, honestly }) => {
      const { register, unregister, discover } = message
      if (register !== undefined)
        held.set(register.ns ?? '', { body: encodeRegisterBody(register), atMs: performance.now(), by: me })
      if (unregister !== undefined) held.delete(unregister.ns ?? '')
      if (discover === undefined) return reply(stream, honestly())
      const one = held.get(discover.ns ?? '')
      if (one !== undefined && one.by !== me) asked++
      const isShown = one !== undefined && (one.by === me || performance.now() - one.atMs > shownAfterMs)
      reply(
        stream,
        encodeDiscoverResponse({ status: 0, bodies: isShown ? [one.body] : [], cookie: new Uint8Array(9) })
      )
    })
  return { held, asked: () => asked, servers: [await server(0), await server(1)] }
}

/**
 * @param {Awaited<ReturnType<typeof twoServers>>} servers
 * @param {import('node:test').TestContext} t
 */
async function looking({ servers }, t) {
  t.after(() => Promise.all(servers.map(server => server.stop())))
  const meter = new Meter()
  const turns = new LoopTurns({ onTurn: () => {} })
  const deadlines = new Deadlines(plan.timeoutMs)
  t.after(() => deadlines.stop())
  const addresses = servers.map(server => multiaddr(server.multiaddr))
  const components = {
    ...{ plan, namespaces: new RunNamespaces('7'), servers: addresses, deadlines, meter, turns },
    settings: new SettingsReader({})
  }
  const watch = new StalenessWatch(components)
  t.after(() => watch.close())
  await watch.connect(makeTimeLimit(10_000))
  const stopping = new AbortController()
  t.after(() => stopping.abort())
  return { meter, deadlines, stopping, running: watch.run(stopping.signal) }
}

it('the time from an acknowledged REGISTER to its first sight at another server is measured, and nothing is left', async t => {
  const servers = await twoServers()
  const { held } = servers
  const { meter, stopping, running } = await looking(servers, t)
  /** @type {number[]} in ms */
  const seen = []
  await until(() => {
    for (const { metric, outcome, data } of meter.take(0).cells) {
      assert.deepEqual([metric, outcome], ['sight', 'OK'])
      for (const [i, value] of data.values.entries()) seen.push(...Array(data.counts[i]).fill(value / 1000))
    }
    return seen.length >= 4
  })
  stopping.abort()
  await running
  // it begins with the acknowledgement, which comes here a while after the server sent it
  assert.ok(Math.min(...seen) > SHOWN_AFTER_MS / 2, `${seen}`)
  assert.equal(held.size, 0)
})

it('a look under way at the end ends as it would', async t => {
  const servers = await twoServers()
  const { meter, stopping, running } = await looking(servers, t)
  await until(() => servers.asked() > 0)
  stopping.abort()
  await running
  const [{ outcome, data }, ...more] = meter.take(0).cells
  assert.deepEqual([outcome, data.count, more], ['OK', 1, []])
  assert.ok(data.max / 1000 > SHOWN_AFTER_MS / 2, `${data.max}`)
  assert.equal(servers.held.size, 0)
})

it('a look that is broken off with its run is only known to be longer', async t => {
  const servers = await twoServers(Number.POSITIVE_INFINITY)
  const { meter, deadlines, stopping, running } = await looking(servers, t)
  await until(() => servers.asked() > 0)
  stopping.abort()
  deadlines.abortAll(new Error('interrupted'))
  await running
  const [{ outcome, data }] = meter.take(0).cells
  assert.deepEqual([isCensored(outcome), data.count, servers.held.size], [true, 1, 0])
})

it('ends with the load of its worker', { timeout: 120_000 }, async t => {
  const { servers, held } = await twoServers()
  t.after(() => Promise.all(servers.map(server => server.stop())))
  const setup = {
    ...{ index: 0, workers: 1, clients: [0, 1], allClients: 2, runId: '7', samplesFile: null },
    ...{
      plan: planned({ servers: 2, store: 'postgres', nClients: 2 }),
      servers: servers.map(server => server.multiaddr)
    },
    ...{ precise: false, expected: null, severalPerStream: true }
  }
  const worker = new LoadWorker(setup, async () => {})
  t.after(() => worker.close())
  await worker.connect(() => {})
  worker.begin('measure')
  await worker.prepare({ operations: 10, durationMs: null, minDurationMs: 0 })
  const { succeeded } = await worker.run(process.hrtime.bigint())
  assert.deepEqual(succeeded, [
    [0, 5],
    [1, 5]
  ])
  // what the clients refresh
  assert.equal(held.size, 2)
})

it('is for several servers, and not for those of others that are only read from', () => {
  assert.ok(measuresStaleness(plan) && !measuresStaleness({ ...plan, servers: 1 }))
  const theirs = { ...plan, servers: 1, targets: ['a', 'b'] }
  assert.ok(measuresStaleness(theirs) && !measuresStaleness({ ...theirs, benchmarkType: 'DISCOVER' }))
})

const { plan: planLookUp } = makePlan(
  RENDEZVOUS,
  { initialRegistrations: 12, nNamespaces: 2, seed: 5 },
  { cores: 2 }
)
assert.ok(planLookUp)
const namespaces = new RunNamespaces('5')
const nowMs = () => Number(process.hrtime.bigint()) / 1e6
const later = () => nowMs() + 1e6

/** @type {import('../../../acceptance/hostile-target.js').Behaviour} */
let behave = honest
/** @type {Awaited<ReturnType<typeof startHostileTarget>>} */
let target

/** A registration at the target, as a client of a run makes it. @param {string} purpose @param {number} index @param {string} ns */
async function register(purpose, index, ns) {
  const signedPeerRecord = await sealPeerRecord({
    privateKey: makeIdentitySigner(5, purpose, index),
    addresses: [],
    seq: 1
  })
  target.registrations.in(ns).set(`${purpose}${index}`, { ns, signedPeerRecord, ttl: 7200 })
}

/** @param {Partial<Parameters<typeof lookUpRegistrations>[0]>} [options] */
const lookedUpWith = options =>
  lookUpRegistrations({
    plan: /** @type {any} */ (planLookUp),
    ...{ addresses: [target.multiaddr], namespaces, preloadExpiresMs: later(), registered: [] },
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
    const options = { plan: /** @type {any} */ ({ ...planLookUp, initialRegistrations: 0 }) }
    assert.equal(await lookedUpWith(options), null)
  })
})

describe('a sample', () => {
  it('is everything where there is little, each once', () =>
    assert.deepEqual(
      drawIndices(100, makeSubStream(1, 'few')).sort((a, b) => a - b),
      Array.from({ length: 100 }, (_, i) => i)
    ))

  it('is drawn without returning anything, all alike, where there is more', () => {
    const times = new Uint32Array(30)
    const random = makeSubStream(1, 'sample')
    for (let i = 0; i < 3000; i++) {
      const places = drawIndices(30, random, 10)
      assert.equal(new Set(places).size, 10)
      for (const place of places) times[place]++
    }
    // 1,000 each, far within six standard deviations of 26
    assert.ok(
      times.every(n => Math.abs(n - 1000) < 160),
      times.join(' ')
    )
  })

  it('of a large crowd has 10,000', () =>
    assert.equal(drawIndices(200_000, makeSubStream(1, 'many')).length, 10_000))
})
