import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { RotatingNodes } from '../../../../src/scenarios/rotate-gossip/run/rotating-nodes.js'
import { makePlanOf } from '../../../scenarios.js'
import { publishedRows, receivedRows } from '../../gossip/measure/rows.js'

/** @typedef {import('../../../../src/network/node-host.js').Rotating} Rotating */

const SECOND = 1e9

const plan =
  /** @type {import('../../../../src/scenarios/rotate-gossip/plan/rotate-gossip-options.js').RotateGossipPlan} */ (
    makePlanOf('rotation', {
      ...{ stable: 3, ephemeral: 2, topology: 'full', topics: 'a=0.5,b=0.7', seed: 3 },
      ...{ rotateEvery: '4s', downFor: '1s', settle: '2s', duration: '10s', dials: 2 }
    }).plan
  )

/** Hosts that do what they are told as fast as the test wants. */
function fakePool() {
  /** @type {Rotating[]} */
  const told = []
  /** @type {any} */
  const pool = { rotate: async (/** @type {Rotating} */ rotating) => void told.push(rotating) }
  return { pool, told }
}

/** @param {Partial<import('../../../../src/network/node-host.js').HostInterval>} interval */
const intervalOf = interval =>
  /** @type {import('../../../../src/network/node-host.js').HostInterval} */ ({
    atNs: 6 * SECOND,
    published: publishedRows([]),
    peers: [],
    ...interval
  })

describe('nodes that rotate', () => {
  test('have the subscriptions of the place they take; stable ones publish', () => {
    const { all, publishing } = new RotatingNodes(plan).subscriptions
    assert.equal(all.length, 7)
    assert.deepEqual([all[5], all[6]], [all[3], all[4]])
    assert.deepEqual(publishing, all.slice(0, 3))
  })

  test('are announced to the hosts with the identities of those to come, when publishing begins', async () => {
    const { pool, told } = fakePool()
    const rotating = new RotatingNodes(plan)
    await rotating.start(pool)
    assert.equal(told.length, 0)
    rotating.measurement({ startNs: SECOND, planned: 10 })
    rotating.begin(SECOND)
    await rotating.stop()
    const [{ lives, startNs, peers }] = told
    assert.equal(startNs, SECOND)
    assert.deepEqual(
      lives.map(({ node, killMs }) => [node, killMs]),
      [
        [3, 4000],
        [4, 8000],
        [5, null],
        [6, null]
      ]
    )
    assert.deepEqual(
      peers.map(({ node }) => node),
      [5, 6]
    )
    assert.equal(new Set(peers.map(({ peerId }) => peerId)).size, 2)
  })

  test('have no figures before anything was published, nor when hosts are gone', async () => {
    const rotating = new RotatingNodes(plan)
    rotating.measurement({ startNs: 0, planned: null })
    assert.deepEqual(rotating.outcome(), { rotation: null })
    assert.deepEqual(rotating.warnings([]), [])
    await rotating.start(/** @type {any} */ ({ rotate: () => Promise.reject(new Error('gone')) }))
    rotating.begin(0)
    await rotating.stop()
  })

  test('warn of starts that failed, and of kills that came late', async () => {
    const rotating = new RotatingNodes(plan)
    await rotating.start(fakePool().pool)
    const { lens } = rotating.measurement({ startNs: SECOND, planned: 10 })
    rotating.begin(SECOND)
    const given = [{ code: 'GENERATOR_LIMITED', values: {} }]
    assert.deepEqual(rotating.warnings(given), given)
    const changes = [
      { node: 3, killedNs: 6.5 * SECOND },
      { node: 5, startedNs: 7 * SECOND },
      { node: 5, dialsFailed: 2, error: 'refused' }
    ]
    lens.take(intervalOf({ changes }), receivedRows([]))
    assert.deepEqual(rotating.warnings(given), [
      ...given,
      { code: 'STARTS_FAILED', values: { count: 1 } },
      { code: 'ROTATION_LATE', values: { latestMs: 1500 } }
    ])
    assert.equal(rotating.outcome().rotation?.lives.killed, 1)
  })
})
