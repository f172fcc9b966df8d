import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Joined } from '../../../src/scenarios/namespaces/joined.js'

/** @param {Record<string, unknown>} parts */
function joinedBy(parts) {
  const joined = new Joined()
  joined.network = /** @type {any} */ (parts)
  return joined
}

describe('what joins the nodes of a run', () => {
  it('is nothing unless the plan asks for it: processes are reached at loopback, without a command before them', async () => {
    const joined = new Joined()
    assert.deepEqual(joined.through(0), [])
    assert.equal(joined.inside(0), null)
    assert.equal(joined.host(0), '127.0.0.1')
    await joined.begin()
    await joined.cut()
    assert.equal(await joined.cutWhile(async () => 1), 1)
    await joined.over()
    assert.equal(joined.figures, null)
    await joined.stop()
  })

  it('gives each namespace its address, and the command that enters it', () => {
    const joined = joinedBy({
      enter: (/** @type {number} */ namespace) => ['enter', `${namespace}`],
      address: (/** @type {number} */ namespace) => `10.0.0.${namespace + 1}`
    })
    assert.deepEqual(joined.through(2), ['enter', '2'])
    assert.deepEqual(joined.inside(2), { host: '10.0.0.3', through: ['enter', '2'] })
  })

  /** @param {string[]} calls */
  const telling = calls =>
    joinedBy(
      Object.fromEntries(
        ['begin', 'over', 'cut', 'heal'].map(name => [name, async () => void calls.push(name)])
      )
    )

  it('cuts nodes off while something goes on, and not what comes after it', async () => {
    /** @type {string[]} */
    const calls = []
    const joined = telling(calls)
    assert.equal(await joined.cutWhile(async () => calls.push('fetch')), 2)
    assert.deepEqual(calls, ['cut', 'fetch', 'heal'])
  })

  it('begins to count without cutting anybody off, and cuts nobody off once it is over', async () => {
    /** @type {string[]} */
    const calls = []
    const joined = telling(calls)
    await joined.begin()
    await joined.over()
    assert.deepEqual(calls, ['begin', 'over', 'heal'])
  })
})
