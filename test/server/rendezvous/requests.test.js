import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { Status } from '../../../src/protocol/rendezvous.js'
import { Cookies, InvalidCookieError, serveDiscover } from '../../../src/server/rendezvous/requests.js'

const limits = { maxNamespaceBytes: 4, maxDiscoverLimit: 100, maxReplyBytes: 1000 }

const ASKER = Uint8Array.of(7)

/** @param {object} request @param {any} [parts] */
async function asked(request, { cookies = new Cookies() } = {}) {
  /** @type {any[]} */
  const pages = []
  const store = {
    async page(/** @type {any} */ what) {
      pages.push(what)
      return { registrations: new Uint8Array(0), cursor: 7 }
    }
  }
  const reply = await serveDiscover(request, ASKER, /** @type {any} */ ({ store, cookies, limits }))
  return { status: reply.status, page: pages[0] }
}

describe('a DISCOVER', () => {
  test('says who asks, so that a store can let others in beside', async () => {
    const { page } = await asked({})
    assert.deepEqual(page.peerId, ASKER)
  })

  for (const [limit, taken] of [
    [undefined, 100],
    [0, 100],
    [5, 5],
    [500, 100]
  ])
    test(`with the limit ${limit} is given up to ${taken}`, async () => {
      const { status, page } = await asked({ ns: 'ns', limit })
      assert.deepEqual(
        [status, page],
        [Status.OK, { ns: 'ns', after: 0, limit: taken, maxBytes: 1000, peerId: ASKER }]
      )
    })

  test('without a namespace is about all of them', async () => {
    for (const request of [{}, { ns: '' }, { cookie: new Uint8Array(0) }])
      assert.deepEqual((await asked(request)).page, {
        ns: undefined,
        after: 0,
        limit: 100,
        maxBytes: 1000,
        peerId: ASKER
      })
  })

  test('goes on behind its cookie', async () => {
    const cookies = new Cookies()
    const { page } = await asked({ ns: 'ns', cookie: cookies.make('ns', 41) }, { cookies })
    assert.equal(Number(page.after), 41)
  })

  test('is refused with a cookie of somebody else, or a namespace that is too long', async () => {
    const cookie = new Cookies().make('ns', 1)
    assert.deepEqual(await asked({ ns: 'ns', cookie }), { status: Status.E_INVALID_COOKIE, page: undefined })
    assert.deepEqual(await asked({ ns: 'ééé' }), { status: Status.E_INVALID_NAMESPACE, page: undefined })
  })

  test('fails where the server does, and is not taken for a bad one', async () => {
    const cookies = {
      read() {
        throw new RangeError('a bug')
      }
    }
    await assert.rejects(asked({ cookie: new Uint8Array(9) }, { cookies }), /a bug/)
  })
})

const cookies = new Cookies()

describe('a cookie', () => {
  for (const ns of [undefined, 'ns', '/', 'ünï']) {
    for (const cursor of [0, 1, 2 ** 32, Number.MAX_SAFE_INTEGER, 2n ** 64n, 2n ** 128n - 1n]) {
      it(`brings ${cursor} back in ${ns ?? 'all namespaces'}`, () => {
        assert.equal(cookies.read(ns, cookies.make(ns, cursor)), cursor)
      })
    }
  }

  it('is the same for the same place, and another behind every other one, however many namespaces are asked for', () => {
    const names = [undefined, ...Array.from({ length: 1500 }, (_, i) => `ns-${i}`)]
    for (const cursor of [3, 4, 4, 3])
      for (const ns of names) assert.equal(cookies.read(ns, cookies.make(ns, cursor)), cursor)
    assert.deepEqual(cookies.make('ns', 5), cookies.make('ns', 5))
    assert.notDeepEqual(cookies.make('ns', 5), cookies.make('ns', 6))
  })

  it('outlives its maker when the key does', () => {
    const key = new Uint8Array(32).fill(1)
    assert.equal(new Cookies(key).read('ns', new Cookies(key).make('ns', 5)), 5)
  })
})

describe('a cookie suits clients that look into it', () => {
  // rust-libp2p takes 8 bytes for a number and the rest for a namespace: UTF-8 of at most 255 bytes
  const NUMBER_BYTES = 8
  const MAX_NAMESPACE_BYTES = 255

  for (const ns of [undefined, 'ns', 'ünï', 'x'.repeat(MAX_NAMESPACE_BYTES)]) {
    it(`of ${ns === undefined ? 'all namespaces' : `a namespace of ${ns.length} characters`}: a number, then ASCII`, () => {
      for (let key = 0; key < 100; key++) {
        const cookie = new Cookies(new Uint8Array(32).fill(key)).make(
          ns,
          (BigInt(key) << 70n) + BigInt(key) * 1_000_003n
        )
        const rest = cookie.subarray(NUMBER_BYTES)
        assert.ok(cookie.length >= NUMBER_BYTES && rest.length <= MAX_NAMESPACE_BYTES)
        assert.match(Buffer.from(rest).toString('latin1'), /^[\x21-\x7e]+$/)
      }
    })
  }
})

describe('a cookie is refused', () => {
  const cookie = cookies.make('ns', 5)
  const last = cookie.length - 1
  const flipped = (/** @type {number} */ at) => cookie.map((byte, index) => (index === at ? byte ^ 1 : byte))
  /** @type {Array<[string, string | undefined, Uint8Array]>} */
  const cases = [
    ['in another namespace', 'other', cookie],
    ['of a namespace, for all of them', undefined, cookie],
    ['of all namespaces, for one', 'ns', cookies.make(undefined, 5)],
    ['of all namespaces, for one with an empty name', '', cookies.make(undefined, 5)],
    ['of another server', 'ns', new Cookies().make('ns', 5)],
    ['with another cursor', 'ns', flipped(7)],
    ['with another code', 'ns', flipped(last)],
    ['with another code from the first letter on', 'ns', flipped(8)],
    ['that is empty', 'ns', new Uint8Array(0)],
    ['that is a number alone', 'ns', cookie.subarray(0, 8)],
    ['that is cut off', 'ns', cookie.subarray(0, last)],
    ['that is too long', 'ns', new Uint8Array([...cookie, 0])],
    ['with an upper half made up', 'ns', new Uint8Array([...cookie, 0x31])],
    ['with another upper half', 'ns', new Uint8Array([...cookies.make('ns', 2n ** 64n).slice(0, -1), 0x32])],
    [
      'whose namespace is cut in two',
      undefined,
      new Uint8Array([...cookies.make('1', 5), ...Buffer.from('/1')])
    ],
    ['that is noise', 'ns', new Uint8Array(cookie.length).fill(7)]
  ]
  for (const [name, ns, bytes] of cases) {
    it(name, () => assert.throws(() => cookies.read(ns, bytes), InvalidCookieError))
  }
})
