import assert from 'node:assert/strict'
import { drawSubscriptions } from '../../src/load/network-script.js'
import { makePublications } from '../../src/load/publications.js'
import { decodeHistogram } from '../../src/measure/distribution.js'
import { describeWarning } from '../../src/report/warnings.js'
import { readWorkerResources } from '../../src/scenarios/gossip/figures.js'
import { readResult } from '../scenarios.js'
import { sum } from './consistent.js'
import { runCommand, startCommand } from './loadtest.js'

/**
 * @typedef {import('../../src/scenarios/gossip/outcome.js').GossipResult} GossipResult
 * @typedef {import('./loadtest.js').Loadtest} Loadtest
 * @typedef {Omit<import('./loadtest.js').Outcome, 'result'> & { result: GossipResult }} GossipOutcome
 */

/** FAST_MESH has a mesh form within a second: with the usual heartbeat of 1 s it takes three of them. */
export const FAST_MESH = Object.freeze(['--heartbeat_interval', '200ms', '--cooldown', '10s'])

/** FAST has links of this machine, too. */
export const FAST = Object.freeze(['--linkLatency', '0', ...FAST_MESH])

/** QUICK is a run of a few seconds: enough to look at what it gives. */
export const QUICK = Object.freeze([...FAST, '--nodes', '6', '--messages', '10', '--rate', '20/s'])

/** small is a network that stands within seconds. @param {number} [nodes] @param {number} [workers] */
export const small = (nodes = 8, workers = 2) => [
  ...[...FAST, '--messageBytes', '100'],
  ...['--nodes', String(nodes), '--workers', String(workers)]
]

/** startGossip starts a gossip run in a process of its own. @param {readonly string[]} args @param {Parameters<typeof startCommand>[2]} [options] */
export const startGossip = (args, options) => startCommand('gossip', args, options)

/** ended waits for the end of a run. @param {Loadtest} loadtest @returns {Promise<GossipOutcome>} */
export const ended = loadtest => /** @type {any} */ (loadtest.ended)

/** runGossip runs one to its end, in this process. @param {readonly string[]} args @returns {Promise<GossipOutcome>} */
export const runGossip = args => /** @type {any} */ (runCommand(['gossip', ...args]))

/** Of an encoded histogram. @param {string | null} encoded */
function countOf(encoded) {
  if (encoded === null) return 0
  return decodeHistogram(encoded).count
}

/** assertGossipAgrees holds the figures of a result against each other. @param {GossipResult} result */
export function assertGossipAgrees({ plan, outcome, run, status, reason }) {
  const { messages, delivery, missing, nodes, topics, timeline, hops, perSecond, anomalies } = outcome
  const { latency, dissemination, mesh, topology } = outcome
  // a worker that is gone did not tell what it published last
  const untold = ['WORKER_DIED', 'WORKER_HUNG'].includes(reason?.code ?? '') ? anomalies.unknownMessages : 0
  assert.equal(sum(Object.values(anomalies)), untold, JSON.stringify(anomalies))
  const totals = { published: messages.published, expected: delivery.expected, delivered: delivery.delivered }
  for (const [what, rows] of Object.entries({ nodes, topics }))
    assert.deepEqual(
      {
        published: sum(rows.map(({ published }) => published)),
        expected: sum(rows.map(({ expected }) => expected)),
        delivered: sum(rows.map(({ delivered }) => delivered))
      },
      totals,
      what
    )
  const { bytesByCause, duplicatesByCause, counters } = outcome
  if (plan.pubsub === 'gossipsub' && bytesByCause && duplicatesByCause) {
    assert.equal(sum(Object.values(bytesByCause.all)), counters.bytesSent)
    assert.equal(sum(Object.values(duplicatesByCause).map(Number)), counters.duplicates)
  }
  assert.equal(sum(timeline.map(({ published }) => published)), messages.published)
  assert.equal(sum(timeline.map(({ delivered }) => delivered)), delivery.delivered)
  assert.equal(sum(hops.deliveries) + hops.unknown, delivery.delivered)
  assert.equal(latency.delivered.count, delivery.delivered)
  assert.equal(countOf(latency.histogram), delivery.delivered)
  assert.equal(
    sum(perSecond.flatMap(({ histogram }) => histogram.map(([, count]) => count))),
    delivery.delivered
  )
  assert.equal(dissemination.complete.count, delivery.completeMessages)
  assert.equal(countOf(dissemination.histogram), delivery.completeMessages)
  assert.equal(sum(Object.values(missing.byReason)), missing.pairs)
  assert.equal(missing.listed.length, Math.min(1000, missing.pairs))
  if (status === 'complete') {
    assert.equal(delivery.delivered + missing.pairs, delivery.expected)
    assert.equal(latency.all.count, delivery.expected)
    assert.equal(countOf(latency.censoredHistogram), missing.pairs)
    assert.equal(readWorkerResources({ outcome, run }).length, plan.workers)
    assert.equal(topology.edgeCount, topology.edges.length)
    assert.equal(sum(Object.values(mesh.degrees)), sum(drawSubscriptions(plan).map(mine => mine.length)))
  }
  for (const warning of run.warnings) assert.doesNotMatch(describeWarning(warning), /NaN|undefined|null/)
}

/**
 * assertWhole holds a run that came to its end against what it must have left.
 *
 * @param {GossipOutcome} outcome
 * @param {{ code?: number }} [expected]
 */
export async function assertWhole({ code, stderr, result, folder }, { code: expected = 0 } = {}) {
  assert.equal(code, expected, stderr)
  assert.doesNotMatch(stderr, /^ +at |Not every report/m)
  assert.deepEqual([result.status, result.reason], ['complete', null])
  for (const { name, state } of result.run.phases) assert.equal(state, 'done', name)
  assert.ok(result.run.finishedAt)
  assertGossipAgrees(result)
  assert.deepEqual(JSON.parse(JSON.stringify(await readResult(folder))), result, 'read again it is the same')
}

/** assertEverywhere: every message reached everyone. @param {GossipResult} result */
export function assertEverywhere({ outcome: { messages, delivery, missing } }) {
  assert.ok(messages.published > 0)
  assert.deepEqual([messages.skipped, messages.failed, missing.pairs], [0, 0, 0])
  assert.deepEqual([delivery.delivered, delivery.ratio], [delivery.expected, 1])
}

/** missingOf gives the reasons there were, with their counts. @param {GossipResult} result */
export const missingOf = ({ outcome }) =>
  Object.fromEntries(Object.entries(outcome.missing.byReason).filter(([, count]) => count > 0))

/** codesOf gives the warnings. @param {GossipResult} result */
export const codesOf = ({ run }) => run.warnings.map(({ code }) => code)

/** @param {number} from @param {number[][]} neighbours */
function distancesFrom(from, neighbours) {
  const distances = new Map([[from, 0]])
  for (const [node, distance] of distances)
    for (const peer of neighbours[node]) if (!distances.has(peer)) distances.set(peer, distance + 1)
  return distances
}

/**
 * distancesTravelled counts, by the distance from its publisher, the nodes that each message of a plan with a rate was to reach.
 *
 * @param {GossipResult} result - of one topic that all nodes subscribe to
 * @returns {number[]} as hops of deliveries are, where the topology is a tree
 */
export function distancesTravelled({ plan, outcome: { topology } }) {
  /** @type {number[][]} */
  const neighbours = Array.from({ length: plan.nodes }, () => [])
  for (const [a, b] of topology.edges) {
    neighbours[a].push(b)
    neighbours[b].push(a)
  }
  /** @type {number[]} */
  const counts = []
  for (const publisher of makePublications(plan, drawSubscriptions(plan)).node)
    for (const distance of distancesFrom(publisher, neighbours).values())
      counts[distance] = (counts[distance] ?? 0) + (distance > 0 ? 1 : 0)
  return counts
}
