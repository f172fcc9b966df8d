import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { watchStoreWork } from '../../../../src/scenarios/rendezvous/run/load-phases.js'

/** A member whose pool says one thing after the other. @param {string} name @param {(object | Error)[]} said */
const member = (name, ...said) => ({
  name,
  control: {
    state: async () => {
      const pool = said.shift()
      if (pool instanceof Error) throw pool
      return { store: { pool } }
    }
  }
})

/** @param {object} target */
async function workOf(target) {
  const storeWork = new Map()
  const add = await watchStoreWork(/** @type {any} */ (target))
  await add({ storeWork })
  return Object.fromEntries([...storeWork].map(([name, { wallMs, ...work }]) => [name, work]))
}

describe('what pools and the database did meanwhile', () => {
  it('is what their counts grew by, or all of it where they began anew', async () => {
    const members = [
      member('a', { connections: 4, queries: 10, waited: 7 }, { connections: 5, queries: 25, waited: 2 })
    ]
    const databases = [{ fsyncs: 3 }, { fsyncs: 8 }]
    const work = await workOf({ members, databaseWork: async () => databases.shift() })
    assert.deepEqual(work, { a: { connections: 5, queries: 15, waited: 2 }, database: { fsyncs: 5 } })
  })

  it('is not known of a member that does not answer, and counts from nothing where it did not before', async () => {
    const gone = new Error('it is paused')
    const members = [
      member('a', { queries: 1 }, gone),
      member('b', gone, { queries: 4 }),
      { name: 'c', control: null }
    ]
    assert.deepEqual(await workOf({ members }), { b: { queries: 4 } })
  })

  it('adds up over the parts of a run', async () => {
    const storeWork = new Map()
    const target = /** @type {any} */ ({
      members: [member('a', { queries: 1 }, { queries: 3 }, { queries: 10 }, { queries: 15 })]
    })
    for (let part = 0; part < 2; part++)
      await (await watchStoreWork(target))(/** @type {any} */ ({ storeWork }))
    assert.equal(storeWork.get('a').queries, 2 + 5)
    assert.ok(storeWork.get('a').wallMs >= 0)
  })

  it('is nothing of a server without either', async () => {
    assert.deepEqual(await workOf({}), {})
  })
})
