import { totalmem } from 'node:os'
import { usableCores } from '../../../kit/control-group.js'
import { grouped } from '../../../kit/numbers.js'
import { mostEdges } from '../../../network/topology/topology-problem.js'
import { openFilesAllowed } from '../../../open-files.js'
import { DOCKER, isApart } from './conditions.js'
import { nodesOf } from './nodes-of.js'

/**
 * @typedef {import('../../rendezvous/plan/combinations.js').Rule} Rule
 */

/** Such a network any machine carries, where as many files may be open as its connections need. */
const SMALL = 50

/** @returns {Machine} */
function thisMachine() {
  const constrained = process.constrainedMemory?.() ?? 0
  const memoryBytes = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
  return { cores: usableCores(), memoryBytes, openFiles: openFilesAllowed() }
}

/** @param {number} count @param {string} what */
const several = (count, what) => `${grouped(count)} ${what}${count === 1 ? '' : 's'}`

/**
 * tooLarge says why a network cannot stand on a machine.
 *
 * @param {Record<string, any>} values - of options, by flag
 * @param {Machine} machine
 * @returns {string | null} the end of a sentence that begins with the number of nodes; null: it can
 */
export function tooLarge({ workers, topology, network, nodesPerContainer = 1, ...values }, machine) {
  const nodes = nodesOf({ topology, ...values })
  const apart = isApart({ network }) ? nodesPerContainer : null
  const spread =
    workers ?? (apart === null ? Math.min(machine.cores, nodes) : Math.ceil(nodes / nodesPerContainer))
  const inContainers = network === DOCKER
  const carried = carriedNodes({ topology, workers: spread, nodes, apart, inContainers }, machine)
  if (nodes <= SMALL && apart === null) Object.assign(carried, { cores: nodes, memoryBytes: nodes })
  const most = Math.min(...Object.values(carried))
  if (most >= nodes) return null
  const memory = `${(machine.memoryBytes / 2 ** 30).toFixed(1)} GiB of memory`
  const reasons = {
    cores: `${several(Math.min(machine.cores, spread), 'core')} for their heartbeats alone`,
    memoryBytes: memory,
    openFiles: `${grouped(machine.openFiles)} open files for each of ${several(spread, 'worker')}`
  }
  const short = /** @type {(keyof Machine)[]} */ (Object.keys(reasons)).filter(
    thing => carried[thing] < nodes
  )
  const why = short.map(thing => `${reasons[thing]} (${grouped(carried[thing])})`).join(', ')
  return `must be at most about ${grouped(most)} ${inContainers ? 'in containers' : 'on real TCP'}, by estimate of what this machine has: ${why}; or take --network simulated`
}

/**
 * processesTooMany says why there cannot be so many processes with a node each here.
 *
 * @param {number} processes
 * @param {Pick<Machine, 'memoryBytes'>} [machine]
 * @returns {string | null} null: there can
 */
export function processesTooMany(processes, { memoryBytes } = thisMachine()) {
  const most = Math.floor((memoryBytes * MEMORY_SHARE) / (MEMORY.process + MEMORY.node))
  if (processes <= most) return null
  return `makes ${grouped(processes)} processes, and ${grouped(most)} fit into ${(memoryBytes / 2 ** 30).toFixed(1)} GiB of memory, by estimate: ask for fewer`
}

/** @param {'nodes' | 'topology'} flag - that says how many nodes there are @returns {Rule} */
const carries = flag => ({
  flag,
  needs: ['nodes', 'topology', 'network', 'workers', 'nodesPerContainer'],
  refuse: values =>
    values.network !== 'simulated' &&
    (values.topology.kind === 'file') === (flag === 'topology') &&
    tooLarge(values, thisMachine())
})

/** MACHINE_RULES refuse networks that are too large for this machine. @type {readonly Rule[]} */
export const MACHINE_RULES = [carries('nodes'), carries('topology')]

/**
 * @typedef {import('./gossip-plan.js').TopologySpec} TopologySpec
 *
 * @typedef {object} Machine
 * @property {number} cores
 * @property {number} memoryBytes
 * @property {number} openFiles - that a process may have; Infinity: any number
 */

/** CPU time of a node that does nothing but heartbeats: at least so much of a second was seen (2 to 3.5 ms on busy cores). */
const IDLE_CORES = 0.0015
/** Resident memory, seen with 100 nodes and 564 connections (512 MB in two processes) and with 300 and 1,764 (884 MB). */
const MEMORY = { process: 120e6, node: 0.1e6, connection: 0.35e6, container: 20e6 }
/** The rest is for others. */
const MEMORY_SHARE = 0.8
/** A process has some open by itself. */
const OWN_FILES = 100

/** @param {TopologySpec} topology @param {number} nodes @returns {number} connections */
function connectionsOf(topology, nodes) {
  if (topology.kind === 'rendezvous') return nodes * topology.k
  if (topology.kind === 'file') return (topology.edges.length * nodes) / topology.nodes
  return mostEdges(topology, nodes)
}

/**
 * What a network takes of each thing that a machine has.
 *
 * @param {TopologySpec} topology
 * @param {number} nodes
 * @param {number} workers
 * @param {boolean} inContainers
 */
function needs(topology, nodes, workers, inContainers) {
  const connections = connectionsOf(topology, nodes)
  const process = MEMORY.process + (inContainers ? MEMORY.container : 0)
  return {
    cores: nodes * IDLE_CORES,
    memoryBytes: workers * process + nodes * MEMORY.node + connections * MEMORY.connection,
    // each node listens, and both ends of a connection are here
    openFiles: OWN_FILES + (nodes + 2 * connections) / workers
  }
}

/**
 * carriedNodes estimates how many nodes a machine carries as whole libp2p nodes on TCP that publish nothing: more than that cannot stand.
 *
 * @param {object} network
 * @param {TopologySpec} network.topology
 * @param {number} network.workers
 * @param {number} network.nodes - that are asked for
 * @param {number | null} network.apart - so many of them have a process of their own; null: they share `workers`
 * @param {boolean} network.inContainers
 * @param {Machine} machine
 * @returns {Readonly<Record<keyof Machine, number>>} by what is used up first; `nodes` where that is not
 */
function carriedNodes({ topology, workers, nodes, apart, inContainers }, { cores, memoryBytes, openFiles }) {
  const processes = (/** @type {number} */ n) => (apart === null ? workers : Math.ceil(n / apart))
  const most = /** @param {keyof Machine} thing @param {number} has */ (thing, has) =>
    largest(nodes, n => needs(topology, n, processes(n), inContainers)[thing] <= has)
  return {
    cores: most('cores', Math.min(cores, workers)),
    memoryBytes: most('memoryBytes', memoryBytes * MEMORY_SHARE),
    openFiles: most('openFiles', openFiles)
  }
}

/** @param {number} most @param {(n: number) => boolean} fits - up to some number @returns {number} the largest that does, 0: none */
function largest(most, fits) {
  let [low, high] = [0, most]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle - 1
  }
  return low
}
