import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { warmUpMesh } from '../../../../src/scenarios/gossip/bootstrap.js'
import { gossipPlan } from '../../../network/gossip/gossip-plan.js'

/** @typedef {import('../../../../src/network/node-host.js').MeshState} MeshState */

/**
 * Warms up two nodes, on a clock that is late by 7 ms with each step.
 *
 * @param {Partial<import('../../../../src/scenarios/gossip/options.js').GossipPlan>} changes
 * @param {{ grafted?: number, pruned?: number }} changesAtMs - when they have each other as mesh peers, and when no more
 */
async function warmedUp(changes, { grafted = Infinity, pruned = Infinity }) {
  let nowMs = 100
  const mesh = await warmUpMesh(gossipPlan({ nodes: 2, ...changes }), {
    hosts: {
      async awaitMesh(stepMs) {
        nowMs += stepMs === 0 ? 0 : stepMs + 7
        const isIn = nowMs - 100 >= grafted && nowMs - 100 < pruned
        const peersOf = (/** @type {number} */ peer) => ({
          node: 1 - peer,
          subscribers: [[peer]],
          mesh: [isIn ? [peer] : []]
        })
        return [{ atNs: nowMs * 1e6, lastChangeNs: -1e12, nodes: [peersOf(1), peersOf(0)] }]
      }
    },
    edges: [[0, 1]],
    subscriptions: [[0], [0]],
    onProgress: () => {}
  })
  return { ...mesh, tookMs: nowMs - 100 }
}

test('without --warmup the nodes publish as soon as the mesh has formed', async () => {
  const { tookMs, formedAfterMs } = await warmedUp({}, { grafted: 300 })
  assert.ok(tookMs >= 300 && tookMs <= 600, `${tookMs} ms`)
  assert.equal(formedAfterMs, tookMs)
})

test('--warmup takes just so long: with a mesh that had formed long before', async () => {
  const { tookMs, formedAfterMs, missing } = await warmedUp({ warmupMs: 60_000 }, { grafted: 300 })
  assert.ok(tookMs >= 60_000 && tookMs <= 60_010, `${tookMs} ms`)
  assert.ok(formedAfterMs !== null && formedAfterMs >= 300 && formedAfterMs <= 600, `${formedAfterMs} ms`)
  assert.deepEqual(missing, [])
})

test('and with one that has not formed by then, or not any more', async () => {
  for (const changes of [{}, { grafted: 500, pruned: 1500 }]) {
    const { tookMs, formedAfterMs, missing } = await warmedUp({ warmupMs: 2000 }, changes)
    assert.ok(tookMs >= 2000 && tookMs <= 2010, `${tookMs} ms`)
    assert.equal(formedAfterMs, null)
    assert.match(missing.join(), /without a mesh peer/)
  }
})

test('--warmup 0 waits for nothing', async () => {
  assert.equal((await warmedUp({ warmupMs: 0 }, {})).tookMs, 0)
})
