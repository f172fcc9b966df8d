import '../../src/kit/runtime.js'
import { makeSubStream } from '../../src/kit/random.js'
import { drawSubscriptions } from '../../src/load/network-script.js'
import { makeTopology } from '../../src/network/topology.js'
import { inSimulator } from '../acceptance/simulator.js'
import { makePlanOf } from '../scenarios.js'

/**
 * @typedef {import('../../src/scenarios/gossip/options.js').GossipPlan} GossipPlan
 * @typedef {import('../../src/network/node-host.js').HostInterval} HostInterval
 * @typedef {{ node: number, offsetNs: number, bytes?: number, topic?: number }} Publication
 * @typedef {{ message: number, node: number, from: number, atNs: number }} Receipt
 */

const RUN_NONCE = 42
const SECOND_NS = 1e9
/** Heartbeats of an ideal network come at 0.1 s of each second: this is far from both sides. */
const BETWEEN_HEARTBEATS_NS = 0.4 * SECOND_NS

/**
 * simulatedPlan makes a plan of the simulated network from flags.
 *
 * @param {Record<string, unknown>} options
 * @returns {GossipPlan}
 */
export function simulatedPlan(options) {
  const immediate = { network: 'simulated', linkLatency: '0' }
  const { plan, problems } = makePlanOf('gossip', { ...immediate, ...options }, { cores: 2 })
  if (problems !== undefined && problems.length > 0) throw new Error(JSON.stringify(problems))
  return /** @type {GossipPlan} */ (plan)
}

/**
 * simulate runs a simulated network in a process that others may have had before: its mesh forms for 5 s, then messages are published, and 10 s pass.
 *
 * @param {GossipPlan} plan
 * @param {Publication[]} publications - by their times
 * @param {typeof inSimulator} [startProcess]
 * @param {(edges: [number, number][]) => [number, number][]} [ordered] - the order of dials; default: that of the topology
 */
export async function simulate(plan, publications, startProcess = inSimulator, ordered = edges => edges) {
  const subscriptions = drawSubscriptions(plan)
  /** @type {HostInterval[]} */
  const intervals = []
  const host = await startProcess({
    name: 'simulation',
    setup: {
      plan,
      worker: 0,
      nodes: Array.from({ length: plan.nodes }, (_, node) => node),
      subscriptions,
      runNonce: RUN_NONCE,
      originNs: 0n
    },
    onInterval: interval => void intervals.push(interval),
    onProgress: () => {},
    onDied: () => {}
  })
  try {
    const peers = await host.provision()
    const { edges } = makeTopology(/** @type {any} */ (plan.topology), {
      nodes: plan.nodes,
      random: makeSubStream(plan.seed, 'topology')
    })
    await host.connect(
      ordered(edges).map(([from, to]) => ({ from, to })),
      peers
    )
    const { atNs, nodes } = await host.awaitMesh({ stepMs: 5000 })
    const startNs = Math.ceil(atNs / SECOND_NS) * SECOND_NS + BETWEEN_HEARTBEATS_NS
    const end = await host.schedule({
      publications: columnsOf(publications),
      startNs,
      endNs: Number.POSITIVE_INFINITY
    })
    await host.drain({ stepMs: 10_000 })
    const last = await host.snapshot()
    const { evidence } = await host.collect()
    return {
      intervals: [...intervals, last],
      received: receiptsIn([...intervals, last]),
      end,
      evidence,
      startNs,
      mesh: nodes,
      counters: last.counters
    }
  } finally {
    await host.stop()
  }
}

/** @param {Publication[]} publications */
const columnsOf = publications => ({
  message: Uint32Array.from(publications.keys()),
  node: Uint16Array.from(publications, ({ node }) => node),
  topic: Uint8Array.from(publications, ({ topic = 0 }) => topic),
  offsetNs: Float64Array.from(publications, ({ offsetNs }) => offsetNs),
  bytes: Uint32Array.from(publications, ({ bytes = 1000 }) => bytes)
})

/** @param {HostInterval[]} intervals @returns {Receipt[]} */
const receiptsIn = intervals =>
  intervals.flatMap(({ received }) =>
    Array.from(received.message, (message, row) => ({
      message,
      node: received.node[row],
      from: received.from[row],
      atNs: received.atNs[row]
    }))
  )

/** Bytes of a whole number in protobuf. @param {number} value */
const varintBytes = value => (value < 128 ? 1 : value < 16_384 ? 2 : 3)

/** Bytes of a field behind its length. @param {number} content */
const fieldBytes = content => 1 + varintBytes(content) + content

/**
 * framedBytes is what an unsigned message takes on the line: RPC { publish: [{ data, topic }] } behind its length.
 *
 * @param {number} payload - bytes
 * @param {string} topic
 */
export function framedBytes(payload, topic) {
  const rpc = fieldBytes(fieldBytes(payload) + fieldBytes(topic.length))
  return varintBytes(rpc) + rpc
}
