import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeSubStream } from '../../src/kit/random.js'
import { drawSubscriptions } from '../../src/load/network-script.js'
import { makePublications } from '../../src/load/publications.js'
import { makeTopology } from '../../src/network/topology.js'
import { DeliveryDigest } from '../../src/scenarios/gossip/outcome.js'
import { GossipPool } from '../../src/scenarios/gossip/run/pool.js'
import { inSimulator } from '../acceptance/simulator.js'
import { fileWith } from '../network/gossip-plan.js'
import { simulatedPlan } from './simulation.js'

/** @typedef {import('../../src/scenarios/gossip/plan/network-file.js').ScriptStep} ScriptStep */

const USUAL = {
  ...{ nodes: 16, topology: 'barabasi-albert:m=4', linkLatency: '40ms' },
  ...{ duration: '2s', rate: '8/s', messageBytes: 1000 }
}

/**
 * What a network does that is split over processes.
 *
 * @param {Record<string, unknown>} options
 * @param {number} workers
 * @param {ScriptStep[]} script
 */
async function split(options, workers, script) {
  const plan = {
    ...simulatedPlan({ ...USUAL, ...options, workers }),
    ...(script.length > 0 && { networkFile: fileWith(script) })
  }
  const durationMs = plan.durationMs ?? assert.fail('it is given')
  const subscriptions = drawSubscriptions(plan)
  const digest = new DeliveryDigest(workers)
  /** @param {import('../../src/network/node-host.js').HostInterval} interval @param {number} worker */
  const add = ({ published, received, atNs }, worker) => {
    digest.addPublished(published, worker, atNs)
    digest.addReceived(received, worker, atNs)
  }
  const pool = await GossipPool.start({
    ...{ plan, subscriptions, runNonce: 7, originNs: 0n },
    onInterval: add,
    onProgress: () => {},
    onDied: error => assert.fail(error),
    startProcess: inSimulator
  })
  try {
    const peers = await pool.provision()
    const { edges } = makeTopology(/** @type {any} */ (plan.topology), {
      nodes: plan.nodes,
      random: makeSubStream(plan.seed, 'topology')
    })
    const dialled = await pool.connect(edges, peers)
    const states = await pool.awaitMesh(3000)
    const startNs = Math.max(...states.map(({ atNs }) => atNs)) + 200e6
    const publications = makePublications(plan, subscriptions)
    const ends = await pool.schedule({ publications, startNs, endNs: startNs + durationMs * 1e6 })
    await pool.drain(durationMs)
    const last = await pool.snapshot()
    for (const [worker, interval] of last.entries()) add(interval, worker)
    const collected = await pool.collect()
    const meshes = states.flatMap(({ nodes }) => nodes).toSorted((a, b) => a.node - b.node)
    return {
      seen: {
        dialled,
        meshes,
        times: new Set([...states, ...last].map(({ atNs }) => atNs)),
        published: ends.reduce((sum, { published }) => sum + published, 0),
        counters: summed(last.map(({ counters }) => counters)),
        digest: digest.hex()
      },
      windows: collected.flatMap(({ windows }) => windows ?? [])
    }
  } finally {
    await pool.stop()
  }
}

/** @param {import('../../src/network/node-host.js').Counters[]} all */
function summed(all) {
  /** @type {Record<string, number>} */
  const sum = {}
  for (const counters of all)
    for (const [name, count] of Object.entries(counters)) sum[name] = (sum[name] ?? 0) + count
  return sum
}

/**
 * With how many processes each is held against one: what goes on between two goes on between any, and four are asked where the order of
 * what happens at one moment is at stake.
 *
 * @type {[string, number[], Record<string, unknown>, ScriptStep[]?][]}
 */
const NETWORKS = [
  ['links that are all the same', [2, 4], { linkJitter: '0', signing: 'off' }],
  ['jitter and losses, signed', [2], { linkJitter: '20%', linkLoss: '2%' }],
  [
    'limited lines out, in and between',
    [2],
    { signing: 'off', upBandwidth: '400kB/s', downBandwidth: '500kB/s', linkBandwidth: '300kB/s' }
  ],
  ['nodes that leave and return', [2], { signing: 'off', churn: '30%/s,away=1s', linkLatency: '20ms' }],
  [
    'partitions that reset and hold',
    [2],
    {
      ...{ signing: 'off', duration: '4s' },
      partition: ['reset@500ms-1500ms:0-5|rest', 'hold@2s-3s:0-9|rest'],
      downBandwidth: '1MB/s'
    }
  ],
  [
    'nodes that follow a script',
    [2],
    { signing: 'off', duration: '4s', topics: 'foo=0.6,bar=0.4' },
    [
      { atMs: 500, who: { share: 0.5 }, action: 'subscribe', topic: 'bar', forMs: 2000 },
      { atMs: 1000, who: { share: 0.3 }, action: 'unsubscribe', topic: 'foo' },
      { atMs: 1200, who: { nodes: [2, 3] }, action: 'leave', forMs: 1000 },
      { atMs: 2000, who: { nodes: [9] }, action: 'leave' }
    ]
  ],
  [
    'more mesh peers, latencies of each link, two topics, a short send queue',
    [4],
    {
      ...{ D: 8, D_low: 6, topology: 'full', nodes: 12, linkLatency: 'lognormal:40ms,10ms' },
      ...{ topics: 'foo=0.8,bar=0.5', sendQueue: 4, upBandwidth: '150kB/s', fastMsgId: 'on' }
    }
  ]
]

describe('a network does the same in several processes as in one, to the nanosecond', () => {
  for (const [name, processes, options, script = []] of NETWORKS)
    test(`${name}: in ${processes.join(' and in ')}`, async () => {
      const alone = await split(options, 1, script)
      assert.ok(alone.seen.published > 0)
      assert.deepEqual(alone.windows, [])
      for (const workers of processes) {
        const { seen, windows } = await split(options, workers, script)
        assert.deepEqual(seen, alone.seen)
        assert.equal(windows.length, workers)
        for (const { lookaheadMs, meetings, events, handedOver } of windows)
          assert.ok(lookaheadMs > 0 && meetings > 0 && events > meetings && handedOver > 0)
      }
    })
})
