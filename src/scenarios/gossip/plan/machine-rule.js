import { availableParallelism, totalmem } from 'node:os'
import { grouped } from '../../../kit/numbers.js'
import { openFilesAllowed } from '../../../open-files.js'
import { carriedNodes } from './carried-nodes.js'
import { nodesOf } from './nodes-of.js'

/**
 * @typedef {import('../../rendezvous/plan/combinations.js').Rule} Rule
 * @typedef {import('./carried-nodes.js').Machine} Machine
 */

/** Such a network any machine carries: nothing is asked about it. */
const SMALL = 50

/** @returns {Machine} */
function thisMachine() {
  const constrained = process.constrainedMemory?.() ?? 0
  const memoryBytes = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
  return { cores: availableParallelism(), memoryBytes, openFiles: openFilesAllowed() }
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
export function tooLarge({ workers, topology, ...values }, machine) {
  const nodes = nodesOf({ topology, ...values })
  if (nodes <= SMALL) return null
  const spread = workers ?? Math.min(machine.cores, nodes)
  const carried = carriedNodes({ topology, workers: spread, nodes }, machine)
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
  return `must be at most about ${grouped(most)} on real TCP, by estimate of what this machine has: ${why}; or take --network simulated`
}

/** @param {'nodes' | 'topology'} flag - that says how many nodes there are @returns {Rule} */
const carries = flag => ({
  flag,
  needs: ['nodes', 'topology', 'network', 'workers'],
  refuse: values =>
    values.network === 'loopback' &&
    (values.topology.kind === 'file') === (flag === 'topology') &&
    tooLarge(values, thisMachine())
})

/** MACHINE_RULES refuse networks that are too large for this machine. @type {readonly Rule[]} */
export const MACHINE_RULES = [carries('nodes'), carries('topology')]
