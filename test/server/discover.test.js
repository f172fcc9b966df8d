import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Status } from '../../src/protocol/rendezvous.js'
import { Cookies, discover } from '../../src/server/rendezvous/requests.js'

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
  const reply = await discover(request, ASKER, /** @type {any} */ ({ store, cookies, limits }))
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
