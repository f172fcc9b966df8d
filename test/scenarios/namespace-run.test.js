import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NamespaceRun } from '../../src/scenarios/namespace-run.js'

/** @param {Record<string, unknown>} parts */
function joinedBy(parts) {
  const joined = new NamespaceRun()
  joined.network = /** @type {any} */ (parts)
  return joined
}

describe('what joins the nodes of a run', () => {
  it('is nothing unless the plan asks for it: processes are reached at loopback, without a command before them', async () => {
    const joined = new NamespaceRun()
    assert.deepEqual([joined.through(0), joined.inside(0), joined.host(0)], [[], null, '127.0.0.1'])
    await joined.begin()
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
})
