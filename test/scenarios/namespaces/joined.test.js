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

  it('has the figures of its processes, which stay as they are when it is over, until it begins anew', async () => {
    /** @type {string[]} */
    const calls = []
    let packets = 1
    const joined = joinedBy({
      latest: async () => {
        calls.push('latest')
        packets += 1
      },
      begin: async () => calls.push('begin'),
      cut: async () => calls.push('cut'),
      figuresWith: (/** @type {number[]} */ pids) => ({ pids, packets })
    })
    assert.deepEqual(joined.figures, { pids: [], packets: 1 })
    joined.hold([11, 12])
    await joined.cut()
    await joined.over()
    packets = 100
    assert.deepEqual(joined.figures, { pids: [11, 12], packets: 2 })
    await joined.begin()
    assert.deepEqual(joined.figures, { pids: [11, 12], packets: 100 })
    assert.deepEqual(calls, ['cut', 'latest', 'begin'])
  })
})
