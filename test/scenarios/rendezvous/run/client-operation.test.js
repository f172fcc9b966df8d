import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chosen, takeBack } from '../../../../src/scenarios/rendezvous/worker/load-client.js'

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
    assert.deepEqual(chosen('DISCOVER', ledger, drawing({}, 0.99)), {
      ...{ type: 'DISCOVER', ns: 'some-3', sent: false }
    })
    const inexistent = drawing({ discoverInexistentNamespaces: true }, 0.5)
    assert.equal(chosen('DISCOVER', ledger, inexistent).ns, 'none-2')
  })

  it('registers in a new namespace, or once more in one where it is registered', () => {
    const { ledger } = fakeLedger(['held'])
    assert.equal(chosen('REGISTER', ledger, drawing({ registerMode: 'new' })).ns, 'fresh')
    const refreshing = drawing({ registerMode: 'refresh' })
    assert.equal(chosen('REGISTER', ledger, refreshing).ns, 'held')
    assert.equal(chosen('REGISTER', fakeLedger().ledger, refreshing).ns, 'fresh')
  })

  it('unregisters what is held, as long as there is any', () => {
    const { ledger } = fakeLedger(['held'])
    assert.equal(chosen('UNREGISTER', ledger, drawing({})).ns, 'held')
    assert.equal(chosen('UNREGISTER', ledger, drawing({})).ns, undefined)
  })
})

describe('an operation that failed', () => {
  /** @param {any} operation */
  const takenBack = operation => {
    const { ledger, log } = fakeLedger()
    takeBack({ ns: 'here', sent: false, ...operation }, ledger)
    return log
  }

  it('leaves held what was to be unregistered', () => {
    assert.deepEqual(takenBack({ type: 'UNREGISTER' }), ['hold here'])
    assert.deepEqual(takenBack({ type: 'UNREGISTER', sent: true }), ['hold here'])
    assert.deepEqual(takenBack({ type: 'UNREGISTER', ns: undefined }), [])
  })

  it('leaves a namespace unused only if nothing was sent about it', () => {
    assert.deepEqual(takenBack({ type: 'REGISTER' }), ['unused here'])
    assert.deepEqual(takenBack({ type: 'REGISTER', sent: true }), [])
    assert.deepEqual(takenBack({ type: 'DISCOVER' }), [])
  })
})
