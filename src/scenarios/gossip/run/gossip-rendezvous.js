import { sumOf } from '../../../kit/lists.js'
import { stackNameOf } from '../../../libp2p/stacks.js'
import { Histogram } from '../../../measure/histogram.js'
import { ResourceSeries, sampleDuring } from '../../../measure/resource-series.js'
import { summarize } from '../../../measure/summary.js'
import { startProcessTarget } from '../../../target/process-target.js'
import { ownMachines } from '../../own-machines.js'

/**
 * @typedef {import('../../../network/node-host.js').Registered} Registered
 * @typedef {import('../../../network/node-host.js').Met} Met
 * @typedef {import('../../../network/node-host.js').Dialled} Dialled
 * @typedef {import('../gossip-types.js').RendezvousSteps} RendezvousSteps
 *
 * @typedef {object} Joined
 * @property {Dialled[]} dialled - each pair of nodes once
 * @property {RendezvousSteps} steps
 */

/**
 * joinByRendezvous lets the nodes of a network find one another: a rendezvous server of ours is started, every node registers
 * under the namespaces of its topics, and when all have, each discovers the others and dials k of them. The server stays.
 *
 * @param {object} parts
 * @param {import('../plan/gossip-plan.js').GossipPlan} parts.plan
 * @param {string} parts.id - of the run
 * @param {Pick<import('./gossip-pool.js').GossipPool, 'register' | 'meet'>} parts.hosts
 * @param {import('../../../network/node-host.js').Peer[]} parts.peers
 * @param {AbortSignal} parts.signal
 * @param {(error: Error) => void} parts.onServerDied
 * @param {import('../../../workers/fleet.js').Fleet} [parts.fleet] - machines that hold the nodes; none: this one does
 * @param {{ server?: RendezvousServer | null }} parts.known - is told what was started
 * @returns {Promise<Joined>}
 * @throws {import('../../../target/target-error.js').TargetError} SERVER_NOT_STARTED
 */
export async function joinByRendezvous({ plan, id, hosts, peers, signal, onServerDied, fleet, known }) {
  const { topology, topics } = plan
  if (topology.kind !== 'rendezvous') throw new Error(`nodes of ${topology.kind} are told of one another`)
  // nodes are on a few hosts, from each of which libp2p admits 5 connections a second
  const settings = {
    ...ownMachines(fleet),
    maxStreams: 1000,
    stack: stackNameOf(plan.stack, 0),
    ...(plan.stock && { stock: true })
  }
  const host = fleet?.address
  const target = await startProcessTarget({ settings, host, signal, onFailed: onServerDied })
  const meeting = {
    server: target.multiaddr,
    namespaces: topics.map(({ name }) => `/gossip/${id}/${name}`)
  }
  known.server = new RendezvousServer(target, meeting)
  // whoever discovered while others still register would find those that were faster
  const registered = await hosts.register(meeting)
  const met = await hosts.meet({ ...meeting, k: topology.k }, peers)
  return joinedOf(registered, met)
}

/** RendezvousServer is the server at which nodes found one another: they go on to register and discover there, and it is sampled. */
export class RendezvousServer {
  #target
  #meeting
  #resources = new ResourceSeries()
  #times = { REGISTER: new Histogram(), DISCOVER: new Histogram() }
  #failed = 0
  /** @type {ReturnType<typeof sampleDuring> | null} */
  #sampling = null

  /**
   * @param {import('../../../target/target.js').Target} target
   * @param {import('../../../network/node-host.js').Meeting} meeting
   */
  constructor(target, meeting) {
    this.#target = target
    this.#meeting = meeting
  }

  /** begin begins to sample it, and has the nodes refresh. @param {Pick<import('./gossip-pool.js').GossipPool, 'refresh'>} hosts @param {number} everyMs */
  async begin(hosts, everyMs) {
    this.#sampling = sampleDuring(this.#target, this.#resources, process.hrtime.bigint())
    await hosts.refresh({ ...this.#meeting, everyMs })
  }

  /** add takes what nodes did there. @param {readonly import('../../../network/node-host.js').Refreshed[]} steps */
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
      cpu,
      memory,
      register: summarize(this.#times.REGISTER),
      discover: summarize(this.#times.DISCOVER),
      failed: this.#failed
    }
  }

  /** over ends sampling, and has the nodes refresh no more. @param {Pick<import('./gossip-pool.js').GossipPool, 'endRefreshing'>} hosts */
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
 * joinedOf makes the network and the figures of what the hosts told.
 *
 * @param {Registered[]} registered - by host
 * @param {Met[]} met - by host
 * @returns {Joined}
 */
export function joinedOf(registered, met) {
  const connects = registered.flatMap(({ connects }) => connects)
  const registers = registered.flatMap(({ registers }) => registers)
  const discovers = met.flatMap(({ discovers }) => discovers)
  const dials = met.flatMap(({ dials }) => dials)
  const dialled = eachPairOnce(dials)
  const found = discovers.filter(isDone).map(step => step.found)
  return {
    dialled,
    steps: {
      connect: summaryOf(connects),
      register: summaryOf(registers),
      discover: summaryOf(discovers),
      dial: summaryOf(dials.filter(({ inbound }) => !inbound)),
      failed: [connects, registers, discovers, dials].flat().filter(step => !isDone(step)).length,
      found: {
        min: found.length === 0 ? null : Math.min(...found),
        avg: found.length === 0 ? null : sumOf(found) / found.length,
        max: found.length === 0 ? null : Math.max(...found)
      },
      foreign: sumOf(discovers, ({ foreign }) => foreign),
      bothWays: dials.length - dialled.length,
      alreadyConnected: dials.filter(({ inbound }) => inbound).length,
      doubled: null
    }
  }
}

/** @param {{ error: string | null }} step */
const isDone = ({ error }) => error === null

/**
 * Two nodes that found each other are one edge, of the dial that made the connection.
 *
 * @param {Met['dials']} dials
 * @returns {Dialled[]}
 */
function eachPairOnce(dials) {
  /** @type {Map<string, Met['dials'][number]>} */
  const pairs = new Map()
  for (const dial of dials) {
    const pair = `${Math.min(dial.from, dial.to)}/${Math.max(dial.from, dial.to)}`
    const other = pairs.get(pair)
    if (other === undefined || rank(dial) < rank(other)) pairs.set(pair, dial)
  }
  return [...pairs.values()].map(({ from, to, ms, error }) => ({ from, to, ms, error }))
}

/** @param {Met['dials'][number]} dial */
const rank = ({ error, inbound }) => (error !== null ? 2 : inbound ? 1 : 0)

/** @param {readonly { ms: number, error: string | null }[]} steps */
function summaryOf(steps) {
  const histogram = new Histogram()
  for (const step of steps) if (isDone(step)) histogram.record(step.ms * 1000)
  return summarize(histogram)
}
