import { grouped } from '../../kit/numbers.js'
import { settingsTable } from '../../report/description/settings.js'
import { facts, table } from '../../report/description/tables.js'
import { megabytes } from '../../report/description/values.js'
import { namespaceTables } from '../namespaces/namespace-tables.js'
import { workerResources } from './measure/machine-figures.js'

/**
 * What the processes, containers and links of a network did: tables of every gossip result.
 *
 * @typedef {import('../../report/description/description.js').DescribedTable} DescribedTable
 * @typedef {import('./gossip-types.js').GossipResult} GossipResult
 * @typedef {import('./gossip-types.js').WorkerResources} WorkerResources
 * @typedef {import('./gossip-types.js').Used} Used
 */

/** More nodes of a worker are counted, not named. */
const MAX_NAMED = 5

const PHASES = /** @type {const} */ ([
  ['warmup', 'warm-up'],
  ['publish', 'publish'],
  ['cooldown', 'cool-down']
])

/** @param {number | null | undefined} bytes */
const kilobytes = bytes => (bytes == null ? null : bytes / 1e3)

/** workerName is a node that is alone in its process or container, or the process or container. @param {string} network @param {WorkerResources} worker */
function workerName(network, { worker, nodes = [] }) {
  if (nodes.length === 1) return `node ${nodes[0]}`
  const held = network === 'docker' ? 'container' : 'worker'
  if (nodes.length === 0) return `${held} ${worker}`
  return nodes.length > MAX_NAMED
    ? `${held} ${worker}: ${grouped(nodes.length)} nodes`
    : `${held} ${worker}: nodes ${nodes.join(', ')}`
}

/** @param {GossipResult} result */
function workers(result) {
  return {
    ...table('workers', 'Workers', workerResources(result), [
      ['Worker', used => workerName(result.plan.network, used), 'text'],
      ['CPU avg %', ({ cpu }) => cpu.averagePercent, 'percent'],
      ['CPU max %', ({ cpu }) => cpu.maxPercent, 'percent'],
      ['Memory avg MB', ({ memory }) => megabytes(memory.averageBytes), 'MB'],
      ['Memory max MB', ({ memory }) => megabytes(memory.maxBytes), 'MB']
    ]),
    note:
      result.plan.network === 'simulated'
        ? 'CPU and memory that the simulation took on this machine; 100 % is one core.'
        : '100 % is one core. Nodes of a busy worker wait for each other.'
  }
}

/** @param {GossipResult} result */
function byPhase({ plan, outcome: { resources } }) {
  const rows = resources.flatMap(worker =>
    PHASES.flatMap(([phase, name]) => {
      const used = worker.phases?.[phase]
      return used == null ? [] : [{ who: workerName(plan.network, worker), name, used }]
    })
  )
  return {
    ...table('resources-by-phase', 'Resources by phase', rows, [
      ['Of', ({ who }) => who, 'text'],
      ['Phase', ({ name }) => name, 'text'],
      ['CPU avg %', ({ used }) => used.cpu.averagePercent, 'percent'],
      ['CPU max %', ({ used }) => used.cpu.maxPercent, 'percent'],
      ['Throttled %', ({ used }) => used.cpu.heldBackPercent, 'percent'],
      ['Memory avg MB', ({ used }) => megabytes(used.memory.averageBytes), 'MB'],
      ['Memory max MB', ({ used }) => megabytes(used.memory.maxBytes), 'MB'],
      ['In kB', ({ used }) => kilobytes(used.traffic?.receivedBytes), 'number'],
      ['Out kB', ({ used }) => kilobytes(used.traffic?.sentBytes), 'number']
    ]),
    ...(rows.some(({ used }) => used.cpu.heldBackPercent !== undefined)
      ? { note: 'Throttled: share of the time in which the container had used up its CPU limit.' }
      : {})
  }
}

/** @param {GossipResult['run']['simulator']} simulator @param {string | undefined} digest */
function simulation(simulator, digest) {
  const split = simulator?.split
  const each = (/** @type {number | undefined} */ count) =>
    split === undefined || split.meetings === 0 || count === undefined ? null : count / split.meetings
  return {
    ...facts('simulation', 'Simulation', [
      ['Processes', split?.processes, 'count'],
      ['Lookahead', split?.lookaheadMs, 'ms'],
      ['Synchronizations of the processes', split?.meetings, 'count'],
      ['Events between two synchronizations', each(split?.events)],
      ['Events handed over at a synchronization', each(split?.handedOver)],
      ['Events', split?.events, 'count'],
      ['Events handed over', split?.handedOver, 'count'],
      ['Digest of all deliveries', digest, 'text']
    ]),
    note: 'No real network joined the nodes; all times are virtual.'
  }
}

/**
 * machineTables say what workers, machine, links and simulation did.
 *
 * @param {GossipResult} result
 * @returns {DescribedTable[]}
 */
export const machineTables = result => [
  workers(result),
  byPhase(result),
  ...(result.plan.network === 'simulated' ? [simulation(result.run.simulator, result.outcome.digest)] : []),
  ...namespaceTables([{ figures: result.outcome.network.namespaces }]),
  {
    ...settingsTable(result.outcome.network.settings, {
      id: 'node-settings',
      title: 'Settings of the nodes'
    }),
    note: 'Those that differ from the defaults of the libraries.'
  }
]
