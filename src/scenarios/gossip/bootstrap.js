// Bootstrap of a gossip network: nodes discover one another at a rendezvous server, dial, and wait until their mesh has
// formed.
import { computeSum, omitMissing } from '../../kit/collections.js'
import { formatCount } from '../../kit/numbers.js'
import { findStackName } from '../../libp2p/stacks.js'
import { Histogram, summarize } from '../../measure/histogram.js'
import { ResourceSeries, sampleResources } from '../../measure/series.js'
import { heartbeatIntervalMs } from '../../network/gossipsub.js'
import { countComponents } from '../../network/topology.js'
import { makeOwnMachineSettings } from '../../run/fleet.js'
import { startProcessTarget } from '../../target/process-target.js'

/**
 * @typedef {import('../../network/node-host.js').RegistrationResult} RegistrationResult
 * @typedef {import('../../network/node-host.js').MeetingResult} MeetingResult
 * @typedef {import('../../network/node-host.js').DialResult} DialResult
 * @typedef {import('./outcome.js').RendezvousSteps} RendezvousSteps
 *
 * @typedef {object} DiscoveredNetwork
 * @property {DialResult[]} dialled - each pair of nodes once
 * @property {RendezvousSteps} steps
 */

/**
 * joinByRendezvous lets the nodes of a network discover one another. It starts our rendezvous server. Every node registers
 * under the namespaces of its topics; when all have, each discovers the others and dials k of them. The server stays.
 *
 * @param {object} parts
 * @param {import('./options.js').GossipPlan} parts.plan
 * @param {string} parts.id - of the run
 * @param {Pick<import('./run/pool.js').GossipPool, 'register' | 'meet'>} parts.hosts
 * @param {import('../../network/node-host.js').Peer[]} parts.peers
 * @param {AbortSignal} parts.signal
 * @param {(error: Error) => void} parts.onServerDied
 * @param {import('../../run/fleet.js').Fleet} [parts.fleet] - machines that hold the nodes; none: this one does
 * @param {{ server?: BootstrapServer | null }} parts.known - receives the server
 * @returns {Promise<DiscoveredNetwork>}
 * @throws {import('../../target/target.js').TargetError} SERVER_NOT_STARTED
 */
export async function joinByRendezvous({ plan, id, hosts, peers, signal, onServerDied, fleet, known }) {
  const { topology, topics } = plan
  if (topology.kind !== 'rendezvous') throw new Error(`nodes of ${topology.kind} are told of one another`)
  // libp2p admits 5 connections a second from a host, and many nodes share one
  const settings = {
    ...makeOwnMachineSettings(fleet),
    maxStreams: 1000,
    stack: findStackName(plan.stack, 0),
    ...(plan.stock && { stock: true })
  }
  const host = fleet?.address
  const target = await startProcessTarget({ settings, host, signal, onFailed: onServerDied })
  const meeting = { server: target.multiaddr, namespaces: topics.map(({ name }) => `/gossip/${id}/${name}`) }
  known.server = new BootstrapServer(target, meeting)
  // a node that discovers while others still register finds only the faster ones
  const registered = await hosts.register(meeting)
  const met = await hosts.meet({ ...meeting, k: topology.k }, peers)
  return makeDiscoveredNetwork(registered, met)
}

/** BootstrapServer is the server at which nodes discover one another. While messages are published, nodes refresh there, and its resources are sampled. */
export class BootstrapServer {
  #target
  #meeting
  #resources = new ResourceSeries()
  #times = { REGISTER: new Histogram(), DISCOVER: new Histogram() }
  #failed = 0
  /** @type {ReturnType<typeof sampleResources> | null} */
  #sampling = null

  /**
   * @param {import('../../target/target.js').Target} target
   * @param {import('../../network/node-host.js').RendezvousMeeting} meeting
   */
  constructor(target, meeting) {
    this.#target = target
    this.#meeting = meeting
  }

  /** begin starts sampling, and lets the nodes refresh. @param {Pick<import('./run/pool.js').GossipPool, 'refresh'>} hosts @param {number} everyMs */
  async begin(hosts, everyMs) {
    this.#sampling = sampleResources(this.#target, this.#resources, process.hrtime.bigint())
    await hosts.refresh({ ...this.#meeting, everyMs })
  }

  /** add takes the refreshes of nodes. @param {readonly import('../../network/node-host.js').RefreshStep[]} steps */
  add(steps) {
    for (const { type, ms, error } of steps) {
      if (error === null) this.#times[type].record(ms * 1000)
      else this.#failed++
    }
  }

  /** figures so far. @returns {NonNullable<RendezvousSteps['server']>} */
  get figures() {
    const { cpu, memory } = this.#resources.result()
    return {
      ...{ cpu, memory },
      register: summarize(this.#times.REGISTER),
      discover: summarize(this.#times.DISCOVER),
      failed: this.#failed
    }
  }

  /** over ends sampling, and the refreshes of the nodes. @param {Pick<import('./run/pool.js').GossipPool, 'endRefreshing'>} hosts */
  async over(hosts) {
    await Promise.all([this.#endSampling(), hosts.endRefreshing()])
  }

  async #endSampling() {
    await this.#sampling?.stop()
    this.#sampling = null
  }

  async stop() {
    await this.#endSampling()
    await this.#target.stop()
  }
}

/**
 * makeDiscoveredNetwork makes the network and its figures from the reports of the hosts.
 *
 * @param {RegistrationResult[]} registered - by host
 * @param {MeetingResult[]} met - by host
 * @returns {DiscoveredNetwork}
 */
export function makeDiscoveredNetwork(registered, met) {
  const connects = registered.flatMap(({ connects }) => connects)
  const registers = registered.flatMap(({ registers }) => registers)
  const discovers = met.flatMap(({ discovers }) => discovers)
  const dials = met.flatMap(({ dials }) => dials)
  const dialled = mergeDialsByPair(dials)
  const counts = discovers.filter(hasSucceeded).map(step => step.found)
  return {
    dialled,
    steps: {
      connect: summarizeSteps(connects),
      register: summarizeSteps(registers),
      discover: summarizeSteps(discovers),
      dial: summarizeSteps(dials.filter(({ inbound }) => !inbound)),
      failed: [connects, registers, discovers, dials].flat().filter(step => !hasSucceeded(step)).length,
      found: {
        min: counts.length === 0 ? null : Math.min(...counts),
        avg: counts.length === 0 ? null : computeSum(counts) / counts.length,
        max: counts.length === 0 ? null : Math.max(...counts)
      },
      foreign: computeSum(discovers, ({ foreign }) => foreign),
      bothWays: dials.length - dialled.length,
      alreadyConnected: dials.filter(({ inbound }) => inbound).length,
      doubled: null
    }
  }
}

/** @param {{ error: string | null }} step */
const hasSucceeded = ({ error }) => error === null

/**
 * mergeDialsByPair makes one edge of two nodes that dialled each other: that of the dial that made the connection.
 *
 * @param {MeetingResult['dials']} dials
 * @returns {DialResult[]}
 */
function mergeDialsByPair(dials) {
  /** @type {Map<string, MeetingResult['dials'][number]>} */
  const pairs = new Map()
  for (const dial of dials) {
    const pair = `${Math.min(dial.from, dial.to)}/${Math.max(dial.from, dial.to)}`
    const other = pairs.get(pair)
    if (other === undefined || rankDial(dial) < rankDial(other)) pairs.set(pair, dial)
  }
  return [...pairs.values()].map(({ from, to, ms, error }) => ({ from, to, ms, error }))
}

/** @param {MeetingResult['dials'][number]} dial */
const rankDial = ({ error, inbound }) => (error !== null ? 2 : inbound ? 1 : 0)

/** @param {readonly { ms: number, error: string | null }[]} steps */
function summarizeSteps(steps) {
  const histogram = new Histogram()
  for (const step of steps) if (hasSucceeded(step)) histogram.record(step.ms * 1000)
  return summarize(histogram)
}

/**
 * @typedef {import('./options.js').GossipPlan} GossipPlan
 * @typedef {import('../../network/node-host.js').MeshState} MeshState
 */

const STEP_MS = 250

/**
 * warmUpMesh waits until the mesh of a network has formed, or its timeout is over. Where the plan has a fixed warm-up time, it waits for
 * exactly that time.
 *
 * @param {GossipPlan} plan
 * @param {object} network
 * @param {{ awaitMesh: (stepMs: number) => Promise<MeshState[]> }} network.hosts
 * @param {[number, number][]} network.edges - who dialled whom
 * @param {readonly (readonly number[])[]} network.subscriptions - of nodes, also of those that are started later
 * @param {(doneMs: number) => void} network.onProgress
 * @returns {Promise<Omit<import('./outcome.js').MeshResult, 'series'>>}
 */
export async function warmUpMesh(plan, { hosts, edges, subscriptions, onProgress }) {
  const { nodes, topics, gossipsub, warmupMs, warmupTimeoutMs } = plan
  const maxMs = warmupMs ?? warmupTimeoutMs
  const heartbeatMs = heartbeatIntervalMs(gossipsub)
  const network = {
    nodes,
    edges,
    subscriptions: subscriptions.slice(0, nodes),
    topics: topics.length,
    heartbeatMs
  }
  const first = await hosts.awaitMesh(0)
  let states = first
  let missing = findMeshProblems(states, network)
  let formedAfterMs = missing.length === 0 ? 0 : null
  while ((missing.length > 0 || warmupMs !== null) && computeElapsedMs(first, states) < maxMs) {
    onProgress(computeElapsedMs(first, states))
    states = await hosts.awaitMesh(Math.min(STEP_MS, maxMs - computeElapsedMs(first, states)))
    missing = findMeshProblems(states, network)
    formedAfterMs = missing.length > 0 ? null : (formedAfterMs ?? computeElapsedMs(first, states))
  }
  /** @type {Record<string, number>} (node, topic) pairs by their mesh peers */
  const degrees = {}
  for (const { node, mesh } of states.flatMap(({ nodes }) => nodes))
    for (const topic of subscriptions[node])
      degrees[mesh[topic].length] = (degrees[mesh[topic].length] ?? 0) + 1
  return { formedAfterMs, missing, degrees }
}

/** @param {MeshState[]} first @param {MeshState[]} now */
const computeElapsedMs = (first, now) =>
  (Math.max(...now.map(({ atNs }) => atNs)) - Math.max(...first.map(({ atNs }) => atNs))) / 1e6

/**
 * @typedef {import('../../network/topology.js').Edge} Edge
 *
 * @typedef {object} Network
 * @property {number} nodes
 * @property {readonly Edge[]} edges - connections there are
 * @property {readonly (readonly number[])[]} subscriptions - topics of each node
 * @property {number} topics
 * @property {number} heartbeatMs
 */

/** A mesh without a change for so many heartbeats has settled. */
const QUIET_HEARTBEATS = 3

/**
 * findMeshProblems lists what the mesh of a network lacks to be formed. A formed mesh: every node sees its neighbours' subscriptions and has a mesh
 * peer, the mesh of each topic is as connected as the topology between its subscribers, and no node has grafted or pruned for three
 * heartbeats. A fixed number of mesh peers is no condition: sparse topologies never reach one.
 *
 * @param {readonly MeshState[]} states - of all hosts
 * @param {Network} network
 * @returns {string[]} empty: it is formed
 */
export function findMeshProblems(states, { nodes, edges, subscriptions, topics, heartbeatMs }) {
  const nodeStates = states.flatMap(host => host.nodes)
  /** @type {number[][]} */
  const neighbours = Array.from({ length: nodes }, () => [])
  for (const [a, b] of edges) {
    neighbours[a].push(b)
    neighbours[b].push(a)
  }
  let unseen = 0
  let meshless = 0
  for (const { node, subscribers, mesh } of nodeStates)
    for (const topic of subscriptions[node]) {
      const known = new Set(subscribers[topic])
      const members = neighbours[node].filter(peer => subscriptions[peer].includes(topic))
      unseen += members.filter(peer => !known.has(peer)).length
      if (mesh[topic].length === 0 && members.length > 0) meshless++
    }
  const apart = Array.from({ length: topics }, (_, topic) => {
    const members = subscriptions.flatMap((own, node) => (own.includes(topic) ? [node] : []))
    /** @type {Edge[]} */
    const mesh = nodeStates.flatMap(({ node, mesh }) =>
      mesh[topic].map(peer => /** @type {Edge} */ ([node, peer]))
    )
    const parts = countComponents(nodes, mesh, members)
    const possible = countComponents(nodes, edges, members)
    return parts > possible && `the mesh of topic ${topic} in ${parts} parts instead of ${possible}`
  })
  const quietNs =
    Math.max(...states.map(({ atNs }) => atNs)) - Math.max(...states.map(({ lastChangeNs }) => lastChangeNs))
  return omitMissing([
    unseen > 0 && `${formatCount(unseen, 'subscription')} of neighbours not seen`,
    meshless > 0 && `${formatCount(meshless, 'subscription')} without a mesh peer`,
    ...apart,
    !(quietNs >= QUIET_HEARTBEATS * heartbeatMs * 1e6) && 'grafts or prunes still in progress'
  ])
}
