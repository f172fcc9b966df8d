// Options and rules that scenarios share for the network between nodes: latency, loss, bandwidth, partitions, Linux
// namespaces, containers. Includes checks of this machine's capacity.
import { totalmem } from 'node:os'
import { describeReadError, isMapping, readTextSync } from '../kit/files.js'
import { countUsableCores } from '../kit/linux.js'
import { formatCount, formatWhole, parseBandwidth, parsePercentage } from '../kit/numbers.js'
import { describeUnknownKey } from '../kit/option-problems.js'
import { readOpenFilesLimit } from '../kit/runtime.js'
import { LatencyMatrixError, parseLatencyMatrix } from '../network/latency-matrix.js'
import { IMPAIRMENT_OPTIONS, listImpairments } from '../network/link-properties.js'
import { describeNamespaceProblem, readCongestionControls } from '../network/namespaces.js'
import { maxEdgesOf } from '../network/topology.js'
import { churnKind } from '../plan/churn.js'
import { choice, milliseconds, wholeNumber } from '../plan/values.js'

/** @typedef {import('../plan/options.js').Condition} Condition */

/**
 * Condition of options that only a simulated network has.
 *
 * @type {Condition}
 */
const SIMULATED_ONLY = {
  of: 'a simulated network',
  needs: ['network'],
  met: ({ network }) => network === 'simulated',
  otherwise: 'needs --network simulated: js-libp2p has no such queue',
  lacks: 'simulated'
}

/** isSimulated says whether a plan runs in virtual time, where a seed always gives the same result. @param {object} plan */
export const isSimulated = plan => 'network' in plan && plan.network === 'simulated'

/** isImpairable says whether the links of a network can be impaired. @param {{ network: string }} values */
export const isImpairable = ({ network }) => network !== 'loopback'

/** requireImpairable is the condition of options that impair links. @param {Condition['asks']} [asks] @returns {Condition} */
export const requireImpairable = asks => ({
  of: 'a simulated network, or one of namespaces or containers',
  needs: ['network'],
  met: ({ network }) => isImpairable({ network }),
  otherwise: 'needs --network simulated, namespaces or docker: none is made on loopback',
  asks,
  lacks: 'simulated'
})

/** NAMESPACES is the network of namespaces. */
export const NAMESPACES = 'namespaces'

/** DOCKER is the network of containers. */
export const DOCKER = 'docker'

/** hasOwnProcesses says whether nodes are in processes of their own, or few in each. @param {{ network: string }} values */
export const hasOwnProcesses = ({ network }) => network === NAMESPACES || network === DOCKER

/** requireNamespaces is the condition of options of a network of namespaces. @returns {Condition} */
export const requireNamespaces = () => ({
  of: 'a network of namespaces',
  needs: ['network'],
  met: ({ network }) => hasOwnProcesses({ network }),
  otherwise: 'needs --network namespaces or docker',
  lacks: 'simulated'
})

/** requireContainers is the condition of options of a network of containers. @returns {Condition} */
export const requireContainers = () => ({
  of: 'a network of containers',
  needs: ['network'],
  met: ({ network }) => network === DOCKER,
  otherwise: 'needs --network docker',
  lacks: 'simulated'
})

/** requireEdges is the condition of options of nodes whose connections are known beforehand. @returns {Condition} */
export const requireEdges = () => ({
  of: 'a topology with edges',
  needs: ['topology'],
  met: ({ topology }) => topology.kind !== 'rendezvous',
  otherwise: 'does not apply with --topology rendezvous: each node dials the nodes it finds'
})

/** requireRendezvousTopology is the condition of options of nodes that find one another at a rendezvous server. @returns {Condition} */
export const requireRendezvousTopology = () => ({
  of: '--topology rendezvous',
  needs: ['topology'],
  met: ({ topology }) => topology.kind === 'rendezvous',
  otherwise: 'needs --topology rendezvous: other nodes have no server'
})

/** requireOwnIntervals is the condition of options of nodes that publish at intervals of their own. @param {string} why @returns {Condition} */
export const requireOwnIntervals = why => ({
  of: '--publishers every',
  needs: ['publishers'],
  met: ({ publishers }) => publishers === 'every',
  otherwise: `needs --publishers every: ${why}`
})

/**
 * @typedef {import('../network/link-properties.js').Cut} Cut
 * @typedef {import('../network/link-properties.js').NodeRange} NodeRange
 */

const PARTITION_EXAMPLE = 'hold@10s-15s:0-9|10-29'
const PARTITION_FORM = `must be hold or reset, when, and groups of nodes, such as ${PARTITION_EXAMPLE} or reset@10s-15s:0-9|rest`

/** @param {unknown} value - as typed, or as a mapping of YAML: `{ kind: hold, from: 10s, to: 15s, between: ['0-9', rest] }` */
function convertCutToText(value) {
  if (value === null || typeof value !== 'object') return String(value).trim()
  const { kind, from, to, between } = /** @type {Record<string, unknown>} */ (value)
  return `${kind}@${from}-${to}:${[between].flat().join('|')}`
}

/** @param {string} text - `0-4,7` or `rest` @returns {NodeRange[] | undefined} empty: the rest */
function readGroup(text) {
  if (text.trim() === 'rest') return []
  const ranges = text.split(',').map(part => {
    const [, first, last = first] = /^\s*(\d+)(?:\s*-\s*(\d+))?\s*$/.exec(part) ?? []
    return { first: Number(first ?? Number.NaN), last: Number(last ?? Number.NaN) }
  })
  return ranges.every(({ first, last }) => first <= last) ? ranges : undefined
}

/** @param {readonly NodeRange[]} one @param {readonly NodeRange[]} other */
const hasOverlap = (one, other) => one.some(a => other.some(b => a.first <= b.last && b.first <= a.last))

/** @param {(NodeRange[] | undefined)[]} groups @returns {string | null} null: they are valid */
function findGroupsProblem(groups) {
  const known = groups.filter(group => group !== undefined)
  if (known.length < groups.length || groups.length === 0) {
    return `must have groups of nodes by number, such as 0-9 or 0-4,7, or rest: ${PARTITION_EXAMPLE}`
  }
  if (groups.length < 2) return 'must have at least two groups with | between them, such as 0-9|10-29'
  if (known.filter(group => group.length === 0).length > 1) return 'must name the rest once'
  const shared = known.some((group, index) => known.slice(index + 1).some(other => hasOverlap(group, other)))
  return shared ? 'must have each node in one group only' : null
}

/** @param {unknown} value @returns {{ value: Cut } | { allowed: string }} */
function readCut(value) {
  const unknown = isMapping(value) && describeUnknownKey(value, ['kind', 'from', 'to', 'between'])
  if (unknown) return { allowed: unknown }
  const [, kind, from, to, between] =
    /^(hold|reset)\s*@\s*([^-]+?)\s*-\s*([^:]+?)\s*:\s*(.*)$/s.exec(convertCutToText(value)) ?? []
  if (kind !== 'hold' && kind !== 'reset') return { allowed: PARTITION_FORM }
  const [fromMs, toMs] = [milliseconds(from), milliseconds(to)]
  if (!(fromMs >= 0 && fromMs < toMs))
    return {
      allowed: `must have a time and a later one with their units, such as 10s-15s: ${PARTITION_EXAMPLE}`
    }
  const groups = between.split('|').map(readGroup)
  const problem = findGroupsProblem(groups)
  return problem === null
    ? { value: { kind, fromMs, toMs, between: /** @type {NodeRange[][]} */ (groups) } }
    : { allowed: problem }
}

/** @param {readonly NodeRange[]} group */
const writeGroup = group =>
  group.length === 0
    ? 'rest'
    : group.map(({ first, last }) => (first === last ? String(first) : `${first}-${last}`)).join(',')

/** @param {Cut} cut */
const writeCut = ({ kind, fromMs, toMs, between }) =>
  `${kind}@${fromMs}ms-${toMs}ms:${between.map(writeGroup).join('|')}`

/**
 * makePartitionsKind is the kind of --partition, which can be given several times.
 *
 * @returns {import('../plan/values.js').OptionValueKind & { write: (cut: Cut) => string }}
 */
export const makePartitionsKind = () => ({
  allowed: PARTITION_FORM,
  item: readCut,
  write: writeCut,
  schema: z =>
    z.array(
      z.object({
        kind: z.enum(['hold', 'reset']),
        fromMs: z.number().min(0),
        toMs: z.number(),
        between: z.array(z.array(z.object({ first: z.int().min(0), last: z.int().min(0) }))).min(2)
      })
    )
})

/** @typedef {import('../plan/options.js').Option} Option */

/** They belong to a published case. */
const IMPAIRMENT = { only: requireImpairable(), ofCase: true }

/**
 * makeLinkOptions are the options of impaired links. None of them has a default.
 *
 * @param {string} group - of --help
 * @returns {Record<'linkLoss' | 'linkBandwidth' | 'upBandwidth' | 'downBandwidth' | 'partition' | 'churn' | 'sendQueue', Option>}
 */
export const makeLinkOptions = group => ({
  linkLoss: {
    group,
    ...makeLossKind(),
    planKey: 'linkLossShare',
    only: requireImpairable(share => share > 0),
    ofCase: true,
    describe: 'loss of TCP segments in each direction, such as 0.1%; not on loopback'
  },
  linkBandwidth: {
    group,
    ...makeBandwidthKind(),
    ...IMPAIRMENT,
    planKey: 'linkBandwidthBytesPerSecond',
    added: null,
    describe: 'bandwidth of each link direction, such as 10MB/s; not on loopback'
  },
  upBandwidth: {
    group,
    ...makeBandwidthKind(),
    ...IMPAIRMENT,
    planKey: 'upBandwidthBytesPerSecond',
    describe: 'upload bandwidth of a node over all its links, such as 10MB/s; not on loopback'
  },
  downBandwidth: {
    group,
    ...makeBandwidthKind(),
    ...IMPAIRMENT,
    planKey: 'downBandwidthBytesPerSecond',
    added: null,
    describe: 'download bandwidth of a node over all its links, such as 80Mbit/s; not on loopback'
  },
  partition: {
    group,
    defaultText: 'none',
    ...makePartitionsKind(),
    planKey: 'partitions',
    ...IMPAIRMENT,
    added: [],
    describe:
      'groups of nodes that are cut off from each other; hold@10s-15s:0-9|10-29: TCP retries; reset@10s-15s:0-9|rest: connections are closed, then dialled again. Times count from the start of publishing. Can be repeated; not on loopback'
  },
  churn: {
    group,
    ...churnKind({ gossip: true }),
    ofCase: true,
    added: null,
    describe:
      'nodes leave during publishing, and return or are replaced; 10,every=15s,away=5s: every 15s one of 10 ephemeral nodes is killed, and replaced 5s later; 5%/min,away=30s: 5 % of all nodes leave per minute, each for 30s. See docs/churn.md'
  },
  sendQueue: {
    group,
    ...wholeNumber(0, 1_000_000),
    only: SIMULATED_ONLY,
    ofCase: true,
    added: null,
    describe:
      'maximum RPCs waiting per peer of a simulated node; more are refused and counted, as in go-libp2p-pubsub with its queue of 32 (default: no limit)'
  }
})

/** @typedef {import('../plan/values.js').OptionValueKind} OptionValueKind */

/** A share as a percentage, without rounding errors. @param {number} share */
const writePercentage = share => `${Number((share * 100).toPrecision(12))}%`

/**
 * makeLossKind reads a percentage, with or without its sign, as a share from 0 to below 1.
 *
 * @returns {OptionValueKind & { write: (share: number) => string }}
 */
export const makeLossKind = () => ({
  allowed: 'must be a percentage from 0 to below 100, such as 0.1%',
  schema: z =>
    z.preprocess(
      value => parsePercentage(`${String(value).trim().replace(/ ?%$/, '')}%`),
      z.number().min(0).lt(1)
    ),
  write: writePercentage
})

/** makeBandwidthKind reads bytes or bits a second as bytes a second. @returns {OptionValueKind & { write: (bytesPerSecond: number) => string }} */
export const makeBandwidthKind = () => ({
  allowed: 'must be a bandwidth with its unit from 1kB/s to 100GB/s, such as 10MB/s or 80Mbit/s',
  schema: z => z.preprocess(value => parseBandwidth(String(value)), z.number()),
  write: bytesPerSecond => `${bytesPerSecond / 1e6}MB/s`
})

/**
 * @typedef {import('../network/link-properties.js').LatencySpec} LatencySpec
 * @typedef {import('../plan/arrivals.js').ReadText} ReadText
 * @typedef {{ value: LatencySpec } | { allowed: string }} Read
 */

const MAX_LATENCY_MS = 10_000
const RANGE = 'from 0 to 10s'
const FORMS =
  'must be a latency with its unit such as 50ms, or uniform:40ms-60ms, normal:50ms,10ms (mean and standard deviation), lognormal:50ms,20ms or file:<matrix>'

/** @param {string} text @returns {number} ms; NaN: it is no latency */
function parseLatencyMs(text) {
  const ms = milliseconds(text.trim())
  return ms >= 0 && ms <= MAX_LATENCY_MS ? ms : Number.NaN
}

/** Keys of a mapping of YAML, by its kind. @type {Readonly<Record<string, readonly string[]>>} */
const KEYS = {
  constant: ['latency'],
  uniform: ['min', 'max'],
  normal: ['mean', 'sd'],
  lognormal: ['mean', 'sd'],
  file: ['path']
}

/** @param {unknown} value - as typed, or as a mapping of YAML: `{ kind: normal, mean: 50ms, sd: 10ms }` */
function convertLatencyToText(value) {
  if (value === null || typeof value !== 'object') return String(value).trim()
  const { kind, path, latency: constant, mean, sd, min, max } = /** @type {Record<string, unknown>} */ (value)
  if (kind === 'constant') return String(constant)
  const range = kind === 'uniform' ? `${min}-${max}` : `${mean},${sd}`
  return `${kind}:${path ?? range}`
}

/** @param {string} path @param {ReadText} readText @returns {Read} */
function readMatrix(path, readText) {
  if (path === '') return { allowed: 'must name a file after the colon, such as file:latencies.csv' }
  try {
    return { value: { ...parseLatencyMatrix(readText(path)), path } }
  } catch (error) {
    if (error instanceof LatencyMatrixError) return { allowed: `is no matrix of latencies: ${error.message}` }
    return { allowed: describeReadError(error) }
  }
}

/** @param {unknown} value @param {ReadText} readText @returns {Read} */
function readLatency(value, readText) {
  const unknown = isMapping(value) && describeUnknownKey(value, ['kind', ...(KEYS[String(value.kind)] ?? [])])
  if (unknown) return { allowed: unknown }
  const text = convertLatencyToText(value)
  const [, kind, parameters = ''] = /^([a-z]+)\s*:\s*(.*)$/s.exec(text) ?? []
  if (kind === 'file') return readMatrix(parameters, readText)
  if (kind === 'uniform') {
    const [minMs, maxMs, ...more] = parameters.split('-').map(parseLatencyMs)
    return more.length === 0 && minMs <= maxMs
      ? { value: { kind, minMs, maxMs } }
      : { allowed: `must have two latencies ${RANGE}, the smaller one first, such as uniform:40ms-60ms` }
  }
  if (kind === 'normal' || kind === 'lognormal') {
    const [meanMs, sdMs, ...more] = parameters.split(',').map(parseLatencyMs)
    if (more.length === 0 && meanMs > 0 && sdMs >= 0) return { value: { kind, meanMs, sdMs } }
    const example = `${kind}:50ms,10ms`
    return {
      allowed: `must have a mean above 0 and a standard deviation, both up to 10s, such as ${example}`
    }
  }
  const ms = parseLatencyMs(kind === 'constant' ? parameters : text)
  return ms >= 0 ? { value: { kind: 'constant', ms } } : { allowed: `${FORMS}, each ${RANGE}` }
}

/** @param {LatencySpec} spec */
function writeLatency(spec) {
  if (spec.kind === 'constant') return `${spec.ms}ms`
  if (spec.kind === 'uniform') return `uniform:${spec.minMs}ms-${spec.maxMs}ms`
  if (spec.kind === 'matrix') return `file:${spec.path}`
  return `${spec.kind}:${spec.meanMs}ms,${spec.sdMs}ms`
}

/**
 * makeLatencyKind is the kind of --linkLatency where each link can have its own. A file is read here, so that a plan is complete.
 *
 * @param {ReadText} [readText]
 * @returns {import('../plan/values.js').OptionValueKind & { write: (spec: LatencySpec) => string }}
 */
export const makeLatencyKind = (readText = readTextSync) => ({
  allowed: FORMS,
  read: value => readLatency(value, readText),
  schema: z =>
    z.preprocess(
      value => {
        const spec = typeof value === 'string' ? readLatency(value, readText) : { value }
        return 'value' in spec ? spec.value : undefined
      },
      // a plan has a number if all links have the same latency
      z.union([z.looseObject({ kind: z.string() }), z.number().min(0)])
    ),
  write: writeLatency
})

/** @typedef {import('../network/link-properties.js').JitterSpec} JitterSpec */

/** DEFAULT_JITTER is the default jitter of a link: a hundredth of its latency. @type {Readonly<JitterSpec>} */
export const DEFAULT_JITTER = { kind: 'share', share: 0.01 }

/** @param {unknown} value @returns {JitterSpec | undefined} */
function readJitter(value) {
  const text = String(value).trim()
  const share = parsePercentage(text)
  if (!Number.isNaN(share)) return share <= 1 ? { kind: 'share', share } : undefined
  const ms = milliseconds(text)
  return ms >= 0 && ms <= MAX_LATENCY_MS ? { kind: 'time', ms } : undefined
}

/**
 * makeJitterKind is the kind of --linkJitter: a share of each link's latency, or a time.
 *
 * @returns {import('../plan/values.js').OptionValueKind & { write: (spec: JitterSpec) => string }}
 */
export const makeJitterKind = () => ({
  allowed:
    'must be a percentage of the latency from 0% to 100%, or a time with its unit up to 10s, such as 1% or 5ms',
  schema: z =>
    z.preprocess(
      value => (value !== null && typeof value === 'object' ? value : readJitter(value)),
      z.looseObject({ kind: z.enum(['share', 'time']) })
    ),
  write: spec => (spec.kind === 'share' ? writePercentage(spec.share) : `${spec.ms}ms`)
})

/**
 * countNodes is the number of nodes: of a topology file, or of --nodes.
 *
 * @param {Record<string, any>} values
 * @returns {number}
 */
export const countNodes = ({ topology, nodes }) => (topology.kind === 'file' ? topology.nodes : nodes)

/** @typedef {import('../plan/options.js').Rule} Rule */

/** The congestion control of this machine. */
const HOST_CONTROL = 'host'

/** limitToNamespaces makes a rule for networks of namespaces or containers alone. @param {Pick<Rule, 'flag' | 'needs' | 'refuse'>} rule @returns {Rule} */
export const limitToNamespaces = ({ needs = [], refuse, ...rule }) => ({
  ...rule,
  needs: ['network', ...needs],
  refuse: (values, explicit) => hasOwnProcesses(/** @type {any} */ (values)) && refuse(values, explicit)
})

/** makeNamespacesRule refuses namespaces on machines that cannot make them. @param {string} [instead] - what can be run */
const makeNamespacesRule = instead =>
  limitToNamespaces({
    flag: 'network',
    refuse: ({ network }) => network === NAMESPACES && describeNamespaceProblem(instead)
  })

/** NAMESPACE_RULES refuse what namespaces cannot do at all, or on this machine. @type {readonly Rule[]} */
export const NAMESPACE_RULES = [
  makeNamespacesRule(),
  limitToNamespaces({
    flag: 'workers',
    needs: ['nodes', 'topology', 'churn', ...IMPAIRMENT_OPTIONS],
    refuse: values => {
      const nodes = countNodes(values)
      const impairments = [...listImpairments(values), ...(values.churn === undefined ? [] : ['churn'])]
      return (
        values.network === NAMESPACES &&
        values.workers < nodes &&
        impairments.length > 0 &&
        `must be --nodes ${formatWhole(nodes)} with --${impairments[0]}: nodes that share a namespace bypass every impairment`
      )
    }
  }),
  limitToNamespaces({
    flag: 'topology',
    refuse: ({ topology, network }) =>
      topology.kind === 'rendezvous' &&
      `cannot be rendezvous with --network ${network}: the server is outside this network`
  }),
  limitToNamespaces({
    flag: 'congestionControl',
    refuse: ({ congestionControl: name = HOST_CONTROL }) => {
      const allowed = readCongestionControls()
      return (
        name !== HOST_CONTROL &&
        !allowed.includes(name) &&
        `must be ${HOST_CONTROL} or one of ${allowed.join(', ')}: nothing else is in /proc/sys/net/ipv4/tcp_allowed_congestion_control here`
      )
    }
  })
]

/** Any machine carries so many nodes, if its connections may have enough open files. */
const MAX_SMALL_NODES = 50

/** @returns {Machine} */
function readMachine() {
  const constrained = process.constrainedMemory?.() ?? 0
  const memoryBytes = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
  return { cores: countUsableCores(), memoryBytes, openFiles: readOpenFilesLimit() }
}

/**
 * findSizeProblem says why a network is too large for a machine.
 *
 * @param {Record<string, any>} values - of options, by flag
 * @param {Machine} machine
 * @returns {string | null} the end of a sentence that begins with the number of nodes; null: it can
 */
export function findSizeProblem({ workers, topology, network, nodesPerContainer = 1, ...values }, machine) {
  const nodes = countNodes({ topology, ...values })
  const apart = hasOwnProcesses({ network }) ? nodesPerContainer : null
  const spread =
    workers ?? (apart === null ? Math.min(machine.cores, nodes) : Math.ceil(nodes / nodesPerContainer))
  const inContainers = network === DOCKER
  const carried = estimateCarriedNodes({ topology, workers: spread, nodes, apart, inContainers }, machine)
  if (nodes <= MAX_SMALL_NODES && apart === null) Object.assign(carried, { cores: nodes, memoryBytes: nodes })
  const max = Math.min(...Object.values(carried))
  if (max >= nodes) return null
  const memory = `${(machine.memoryBytes / 2 ** 30).toFixed(1)} GiB of memory`
  const reasons = {
    cores: `${formatCount(Math.min(machine.cores, spread), 'core')} for their heartbeats alone`,
    memoryBytes: memory,
    openFiles: `${formatWhole(machine.openFiles)} open files for each of ${formatCount(spread, 'worker')}`
  }
  const short = /** @type {(keyof Machine)[]} */ (Object.keys(reasons)).filter(
    thing => carried[thing] < nodes
  )
  const why = short.map(thing => `${reasons[thing]} (${formatWhole(carried[thing])})`).join(', ')
  return `must be at most about ${formatWhole(max)} ${inContainers ? 'in containers' : 'on real TCP'}, as an estimate for this machine: ${why}; or use --network simulated`
}

/**
 * findProcessesProblem says why this machine has no memory for so many processes with a node each.
 *
 * @param {number} processes
 * @param {Pick<Machine, 'memoryBytes'>} [machine]
 * @returns {string | null} null: it has
 */
export function findProcessesProblem(processes, { memoryBytes } = readMachine()) {
  const max = Math.floor((memoryBytes * MEMORY_SHARE) / (MEMORY.process + MEMORY.node))
  if (processes <= max) return null
  return `makes ${formatWhole(processes)} processes, and ${formatWhole(max)} fit into ${(memoryBytes / 2 ** 30).toFixed(1)} GiB of memory, by estimate: ask for fewer`
}

/** MACHINE_RULES refuse networks that are too large for this machine. @type {readonly Rule[]} */
export const MACHINE_RULES = ['nodes', 'topology'].map(flag => ({
  flag,
  needs: ['nodes', 'topology', 'network', 'workers', 'nodesPerContainer'],
  refuse: values =>
    values.network !== 'simulated' &&
    // the option that sets the number of nodes
    (values.topology.kind === 'file') === (flag === 'topology') &&
    findSizeProblem(values, readMachine())
}))

/**
 * @typedef {import('./gossip/options.js').TopologySpec} TopologySpec
 *
 * @typedef {object} Machine
 * @property {number} cores
 * @property {number} memoryBytes
 * @property {number} openFiles - that a process may have; Infinity: any number
 */

/** CPU seconds per second of a node that only sends heartbeats: the least that was measured (2 to 3.5 ms on busy cores). */
const IDLE_CORES = 0.0015
/** Resident memory, measured with 100 nodes and 564 connections (512 MB in two processes) and with 300 and 1,764 (884 MB). */
const MEMORY = { process: 120e6, node: 0.1e6, connection: 0.35e6, container: 20e6 }
/** The rest is for other programs. */
const MEMORY_SHARE = 0.8
/** Open files of a process without nodes. */
const OWN_FILES = 100

/** @param {TopologySpec} topology @param {number} nodes @returns {number} connections */
function countConnections(topology, nodes) {
  if (topology.kind === 'rendezvous') return nodes * topology.k
  if (topology.kind === 'file') return (topology.edges.length * nodes) / topology.nodes
  return maxEdgesOf(topology, nodes)
}

/**
 * estimateCarriedNodes estimates how many nodes a machine carries as whole libp2p nodes on TCP that publish nothing. More do not work.
 *
 * @param {object} network
 * @param {TopologySpec} network.topology
 * @param {number} network.workers
 * @param {number} network.nodes - that are wanted
 * @param {number | null} network.apart - nodes of each process; null: they share `workers`
 * @param {boolean} network.inContainers
 * @param {Machine} machine
 * @returns {Readonly<Record<keyof Machine, number>>} by resource; `nodes`, if the resource is sufficient
 */
function estimateCarriedNodes(
  { topology, workers, nodes, apart, inContainers },
  { cores, memoryBytes, openFiles }
) {
  const processesOf = (/** @type {number} */ n) => (apart === null ? workers : Math.ceil(n / apart))
  const processBytes = MEMORY.process + (inContainers ? MEMORY.container : 0)
  const bytesOf = (/** @type {number} */ n) =>
    processesOf(n) * processBytes + n * MEMORY.node + countConnections(topology, n) * MEMORY.connection
  // each node listens, and this machine has both ends of a connection
  const filesOf = (/** @type {number} */ n) =>
    OWN_FILES + (n + 2 * countConnections(topology, n)) / processesOf(n)
  return {
    cores: findLargest(nodes, n => n * IDLE_CORES <= Math.min(cores, workers)),
    memoryBytes: findLargest(nodes, n => bytesOf(n) <= memoryBytes * MEMORY_SHARE),
    openFiles: findLargest(nodes, n => filesOf(n) <= openFiles)
  }
}

/** @param {number} max @param {(n: number) => boolean} fits - up to some number @returns {number} the largest number that fits; 0: none */
function findLargest(max, fits) {
  let [low, high] = [0, max]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle - 1
  }
  return low
}

/** isOfNamespaces says whether a network of namespaces is chosen. @param {Record<string, any>} values - of options, by flag */
export const isOfNamespaces = ({ network }) => network === NAMESPACES

/** @type {Readonly<Condition>} */
const REQUIRE_NAMESPACES = Object.freeze({
  of: 'a network of namespaces',
  needs: ['network'],
  met: isOfNamespaces,
  otherwise: 'needs --network namespaces: loopback does not support it'
})

/** @param {Partial<Option>} row @returns {Option} */
const makeNamespaceOption = row =>
  /** @type {Option} */ ({ ...row, only: REQUIRE_NAMESPACES, notIn: undefined, ofCase: true, added: null })

/**
 * makeNamespaceOptions are the options of a network of namespaces, for scenarios without other networks of links.
 *
 * @param {string} group - of --help
 * @param {string} joined - what --network namespaces puts where
 * @returns {Record<'network' | 'linkLoss', Option>}
 */
export const makeNamespaceOptions = (group, joined) => ({
  network: {
    group,
    default: 'loopback',
    ...choice(['loopback', NAMESPACES]),
    added: 'loopback',
    describe: `how processes are connected; loopback: TCP on this host; namespaces: kernel TCP over links with loss. ${joined}. See docs/links.md`
  },
  linkLoss: makeNamespaceOption({
    ...makeLinkOptions(group).linkLoss,
    describe: 'packet loss between namespaces, in each direction, such as 0.1%'
  })
})

/**
 * makeClientLinkOptions are further options of links between clients and a server.
 *
 * @param {string} group - of --help
 * @returns {Record<'linkLatency' | 'upBandwidth', Option>}
 */
export const makeClientLinkOptions = group => ({
  linkLatency: makeNamespaceOption({
    group,
    ...makeLatencyKind(),
    describe:
      'one-way latency between namespaces, such as 50ms; per link: uniform:40ms-60ms, normal:50ms,10ms or lognormal:50ms,20ms (mean, standard deviation), or file:<matrix> of nodes or regions'
  }),
  upBandwidth: makeNamespaceOption({
    ...makeLinkOptions(group).upBandwidth,
    describe: 'upload bandwidth of a namespace over all its links, such as 10MB/s'
  })
})

/**
 * makeLinkRules refuse namespaces that this machine cannot make.
 *
 * @param {readonly string[]} needs - options that set the number of namespaces
 * @param {(values: Record<string, any>) => number} namespacesOf
 * @returns {Rule[]}
 */
export const makeLinkRules = (needs, namespacesOf) => [
  makeNamespacesRule('or leave it out: TCP on this host loses nothing'),
  limitToNamespaces({ flag: 'network', needs, refuse: values => findProcessesProblem(namespacesOf(values)) })
]
