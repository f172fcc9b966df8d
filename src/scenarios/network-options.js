// Options of the network between nodes.
import { totalmem } from 'node:os'
import { isMapping, readTextSync, unreadable } from '../kit/files.js'
import { usableCores } from '../kit/linux.js'
import { bandwidthIn, counted, grouped, shareIn } from '../kit/numbers.js'
import { unknownKey } from '../kit/option-problems.js'
import { openFilesAllowed } from '../kit/runtime.js'
import { LatencyMatrixError, parseLatencyMatrix } from '../network/latency-matrix.js'
import { IMPAIRING, impairments } from '../network/link-properties.js'
import { congestionControls, namespacesLack } from '../network/namespaces.js'
import { mostEdges } from '../network/topology.js'
import { churn } from '../plan/churn.js'
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

/** isImpairable says whether the links of a network can be impaired. @param {{ network: string }} values */
export const isImpairable = ({ network }) => network !== 'loopback'

/** impaired is the condition of options that impair links. @param {Condition['asks']} [asks] @returns {Condition} */
export const impaired = asks => ({
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

/** isApart says whether nodes are in processes of their own, or few in each. @param {{ network: string }} values */
export const isApart = ({ network }) => network === NAMESPACES || network === DOCKER

/** namespaces is the condition of options of a network of namespaces. @returns {Condition} */
export const namespaces = () => ({
  of: 'a network of namespaces',
  needs: ['network'],
  met: ({ network }) => isApart({ network }),
  otherwise: 'needs --network namespaces or docker',
  lacks: 'simulated'
})

/** containers is the condition of options of a network of containers. @returns {Condition} */
export const containers = () => ({
  of: 'a network of containers',
  needs: ['network'],
  met: ({ network }) => network === DOCKER,
  otherwise: 'needs --network docker',
  lacks: 'simulated'
})

/** withEdges is the condition of options of nodes whose connections are known beforehand. @returns {Condition} */
export const withEdges = () => ({
  of: 'a topology with edges',
  needs: ['topology'],
  met: ({ topology }) => topology.kind !== 'rendezvous',
  otherwise: 'has no use with --topology rendezvous: each node dials whom it finds'
})

/** withRendezvous is the condition of options of nodes that find one another at a rendezvous server. @returns {Condition} */
export const withRendezvous = () => ({
  of: '--topology rendezvous',
  needs: ['topology'],
  met: ({ topology }) => topology.kind === 'rendezvous',
  otherwise: 'needs --topology rendezvous: other nodes have no server'
})

/** ownIntervals is the condition of options of nodes that publish at intervals of their own. @param {string} why @returns {Condition} */
export const ownIntervals = why => ({
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
function cutAsText(value) {
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
const overlap = (one, other) => one.some(a => other.some(b => a.first <= b.last && b.first <= a.last))

/** @param {(NodeRange[] | undefined)[]} groups @returns {string | null} null: they are valid */
function groupsProblem(groups) {
  const known = groups.filter(group => group !== undefined)
  if (known.length < groups.length || groups.length === 0) {
    return `must have groups of nodes by number, such as 0-9 or 0-4,7, or rest: ${PARTITION_EXAMPLE}`
  }
  if (groups.length < 2) return 'must have at least two groups with | between them, such as 0-9|10-29'
  if (known.filter(group => group.length === 0).length > 1) return 'must name the rest once'
  const shared = known.some((group, index) => known.slice(index + 1).some(other => overlap(group, other)))
  return shared ? 'must have each node in one group only' : null
}

/** @param {unknown} value @returns {{ value: Cut } | { allowed: string }} */
function readCut(value) {
  const unknown = isMapping(value) && unknownKey(value, ['kind', 'from', 'to', 'between'])
  if (unknown) return { allowed: unknown }
  const [, kind, from, to, between] =
    /^(hold|reset)\s*@\s*([^-]+?)\s*-\s*([^:]+?)\s*:\s*(.*)$/s.exec(cutAsText(value)) ?? []
  if (kind !== 'hold' && kind !== 'reset') return { allowed: PARTITION_FORM }
  const [fromMs, toMs] = [milliseconds(from), milliseconds(to)]
  if (!(fromMs >= 0 && fromMs < toMs))
    return {
      allowed: `must have a time and a later one with their units, such as 10s-15s: ${PARTITION_EXAMPLE}`
    }
  const groups = between.split('|').map(readGroup)
  const problem = groupsProblem(groups)
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
 * partitions is the kind of --partition, which can be given several times.
 *
 * @returns {import('../plan/values.js').Kind & { write: (cut: Cut) => string }}
 */
export const partitions = () => ({
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
const OF_A_CASE = { only: impaired(), ofCase: true }

/**
 * linkOptions are the options of impaired links. None of them has a default.
 *
 * @param {string} group - of --help
 * @returns {Record<'linkLoss' | 'linkBandwidth' | 'upBandwidth' | 'downBandwidth' | 'partition' | 'churn' | 'sendQueue', Option>}
 */
export const linkOptions = group => ({
  linkLoss: {
    group,
    ...lossPercentage(),
    planKey: 'linkLossShare',
    only: impaired(share => share > 0),
    ofCase: true,
    describe:
      'of the TCP segments of a link that is simulated, or between namespaces or containers, in each direction, such as 0.1%'
  },
  linkBandwidth: {
    group,
    ...bandwidth(),
    ...OF_A_CASE,
    planKey: 'linkBandwidthBytesPerSecond',
    added: null,
    describe:
      'of each direction of a link that is simulated, or between namespaces or containers, such as 10MB/s'
  },
  upBandwidth: {
    group,
    ...bandwidth(),
    ...OF_A_CASE,
    planKey: 'upBandwidthBytesPerSecond',
    describe:
      'of what leaves a node that is simulated, or in a namespace or container, all its links together, such as 10MB/s'
  },
  downBandwidth: {
    group,
    ...bandwidth(),
    ...OF_A_CASE,
    planKey: 'downBandwidthBytesPerSecond',
    added: null,
    describe:
      'of what reaches a node that is simulated, or in a namespace or container, all its links together, such as 80Mbit/s'
  },
  partition: {
    group,
    defaultText: 'none',
    ...partitions(),
    planKey: 'partitions',
    ...OF_A_CASE,
    added: [],
    describe:
      'groups of nodes, simulated or in namespaces or containers, that are cut off from each other, in time since publishing began: hold@10s-15s:0-9|10-29 (TCP goes on trying), or reset@10s-15s:0-9|rest (connections are closed, and made again afterwards); can be repeated'
  },
  churn: {
    group,
    ...churn({ gossip: true }),
    ofCase: true,
    added: null,
    describe:
      'nodes leave while messages are published, and return as themselves or are replaced by new ones, such as 10,every=15s,away=5s: of 10 ephemeral nodes one is killed every 15s, and 5s later a new one takes its place; or 5%/min,away=30s: so many of all nodes in a minute, each for 30s. See docs/churn.md'
  },
  sendQueue: {
    group,
    ...wholeNumber(0, 1_000_000),
    only: SIMULATED_ONLY,
    ofCase: true,
    added: null,
    describe:
      'RPCs that may wait for a peer at a simulated node, as in go-libp2p-pubsub, whose queue is 32: the next one is refused and counted; without it all wait'
  }
})

/** @typedef {import('../plan/values.js').Kind} Kind */

/** A share as a percentage, without rounding errors. @param {number} share */
const percentage = share => `${Number((share * 100).toPrecision(12))}%`

/**
 * lossPercentage reads a percentage, with or without its sign, as a share from 0 to below 1.
 *
 * @returns {Kind & { write: (share: number) => string }}
 */
export const lossPercentage = () => ({
  allowed: 'must be a percentage from 0 to below 100, such as 0.1%',
  schema: z =>
    z.preprocess(value => shareIn(`${String(value).trim().replace(/ ?%$/, '')}%`), z.number().min(0).lt(1)),
  write: percentage
})

/** bandwidth reads bytes or bits a second as bytes a second. @returns {Kind & { write: (bytesPerSecond: number) => string }} */
export const bandwidth = () => ({
  allowed: 'must be a bandwidth with its unit from 1kB/s to 100GB/s, such as 10MB/s or 80Mbit/s',
  schema: z => z.preprocess(value => bandwidthIn(String(value)), z.number()),
  write: bytesPerSecond => `${bytesPerSecond / 1e6}MB/s`
})

/**
 * @typedef {import('../network/link-properties.js').LatencySpec} LatencySpec
 * @typedef {(path: string) => string} ReadText - throws when there is no such file
 * @typedef {{ value: LatencySpec } | { allowed: string }} Read
 */

const MAX_LATENCY_MS = 10_000
const RANGE = 'from 0 to 10s'
const FORMS =
  'must be a latency with its unit such as 50ms, or uniform:40ms-60ms, normal:50ms,10ms (mean and standard deviation), lognormal:50ms,20ms or file:<matrix>'

/** @param {string} text @returns {number} ms; NaN: it is no latency */
function latency(text) {
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
function latencyAsText(value) {
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
    return { allowed: unreadable(error) }
  }
}

/** @param {unknown} value @param {ReadText} readText @returns {Read} */
function readLatency(value, readText) {
  const unknown = isMapping(value) && unknownKey(value, ['kind', ...(KEYS[String(value.kind)] ?? [])])
  if (unknown) return { allowed: unknown }
  const text = latencyAsText(value)
  const [, kind, parameters = ''] = /^([a-z]+)\s*:\s*(.*)$/s.exec(text) ?? []
  if (kind === 'file') return readMatrix(parameters, readText)
  if (kind === 'uniform') {
    const [minMs, maxMs, ...more] = parameters.split('-').map(latency)
    return more.length === 0 && minMs <= maxMs
      ? { value: { kind, minMs, maxMs } }
      : { allowed: `must have two latencies ${RANGE}, the smaller one first, such as uniform:40ms-60ms` }
  }
  if (kind === 'normal' || kind === 'lognormal') {
    const [meanMs, sdMs, ...more] = parameters.split(',').map(latency)
    if (more.length === 0 && meanMs > 0 && sdMs >= 0) return { value: { kind, meanMs, sdMs } }
    const example = `${kind}:50ms,10ms`
    return {
      allowed: `must have a mean above 0 and a standard deviation, both up to 10s, such as ${example}`
    }
  }
  const ms = latency(kind === 'constant' ? parameters : text)
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
 * linkLatency is the kind of --linkLatency where each link can have its own. A file is read here, so that a plan is complete.
 *
 * @param {ReadText} [readText]
 * @returns {import('../plan/values.js').Kind & { write: (spec: LatencySpec) => string }}
 */
export const linkLatency = (readText = readTextSync) => ({
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

/** USUAL_JITTER is the default jitter of a link: a hundredth of its latency. @type {Readonly<JitterSpec>} */
export const USUAL_JITTER = { kind: 'share', share: 0.01 }

/** @param {unknown} value @returns {JitterSpec | undefined} */
function readJitter(value) {
  const text = String(value).trim()
  const share = shareIn(text)
  if (!Number.isNaN(share)) return share <= 1 ? { kind: 'share', share } : undefined
  const ms = milliseconds(text)
  return ms >= 0 && ms <= MAX_LATENCY_MS ? { kind: 'time', ms } : undefined
}

/**
 * linkJitter is the kind of --linkJitter: a share of each link's latency, or a time.
 *
 * @returns {import('../plan/values.js').Kind & { write: (spec: JitterSpec) => string }}
 */
export const linkJitter = () => ({
  allowed:
    'must be a percentage of the latency from 0% to 100%, or a time with its unit up to 10s, such as 1% or 5ms',
  schema: z =>
    z.preprocess(
      value => (value !== null && typeof value === 'object' ? value : readJitter(value)),
      z.looseObject({ kind: z.enum(['share', 'time']) })
    ),
  write: spec => (spec.kind === 'share' ? percentage(spec.share) : `${spec.ms}ms`)
})

/**
 * nodeCount is the number of nodes: of a topology file, or of --nodes.
 *
 * @param {Record<string, any>} values
 * @returns {number}
 */
export const nodeCount = ({ topology, nodes }) => (topology.kind === 'file' ? topology.nodes : nodes)

/** @typedef {import('../plan/options.js').Rule} Rule */

/** The congestion control of this machine. */
const HOST = 'host'

/** inNamespaces makes a rule for networks of namespaces or containers alone. @param {Pick<Rule, 'flag' | 'needs' | 'refuse'>} rule @returns {Rule} */
export const inNamespaces = ({ needs = [], refuse, ...rule }) => ({
  ...rule,
  needs: ['network', ...needs],
  refuse: (values, given) => isApart(/** @type {any} */ (values)) && refuse(values, given)
})

/** namespacesNeeded refuses namespaces on machines that cannot make them. @param {string} [instead] - what can be run */
const namespacesNeeded = instead =>
  inNamespaces({
    flag: 'network',
    refuse: ({ network }) => network === NAMESPACES && namespacesLack(instead)
  })

/** NAMESPACE_RULES refuse what namespaces cannot do at all, or on this machine. @type {readonly Rule[]} */
export const NAMESPACE_RULES = [
  namespacesNeeded(),
  inNamespaces({
    flag: 'workers',
    needs: ['nodes', 'topology', 'churn', ...IMPAIRING],
    refuse: values => {
      const nodes = nodeCount(values)
      const asked = [...impairments(values), ...(values.churn === undefined ? [] : ['churn'])]
      return (
        values.network === NAMESPACES &&
        values.workers < nodes &&
        asked.length > 0 &&
        `must be --nodes ${grouped(nodes)} with --${asked[0]}: nodes that share a namespace meet past every impairment`
      )
    }
  }),
  inNamespaces({
    flag: 'topology',
    refuse: ({ topology, network }) =>
      topology.kind === 'rendezvous' &&
      `cannot be rendezvous with --network ${network}: the server is outside of them`
  }),
  inNamespaces({
    flag: 'congestionControl',
    refuse: ({ congestionControl: name = HOST }) => {
      const allowed = congestionControls()
      return (
        name !== HOST &&
        !allowed.includes(name) &&
        `must be ${HOST} or one of ${allowed.join(', ')}: nothing else is in /proc/sys/net/ipv4/tcp_allowed_congestion_control here`
      )
    }
  })
]

/** Any machine carries so many nodes, if its connections may have enough open files. */
const SMALL = 50

/** @returns {Machine} */
function thisMachine() {
  const constrained = process.constrainedMemory?.() ?? 0
  const memoryBytes = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
  return { cores: usableCores(), memoryBytes, openFiles: openFilesAllowed() }
}

/**
 * tooLarge says why a network is too large for a machine.
 *
 * @param {Record<string, any>} values - of options, by flag
 * @param {Machine} machine
 * @returns {string | null} the end of a sentence that begins with the number of nodes; null: it can
 */
export function tooLarge({ workers, topology, network, nodesPerContainer = 1, ...values }, machine) {
  const nodes = nodeCount({ topology, ...values })
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
    cores: `${counted(Math.min(machine.cores, spread), 'core')} for their heartbeats alone`,
    memoryBytes: memory,
    openFiles: `${grouped(machine.openFiles)} open files for each of ${counted(spread, 'worker')}`
  }
  const short = /** @type {(keyof Machine)[]} */ (Object.keys(reasons)).filter(
    thing => carried[thing] < nodes
  )
  const why = short.map(thing => `${reasons[thing]} (${grouped(carried[thing])})`).join(', ')
  return `must be at most about ${grouped(most)} ${inContainers ? 'in containers' : 'on real TCP'}, by estimate of what this machine has: ${why}; or take --network simulated`
}

/**
 * processesTooMany says why this machine has no memory for so many processes with a node each.
 *
 * @param {number} processes
 * @param {Pick<Machine, 'memoryBytes'>} [machine]
 * @returns {string | null} null: it has
 */
export function processesTooMany(processes, { memoryBytes } = thisMachine()) {
  const most = Math.floor((memoryBytes * MEMORY_SHARE) / (MEMORY.process + MEMORY.node))
  if (processes <= most) return null
  return `makes ${grouped(processes)} processes, and ${grouped(most)} fit into ${(memoryBytes / 2 ** 30).toFixed(1)} GiB of memory, by estimate: ask for fewer`
}

/** MACHINE_RULES refuse networks that are too large for this machine. @type {readonly Rule[]} */
export const MACHINE_RULES = ['nodes', 'topology'].map(flag => ({
  flag,
  needs: ['nodes', 'topology', 'network', 'workers', 'nodesPerContainer'],
  refuse: values =>
    values.network !== 'simulated' &&
    // the option that sets the number of nodes
    (values.topology.kind === 'file') === (flag === 'topology') &&
    tooLarge(values, thisMachine())
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
function connectionsOf(topology, nodes) {
  if (topology.kind === 'rendezvous') return nodes * topology.k
  if (topology.kind === 'file') return (topology.edges.length * nodes) / topology.nodes
  return mostEdges(topology, nodes)
}

/**
 * carriedNodes estimates how many nodes a machine carries as whole libp2p nodes on TCP that publish nothing. More do not work.
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
function carriedNodes({ topology, workers, nodes, apart, inContainers }, { cores, memoryBytes, openFiles }) {
  const processesOf = (/** @type {number} */ n) => (apart === null ? workers : Math.ceil(n / apart))
  const processBytes = MEMORY.process + (inContainers ? MEMORY.container : 0)
  const bytesOf = (/** @type {number} */ n) =>
    processesOf(n) * processBytes + n * MEMORY.node + connectionsOf(topology, n) * MEMORY.connection
  // each node listens, and this machine has both ends of a connection
  const filesOf = (/** @type {number} */ n) =>
    OWN_FILES + (n + 2 * connectionsOf(topology, n)) / processesOf(n)
  return {
    cores: largest(nodes, n => n * IDLE_CORES <= Math.min(cores, workers)),
    memoryBytes: largest(nodes, n => bytesOf(n) <= memoryBytes * MEMORY_SHARE),
    openFiles: largest(nodes, n => filesOf(n) <= openFiles)
  }
}

/** @param {number} most @param {(n: number) => boolean} fits - up to some number @returns {number} the largest number that fits; 0: none */
function largest(most, fits) {
  let [low, high] = [0, most]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle - 1
  }
  return low
}

/** isJoined says whether a network of namespaces is chosen. @param {Record<string, any>} values - of options, by flag */
export const isJoined = ({ network }) => network === NAMESPACES

/** @type {Readonly<Condition>} */
const ONLY = Object.freeze({
  of: 'a network of namespaces',
  needs: ['network'],
  met: isJoined,
  otherwise: 'needs --network namespaces: on loopback there is nothing of the kind'
})

/** @param {Partial<Option>} row @returns {Option} */
const between = row =>
  /** @type {Option} */ ({ ...row, only: ONLY, notIn: undefined, ofCase: true, added: null })

/**
 * linkTable are the options of a network of namespaces, for scenarios without other networks of links.
 *
 * @param {string} group - of --help
 * @param {string} joined - what --network namespaces puts where
 * @returns {Record<'network' | 'linkLoss', Option>}
 */
export const linkTable = (group, joined) => ({
  network: {
    group,
    default: 'loopback',
    ...choice(['loopback', NAMESPACES]),
    added: 'loopback',
    describe: `what joins the processes; loopback: TCP on this host; namespaces: TCP of the kernel over links with losses: ${joined}, see docs/namespaces.md`
  },
  linkLoss: between({
    ...linkOptions(group).linkLoss,
    describe: 'of the packets between namespaces, in each direction, such as 0.1%'
  })
})

/**
 * clientLinks are further options of links between clients and a server.
 *
 * @param {string} group - of --help
 * @returns {Record<'linkLatency' | 'upBandwidth', Option>}
 */
export const clientLinks = group => ({
  linkLatency: between({
    group,
    ...linkLatency(),
    describe:
      'one way, between namespaces, such as 50ms; each link can have its own: uniform:40ms-60ms, normal:50ms,10ms (mean, standard deviation), lognormal:50ms,20ms, or file:<matrix> of nodes or regions'
  }),
  upBandwidth: between({
    ...linkOptions(group).upBandwidth,
    describe: 'of what leaves a namespace, all its links together, such as 10MB/s'
  })
})

/**
 * linkRules refuse namespaces that this machine cannot make.
 *
 * @param {readonly string[]} needs - options that set the number of namespaces
 * @param {(values: Record<string, any>) => number} namespacesOf
 * @returns {Rule[]}
 */
export const linkRules = (needs, namespacesOf) => [
  namespacesNeeded('or leave it out: TCP on this host loses nothing'),
  inNamespaces({ flag: 'network', needs, refuse: values => processesTooMany(namespacesOf(values)) })
]
