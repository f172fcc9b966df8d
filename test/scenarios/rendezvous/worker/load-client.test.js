import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Status } from '../../../../src/protocol/rendezvous.js'
import {
  chooseOperation,
  discoverPageByPage,
  requireOk,
  revertOperation
} from '../../../../src/scenarios/rendezvous/worker/load-client.js'

/** @param {string[]} [held] */
function fakeLedger(held = []) {
  /** @type {string[]} */
  const log = []
  const ledger = /** @type {any} */ ({
    fresh: () => 'fresh',
    next: () => held.at(0),
    release: () => held.shift(),
    hold: (/** @type {string} */ ns) => log.push(`hold ${ns}`),
    unused: (/** @type {string} */ ns) => log.push(`unused ${ns}`)
  })
  return { ledger, log }
}

/** @param {object} plan @param {number} [random] */
const drawing = (plan, random = 0) =>
  /** @type {any} */ ({
    plan: { nNamespaces: 4, ...plan },
    random: () => random,
    namespaces: {
      inexistent: (/** @type {number} */ index) => `none-${index}`,
      planned: (/** @type {number} */ index) => `some-${index}`
    }
  })

describe('the next operation of a client', () => {
  it('discovers one of the planned namespaces, or one that is none', () => {
    const { ledger } = fakeLedger()
    assert.deepEqual(chooseOperation('DISCOVER', ledger, drawing({}, 0.99)), {
      ...{ type: 'DISCOVER', ns: 'some-3', sent: false }
    })
    const inexistent = drawing({ discoverInexistentNamespaces: true }, 0.5)
    assert.equal(chooseOperation('DISCOVER', ledger, inexistent).ns, 'none-2')
  })

  it('registers in a new namespace, or once more in one where it is registered', () => {
    const { ledger } = fakeLedger(['held'])
    assert.equal(chooseOperation('REGISTER', ledger, drawing({ registerMode: 'new' })).ns, 'fresh')
    const refreshing = drawing({ registerMode: 'refresh' })
    assert.equal(chooseOperation('REGISTER', ledger, refreshing).ns, 'held')
    assert.equal(chooseOperation('REGISTER', fakeLedger().ledger, refreshing).ns, 'fresh')
  })

  it('unregisters what is held, as long as there is any', () => {
    const { ledger } = fakeLedger(['held'])
    assert.equal(chooseOperation('UNREGISTER', ledger, drawing({})).ns, 'held')
    assert.equal(chooseOperation('UNREGISTER', ledger, drawing({})).ns, undefined)
  })
})

describe('an operation that failed', () => {
  /** @param {any} operation */
  const takenBack = operation => {
    const { ledger, log } = fakeLedger()
    revertOperation({ ns: 'here', sent: false, ...operation }, ledger)
    return log
  }

  it('leaves held what was to be unregistered', () => {
    assert.deepEqual(takenBack({ type: 'UNREGISTER' }), ['hold here'])
    assert.deepEqual(takenBack({ type: 'UNREGISTER', sent: true }), ['hold here'])
    assert.deepEqual(takenBack({ type: 'UNREGISTER', ns: undefined }), [])
  })

  it('leaves a namespace unused only if nothing was sent about it', () => {
    assert.deepEqual(takenBack({ type: 'REGISTER' }), ['unused here'])
    assert.deepEqual([takenBack({ type: 'REGISTER', sent: true }), takenBack({ type: 'DISCOVER' })], [[], []])
  })
})

/** @param {Parameters<typeof requireOk>[0]} response */
const thrown = response => {
  try {
    requireOk(response, 'a REGISTER')
  } catch (error) {
    return /** @type {any} */ (error)
  }
}

describe('an answer', () => {
  it('is fine when it is OK', () => assert.equal(thrown({ status: Status.OK }), undefined))

  it('of another kind than was asked for is named', () => {
    const { code, message } = thrown(undefined)
    assert.equal(code, 'UNEXPECTED_REPLY')
    assert.equal(message, 'a REGISTER was answered with another kind of message')
  })

  it('that refuses is named with its status, and what the server said', () => {
    const { code, message } = thrown({ status: Status.E_INVALID_TTL, statusText: 'too long' })
    assert.equal(code, 'E_INVALID_TTL')
    assert.equal(
      message,
      'a REGISTER was answered with E_INVALID_TTL (102): too long; give a --ttl that the server allows'
    )
  })

  it('as servers give it above their caps tells how to stay below them', () => {
    for (const status of [Status.E_NOT_AUTHORIZED, Status.E_UNAVAILABLE])
      assert.match(thrown({ status }).message, /use more --nClients$/)
  })
})

describe('a namespace that is discovered page by page', () => {
  /** @param {any[]} replies */
  const asked = replies => {
    let requests = 0
    const client = /** @type {any} */ ({
      request: async () => ({ message: { discoverResponse: replies[requests++] } })
    })
    const options = { ns: 'here', limit: 2, signal: new AbortController().signal }
    return { found: discoverPageByPage(client, options), requests: () => requests }
  }
  const page = (/** @type {string[]} */ ...registrations) => ({
    ...{ status: Status.OK, registrations, cookie: Uint8Array.of(1) }
  })

  /** @type {[string, any[], number][]} what ends it, replies behind the first, requests in all */
  const cases = [
    ['without registrations at all', [page('c'), { status: Status.OK }, page('d')], 3],
    // without one the namespace would be asked for from its start again
    ['with no cookie', [{ ...page('c'), cookie: undefined }, page('a', 'b')], 2],
    ['with an empty cookie', [{ ...page('c'), cookie: new Uint8Array() }, page('a', 'b')], 2]
  ]
  for (const [what, replies, count] of cases)
    it(`ends at the first page ${what}`, async () => {
      const { found, requests } = asked([page('a', 'b'), ...replies])
      assert.deepEqual([await found, requests()], [['a', 'b', 'c'], count])
    })

  it('fails with what the server answers instead of a page', () =>
    assert.rejects(asked([page('a'), { status: Status.E_INVALID_COOKIE }]).found, {
      code: 'E_INVALID_COOKIE'
    }))

  it('is not looked at beyond fifty pages', async () => {
    const { found, requests } = asked(Array(60).fill(page('a')))
    assert.equal((await found).length, 50)
    assert.equal(requests(), 50)
  })
})
