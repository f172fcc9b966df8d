import '../../../src/kit/runtime.js'
import { makeSubStream } from '../../../src/kit/random.js'
import { summarize } from '../../../src/measure/histogram.js'
import { makeTopology, measureGraph } from '../../../src/network/topology.js'
import { DeliveryTracker } from '../../../src/scenarios/gossip/measure/delivery-tracker.js'
import { histogramOf } from '../../measure/samples.js'
import { sampleResult } from '../../report/sample-result.js'
import { validPlanOf } from '../../scenarios.js'
import { NOTHING, publishedRows, receivedRows } from './measure/rows.js'

/**
 * @typedef {import('../../../src/scenarios/gossip/outcome.js').GossipResult} GossipResult
 * @typedef {import('../../../src/scenarios/gossip/outcome.js').GossipOutcome} GossipOutcome
 * @typedef {import('../../../src/scenarios/gossip/options.js').GossipPlan} GossipPlan
 *
 * @typedef {object} Shape - of a made-up run
 * @property {Record<string, unknown>} [options] - of its plan
 * @property {number[]} [gone] - nodes that are stopped in the middle
 * @property {boolean} [stall] - everything takes 400 ms longer in the second third
 * @property {number} [skipped] - messages, the last ones
 * @property {Partial<GossipOutcome>} [outcome]
 * @property {Partial<GossipResult>} [result]
 * @property {GossipResult['run']['warnings']} [warnings]
 */

/** @param {number[]} us @returns {import('../../../src/report/schema.js').Summary} */
const summaryOf = us => summarize(histogramOf(us))

/**
 * The way of a message through the network: from the publisher along the quickest links.
 *
 * @param {{ node: number, ms: number }[][]} links - of each node
 * @param {number} publisher
 * @param {(node: number) => boolean} reachable
 * @returns {{ node: number, from: number, ms: number }[]} in the order of their receipts
 */
function spread(links, publisher, reachable) {
  const known = new Map([[publisher, { node: publisher, from: publisher, ms: 0 }]])
  /** @type {Set<number>} */
  const done = new Set()
  for (;;) {
    const next = [...known.values()].filter(({ node }) => !done.has(node)).sort((a, b) => a.ms - b.ms)[0]
    if (next === undefined) return [...known.values()].slice(1).sort((a, b) => a.ms - b.ms)
    done.add(next.node)
    for (const { node, ms } of links[next.node]) {
      if (!reachable(node)) continue
      const at = next.ms + ms
      if (at < (known.get(node)?.ms ?? Number.POSITIVE_INFINITY))
        known.set(node, { node, from: next.node, ms: at })
    }
  }
}

/** @param {GossipPlan} plan @param {[number, number][]} edges @param {Shape} shape */
function deliveries(plan, edges, { gone = [], stall = false, skipped = 0 }) {
  const random = makeSubStream(plan.seed, 'made up')
  const subscriptions = Array.from({ length: plan.nodes }, () =>
    plan.topics.flatMap(({ chance }, topic) => (random() < chance ? [topic] : []))
  )
  const count = plan.messages ?? 100
  const gapMs = 1000 / (plan.ratePerSecond ?? 10)
  const tracker = new DeliveryTracker({ nodes: plan.nodes, subscriptions, startNs: 0, planned: count })
  const goneMs = (count * gapMs) / 2
  for (let message = 0; message < count; message++) {
    const topic = message % plan.topics.length
    const dueMs = message * gapMs
    const atMs = dueMs + 0.2 + 3 * random() ** 4
    const takers = subscriptions.flatMap((topics, node) =>
      topics.includes(topic) && !(gone.includes(node) && atMs >= goneMs) ? [node] : []
    )
    const node = takers[Math.floor(random() * takers.length)]
    const bytes = plan.messageBytes.min
    const isSkipped = message >= count - skipped
    tracker.addPublished(
      publishedRows([{ message, node, topic, dueMs, atMs, bytes, recipients: isSkipped ? -1 : 6 }])
    )
    if (isSkipped) continue
    const slow = stall && message > count / 3 && message < (2 * count) / 3 ? 8 : 1
    const own = edges.map(() => slow * (1 + 3 * random() + (random() < 0.03 ? 40 * random() : 0)))
    const links = Array.from({ length: plan.nodes }, () => /** @type {{ node: number, ms: number }[]} */ ([]))
    edges.forEach(([a, b], i) => {
      links[a].push({ node: b, ms: own[i] })
      links[b].push({ node: a, ms: own[i] })
    })
    const set = new Set(takers)
    tracker.addReceived(
      receivedRows(spread(links, node, n => set.has(n)).map(r => ({ ...r, message, atMs: atMs + r.ms })))
    )
  }
  const evidence = { ...NOTHING, gone: gone.map(node => ({ node, atNs: goneMs * 1e6 })) }
  const endMs = count * gapMs + 2000
  tracker.close(evidence, endMs * 1e6)
  return { measured: tracker.result(), endMs }
}

/** @param {number} delivered */
function costs(delivered) {
  const counters = {
    ...{
      duplicates: Math.round(delivered * 3.7),
      bytesSent: delivered * 5432,
      bytesReceived: delivered * 5430
    },
    ...{ rpcsSent: delivered * 6, rpcsReceived: delivered * 6 },
    ...{ messagesSent: delivered * 5, messagesReceived: delivered * 5 },
    ...{ ihaveSent: 1234, iwantSent: 56, graftSent: 7, pruneSent: 8, idontwantSent: 9 },
    ...{ accepted: delivered, ignored: 0, rejected: 0, promisesBroken: 0, foreign: 0 }
  }
  const per = (/** @type {number} */ n) => (delivered === 0 ? null : n / delivered)
  return {
    counters,
    cost: {
      cpuMicrosPerDelivery: per(1234.5 * delivered),
      ...{ duplicatesPerDelivery: per(counters.duplicates), bytesPerDelivery: per(counters.bytesSent) },
      ...{ rpcsPerDelivery: per(counters.rpcsSent), controlPerDelivery: per(1314) }
    }
  }
}

/** @param {GossipPlan} plan @param {number} endMs @returns {GossipOutcome['resources']} */
const resources = (plan, endMs) =>
  Array.from({ length: plan.workers }, (_, worker) => {
    const random = makeSubStream(plan.seed, `worker ${worker}`)
    const series = Array.from({ length: Math.round(endMs / 1000) }, (_, i) => ({
      ...{ atMs: 1000 * (i + 1), cpuPercent: 30 + 10 * worker + 20 * random() },
      ...{ rssBytes: 3e8 + 2e6 * i + 5e7 * worker, heapBytes: 1e8 + 3e7 * random() },
      backlogBytes: Math.floor(20_000 * random())
    }))
    const most = (/** @type {(sample: typeof series[0]) => number} */ of) => Math.max(...series.map(of))
    const average = (/** @type {(sample: typeof series[0]) => number} */ of) =>
      series.reduce((sum, sample) => sum + of(sample), 0) / series.length
    return {
      worker,
      cpu: { averagePercent: average(s => s.cpuPercent), maxPercent: most(s => s.cpuPercent) },
      memory: { averageBytes: average(s => s.rssBytes), maxBytes: most(s => s.rssBytes) },
      series
    }
  })

/** @param {GossipPlan} plan @returns {GossipResult['run']['health']} */
const health = plan =>
  Array.from({ length: plan.workers }, (_, worker) => ({
    ...{ worker, utilization: 0.42 + 0.1 * worker, cpuPercent: 45 + 10 * worker },
    turns: summaryOf(Array.from({ length: 200 }, (_, i) => 100 * i)),
    overhead: summaryOf([])
  }))

/** @param {number} endMs @returns {GossipOutcome['mesh']} */
const mesh = endMs => ({
  ...{ formedAfterMs: 4210, missing: [], degrees: { 4: 3, 5: 12, 6: 50, 7: 20, 8: 10 } },
  series: Array.from({ length: Math.round(endMs / 1000) }, (_, i) => ({
    atMs: 1000 * i,
    min: 4 + (i % 2),
    avg: 6.2 + 0.3 * Math.sin(i),
    max: 10 + (i % 3)
  }))
})

/** @param {GossipPlan} plan */
function network(plan) {
  const { edges } = makeTopology(/** @type {any} */ (plan.topology), {
    nodes: plan.nodes,
    random: makeSubStream(plan.seed, 'topology')
  })
  return {
    ...{ kind: plan.topology.kind, nodes: plan.nodes, edges, edgeCount: edges.length },
    ...{ measures: measureGraph({ nodes: plan.nodes, edges }), dialsFailed: 0 },
    dialMs: summaryOf(edges.map((_, i) => 5000 + 100 * i))
  }
}

/** What follows deliveries makes the same of the same plan, and many tests have the same one. @type {Map<string, any>} */
const made = new Map()

/** @param {GossipPlan} plan @param {Shape} shape */
function follow(plan, shape) {
  const topology = network(plan)
  return { topology, ...deliveries(plan, topology.edges, shape) }
}

/** @param {GossipPlan} plan @param {Shape} shape @returns {ReturnType<typeof follow>} a copy for each who asks */
function followed(plan, shape) {
  const { gone, stall, skipped } = shape
  const key = JSON.stringify({ plan, gone, stall, skipped })
  if (!made.has(key)) made.set(key, follow(plan, shape))
  return structuredClone(made.get(key))
}

const PHASES = ['provision', 'peer', 'warmup', 'publish', 'cooldown', 'collect', 'teardown']

/**
 * aGossipResult is a result whose deliveries were followed as those of runs are, on their way through a made-up network. It is the
 * same every time.
 *
 * @param {Shape} [shape]
 * @returns {GossipResult}
 */
export function aGossipResult(shape = {}) {
  const options = { seed: 7, workers: '2', messages: '200', rate: '10/s', nodes: '40', ...shape.options }
  /** @type {GossipPlan} */
  const plan = validPlanOf('gossip', options, { cores: 2 })
  const { topology, measured, endMs } = followed(plan, shape)
  const { run, reason } = sampleResult({ warnings: shape.warnings })
  return {
    ...{ schemaVersion: 2, id: '20261120-0712-gossip-7', scenario: 'gossip', status: 'complete', reason },
    plan,
    outcome: {
      network: {
        kind: 'loopback',
        settings: {
          'connectionManager.maxConnections': { value: 1000, why: 'all nodes are on one host' },
          'gossipsub.metricsRegister': { value: 'ours', why: 'duplicates and bytes are read from it' }
        }
      },
      ...{ topology, rendezvous: null, carriedRate: null, mesh: mesh(endMs) },
      ...measured,
      ...costs(measured.delivery.delivered),
      ...{ streams: { aborted: 0, meshPeersWithoutStream: 0 }, resources: resources(plan, endMs) },
      ...{ measuredMs: endMs, thresholds: [] },
      ...shape.outcome
    },
    run: {
      ...run,
      phases: PHASES.map((name, i) => ({
        name,
        state: /** @type {const} */ ('done'),
        ...{ startMs: i * 1000, durationMs: 1000, detail: null }
      })),
      health: health(plan)
    },
    ...shape.result
  }
}

/**
 * nothingPublished is the result of a run that ended before it published.
 *
 * @returns {GossipResult}
 */
export function nothingPublished() {
  const result = aGossipResult({ options: { messages: '1' }, skipped: 1 })
  const reason = { code: 'UNFINISHED', message: 'the run has not ended yet' }
  return {
    ...result,
    status: 'partial',
    reason,
    outcome: {
      ...result.outcome,
      topology: {
        ...result.outcome.topology,
        ...{ edges: [], edgeCount: 0, measures: null, dialMs: summaryOf([]) }
      },
      mesh: { formedAfterMs: null, missing: [], degrees: {}, series: [] },
      messages: { planned: null, published: 0, skipped: 0, failed: 0, bytes: 0 },
      interArrival: { ...result.outcome.interArrival, planned: { summary: summaryOf([]), outOfOrder: 0 } },
      ...{ timeline: [], nodes: [], topics: [], resources: [], measuredMs: 0 }
    },
    run: { ...result.run, health: [] }
  }
}
