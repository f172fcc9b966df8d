import './harness.js'
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import {
  encodeDiscover,
  encodeDiscoverResponse,
  encodeRegister,
  encodeUnregister,
  MessageType,
  Status
} from '../../src/protocol/rendezvous.js'
import { RecordDomain, sealPeerRecord } from '../../src/protocol/signed-record.js'
import { rendezvousServer } from '../../src/server/rendezvous-server.js'
import { MemoryStore } from '../../src/server/store/memory-store.js'
import { until } from '../until.js'
import { makePeer, startService } from './harness.js'

const TTL = 7200
const alice = await makePeer()
const bob = await makePeer()
const carol = await makePeer()

/** @typedef {Awaited<ReturnType<typeof makePeer>>} Peer */
/** @typedef {Awaited<ReturnType<typeof startService>>} Server */

/** @param {Peer} peer @param {string} [ns] @param {number} [ttl] */
const register = (peer, ns, ttl = TTL) => encodeRegister({ ns, signedPeerRecord: peer.record, ttl })

/** @param {Server} server @param {Peer} peer @param {string} ns @param {number} [ttl] */
async function registerAt(server, peer, ns, ttl) {
  const reply = await (await server.open(peer)).ask(register(peer, ns, ttl))
  assert.equal(reply?.registerResponse?.status, Status.OK)
}

/** @param {Server} server @param {import('../../src/protocol/rendezvous.js').Discover} query @param {Peer} [peer] */
async function discoverAt(server, query, peer = bob) {
  const reply = await (await server.open(peer)).ask(encodeDiscover(query))
  assert.equal(reply?.type, MessageType.DISCOVER_RESPONSE)
  const { discoverResponse } = reply
  assert.ok(discoverResponse)
  return { ...discoverResponse, names: discoverResponse.registrations.map(r => nameOf(r.signedPeerRecord)) }
}

/** @param {Uint8Array} [record] */
function nameOf(record = new Uint8Array(0)) {
  const names = Object.entries({ alice, bob, carol }).filter(
    ([, peer]) => Buffer.compare(peer.record, record) === 0
  )
  return names[0]?.[0]
}

test('the server is told from other services of a node', () => {
  const registrar = /** @type {any} */ ({})
  assert.equal(String(rendezvousServer()({ registrar })), '[object libp2p-loadtest/rendezvous-server]')
})

describe('options of a program for the server', () => {
  for (const [name, init, message] of /** @type {[string, any, RegExp][]} */ ([
    [
      'of another name',
      { maxTtl: 60 },
      /^maxTtl is not an option; the options are minTtlSeconds, maxTtlSeconds/
    ],
    ['as text', { maxTtlSeconds: '72h' }, /^maxTtlSeconds "72h" must be a whole number/],
    ['below 0', { maxRegistrations: -1 }, /^maxRegistrations -1 must be a whole number from 0/],
    ['out of order', { minTtlSeconds: 60, maxTtlSeconds: 30 }, /^minTtlSeconds 60 must be at most .* 30/],
    ['a network as text', { unlimitedFrom: '/ip4/10.0.0.0/ipcidr/8' }, /must be an array of networks/],
    ['a network that is none', { unlimitedFrom: ['10.0.0.0/8'] }, /must be an array of networks/],
    ['a clock that is none', { now: 5 }, /^now 5 must be a function/],
    ['that are none', null, /^options null must be an object with/]
  ]))
    it(`${name} are refused at once, with what is allowed`, () =>
      assert.throws(() => rendezvousServer(init), { code: 'ERR_SERVER_OPTIONS', message }))
})

/** A message in which a namespace of four letters is not UTF-8. @param {Uint8Array} message */
function notUtf8(message) {
  const bytes = Buffer.from(message)
  bytes.set([0xff, 0xfe, 0xff, 0xfe], bytes.indexOf('abcd'))
  return bytes
}

describe('a namespace that is not UTF-8', () => {
  it('is refused, and meets no other', async () => {
    const server = await startService()
    const client = await server.open(alice)
    await registerAt(server, alice, '\uFFFD\uFFFD\uFFFD\uFFFD')
    const registered = await client.ask(notUtf8(register(alice, 'abcd')))
    const { status, statusText } = registered?.registerResponse ?? {}
    assert.deepEqual([status, statusText], [Status.E_INVALID_NAMESPACE, 'namespace must be UTF-8'])
    client.send(notUtf8(encodeUnregister({ ns: 'abcd' })))
    const found = await client.ask(notUtf8(encodeDiscover({ ns: 'abcd' })))
    assert.equal(found?.discoverResponse?.status, Status.E_INVALID_NAMESPACE)
    assert.deepEqual(found?.discoverResponse?.registrations, [])
    assert.deepEqual(server.seen.operations.slice(1), [
      ['REGISTER', Status.E_INVALID_NAMESPACE],
      ['UNREGISTER', Status.E_INVALID_NAMESPACE],
      ['DISCOVER', Status.E_INVALID_NAMESPACE]
    ])
  })
})

describe('REGISTER', () => {
  it('is granted its ttl, and found', async () => {
    const server = await startService()
    const reply = await (await server.open(alice)).ask(register(alice, 'ns', 10_000))
    assert.deepEqual(reply, {
      type: MessageType.REGISTER_RESPONSE,
      registerResponse: { status: Status.OK, ttl: 10_000 }
    })
    const { registrations, status } = await discoverAt(server, { ns: 'ns' })
    assert.equal(status, Status.OK)
    assert.deepEqual(registrations, [{ ns: 'ns', signedPeerRecord: alice.record, ttl: 10_000 }])
    assert.deepEqual(server.seen.operations, [
      ['REGISTER', 0],
      ['DISCOVER', 0]
    ])
  })

  it('without ttl is granted two hours, as far as the bounds allow', async () => {
    for (const { init, ttl } of [
      { init: {}, ttl: 7200 },
      { init: { minTtlSeconds: 10_000 }, ttl: 10_000 },
      { init: { minTtlSeconds: 1, maxTtlSeconds: 60 }, ttl: 60 }
    ]) {
      const server = await startService(init)
      const request = encodeRegister({ ns: 'ns', signedPeerRecord: alice.record })
      const reply = await (await server.open(alice)).ask(request)
      assert.deepEqual(reply?.registerResponse, { status: Status.OK, ttl })
    }
  })

  it('takes a record under the older domain, and keys of other types', async () => {
    const server = await startService()
    const older = await sealPeerRecord({
      privateKey: alice.privateKey,
      addresses: [],
      seq: 2,
      domain: RecordDomain.ROUTING_STATE
    })
    const reply = await (await server.open(alice)).ask(encodeRegister({ ns: 'ns', signedPeerRecord: older }))
    assert.equal(reply?.registerResponse?.status, Status.OK)
  })

  it('with a record older than the one that is held is refused, in any namespace, until all of the peer is gone', async () => {
    const server = await startService()
    const client = await server.open(alice)
    const recordOf = (/** @type {number} */ seq) =>
      sealPeerRecord({ privateKey: alice.privateKey, addresses: [], seq })
    const ask = async (/** @type {number} */ seq, ns = 'ns') => {
      const reply = await client.ask(encodeRegister({ ns, signedPeerRecord: await recordOf(seq) }))
      return reply?.registerResponse
    }
    assert.equal((await ask(5))?.status, Status.OK)
    for (const ns of ['ns', 'other'])
      assert.deepEqual(await ask(4, ns), {
        status: Status.E_INVALID_SIGNED_PEER_RECORD,
        statusText: 'signed peer record is older than the one that is held'
      })
    assert.equal((await ask(5))?.status, Status.OK)
    assert.equal((await ask(6))?.status, Status.OK)
    const { registrations } = await discoverAt(server, { ns: 'ns' })
    const signedPeerRecords = registrations.map(({ signedPeerRecord }) => signedPeerRecord)
    assert.deepEqual(signedPeerRecords, [await recordOf(6)])
    server.clock.now = 7200 * 1000
    assert.equal((await ask(4))?.status, Status.OK)
  })

  it('again replaces what was there, last in the order, even with all registrations used up', async () => {
    const server = await startService({ maxPeerRegistrations: 1 })
    await registerAt(server, alice, 'ns')
    await registerAt(server, bob, 'ns')
    await registerAt(server, alice, 'ns', 9000)
    const { names, registrations } = await discoverAt(server, { ns: 'ns' })
    assert.deepEqual(names, ['bob', 'alice'])
    assert.equal(registrations[1].ttl, 9000)
  })

  it('ends when its time is over', async () => {
    const server = await startService()
    await registerAt(server, alice, 'ns', TTL)
    server.clock.now = TTL * 1000 - 1
    assert.deepEqual((await discoverAt(server, { ns: 'ns' })).registrations[0].ttl, 1)
    server.clock.now = TTL * 1000
    assert.deepEqual((await discoverAt(server, { ns: 'ns' })).names, [])
  })

  const flipped = alice.record.slice()
  flipped[flipped.length - 1] ^= 1
  const { E_INVALID_NAMESPACE, E_INVALID_TTL, E_NOT_AUTHORIZED } = Status
  const BAD_RECORD = Status.E_INVALID_SIGNED_PEER_RECORD
  /** @type {Array<[string, object, number, RegExp]>} */
  const refused = [
    ['without namespace', { ns: undefined }, E_INVALID_NAMESPACE, /1 to 255 bytes/],
    ['with an empty namespace', { ns: '' }, E_INVALID_NAMESPACE, /1 to 255/],
    ['with a namespace of 256 bytes', { ns: 'x'.repeat(256) }, E_INVALID_NAMESPACE, /255/],
    ['with a namespace of 128 characters in 256 bytes', { ns: 'ü'.repeat(128) }, E_INVALID_NAMESPACE, /255/],
    ['with a ttl below two hours', { ttl: 7199 }, E_INVALID_TTL, /7200 to 259200 seconds/],
    ['with a ttl of 0', { ttl: 0 }, E_INVALID_TTL, /7200/],
    ['with a ttl above 72 hours', { ttl: 259_201 }, E_INVALID_TTL, /259200/],
    ['with a huge ttl', { ttl: Number.MAX_SAFE_INTEGER }, E_INVALID_TTL, /259200/],
    ['without a record', { signedPeerRecord: undefined }, BAD_RECORD, /missing/],
    ['with noise for a record', { signedPeerRecord: new Uint8Array(99) }, BAD_RECORD, /record/],
    ['with a wrong signature', { signedPeerRecord: flipped }, BAD_RECORD, /signature/],
    ["with another peer's record", { signedPeerRecord: bob.record }, E_NOT_AUTHORIZED, /itself/]
  ]
  for (const [name, change, status, text] of refused) {
    it(`${name} is refused with ${status}, and the stream goes on`, async () => {
      const server = await startService()
      const client = await server.open(alice)
      const request = { ns: 'ns', signedPeerRecord: alice.record, ttl: TTL, ...change }
      const { registerResponse } = (await client.ask(encodeRegister(request))) ?? {}
      assert.equal(registerResponse?.status, status)
      assert.match(registerResponse?.statusText ?? '', text)
      assert.equal(registerResponse?.ttl, undefined)
      const good = await client.ask(register(alice, 'ü'.repeat(127)))
      assert.equal(good?.registerResponse?.status, Status.OK)
    })
  }

  it("is refused with 200 above the peer's cap, with 400 when the server is full", async () => {
    const unlimitedFrom = ['/ip4/127.0.0.0/ipcidr/8']
    const server = await startService({ maxPeerRegistrations: 2, maxRegistrations: 3, unlimitedFrom })
    for (const ns of ['x', 'y']) await registerAt(server, alice, ns)
    const full = await (await server.open(alice)).ask(register(alice, 'z'))
    assert.equal(full?.registerResponse?.status, Status.E_NOT_AUTHORIZED)
    await registerAt(server, bob, 'z')
    const unavailable = await (await server.open(carol)).ask(register(carol, 'z'))
    assert.equal(unavailable?.registerResponse?.status, Status.E_UNAVAILABLE)
  })
})

describe('who registers from addresses that are neighbours', () => {
  const from = (/** @type {Peer} */ peer, /** @type {string} */ host) => ({
    ...peer,
    address: `/ip4/${host}/tcp/1`
  })

  it('leaves as many registrations to others as they have, whatever peers they are', async () => {
    const server = await startService({ maxRegistrations: 8 })
    const statusOf = async (/** @type {Peer} */ peer, /** @type {string} */ ns) => {
      const reply = await (await server.open(peer)).ask(register(peer, ns))
      return reply?.registerResponse?.status
    }
    const crowd = await Promise.all(Array.from({ length: 4 }, makePeer))
    const neighbours = crowd.map((peer, i) => from(peer, `10.0.0.${i}`))
    for (const peer of neighbours) assert.equal(await statusOf(peer, 'ns'), Status.OK)
    for (const peer of neighbours) assert.equal(await statusOf(peer, 'more'), Status.E_UNAVAILABLE)
    assert.equal(await statusOf(neighbours[0], 'ns'), Status.OK, 'what is renewed')
    assert.equal(await statusOf(from(alice, '10.0.1.1'), 'ns'), Status.OK)
  })
})

describe('UNREGISTER', () => {
  it('has no reply and is done before the next request', async () => {
    const server = await startService()
    await registerAt(server, alice, 'ns')
    await registerAt(server, alice, 'other')
    const client = await server.open(alice)
    client.send(encodeUnregister({ ns: 'ns' }), encodeDiscover({}))
    const { discoverResponse } = (await client.reply()) ?? {}
    assert.deepEqual(
      discoverResponse?.registrations.map(r => r.ns),
      ['other']
    )
  })

  it("of what is not there, of no namespace, or of another peer's is nothing", async () => {
    const server = await startService()
    await registerAt(server, alice, 'ns')
    for (const [peer, request] of /** @type {Array<[Peer, object]>} */ ([
      [alice, { ns: 'other' }],
      [alice, {}],
      [bob, { ns: 'ns' }]
    ])) {
      const client = await server.open(peer)
      const reply = await client.send(encodeUnregister(request), encodeDiscover({})).reply()
      assert.equal(reply?.discoverResponse?.registrations.length, 1)
    }
  })
})

describe('DISCOVER', () => {
  it('goes over one namespace, or without namespace over all', async () => {
    const server = await startService()
    await registerAt(server, alice, 'x')
    await registerAt(server, bob, 'y')
    await registerAt(server, carol, 'x')
    assert.deepEqual((await discoverAt(server, { ns: 'x' })).names, ['alice', 'carol'])
    for (const query of [{}, { ns: '' }]) {
      assert.deepEqual((await discoverAt(server, query)).names, ['alice', 'bob', 'carol'])
    }
    assert.deepEqual((await discoverAt(server, { ns: 'nobody' })).names, [])
  })

  it('turns pages with the cookie, each peer once', async () => {
    const server = await startService()
    for (const peer of [alice, bob, carol]) await registerAt(server, peer, 'ns')
    const first = await discoverAt(server, { ns: 'ns', limit: 2 })
    assert.deepEqual(first.names, ['alice', 'bob'])
    const gone = await server.open(alice)
    await gone.send(encodeUnregister({ ns: 'ns' }), encodeDiscover({})).reply()
    const second = await discoverAt(server, { ns: 'ns', limit: 2, cookie: first.cookie })
    assert.deepEqual(second.names, ['carol'])
    const third = await discoverAt(server, { ns: 'ns', limit: 2, cookie: second.cookie })
    assert.deepEqual(third.names, [])
    await registerAt(server, bob, 'ns')
    assert.deepEqual((await discoverAt(server, { ns: 'ns', cookie: third.cookie })).names, ['bob'])
  })

  it('with an empty cookie begins at the beginning', async () => {
    const server = await startService()
    await registerAt(server, alice, 'ns')
    assert.deepEqual((await discoverAt(server, { ns: 'ns', cookie: new Uint8Array(0) })).names, ['alice'])
  })

  for (const [limit, count] of [
    [undefined, 2],
    [0, 2],
    [1, 1],
    [2, 2],
    [3, 2],
    [2 ** 52, 2]
  ]) {
    it(`with limit ${limit} and a server's limit of 2 returns ${count} of 3`, async () => {
      const server = await startService({ maxDiscoverLimit: 2 })
      for (const peer of [alice, bob, carol]) await registerAt(server, peer, 'ns')
      assert.equal((await discoverAt(server, { ns: 'ns', limit })).names.length, count)
    })
  }

  it('is refused a forged cookie, one of another namespace and one of another server', async () => {
    const server = await startService()
    await registerAt(server, alice, 'ns')
    const { cookie } = await discoverAt(server, { ns: 'ns' })
    const all = await discoverAt(server, {})
    const elsewhere = await discoverAt(await startService(), { ns: 'ns' })
    for (const query of [
      { ns: 'other', cookie },
      { cookie },
      { ns: 'ns', cookie: all.cookie },
      { ns: 'ns', cookie: elsewhere.cookie },
      { ns: 'ns', cookie: Uint8Array.of(1) }
    ]) {
      const { status, statusText, registrations } = await discoverAt(server, query)
      assert.equal(status, Status.E_INVALID_COOKIE)
      assert.match(statusText ?? '', /cookie/)
      assert.deepEqual(registrations, [])
    }
  })

  it('is refused too long a namespace', async () => {
    const { status } = await discoverAt(await startService(), { ns: 'x'.repeat(256) })
    assert.equal(status, Status.E_INVALID_NAMESPACE)
  })

  it('sends the bytes that the general encoder would', async () => {
    const server = await startService()
    const client = await server.open(alice)
    await client.ask(encodeDiscover({ ns: 'ns' }))
    const before = client.bytes
    const reply = await client.ask(encodeDiscover({ ns: 'ns' }))
    assert.ok(reply?.discoverResponse)
    const { cookie, status } = reply.discoverResponse
    assert.equal(client.bytes - before, encodeDiscoverResponse({ cookie, status }).length + 1)
  })
})

describe('a stream', () => {
  it('carries many requests, also sent ahead, answered in order', async () => {
    const server = await startService()
    const client = await server.open(alice)
    const requests = Array.from({ length: 300 }, (_, i) => register(alice, `ns${i}`, TTL + i))
    client.send(...requests)
    for (let i = 0; i < 300; i++) assert.equal((await client.reply())?.registerResponse?.ttl, TTL + i)
    await client.stream.close()
    assert.equal(await client.reply(), undefined)
    assert.equal(server.service.streams, 0)
  })

  it('is answered to the end when the client closes its side behind the requests', async () => {
    const server = await startService()
    const client = await server.open(alice)
    client.send(register(alice, 'a'), register(alice, 'b'))
    await client.stream.close()
    assert.equal((await client.reply())?.registerResponse?.status, Status.OK)
    assert.equal((await client.reply())?.registerResponse?.status, Status.OK)
  })

  it('that stays silent is reset after the idle timeout', async () => {
    const server = await startService({ streamIdleTimeoutMs: 30 })
    const client = await server.open(alice)
    assert.equal(await client.reply(), undefined)
    assert.equal(server.service.streams, 0)
    assert.equal(/** @type {any} */ (server.seen.refused[0]).code, 'ERR_STREAM_IDLE')
  })

  it('is not kept open by bytes that never make a request', async t => {
    const server = await startService({ streamIdleTimeoutMs: 60 })
    const client = await server.open(alice)
    client.stream.send(Uint8Array.of(100))
    const dripping = setInterval(
      () => client.stream.status === 'open' && client.stream.send(Uint8Array.of(1)),
      5
    )
    t.after(() => clearInterval(dripping))
    assert.equal(await client.reply(), undefined)
  })
})

describe('hostile input resets its stream and nothing else', () => {
  const tooLong = Buffer.alloc(20_000, 1)
  /** @type {Array<[string, Uint8Array, string]>} bytes on the wire, and the code that is counted */
  const cases = [
    ['noise', Uint8Array.of(4, 0xff, 0xff, 0xff, 0xff), 'ERR_MALFORMED_MESSAGE'],
    ['a length without end', new Uint8Array(10).fill(0x80), 'ERR_MALFORMED_MESSAGE'],
    ['a length above the cap', Uint8Array.of(0x81, 0x80, 0x01), 'ERR_FRAME_TOO_LARGE'],
    ['a long message', Buffer.concat([Uint8Array.of(0xa0, 0x9c, 0x01), tooLong]), 'ERR_FRAME_TOO_LARGE'],
    ['a reply instead of a request', Uint8Array.of(2, 8, 1), 'ERR_UNEXPECTED_MESSAGE'],
    ['an unknown type', Uint8Array.of(2, 8, 99), 'ERR_UNEXPECTED_MESSAGE'],
    [
      'a negative type',
      Uint8Array.of(11, 8, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1),
      'ERR_UNEXPECTED_MESSAGE'
    ],
    [
      'nested groups',
      Buffer.concat([Uint8Array.of(0x90, 0x4e), Buffer.alloc(10_000, 0x0b)]),
      'ERR_MALFORMED_MESSAGE'
    ]
  ]
  for (const [name, bytes, code] of cases) {
    it(name, async () => {
      const server = await startService()
      const client = await server.open(alice)
      const other = await server.open(bob)
      client.stream.send(bytes)
      assert.equal(await client.reply(), undefined)
      assert.equal(client.stream.status, 'reset')
      assert.equal(/** @type {any} */ (server.seen.refused[0]).code, code)
      assert.equal((await other.ask(register(bob, 'ns')))?.registerResponse?.status, Status.OK)
      assert.equal(server.service.streams, 1)
    })
  }

  it('a request cut off', async () => {
    const server = await startService()
    const client = await server.open(alice)
    client.stream.send(Uint8Array.of(100, 1, 2, 3))
    await client.stream.close()
    assert.equal(await client.reply(), undefined)
    assert.equal(/** @type {any} */ (server.seen.refused[0]).code, 'ERR_TRUNCATED')
  })

  it('requests before the hostile one are served', async () => {
    const server = await startService()
    const client = await server.open(alice)
    client.send(register(alice, 'ns'))
    assert.equal((await client.reply())?.registerResponse?.status, Status.OK)
    client.stream.send(Uint8Array.of(4, 0xff, 0xff, 0xff, 0xff))
    assert.equal(await client.reply(), undefined)
    assert.deepEqual((await discoverAt(server, { ns: 'ns' })).names, ['alice'])
  })
})

describe('a client that vanishes', () => {
  /** A store that answers when told to. */
  class SlowStore extends MemoryStore {
    /** @type {Array<() => void>} */
    held = []
    /** @param {import('../../src/server/store/registration.js').NewRegistration} registration */
    async add(registration) {
      await new Promise(resolve => this.held.push(() => resolve(undefined)))
      return super.add(registration)
    }
  }

  it('in mid-request leaves nothing behind, and disturbs nobody', async () => {
    const store = new SlowStore()
    const server = await startService({ store })
    const client = await server.open(alice)
    client.send(register(alice, 'a'), register(alice, 'b'))
    await until(() => store.held.length > 0, { everyMs: 1 })
    client.stream.abort(new Error('gone'))
    await until(() => server.service.streams === 0, { everyMs: 1 })
    for (const go of store.held) go()
    await new Promise(resolve => setTimeout(resolve, 5))
    // the second request is not begun
    assert.equal((await store.counts()).registrations, 1)
    assert.deepEqual(server.seen.refused, [])
  })

  it('before it was served is forgotten', async () => {
    const server = await startService()
    const { served } = await server.open(alice)
    served?.abort(new Error('gone'))
    assert.equal(server.service.streams, 0)
  })
})

describe('a client that does not read', () => {
  it('is served no further than its replies go', async () => {
    const server = await startService()
    for (let i = 0; i < 100; i++) await registerAt(server, alice, `ns${i}`)
    const operations = () => server.seen.operations.filter(([type]) => type === 'DISCOVER').length
    const client = await server.open(bob)
    const { served } = client
    assert.ok(served)
    // the stream's way out is full, as when the other side reads nothing
    const send = served.send.bind(served)
    served.send = data => {
      send(data)
      served.writableNeedsDrain = true
      return false
    }
    const drained = () => served.dispatchEvent(new Event('drain'))
    client.send(...Array.from({ length: 50 }, () => encodeDiscover({})))
    for (let count = 1; ; count++) {
      await until(() => operations() >= count, { everyMs: 1 })
      await new Promise(resolve => setTimeout(resolve, 1))
      assert.equal(operations(), count)
      if (count === 50) break
      drained()
    }
  })
})

describe('a store that fails', () => {
  it('is answered with 300, and the stream goes on', async () => {
    const failing = new MemoryStore()
    failing.add = async () => {
      throw new Error('disk full')
    }
    failing.page = () => Promise.reject(new Error('disk full'))
    const server = await startService({ store: failing })
    const client = await server.open(alice)
    const registered = await client.ask(register(alice, 'ns'))
    assert.equal(registered?.registerResponse?.status, Status.E_INTERNAL_ERROR)
    const discovered = await client.ask(encodeDiscover({ ns: 'ns' }))
    assert.equal(discovered?.discoverResponse?.status, Status.E_INTERNAL_ERROR)
    assert.equal(server.seen.failures.length, 2)
  })
})

describe('stopping', () => {
  it('resets what is open', async () => {
    const server = await startService()
    const client = await server.open(alice)
    await server.service.stop()
    assert.equal(await client.reply(), undefined)
  })
})
