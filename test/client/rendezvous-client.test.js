import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { multiaddr } from '@multiformats/multiaddr'
import { RendezvousError } from '../../src/client/errors.js'
import { deriveRegistrantKey, sealRegistrantRecord } from '../../src/client/identities.js'
import { openRegistrations, rendezvousClient } from '../../src/client/rendezvous-client.js'
import {
  encodeDiscoverResponse,
  encodeRegisterBody,
  encodeRegisterResponse
} from '../../src/protocol/rendezvous.js'
import { openSignedRecord, RecordDomain, sealPeerRecord } from '../../src/protocol/signed-record.js'
import { framed, scriptedConnection } from './scripted-peer.js'

/**
 * @typedef {import('./scripted-peer.js').Script} Script
 * @typedef {import('../../src/protocol/rendezvous.js').Message} Message
 * @typedef {import('../../src/protocol/rendezvous.js').Discover} Discover
 */

const server = multiaddr('/ip4/127.0.0.1/tcp/1')
const privateKey = await deriveRegistrantKey(7, 99)
const self = peerIdFromPrivateKey(privateKey)

/** @type {(script?: Script, init?: object, openConnection?: () => Promise<any>) => import('../../src/client/rendezvous-client.js').RendezvousClient} */
const clientOf = (script, init, openConnection = async () => scriptedConnection(script)) =>
  rendezvousClient(init)({
    privateKey,
    addressManager: { getAddresses: () => [multiaddr(`/ip4/1.2.3.4/tcp/5/p2p/${self}`)] },
    connectionManager: { openConnection }
  })

/** @type {(code: string) => (error: any) => boolean} */
const code = expected => error => {
  assert.equal(error.code, expected, error.message)
  return true
}

const source = { seed: 7, domain: RecordDomain.PEER_RECORD }
const bodyOf = async (/** @type {number} */ index, ns = 'a') =>
  encodeRegisterBody({ ns, signedPeerRecord: await sealRegistrantRecord(source, index), ttl: 7200 })
const bodies = await Promise.all([0, 1, 2, 3, 4, 5, 6].map(index => bodyOf(index)))
const peerIds = await Promise.all(
  [0, 1, 2, 3, 4, 5, 6].map(async index =>
    peerIdFromPrivateKey(await deriveRegistrantKey(7, index)).toString()
  )
)

/**
 * A peer that answers DISCOVER with pages; the cookie is the number of the next page.
 *
 * @param {(page: number) => { bodies: Uint8Array[], cookie?: Uint8Array }} pageOf
 * @returns {{ script: Script, asked: (Discover | undefined)[] }}
 */
function paged(pageOf) {
  /** @type {(Discover | undefined)[]} */
  const asked = []
  /** @type {Script} */
  const script = ({ discover }, far) => {
    asked.push(discover)
    const page = discover?.cookie?.[0] ?? 0
    far.send(framed(encodeDiscoverResponse({ status: 0, cookie: Uint8Array.of(page + 1), ...pageOf(page) })))
  }
  return { script, asked }
}

/** @param {AsyncIterable<import('../../src/client/rendezvous-client.js').DiscoverPage>} pages */
async function peersOf(pages) {
  const found = []
  for await (const { registrations } of pages)
    found.push(registrations.map(({ peerId }) => peerId.toString()))
  return found
}

describe('register', () => {
  for (const domain of Object.values(RecordDomain)) {
    it(`sends the node's own addresses, sealed under ${domain}, and gives the granted time`, async () => {
      /** @type {Message[]} */
      const requests = []
      const client = clientOf(
        (request, far) => {
          requests.push(request)
          far.send(framed(encodeRegisterResponse({ status: 0, ttl: 3600 })))
        },
        { recordDomain: domain }
      )
      assert.equal(await client.register(server, 'a', { ttlSeconds: 9000 }), 3600)
      const { ns, ttl, signedPeerRecord = new Uint8Array() } = requests[0].register ?? {}
      const record = await openSignedRecord(signedPeerRecord)
      assert.deepEqual([ns, ttl, record.domain], ['a', 9000, domain])
      const found = record.addresses.map(bytes => `${multiaddr(bytes)}`)
      assert.deepEqual(found, ['/ip4/1.2.3.4/tcp/5'])
    })
  }

  it('renews with a record of a higher sequence number', async () => {
    /** @type {Uint8Array[]} */
    const records = []
    const client = clientOf(({ register }, far) => {
      records.push(register?.signedPeerRecord ?? new Uint8Array())
      far.send(framed(encodeRegisterResponse({ status: 0 })))
    })
    assert.equal(await client.register(server, 'a'), undefined)
    await client.register(server, 'a')
    const [first, second] = await Promise.all(records.map(openSignedRecord))
    assert.ok(second.seq > first.seq)
  })

  for (const { status, expected } of [
    { status: 100, expected: 'E_INVALID_NAMESPACE' },
    { status: 102, expected: 'E_INVALID_TTL' },
    { status: 400, expected: 'E_UNAVAILABLE' },
    { status: 999, expected: 'E_UNKNOWN_999' }
  ]) {
    it(`throws ${expected} with the server's words for status ${status}`, async () => {
      const client = clientOf((_request, far) =>
        far.send(framed(encodeRegisterResponse({ status, statusText: 'because' })))
      )
      await assert.rejects(client.register(server, 'a'), error => {
        assert.ok(error instanceof RendezvousError)
        assert.deepEqual([error.code, error.status, error.statusText], [expected, status, 'because'])
        assert.match(error.message, new RegExp(`REGISTER .*${expected}.*because`))
        return true
      })
    })
  }

  it('throws UNEXPECTED_REPLY for the reply to something else', async () => {
    const client = clientOf((_request, far) => far.send(framed(encodeDiscoverResponse({ status: 0 }))))
    await assert.rejects(client.register(server, 'a'), code('UNEXPECTED_REPLY'))
  })

  it('throws RESET when the server resets the stream instead of replying', async () => {
    const client = clientOf((_request, far) => far.abort(new Error('no')))
    await assert.rejects(client.register(server, 'a'), code('RESET'))
  })

  it('throws REFUSED when nothing listens at the address', async () => {
    const refused = Object.assign(new Error('no'), { code: 'ECONNREFUSED' })
    const client = clientOf(undefined, {}, () => Promise.reject(refused))
    await assert.rejects(client.register(server, 'a'), code('REFUSED'))
  })

  it('stops waiting when its signal aborts', async () => {
    const abort = new AbortController()
    const client = clientOf(() => abort.abort())
    await assert.rejects(client.register(server, 'a', { signal: abort.signal }), code('ABORTED'))
  })

  it('times out by itself when no signal is given', async t => {
    const client = clientOf(undefined, { timeoutMs: 20 })
    const keepAlive = setTimeout(() => {}, 5000)
    t.after(() => clearTimeout(keepAlive))
    await assert.rejects(client.register(server, 'a'), code('TIMEOUT'))
  })
})

describe('unregister', () => {
  for (const how of /** @type {const} */ (['closes', 'resets'])) {
    it(`is done when the server ${how} the stream`, async () => {
      /** @type {Message[]} */
      const requests = []
      const client = clientOf((request, far) => {
        requests.push(request)
        if (how === 'closes') far.close()
        else far.abort(new Error('dropped'))
      })
      await client.unregister(server, 'a')
      assert.equal(requests[0].unregister?.ns, 'a')
    })
  }

  it('does not wait for ever on a server that keeps the stream open', async () => {
    await clientOf(undefined, { unregisterWaitMs: 5 }).unregister(server, 'a')
  })

  it('stops waiting when its signal aborts', async () => {
    const abort = new AbortController()
    const client = clientOf(() => abort.abort())
    await assert.rejects(client.unregister(server, 'a', { signal: abort.signal }), code('ABORTED'))
  })
})

describe('discover', () => {
  it('gives peers with their addresses, and a cookie', async () => {
    const { script, asked } = paged(() => ({ bodies: bodies.slice(0, 2) }))
    const { registrations, rejected, cookie } = await clientOf(script).discover(server, { ns: 'a', limit: 2 })
    assert.deepEqual(
      registrations.map(({ ns, peerId, addresses, ttlSeconds }) => [
        ns,
        `${peerId}`,
        `${addresses}`,
        ttlSeconds
      ]),
      [
        ['a', peerIds[0], '/ip4/10.0.0.0/tcp/4001', 7200],
        ['a', peerIds[1], '/ip4/10.0.0.1/tcp/4001', 7200]
      ]
    )
    assert.deepEqual([rejected, cookie], [[], Uint8Array.of(1)])
    assert.deepEqual(asked, [{ ns: 'a', limit: 2 }])
  })

  it('rejects registrations with a forged signature, unless told not to check', async () => {
    const forged = Uint8Array.from(await sealRegistrantRecord(source, 1))
    forged[forged.length - 1] ^= 1
    const { script } = paged(() => ({
      bodies: [bodies[0], encodeRegisterBody({ ns: 'a', signedPeerRecord: forged })]
    }))
    const checked = await clientOf(script).discover(server, { ns: 'a' })
    assert.deepEqual([checked.registrations.length, checked.rejected.length], [1, 1])
    assert.match(`${checked.rejected[0].reason}`, /InvalidSignedRecordError/)
    const unchecked = await clientOf(script).discover(server, { ns: 'a', verify: false })
    assert.deepEqual([unchecked.registrations.length, unchecked.rejected.length], [2, 0])
  })

  for (const verify of [true, false]) {
    it(`rejects registrations without a readable record (verify: ${verify})`, async () => {
      const { script } = paged(() => ({
        bodies: [
          encodeRegisterBody({ ns: 'a' }),
          encodeRegisterBody({ signedPeerRecord: Uint8Array.of(1, 2, 3) })
        ]
      }))
      const { registrations, rejected } = await clientOf(script).discover(server, { verify })
      assert.deepEqual([registrations.length, rejected.length], [0, 2])
    })
  }

  it('fills in the namespace that was asked for where the server leaves it out', async () => {
    const signedPeerRecord = await sealRegistrantRecord(source, 1)
    const { script } = paged(() => ({ bodies: [encodeRegisterBody({ signedPeerRecord })] }))
    const { registrations } = await clientOf(script).discover(server, { ns: 'asked' })
    assert.equal(registrations[0].ns, 'asked')
  })

  it('throws E_INVALID_COOKIE, also from a server that sets a wrong message type beside it', async () => {
    const client = clientOf((_request, far) => {
      const response = encodeDiscoverResponse({ status: 103 })
      response[1] = 1
      far.send(framed(response))
    })
    await assert.rejects(client.discover(server, { ns: 'a' }), code('E_INVALID_COOKIE'))
  })
})

describe('a namespace that is not UTF-8', () => {
  it('is rejected where a server has it, and meets no other', async () => {
    const [odd, other] = await Promise.all([bodyOf(0, 'abcd'), bodyOf(0, 'abce')])
    for (const [body, byte] of /** @type {[Uint8Array, number][]} */ ([
      [odd, 0xfe],
      [other, 0xff]
    ]))
      Buffer.from(body.buffer, body.byteOffset, body.length).fill(
        byte,
        body.indexOf(0x61),
        body.indexOf(0x61) + 4
      )
    const { script } = paged(() => ({ bodies: [odd, other, bodies[1]] }))
    const { registrations, rejected } = await clientOf(script).discover(server)
    const found = registrations.map(({ ns }) => ns)
    assert.deepEqual(found, ['a'])
    assert.match(String(rejected[0].reason), /namespace is not UTF-8/)
    assert.notEqual(rejected[0].ns, rejected[1].ns)
  })
})

describe('what cannot be used is refused before anything is sent', () => {
  const text = '/ip4/127.0.0.1/tcp/1'
  /** @type {Array<[string, (client: any) => Promise<unknown>, RegExp]>} */
  const calls = [
    ['a text', c => c.register(text, 'a'), /register: server "\/ip4\S+ must be a Multiaddr or a PeerId/],
    ['no server', c => c.discover(), /discover: server undefined must be/],
    ['no namespace', c => c.register(server), /ns undefined must be a string/],
    ['half a pair', c => c.register(server, 'a\uD800'), /ns "a\\ud800" must be .*without lone surrogates/],
    ['the same to unregister', c => c.unregister(server, '\uDC00'), /unregister: ns .* lone surrogates/],
    ['the same to discover', c => c.discover(server, { ns: '\uDC00' }), /discover: ns .* lone surrogates/],
    [
      'a negative ttl',
      c => c.register(server, 'a', { ttlSeconds: -1 }),
      /ttlSeconds -1 must be a whole number of seconds/
    ],
    ['half a second', c => c.register(server, 'a', { ttlSeconds: 0.5 }), /ttlSeconds 0.5 must/],
    ['a ttl of 2^53', c => c.register(server, 'a', { ttlSeconds: 2 ** 53 }), /from 0 to 2\^53 - 1/],
    [
      'an option of another name',
      c => c.register(server, 'a', { ttl: 60 }),
      /ttl is not an option; the options are ttlSeconds, signal/
    ],
    ['a number', c => c.register(server, 'a', 60), /options 60 must be an object with ttlSeconds, signal/],
    ['null as options', c => c.unregister(server, 'a', null), /options null must be an object with signal/],
    ['another signal', c => c.unregister(server, 'a', { signal: 5 }), /signal 5 must be an AbortSignal/],
    ['a limit of 0', c => c.discover(server, { limit: 0 }), /limit 0 must be a whole number from 1/],
    ['a cookie as text', c => c.discover(server, { cookie: 'x' }), /cookie "x" must be a Uint8Array/],
    [
      'what discoverAll does not know',
      c => c.discoverAll(server, { limit: 5 }).next(),
      /limit is not an option/
    ],
    ['pages without a number', c => c.discoverAll(server, { maxPages: NaN }).next(), /maxPages NaN must/]
  ]
  for (const [name, call, message] of calls)
    it(name, async () => {
      let asked = 0
      const client = clientOf(() => asked++)
      await assert.rejects(call(client), { name: 'ClientError', code: 'BAD_ARGUMENT', message })
      assert.equal(asked, 0)
    })

  for (const [name, init, message] of /** @type {[string, any, RegExp][]} */ ([
    ['a text', { timeoutMs: '5s' }, /rendezvousClient: timeoutMs "5s" must be a number of milliseconds/],
    ['another name', { timeout: 5 }, /timeout is not an option; the options are recordDomain, timeoutMs/],
    ['a domain that nobody has', { recordDomain: 'x' }, /must be libp2p-peer-record or libp2p-routing-state/]
  ]))
    it(`${name} when a client is made`, () =>
      assert.throws(() => rendezvousClient(init), { code: 'BAD_ARGUMENT', message }))
})

describe('discoverAll', () => {
  it('goes on with the cookie of each page until one is empty', async () => {
    const { script, asked } = paged(page => ({ bodies: bodies.slice(page * 3, page * 3 + 3) }))
    const pages = await peersOf(clientOf(script).discoverAll(server, { ns: 'a', pageLimit: 3 }))
    assert.deepEqual(pages, [peerIds.slice(0, 3), peerIds.slice(3, 6), peerIds.slice(6)])
    const rows = asked.flatMap(discover => [discover?.limit, discover?.cookie?.[0]])
    assert.deepEqual(rows, [3, undefined, 3, 1, 3, 2, 3, 3])
  })

  it('finds everything at a server that caps pages below the limit asked for', async () => {
    const { script } = paged(page => ({ bodies: bodies.slice(page * 2, page * 2 + 2) }))
    const pages = await peersOf(clientOf(script).discoverAll(server, { ns: 'a', pageLimit: 100 }))
    assert.deepEqual(pages.flat(), peerIds)
  })

  it('finds everything where pages differ in size, as those capped by bytes do', async () => {
    const cuts = [0, 3, 5, 6, 7, 7]
    const { script } = paged(page => ({ bodies: bodies.slice(cuts[page], cuts[page + 1]) }))
    const pages = await peersOf(clientOf(script).discoverAll(server, { ns: 'a', pageLimit: 3 }))
    assert.deepEqual(pages.flat(), peerIds)
  })

  it('yields nothing where nothing is registered', async () => {
    const { script, asked } = paged(() => ({ bodies: [] }))
    assert.deepEqual(await peersOf(clientOf(script).discoverAll(server, { ns: 'a' })), [])
    assert.equal(asked.length, 1)
  })

  it('does not follow a server that returns the same page for ever', async () => {
    const { script, asked } = paged(() => ({ bodies: bodies.slice(0, 2) }))
    assert.equal((await peersOf(clientOf(script).discoverAll(server, { ns: 'a', pageLimit: 2 }))).length, 1)
    assert.equal(asked.length, 2)
  })

  it('marks what does not belong in a page, and goes on', async () => {
    const elsewhere = encodeRegisterBody({
      ns: 'b',
      signedPeerRecord: await sealRegistrantRecord(source, 20)
    })
    const { script } = paged(
      page => [{ bodies: [elsewhere, ...bodies.slice(0, 3)] }, { bodies: bodies.slice(2, 4) }][page] ?? {}
    )
    const reasons = []
    for await (const { rejected } of clientOf(script).discoverAll(server, { ns: 'a', pageLimit: 3 }))
      reasons.push(rejected.map(({ reason }) => String(reason).replace(/.*a registration /, '')))
    assert.deepEqual(reasons, [
      ['of another namespace than a, which was requested', 'beyond the limit of 3 that was requested'],
      []
    ])
  })

  it('gives nobody twice', async () => {
    const { script } = paged(page => ({ bodies: bodies.slice(page, page + 2) }))
    const pages = await peersOf(clientOf(script).discoverAll(server, { ns: 'a' }))
    assert.deepEqual(pages.flat(), peerIds)
  })

  describe('ends at a server that does not', () => {
    /** Pages without end, of registrations nobody made, each new. @param {number} perPage @param {number} recordBytes */
    const endless = (perPage, recordBytes = 100) => {
      let made = 0
      return paged(() => ({
        bodies: Array.from({ length: perPage }, () => {
          const signedPeerRecord = Buffer.alloc(recordBytes)
          signedPeerRecord.writeUInt32LE(made++)
          return encodeRegisterBody({ signedPeerRecord })
        })
      }))
    }

    for (const [bound, value, perPage, pages] of /** @type {[string, number, number, number][]} */ ([
      ['maxPages', 7, 3, 7],
      ['maxRegistrations', 10, 3, 3],
      ['maxBytes', 5000, 10, 4]
    ]))
      it(`after ${value} of ${bound}`, async () => {
        const { script, asked } = endless(perPage)
        /** @type {unknown[]} */
        const yielded = []
        await assert.rejects(
          async () => {
            for await (const page of clientOf(script).discoverAll(server, { ns: 'a', [bound]: value }))
              yielded.push(page)
          },
          (/** @type {any} */ error) =>
            error.code === 'TOO_MUCH' && error.message.includes(`${bound} ${value}`)
        )
        assert.deepEqual([yielded.length, asked.length], [pages, pages + 1])
      })

    it('by default too', async () => {
      // what is beyond the limit that was asked for counts, and takes no time to check
      const { script, asked } = endless(20_000, 8)
      await assert.rejects(async () => {
        for await (const _ of clientOf(script).discoverAll(server, { ns: 'a', pageLimit: 1 }));
      }, code('TOO_MUCH'))
      assert.equal(asked.length, 6)
    })

    it('and in time, whether it answers or not', async t => {
      // neither streams in memory nor signals that time out keep the process
      const keepAlive = setTimeout(() => {}, 60_000)
      t.after(() => clearTimeout(keepAlive))
      const silent = clientOf(() => {}).discoverAll(server, { ns: 'a', maxMs: 50 })
      await assert.rejects(silent.next(), code('TOO_MUCH'))
      // a reply within the limit of bytes that takes a while to check
      const { script } = paged(() => ({ bodies: Array.from({ length: 20_000 }, (_, i) => bodies[i % 7]) }))
      const slow = clientOf(script).discoverAll(server, { ns: 'a', maxMs: 1 })
      await assert.rejects(slow.next(), code('TOO_MUCH'))
    })
  })

  for (const cookie of [undefined, new Uint8Array(0)]) {
    it(`ends with a page that has ${cookie ? 'an empty' : 'no'} cookie`, async () => {
      const { script, asked } = paged(() => ({ bodies: bodies.slice(0, 2), cookie }))
      assert.equal((await peersOf(clientOf(script).discoverAll(server, { ns: 'a' }))).length, 1)
      assert.equal(asked.length, 1)
    })
  }

  it('is told from other services of a node', () => {
    assert.equal(String(clientOf()), '[object libp2p-loadtest/rendezvous-client]')
  })

  it('stops between pages when its signal aborts', async () => {
    const { script } = paged(page => ({ bodies: bodies.slice(page * 2, page * 2 + 2) }))
    const abort = new AbortController()
    const pages = clientOf(script).discoverAll(server, { ns: 'a', signal: abort.signal })
    await pages.next()
    abort.abort()
    await assert.rejects(pages.next(), code('ABORTED'))
  })
})

const address = multiaddr('/ip4/10.0.0.1/tcp/1')
const privateKeyDiscovered = await deriveRegistrantKey(7, 1)
const recordOf = (/** @type {any[]} */ addresses) =>
  sealPeerRecord({ privateKey: privateKeyDiscovered, addresses, seq: 1 })

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
      { verify: true }
    )
    assert.deepEqual([registrations, rejected.map(({ ns }) => ns)], [[], ['a', 'a']])
  })

  test('are checked no further once nobody waits for them', async () => {
    const signal = AbortSignal.abort()
    await assert.rejects(openRegistrations([{ ns: 'a' }], { verify: true, signal }), { code: 'ABORTED' })
  })
})
