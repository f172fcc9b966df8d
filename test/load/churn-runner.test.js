import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { ChurnRunner } from '../../src/load/churn-runner.js'
import { deriveGossipKey } from '../../src/network/node-host.js'
import { RealHost } from '../../src/network/real-host.js'
import { gossipPlan } from '../network/gossip-plan.js'
import { RUN_NONCE } from '../network/network.js'

/** @typedef {import('../../src/network/node-host.js').HostInterval} HostInterval */

const MS = 1e6

/** A host of which everything is written down. @param {Partial<import('../../src/load/churn-runner.js').ChurnRunnerComponents>} [components] */
function runnerOf(components = {}) {
  /** @type {string[]} */
  const done = []
  const originNs = process.hrtime.bigint()
  const runner = new ChurnRunner({
    now: () => Number(process.hrtime.bigint() - originNs),
    start: async node => void done.push(`start ${node}`),
    dial: async (from, to) => {
      done.push(`dial ${from} ${to}`)
      return null
    },
    kill: async node => void done.push(`kill ${node}`),
    ...components
  })
  return { runner, done }
}

const LIVES = [
  { node: 2, slot: 2, startMs: null, killMs: 20, dials: [] },
  { node: 3, slot: 2, startMs: 60, killMs: null, dials: [0, 1] }
]

describe('churn of the nodes of a host', () => {
  test('kills a node when it is due, and starts the one that takes its place, which dials', async () => {
    const { runner, done } = runnerOf()
    await runner.run({ lives: LIVES, startNs: 0 })
    assert.deepEqual(done, ['kill 2', 'start 3', 'dial 3 0', 'dial 3 1'])
    const [killed, started, connected] = runner.take()
    assert.ok(Number(killed.killedNs) >= 20 * MS && Number(started.startedNs) >= 60 * MS)
    assert.deepEqual([connected.node, connected.dialsFailed, connected.error], [3, 0, undefined])
    assert.deepEqual(runner.take(), [])
  })

  test('does nothing before it is due, though timers may come early', async () => {
    const lives = Array.from({ length: 50 }, (_, i) => ({
      ...{ node: i, slot: i, startMs: null, dials: [] },
      killMs: 5 + i * 1.37
    }))
    const { runner } = runnerOf()
    await runner.run({ lives, startNs: 0 })
    const early = runner.take().filter(({ node, killedNs }) => Number(killedNs) < lives[node].killMs * MS)
    assert.deepEqual(early, [])
  })

  test('tells which dials failed; a node none of whose dials went well is not connected', async () => {
    const one = runnerOf({ dial: async (_, to) => (to === 0 ? 'refused' : null) })
    await one.runner.run({ lives: [LIVES[1]], startNs: 0 })
    const [, some] = one.runner.take()
    assert.deepEqual([some.dialsFailed, some.error, some.connectedNs === undefined], [1, undefined, false])
    const all = runnerOf({ dial: async () => 'refused' })
    await all.runner.run({ lives: [LIVES[1]], startNs: 0 })
    assert.deepEqual(all.runner.take()[1], { node: 3, dialsFailed: 2, error: 'refused' })
  })

  test('does not kill a node that could not be started', async () => {
    const { runner, done } = runnerOf({ start: () => Promise.reject(new Error('EMFILE')) })
    await runner.run({ lives: [{ ...LIVES[1], killMs: 80 }], startNs: 0 })
    assert.deepEqual(done, [])
    assert.deepEqual(runner.take()[1], { node: 3, error: 'EMFILE' })
  })

  test('ends at once when it is aborted', async () => {
    const { runner, done } = runnerOf()
    const running = runner.run({ lives: [{ ...LIVES[0], killMs: 3_600_000 }], startNs: 0 })
    runner.abort()
    await running
    assert.deepEqual(done, [])
  })
})

describe('a real host with churn', () => {
  /** @type {RealHost} */
  let host
  /** @type {HostInterval[]} */
  const intervals = []
  const churn = /** @type {const} */ ({ peers: 1, everyMs: 3000, atRandom: false, awayMs: 2900, asNew: true })
  const plan = { ...gossipPlan(), nodes: 3, workers: 1, churn }

  before(async () => {
    const setup = {
      plan,
      worker: 0,
      nodes: [0, 1, 2],
      runNonce: RUN_NONCE,
      originNs: process.hrtime.bigint()
    }
    host = new RealHost(
      { ...setup, subscriptions: [[0], [0], [0], [0]] },
      { onInterval: interval => void intervals.push(interval) }
    )
    const peers = await host.provision()
    await host.connect(
      [
        { from: 1, to: 0 },
        { from: 2, to: 0 },
        { from: 2, to: 1 }
      ],
      peers
    )
  })
  after(() => host.stop())

  /**
   * Waits, on a busy machine for longer, until nodes have so many peers each.
   *
   * @param {{ node: number, peers: number }[]} expected
   */
  async function until(expected) {
    /** @type {number[]} */
    const changed = []
    let abortedStreams = 0
    for (const endMs = performance.now() + 20_000; ; await sleep(50)) {
      const interval = await host.snapshot()
      changed.push(...(interval.changes ?? []).map(({ node }) => node))
      abortedStreams += interval.abortedStreams
      if (isDeepStrictEqual(interval.peers, expected)) return { changed, abortedStreams }
      if (performance.now() > endMs) assert.deepEqual(interval.peers, expected)
    }
  }

  test('cuts the connections of a killed one, and the next one has an identity of its own', async () => {
    const { atNs } = await host.snapshot()
    const peerId = peerIdFromPrivateKey(await deriveGossipKey(plan, 3)).toString()
    const churning = host.churn({
      lives: [
        { node: 2, slot: 2, startMs: null, killMs: 100, dials: [] },
        { node: 3, slot: 2, startMs: 3000, killMs: null, dials: [0, 1] }
      ],
      startNs: atNs,
      peers: [{ node: 3, peerId }]
    })
    const between = await until([
      { node: 0, peers: 1 },
      { node: 1, peers: 1 }
    ])
    assert.deepEqual(between.changed, [2])
    await churning
    const later = await until([
      { node: 0, peers: 2 },
      { node: 1, peers: 2 },
      { node: 3, peers: 2 }
    ])
    const seenBy = async (/** @type {number} */ at) =>
      (await host.awaitMesh({ stepMs: 100 })).nodes.find(({ node }) => node === at)?.subscribers[0] ?? []
    let seen = await seenBy(0)
    for (let asked = 0; !seen.includes(3) && asked < 100; asked++) seen = await seenBy(0)
    assert.deepEqual([...seen].sort(), [1, 3])
    // so far; that of a stream whose connection closes a moment later is taken back
    assert.equal(later.abortedStreams, 0)
  })
})
