import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeChurnSchedule } from '../../../../src/load/churn.js'
import { ChurnExtension } from '../../../../src/scenarios/gossip/run/gossip-run.js'
import { validPlanOf } from '../../../scenarios.js'
import { publishedRows, receivedRows } from '../measure/rows.js'

const START_NS = 3e9

const plan = validPlanOf('gossip', {
  ...{ network: 'simulated', nodes: 4, topology: 'full', duration: '60s', churn: '5%/s,away=10s', seed: 5 }
})

test('what nodes receive around their absences counts apart, and nothing is counted nowhere', () => {
  const absences = makeChurnSchedule(plan)
  const node = absences.findIndex(([first]) => first?.leavesNs > 5e9)
  assert.ok(node >= 0)
  const { leavesNs, returnsNs } = absences[node][0]
  const nodes = new ChurnExtension(plan)
  assert.deepEqual(nodes.outcome(), { churn: null })
  const { lens, isThere } = nodes.measurement({ startNs: START_NS, planned: 4 })
  nodes.begin(START_NS)
  const publisher = (node + 1) % 4
  const at = [leavesNs - 3e9, leavesNs - 0.5e9, leavesNs + 1e9, returnsNs + 1e9].map(ns => START_NS + ns)
  const published = publishedRows(at.map((atNs, message) => ({ message, node: publisher, atMs: atNs / 1e6 })))
  const received = receivedRows([
    ...at.map((_, message) => ({ message, node, from: publisher, atMs: (START_NS + returnsNs + 2e9) / 1e6 })),
    { message: 0, node, from: publisher, atMs: (START_NS + returnsNs + 3e9) / 1e6 }
  ])
  const expected = lens?.take(
    /** @type {any} */ ({ atNs: START_NS + returnsNs + 4e9, published, received }),
    received
  )
  assert.deepEqual([...(expected?.message ?? [])], [0])
  const actual = at.map(atNs => isThere?.(node, atNs / 1000, 0))
  assert.deepEqual(actual, [true, false, false, false])
  const { churn } = nodes.outcome()
  const own = (/** @type {{ expected: number, delivered: number }} */ { delivered }) => delivered
  assert.deepEqual(
    [churn?.apart.joining, churn?.apart.leaving].map(count => own(/** @type {any} */ (count))),
    [1, 1]
  )
  assert.deepEqual([churn?.apart.away, churn?.again], [{ delivered: 1 }, 1])
  assert.ok(Number(churn?.departures) >= 1 && Number(churn?.returns) >= 1)
})

/** @typedef {import('../../../../src/network/node-host.js').ChurnStart} ChurnStart */

const SECOND = 1e9

const replaced = validPlanOf('gossip', {
  ...{ nodes: 5, topology: 'full', topics: 'a=0.5,b=0.7', seed: 3, duration: '10s' },
  churn: '2,every=4s,away=1s,settle=2s,dials=2'
})

/** Hosts that do what they are told as fast as the test wants. */
function fakePool() {
  /** @type {ChurnStart[]} */
  const told = []
  /** @type {any} */
  const pool = { churn: async (/** @type {ChurnStart} */ churning) => void told.push(churning) }
  return { pool, told }
}

/** @param {Partial<import('../../../../src/network/node-host.js').HostInterval>} interval */
const intervalOf = interval =>
  /** @type {import('../../../../src/network/node-host.js').HostInterval} */ ({
    ...{ atNs: 6 * SECOND, published: publishedRows([]), peers: [] },
    ...interval
  })

describe('nodes that are replaced', () => {
  test('have the subscriptions of the place they take; stable ones publish', () => {
    const { all, publishing } = new ChurnExtension(replaced).subscriptions
    assert.deepEqual([all.length, all[5], all[6], publishing], [7, all[3], all[4], all.slice(0, 3)])
  })

  test('are announced to the hosts with the identities of those to come, when publishing begins', async () => {
    const { pool, told } = fakePool()
    const churning = new ChurnExtension(replaced)
    await churning.start(pool)
    assert.equal(told.length, 0)
    churning.measurement({ startNs: SECOND, planned: 10 })
    churning.begin(SECOND)
    await churning.stop()
    const [{ lives, startNs, peers }] = told
    assert.equal(startNs, SECOND)
    const actual = lives.flatMap(({ node, killMs }) => [node, killMs])
    assert.deepEqual(actual, [3, 4000, 4, 8000, 5, null, 6, null])
    assert.deepEqual(
      peers.map(({ node }) => node),
      [5, 6]
    )
    assert.equal(new Set(peers.map(({ peerId }) => peerId)).size, 2)
  })

  test('have no figures before anything was published, nor when hosts are gone', async () => {
    const churning = new ChurnExtension(replaced)
    churning.measurement({ startNs: 0, planned: null })
    assert.deepEqual([churning.outcome(), churning.warnings([])], [{ churn: null }, []])
    await churning.start(/** @type {any} */ ({ churn: () => Promise.reject(new Error('gone')) }))
    churning.begin(0)
    await churning.stop()
  })

  test('warn of starts that failed, and of kills that came late', async () => {
    const churning = new ChurnExtension(replaced)
    await churning.start(fakePool().pool)
    const { lens } = churning.measurement({ startNs: SECOND, planned: 10 })
    churning.begin(SECOND)
    const given = [{ code: 'GENERATOR_LIMITED', values: {} }]
    assert.deepEqual(churning.warnings(given), given)
    const changes = [
      { node: 3, killedNs: 6.5 * SECOND },
      { node: 5, startedNs: 7 * SECOND },
      { node: 5, dialsFailed: 2, error: 'refused' }
    ]
    lens.take(intervalOf({ changes }), receivedRows([]))
    assert.deepEqual(churning.warnings(given), [
      ...given,
      { code: 'STARTS_FAILED', values: { count: 1 } },
      { code: 'ROTATION_LATE', values: { latestMs: 1500 } }
    ])
    assert.equal(churning.outcome().churn?.lives?.killed, 1)
  })
})
