// Makes the headline, tiles, tables and plots of a gossip result, also for gossip networks inside rendezvous runs.
import { joinWords, omitMissing } from '../../kit/collections.js'
import { formatCount, formatDuration, formatSignificant, formatWhole } from '../../kit/numbers.js'
import { formatLimitedBy } from '../../measure/limited-by.js'
import {
  describeArrivals,
  describeStacks,
  describeTuning,
  listGeneratorTimes,
  listOverheadTimes,
  makeGeneratorTables
} from '../../report/describe-run.js'
import {
  computePercent,
  formatShare,
  makeFactsTable,
  makeSettingsTable,
  makeTable,
  makeTimeCell,
  makeTimesTable,
  toMegabytes
} from '../../report/description.js'
import {
  describeMainCategories,
  describeProfilePlots,
  describeProfileTables,
  describeProfileTiles,
  isProfiled,
  NO_TIMES_NOTE
} from '../../run/profile-description.js'
import { makeNamespaceTables, makeRouterTimes } from '../namespace-tables.js'
import { isSimulated } from '../network-options.js'
import {
  describeChurn,
  describeChurnPlan,
  listChurnTimes,
  makeChurnPlots,
  makeChurnTables
} from './description/churn.js'
import { makeDeliveryTables, makeGroupTables } from './description/deliveries.js'
import { makeGossipPlots } from './description/plots.js'
import { NODE_FIGURES, readCpuMsPerDelivery, readWorkerResources, summarizeHops } from './figures.js'
import { describeProcesses } from './plan/resources.js'

/** @typedef {import('./options.js').TopologySpec} TopologySpec */

/** Parameters of the shape of a topology; the others choose one topology of this shape. */
const SHAPE_PARAMETERS = ['m', 'k', 'p', 'radius']

/**
 * describeTopology names a topology: `barabasi-albert m=6`.
 *
 * @param {TopologySpec} topology
 * @returns {string}
 */
export function describeTopology(topology) {
  if (topology.kind === 'file') return `file ${topology.path}`
  const parameters = Object.entries(topology).filter(([name]) => SHAPE_PARAMETERS.includes(name))
  return [topology.kind, ...parameters.map(([name, value]) => `${name}=${value}`)].join(' ')
}

/**
 * @typedef {import('../../report/schema.js').DescribedTable} DescribedTable
 * @typedef {import('./outcome.js').GossipResult} GossipResult
 * @typedef {import('./outcome.js').WorkerResources} WorkerResources
 */

/** Nodes of a worker that are named; more are counted. */
const MAX_NAMED = 5

const PHASES = /** @type {const} */ ([
  ['warmup', 'warm-up'],
  ['publish', 'publish'],
  ['cooldown', 'cool-down']
])

/** @param {number | null | undefined} bytes */
const kilobytes = bytes => (bytes == null ? null : bytes / 1e3)

/** workerName names the only node of a process or container, or the process or container itself. @param {string} network @param {WorkerResources} worker */
function workerName(network, { worker, nodes = [] }) {
  if (nodes.length === 1) return `node ${nodes[0]}`
  const name = `${network === 'docker' ? 'container' : 'worker'} ${worker}`
  if (nodes.length === 0) return name
  return nodes.length > MAX_NAMED
    ? `${name}: ${formatWhole(nodes.length)} nodes`
    : `${name}: nodes ${nodes.join(', ')}`
}

/** @param {GossipResult} result */
function workers(result) {
  return {
    ...makeTable('workers', 'Workers', readWorkerResources(result), [
      ['Worker', used => workerName(result.plan.network, used), 'text'],
      ['CPU avg %', ({ cpu }) => cpu.averagePercent, 'percent'],
      ['CPU max %', ({ cpu }) => cpu.maxPercent, 'percent'],
      ['Memory avg MB', ({ memory }) => toMegabytes(memory.averageBytes), 'MB'],
      ['Memory max MB', ({ memory }) => toMegabytes(memory.maxBytes), 'MB']
    ]),
    note: isSimulated(result.plan)
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
    ...makeTable('resources-by-phase', 'Resources by phase', rows, [
      ['Of', ({ who }) => who, 'text'],
      ['Phase', ({ name }) => name, 'text'],
      ['CPU avg %', ({ used }) => used.cpu.averagePercent, 'percent'],
      ['CPU max %', ({ used }) => used.cpu.maxPercent, 'percent'],
      ['Throttled %', ({ used }) => used.cpu.heldBackPercent, 'percent'],
      ['Memory avg MB', ({ used }) => toMegabytes(used.memory.averageBytes), 'MB'],
      ['Memory max MB', ({ used }) => toMegabytes(used.memory.maxBytes), 'MB'],
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
    ...makeFactsTable('simulation', 'Simulation', [
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
 * machineTables describe workers, machine, links and simulation.
 *
 * @param {GossipResult} result
 * @returns {DescribedTable[]}
 */
const machineTables = result => [
  workers(result),
  byPhase(result),
  ...(isSimulated(result.plan) ? [simulation(result.run.simulator, result.outcome.digest)] : []),
  ...makeNamespaceTables([{ figures: result.outcome.network.namespaces }]),
  {
    ...makeSettingsTable(result.outcome.network.settings, {
      id: 'node-settings',
      title: 'Settings of the nodes'
    }),
    note: 'Those that differ from the defaults of the libraries.'
  }
]

/**
 * @typedef {import('../../report/schema.js').Description} Description
 * @typedef {import('../../report/description.js').ColumnOf<GossipResult>} RunColumn
 * @typedef {import('../../report/schema.js').Summary} Summary
 * @typedef {import('./options.js').GossipPlan} GossipPlan
 * @typedef {import('./outcome.js').GossipOutcome} GossipOutcome
 */

/** @param {{ min: number, max: number }} range */
const between = ({ min, max }) => (min === max ? formatWhole(min) : `${formatWhole(min)}–${formatWhole(max)}`)

/** Descriptions of networks. @type {Record<string, string>} */
const NETWORKS = {
  loopback: 'real TCP',
  namespaces: 'real TCP between namespaces',
  docker: 'real TCP between containers',
  simulated: 'a simulated network'
}

/** @param {GossipPlan} plan */
function messageWords({ messages, durationMs, messageBytes }) {
  const bytes = `messages of ${between(messageBytes)} bytes`
  if (messages !== null)
    return messages === 1
      ? `1 message of ${between(messageBytes)} bytes`
      : `${formatWhole(messages)} ${bytes}`
  return durationMs === null ? `${bytes} until Ctrl-C` : `${bytes} for ${formatDuration(durationMs)}`
}

/** @param {GossipPlan} plan */
function rateWords(plan) {
  const { publishers, ratePerSecond, arrivals, churn, networkFile } = plan
  if (networkFile?.topics != null) {
    const rate = ratePerSecond ? `at ${describeArrivals(arrivals, ratePerSecond)}` : 'by its script'
    return `${rate} on ${formatCount(plan.topics.length, 'topic')} of ${networkFile.path}`
  }
  if (publishers === 'every')
    return `from every node, every ${between(plan.intervalMs)} ms${plan.loadModel === 'closed' ? ' after its last publish call has returned' : ''}`
  // an earlier release could search for the rate
  const rate = ratePerSecond === null ? 'the highest rate carried' : describeArrivals(arrivals, ratePerSecond)
  if (typeof publishers !== 'object')
    return `at ${rate}, spread over all ${churn != null && 'peers' in churn ? 'stable ' : ''}nodes`
  return `at ${rate} from ${publishers.nodes.length === 1 ? 'node' : 'nodes'} ${publishers.nodes.join(', ')}`
}

/** @param {GossipPlan} plan */
function networkWords({ networkFile }) {
  if (networkFile === undefined) return []
  const { classes, zones, script } = networkFile
  return [
    ...(classes.length > 0 ? [`classes ${classes.map(({ name }) => name).join(', ')}`] : []),
    ...(zones !== null ? [`zones ${zones.names.join(', ')}`] : []),
    ...(script.length > 0 ? [`a script of ${formatCount(script.length, 'step')}`] : [])
  ]
}

/** The publish phase in words. @param {GossipPlan} plan @returns {[running: string, done: string]} */
function publishingWords({ churn, profiled }) {
  if (profiled !== undefined) return ['publishing and sampling', 'published and sampled']
  if (churn == null) return ['publishing', 'published']
  return churn.asNew
    ? ['publishing while nodes are replaced', 'published while nodes were replaced']
    : ['publishing while nodes leave and return', 'published while nodes left and returned']
}

/**
 * describePlan describes a run before it starts.
 *
 * @param {GossipPlan} plan
 * @returns {import('../../report/schema.js').PlanDescription}
 */
export const describePlan = plan => ({
  what: [
    `${messageWords(plan)} ${rateWords(plan)}`,
    `${formatCount(plan.nodes, 'node')}${isSimulated(plan) ? '' : `, ${describeTuning(plan)},`} in ${describeProcesses(plan)}`,
    `${describeTopology(plan.topology)} on ${NETWORKS[plan.network] ?? plan.network}`,
    ...(plan.pubsub === 'floodsub' ? ['floodsub'] : []),
    ...describeStacks(plan),
    ...networkWords(plan),
    ...(plan.churn == null ? [] : [describeChurnPlan(plan.churn, plan.nodes)]),
    ...(plan.profiled === undefined ? [] : [`${plan.profiled.join(' and ')} of all workers sampled`])
  ].join(' · '),
  ...(plan.topology.kind === 'file' &&
    plan.topology.unused !== undefined && {
      notes: [`${plan.topology.path} contains unused data: ${joinWords(plan.topology.unused)}`]
    }),
  phases: {
    provision: ['starting nodes', `${formatCount(plan.nodes, 'node')} started`],
    peer: ['connecting nodes', 'nodes connected'],
    warmup: ['waiting for the mesh', 'warm-up'],
    publish: publishingWords(plan),
    cooldown: ['waiting for deliveries', 'deliveries awaited'],
    collect: ['collecting', 'collected'],
    teardown: ['stopping nodes', 'nodes stopped']
  },
  columns: COLUMNS.map(([heading]) => heading),
  rateUnit: 'msg/s',
  measured: 'workers'
})

/** @param {string} name @param {(outcome: GossipOutcome) => Summary} of @param {readonly ('avg' | 'p50' | 'p90' | 'p99' | 'max')[]} shown @returns {RunColumn[]} */
const timeColumns = (name, of, shown) =>
  /** @type {const} */ (['avg', 'p50', 'p90', 'p99', 'max']).map(key => [
    `${name} ${key} ms`,
    ({ outcome }) => makeTimeCell(of(outcome)[key]),
    'ms',
    ...(shown.includes(key) ? /** @type {[]} */ ([]) : /** @type {['wide']} */ (['wide']))
  ])

/** @param {(cost: GossipOutcome['cost']) => number | null} of @returns {RunColumn[1]} */
const cost =
  of =>
  ({ outcome }) =>
    of(outcome.cost)

/** Resources of a node that is alone in its process or container. @type {RunColumn[]} */
const NODE_COLUMNS = NODE_FIGURES.map(({ title, unit, quantity, read }) => [
  `${title}${quantity === 'share' ? ' %' : quantity === 'memory' ? ' MB' : ` ${unit}`}`,
  ({ outcome, run }) => {
    const figure = read(outcome, run)
    return 'value' in figure ? figure.value : null
  },
  quantity === 'share' ? 'percent' : quantity === 'memory' ? 'MB' : 'number',
  'wide'
])

/** @type {RunColumn[]} */
const COLUMNS = [
  ['Nodes', ({ plan }) => plan.nodes, 'count', 'wide'],
  ['Topology', ({ plan }) => describeTopology(plan.topology), 'text', 'wide'],
  ['Network', ({ plan }) => plan.network, 'text', 'wide'],
  ['Rate/s', ({ plan }) => plan.ratePerSecond, 'perSecond', 'wide'],
  ['Planned', ({ outcome }) => outcome.messages.planned, 'count', 'wide'],
  ['Messages', ({ outcome }) => outcome.messages.published, 'count', 'wide'],
  ['Skipped', ({ outcome }) => outcome.messages.skipped, 'count', 'wide'],
  ['Failed', ({ outcome }) => outcome.messages.failed, 'count', 'wide'],
  ['MDR %', ({ outcome: { delivery } }) => computePercent(delivery.delivered, delivery.expected), 'percent'],
  ['Expected', ({ outcome }) => outcome.delivery.expected, 'count', 'wide'],
  ['Delivered', ({ outcome }) => outcome.delivery.delivered, 'count', 'wide'],
  ['Missing', ({ outcome }) => outcome.missing.pairs, 'count', 'wide'],
  [
    'To all %',
    ({ outcome: { delivery } }) => computePercent(delivery.completeMessages, delivery.expectedMessages),
    'percent',
    'wide'
  ],
  [
    'Lost messages',
    ({ outcome: { delivery } }) => delivery.expectedMessages - delivery.completeMessages,
    'count',
    'wide'
  ],
  ...timeColumns('Latency', ({ latency }) => latency.all, ['p50', 'p99']),
  ...timeColumns('Dissem.', ({ dissemination }) => dissemination.all, ['p50', 'max']),
  ['Degree avg', ({ outcome }) => outcome.topology.measures?.degrees.avg, 'number', 'wide'],
  ['Last hop avg', ({ outcome }) => summarizeHops(outcome.hops.last)?.avg, 'number', 'wide'],
  ['Last hop SD', ({ outcome }) => summarizeHops(outcome.hops.last)?.sd, 'number', 'wide'],
  ['Last hop max', ({ outcome }) => summarizeHops(outcome.hops.last)?.max, 'count', 'wide'],
  ['Duplicates/delivery', cost(({ duplicatesPerDelivery }) => duplicatesPerDelivery), 'number', 'wide'],
  ['CPU ms/delivery', readCpuMsPerDelivery, 'number', 'wide'],
  ['Bytes/delivery', cost(({ bytesPerDelivery }) => bytesPerDelivery), 'number', 'wide'],
  ['RPCs/delivery', cost(({ rpcsPerDelivery }) => rpcsPerDelivery), 'number', 'wide'],
  ['Control/delivery', cost(({ controlPerDelivery }) => controlPerDelivery), 'number', 'wide'],
  ['Measured s', ({ outcome }) => outcome.measuredMs / 1000, 's', 'wide'],
  ...NODE_COLUMNS,
  ['Limited by', ({ outcome }) => formatLimitedBy(outcome.limitedBy), 'text', 'wide']
]

const DELIVERY_NOTE =
  'MDR: message delivery ratio. Times begin with the publish call. Latency: to each delivery. Dissem.: to the last delivery of a message.'

/** @param {GossipResult} result */
function runRow(result) {
  const { plan } = result
  const unpaced = plan.publishers === 'every' && plan.loadModel === 'closed'
  const limited = formatLimitedBy(result.outcome.limitedBy)
  return makeTable('delivery', 'Deliveries', [result], COLUMNS, {
    allColumns: true,
    note: omitMissing([
      limited !== null && `Limited by ${limited}.`,
      DELIVERY_NOTE,
      unpaced && 'Nodes publish as fast as this machine lets them: counts and times depend on it.'
    ]).join(' ')
  })
}

/** @param {Summary} part @param {Summary} all */
const omitIfSameCount = (part, all) => (part.count < all.count ? part : null)

/** @param {GossipResult} result */
function responseTimes({ outcome }) {
  const { latency, dissemination, topology, rendezvous, network } = outcome
  const overhead = listOverheadTimes(latency.all) ?? listOverheadTimes(dissemination.all)
  const part =
    omitIfSameCount(latency.delivered, latency.all) ??
    omitIfSameCount(dissemination.complete, dissemination.all)
  const notes = omitMissing([
    overhead !== null &&
      'Overhead: waits of a message because nodes share processes, and processes share cores.',
    part !== null &&
      'Delivered, complete: without missing deliveries. Other rows count those at the time waited.'
  ])
  return makeTimesTable(
    [
      ['Latency', latency.all],
      ['Latency, overhead', listOverheadTimes(latency.all)],
      ['Latency, delivered', omitIfSameCount(latency.delivered, latency.all)],
      ['Dissemination', dissemination.all],
      ['Dissem., overhead', listOverheadTimes(dissemination.all)],
      ['Dissem., complete', omitIfSameCount(dissemination.complete, dissemination.all)],
      ...listChurnTimes(outcome),
      ['Dial', topology.dialMs],
      ['Rendezvous connect', rendezvous?.connect],
      ['Rendezvous register', rendezvous?.register],
      ['Rendezvous discover', rendezvous?.discover],
      ['Rendezvous dial', rendezvous?.dial],
      ['REGISTER (refresh)', rendezvous?.server?.register],
      ['DISCOVER', rendezvous?.server?.discover],
      ...makeRouterTimes(network.namespaces)
    ],
    { terminal: !isProfiled(outcome), ...(notes.length > 0 && { note: notes.join(' ') }) }
  )
}

/** @param {GossipResult} result */
const generatorTimesTable = ({ outcome: { lateness, interArrival }, run }) =>
  makeTimesTable(
    [
      ['Publish call after it was due', lateness.summary],
      ['Between two publish calls', interArrival.actual.summary],
      ['Between two publish calls, as planned', interArrival.planned.summary],
      ...listGeneratorTimes(run)
    ],
    { id: 'generator-times', title: 'Times of the load generator and the machine' }
  )

/** @param {GossipResult} result */
function titleOf({ plan }) {
  const nodes = formatCount(plan.nodes, isSimulated(plan) ? 'simulated node' : 'node')
  const { profiled, churn } = plan
  if (profiled !== undefined) return `Profile of gossip among ${nodes}`
  if (churn == null) return `Gossip among ${nodes}`
  const how = churn.asNew ? 'replaced' : 'leaving and returning'
  const who = 'peers' in churn ? formatCount(churn.peers, 'of them', 'of them') : 'some of them'
  return `Gossip among ${nodes}, ${who} ${how}${'peers' in churn && !churn.atRandom ? ' in turn' : ''}`
}

/** @param {GossipOutcome} outcome @returns {string} empty: too few messages to say */
function describeDissemination({ delivery, dissemination: { all } }) {
  const { p50, p99, avg } = all
  const time = (/** @type {{ ms: number, censored: boolean }} */ { ms, censored }) =>
    `${censored ? 'more than ' : ''}${formatSignificant(ms)} ms`
  const middle = p50 ?? avg
  if (middle === null) return ''
  if (middle.censored)
    return `, and ${formatWhole(delivery.completeMessages)} of ${formatCount(delivery.expectedMessages, 'message')} reached every subscriber`
  const tail = p50 === null ? ' on average' : ` (p50)${p99 === null ? '' : `, ${time(p99)} (p99)`}`
  return `, and a message reached every subscriber within ${time(middle)}${tail}`
}

/** @param {GossipOutcome} outcome */
function deliveryWords(outcome) {
  const { expected, delivered } = outcome.delivery
  if (expected === 0) return 'no node was to receive them'
  const arrived =
    delivered === expected
      ? `all ${formatCount(expected, 'delivery', 'deliveries')} arrived`
      : `${formatShare(delivered, expected)} % of ${formatCount(expected, 'delivery', 'deliveries')} arrived`
  if (isProfiled(outcome)) return `${arrived} (${NO_TIMES_NOTE})`
  return delivered === 0 ? arrived : `${arrived}${describeDissemination(outcome)}`
}

/** @param {GossipResult} result */
function headlineOf({ plan, outcome }) {
  const { published } = outcome.messages
  const network = `${isSimulated(plan) ? 'Simulated: ' : ''}${formatCount(plan.nodes, 'node')} (${describeTopology(plan.topology)})`
  if (published === 0) return `${network} published no message.`
  const messages = `${network} published ${formatCount(published, 'message')}; ${deliveryWords(outcome)}`
  const churn = outcome.churn ? `, ${describeChurn(outcome.churn)}` : ''
  const profile = describeMainCategories(outcome)
  return `${profile === '' ? '' : `${profile}: `}${messages}${churn}.`
}

/** The first figure with enough samples. @param {string} name @param {Summary} summary @param {readonly ('p50' | 'p99' | 'avg' | 'max')[]} keys @returns {Description['tiles'][number]} */
function timeTile(name, summary, keys) {
  const key = keys.find(key => summary[key] !== null) ?? keys[0]
  return [`${name} ${key}`, makeTimeCell(summary[key]), 'ms']
}

/** @param {GossipOutcome} outcome @returns {Description['tiles']} */
function tilesOf(outcome) {
  const { delivery, latency, dissemination, churn } = outcome
  if (isProfiled(outcome)) return describeProfileTiles(outcome)
  if (delivery.expected === 0) return []
  /** @type {Description['tiles']} */
  const tiles = [
    ['Delivered', computePercent(delivery.delivered, delivery.expected), 'percent'],
    timeTile('Latency', latency.all, ['p50', 'avg'])
  ]
  return churn?.firstDelivery
    ? [
        ...tiles,
        timeTile('Start to first delivery,', churn.firstDelivery, ['p50', 'avg']),
        ['Deliveries per minute', churn.deliveriesPerMinute ?? null, 'number']
      ]
    : [
        ...tiles,
        timeTile('Latency', latency.all, ['p99', 'max']),
        timeTile('Dissemination', dissemination.all, ['p50', 'avg'])
      ]
}

/** A page shows one plot first. @param {Description['plots']} own - of churn and profiles @param {Description['plots']} network */
const markMainPlot = ([first, ...own], network) =>
  first === undefined
    ? network
    : [{ ...first, main: true }, ...own, ...network.map(({ main: _, ...plot }) => plot)]

/** @param {GossipResult} result */
function warningsOf({ plan, run }) {
  const why = run.simulator?.split?.why
  return why == null
    ? []
    : [
        {
          code: 'ONE_PROCESS',
          text: `Simulated in one process, not in ${formatWhole(plan.workers)}: ${why}.`
        }
      ]
}

/**
 * describeResult describes a result of a gossip network, also a partial one.
 *
 * @param {any} result - of the scenario gossip
 * @returns {Description}
 */
export function describeResult(result) {
  const described = /** @type {GossipResult} */ (result)
  const { outcome } = described
  return {
    title: titleOf(described),
    headline: headlineOf(described),
    tiles: tilesOf(outcome),
    tables: [
      runRow(described),
      responseTimes(described),
      ...makeGroupTables(described),
      ...makeChurnTables(described),
      ...describeProfileTables(described),
      ...makeDeliveryTables(described),
      ...machineTables(described),
      generatorTimesTable(described),
      ...makeGeneratorTables(described.run)
    ].filter(({ rows }, i) => i === 0 || rows.length > 0),
    plots: markMainPlot(
      [...makeChurnPlots(described), ...describeProfilePlots(described)],
      makeGossipPlots(described)
    ),
    warnings: warningsOf(described)
  }
}

/**
 * makeNetworkTables are the tables of a network whose nodes are part of another scenario's run.
 *
 * @param {Parameters<typeof makeChurnTables>[0] & Parameters<typeof makeDeliveryTables>[0]} result
 */
export const makeNetworkTables = result => [...makeChurnTables(result), ...makeDeliveryTables(result)]

/** makeNetworkPlots are the plots of such a network. @param {Parameters<typeof makeGossipPlots>[0]} result */
export const makeNetworkPlots = result => makeGossipPlots(result)
