import { mostEdges } from '../../../network/topology/topology-problem.js'

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
const MEMORY = { process: 120e6, node: 0.1e6, connection: 0.35e6 }
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
 */
function needs(topology, nodes, workers) {
  const connections = connectionsOf(topology, nodes)
  return {
    cores: nodes * IDLE_CORES,
    memoryBytes: workers * MEMORY.process + nodes * MEMORY.node + connections * MEMORY.connection,
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
 * @param {Machine} machine
 * @returns {Readonly<Record<keyof Machine, number>>} by what is used up first; `nodes` where that is not
 */
export function carriedNodes({ topology, workers, nodes }, { cores, memoryBytes, openFiles }) {
  const most = /** @param {keyof Machine} thing @param {number} has */ (thing, has) =>
    largest(nodes, n => needs(topology, n, workers)[thing] <= has)
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
