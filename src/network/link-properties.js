// The latency, jitter, loss and bandwidth of each link of a plan, drawn from its seed. Also the schedule of network
// partitions.
import { computeSum } from '../kit/collections.js'
import { computeLogarithm } from '../kit/random.js'

/** Options by which something is asked of links, and what a plan has of each. */
const IMPAIRMENT_KEYS = Object.freeze({
  linkLatency: ['linkLatencyMs', 'linkLatencies'],
  linkLoss: ['linkLossShare'],
  linkBandwidth: ['linkBandwidthBytesPerSecond'],
  upBandwidth: ['upBandwidthBytesPerSecond'],
  downBandwidth: ['downBandwidthBytesPerSecond'],
  partition: ['partitions'],
  linkJitter: ['linkJitter'],
  topology: ['topology'],
  networkFile: ['networkFile']
})

/** IMPAIRMENT_OPTIONS are all options that `impairments` looks at. */
export const IMPAIRMENT_OPTIONS = Object.keys(IMPAIRMENT_KEYS)

/** A share is one of the latency: nothing, where that is not asked for. @param {any} value @param {string} key */
function isImpairment(value, key) {
  if (key === 'topology') return describesTopologyLinks(value)
  if (key === 'networkFile')
    return (
      describesLinks(value) ||
      value?.script.some((/** @type {{ action: string }} */ { action }) => action === 'partition')
    )
  return value != null && value !== 0 && value.length !== 0 && value.ms !== 0 && value.kind !== 'share'
}

/** @param {import('../scenarios/gossip/plan/network-file.js').NetworkFile | null} [file] */
const describesLinks = file =>
  file != null &&
  (file.zones !== null ||
    file.classes.some(each => each.upBytesPerSecond !== null || each.downBytesPerSecond !== null))

/**
 * hasLinkData says whether links or nodes of a plan differ in what they carry.
 *
 * @param {{ topology?: Parameters<typeof describesTopologyLinks>[0], networkFile?: Parameters<typeof describesLinks>[0] }} plan
 */
export const hasLinkData = ({ topology, networkFile }) =>
  describesTopologyLinks(topology) || describesLinks(networkFile)

/**
 * describesTopologyLinks says whether a topology has data of links or nodes, which only a file has.
 *
 * @param {{ kind: string, links?: readonly unknown[], hosts?: readonly unknown[] }} [topology]
 */
const describesTopologyLinks = topology => (topology?.links ?? topology?.hosts) !== undefined

/**
 * listImpairments names the options by which something is done to links that a network does not do by itself.
 *
 * @param {Record<string, any>} values - of options, by flag
 */
export const listImpairments = values => IMPAIRMENT_OPTIONS.filter(flag => isImpairment(values[flag], flag))

/**
 * hasImpairments says whether a plan has any.
 *
 * @param {Pick<import('../scenarios/gossip/options.js').GossipPlan, 'linkLatencyMs' | 'linkLatencies' | 'linkJitter' |
 *   'linkLossShare' | 'linkBandwidthBytesPerSecond' | 'upBandwidthBytesPerSecond' | 'downBandwidthBytesPerSecond' | 'partitions' | 'topology' | 'networkFile'>} plan
 */
export const hasImpairments = plan =>
  Object.values(IMPAIRMENT_KEYS)
    .flat()
    .some(key => isImpairment(plan[/** @type {keyof typeof plan} */ (key)], key))

/**
 * usesRouter says whether what nodes of a plan send goes through a router of ours.
 *
 * @param {Parameters<typeof hasImpairments>[0] & Pick<import('../scenarios/gossip/options.js').GossipPlan, 'network'>} plan
 */
export const usesRouter = plan =>
  plan.network === 'namespaces' || (plan.network === 'docker' && hasImpairments(plan))

/**
 * @typedef {import('./link-model.js').LinkSettings} LinkSettings
 *
 * @typedef {object} LinkData - what is said of one direction of one link
 * @property {number} from
 * @property {number} to
 * @property {number} [latencyMs] - one way
 * @property {number} [bytesPerSecond]
 * @property {number} [lossShare] - of the segments, 0 to below 1
 *
 * @typedef {object} HostData - what is said of one node
 * @property {number} [upBytesPerSecond]
 * @property {number} [downBytesPerSecond]
 *
 * @typedef {object} ZoneData - what is said of links from one zone to another
 * @property {readonly number[]} zoneOf - by node
 * @property {readonly (readonly JitterSpec[])[] | null} jitter - null: nothing
 * @property {readonly (readonly number[])[] | null} lossShare
 *
 * @typedef {object} LinkProperties
 * @property {LinkLatencies} latencyNs
 * @property {(from: number, to: number) => JitterSpec | null} jitter
 * @property {(from: number, to: number) => number} lossShare
 * @property {(from: number, to: number) => number | null} linkBytesPerSecond - null: without a limit
 * @property {(node: number) => number | null} upBytesPerSecond
 * @property {(node: number) => number | null} downBytesPerSecond
 */

/** @param {number} ms */
const toNs = ms => Math.round(ms * 1e6)

/**
 * makeLinkProperties gives what each direction of a link and each node has: what is said of it, else what holds for all.
 *
 * @param {Pick<LinkSettings, 'latency' | 'jitter' | 'lossShare' | 'linkBytesPerSecond' | 'upBytesPerSecond' | 'downBytesPerSecond' |
 *   'links' | 'hosts' | 'zones'>} settings
 * @param {{ nodes: number, streams: RandomStreams }} of
 * @returns {LinkProperties}
 */
export function makeLinkProperties(settings, { nodes, streams }) {
  const { links = [], hosts = [], zones } = settings
  const latencies = makeLinkLatencies(settings.latency, { nodes, streams })
  const byEnds = new Map(links.map(link => [link.from * nodes + link.to, link]))
  const linkOf = (/** @type {number} */ from, /** @type {number} */ to) => byEnds.get(from * nodes + to)
  /** @template T @param {readonly (readonly T[])[] | null | undefined} table @param {number} from @param {number} to */
  const ofZones = (table, from, to) =>
    zones === undefined ? undefined : table?.[zones.zoneOf[from]][zones.zoneOf[to]]
  return {
    latencyNs(from, to) {
      const ms = linkOf(from, to)?.latencyMs
      return ms === undefined ? latencies(from, to) : toNs(ms)
    },
    jitter: (from, to) => ofZones(zones?.jitter, from, to) ?? settings.jitter,
    lossShare: (from, to) =>
      linkOf(from, to)?.lossShare ?? ofZones(zones?.lossShare, from, to) ?? settings.lossShare,
    linkBytesPerSecond: (from, to) => linkOf(from, to)?.bytesPerSecond ?? settings.linkBytesPerSecond,
    upBytesPerSecond: node => hosts[node]?.upBytesPerSecond ?? settings.upBytesPerSecond,
    downBytesPerSecond: node => hosts[node]?.downBytesPerSecond ?? settings.downBytesPerSecond
  }
}

/**
 * @param {LatencyMatrix} matrix
 * @param {number} nodes
 * @param {(ms: number, from: number, to: number) => number} minNs - of a link from a row to a column
 */
function minMatrixLatencyNs({ ms, regions }, nodes, minNs) {
  const count = (/** @type {number} */ row) => regions?.filter(region => region === row).length
  const counts = ms.map((_, row) => count(row) ?? (ms.length === nodes ? 1 : 2))
  const isLink = (/** @type {number} */ from, /** @type {number} */ to) =>
    counts[from] > (from === to ? 1 : 0) && counts[to] > 0
  return ms.reduce(
    (min, row, from) =>
      row.reduce((less, each, to) => (isLink(from, to) ? Math.min(less, minNs(each, from, to)) : less), min),
    Infinity
  )
}

/**
 * lookaheadNs gives how long whatever a node sends is under way at the least, between any two nodes: for so long no node can know of what
 * another one does.
 *
 * @param {Pick<LinkSettings, 'latency' | 'jitter' | 'links' | 'zones'>} settings
 * @param {number} nodes
 * @returns {number} ns, whole; 0: it can be there at once
 */
export function lookaheadNs({ latency, jitter: usual, links = [], zones }, nodes) {
  const minNs = (/** @type {number} */ latencyNs, spec = usual) =>
    spec === null ? latencyNs : makeJitterSampler(spec, { latencyNs, random: () => 0 })()
  const usualNs =
    latency.kind === 'matrix'
      ? minMatrixLatencyNs(latency, nodes, (ms, from, to) => minNs(toNs(ms), zones?.jitter?.[from][to]))
      : minNs(makeLatencySampler(latency)(() => 0))
  if (!Number.isFinite(usualNs)) return 0
  // nodes without a link between them can connect later
  return links.reduce(
    (shortest, { latencyMs = Infinity }) => Math.min(shortest, minNs(toNs(latencyMs))),
    usualNs
  )
}

/**
 * @typedef {object} LatencyMatrix
 * @property {'matrix'} kind
 * @property {readonly (readonly number[])[]} ms - one way, from the region of the row to that of the column; within a region on the
 *   diagonal
 * @property {readonly number[]} [weights] - how many nodes a region has in relation to the others; equal shares when left out
 * @property {readonly string[]} [names] - of the regions
 * @property {readonly number[]} [regions] - of the nodes; absent: each node is the row of its number, or is placed at random, by weight
 * @property {string} [path] - of the file it was read from
 *
 * @typedef {DrawnLatency | LatencyMatrix} LatencySpec
 * @typedef {(...name: (string | number)[]) => () => number} RandomStreams - random numbers in [0, 1) of a concern
 * @typedef {(from: number, to: number) => number} LinkLatencies - one way, ns, whole; the same at every call
 */

/**
 * makeLinkLatencies gives each link of a network its latency. A drawn one is the same in both directions and depends on nothing but the
 * two nodes, so that a further node changes no other link. Nodes of a matrix with as many rows are its rows, in order; otherwise each
 * node is placed in a region at random, by weight.
 *
 * @param {LatencySpec} spec
 * @param {{ nodes: number, streams: RandomStreams }} of
 * @returns {LinkLatencies}
 */
export function makeLinkLatencies(spec, { nodes, streams }) {
  if (spec.kind === 'matrix') {
    const { ms, weights = ms.map(() => 1), regions: placed } = spec
    const regions =
      placed ?? Array.from({ length: nodes }, (_, node) => (ms.length === nodes ? node : drawRegion(node)))
    return (from, to) => toNs(ms[regions[from]][regions[to]])
    /** @param {number} node @returns {number} */
    function drawRegion(node) {
      let left = streams('region', node)() * computeSum(weights)
      const region = weights.findIndex(weight => {
        left -= weight
        return left < 0
      })
      // rounding can leave a crumb
      return region === -1 ? weights.length - 1 : region
    }
  }
  const sample = makeLatencySampler(spec)
  return (from, to) => sample(streams('latency', Math.min(from, to), Math.max(from, to)))
}

/**
 * exponentialOf gives e to the power of x in + − × ÷ only, whose results the standard fixes to the last bit; those of `Math.exp` may
 * differ between engines, and with them the outcome of a simulation. It halves x until the series is short, and squares as often.
 *
 * @param {number} x - from −700 to 700
 * @returns {number} with a relative error below 1e-12
 */
export function exponentialOf(x) {
  let halvings = 0
  let part = x
  while (part > 0.5 || part < -0.5) {
    part /= 2
    halvings += 1
  }
  let result = 1
  // the series of 18 terms: what is left out is below the last bit of the sum
  for (let term = 18; term > 0; term -= 1) result = 1 + (part * result) / term
  for (let left = halvings; left > 0; left -= 1) result *= result
  return result
}

/** Beyond it a normal variate comes once in 16,000 draws: the distribution ends there. */
const MAX_DEVIATIONS = 4
const STEPS_PER_DEVIATION = 64
/** Φ at 0, 1/64, 2/64 … 4; below 0 the distribution is its mirror image. */
const UPPER_HALF = Float64Array.from({ length: MAX_DEVIATIONS * STEPS_PER_DEVIATION + 1 }, (_, step) => {
  // Φ(z) = ½ + φ(z)·(z + z³/3 + z⁵/(3·5) + …)
  const z = step / STEPS_PER_DEVIATION
  let [term, sum] = [z, z]
  for (let odd = 3; term > 1e-17 * sum; odd += 2) {
    term *= (z * z) / odd
    sum += term
  }
  // φ(0) = 1 / √(2π)
  return 0.5 + 0.3989422804014327 * exponentialOf((-z * z) / 2) * sum
})

/** @param {number} probability - at least ½ */
function upperQuantile(probability) {
  let [step, high] = [0, UPPER_HALF.length - 1]
  if (probability >= UPPER_HALF[high]) return MAX_DEVIATIONS
  while (high - step > 1) {
    const middle = (step + high) >> 1
    if (UPPER_HALF[middle] <= probability) step = middle
    else high = middle
  }
  const [below, above] = [UPPER_HALF[step], UPPER_HALF[step + 1]]
  return (step + (probability - below) / (above - below)) / STEPS_PER_DEVIATION
}

/**
 * normalQuantile is the inverse of the standard normal distribution, from a table with linear interpolation: error at most 2e-4 within
 * three standard deviations. It ends at ±4, so that a single draw cannot make a link absurd.
 *
 * @param {number} probability - from 0 to 1
 * @returns {number} standard deviations from the mean, −4 to 4
 */
export const normalQuantile = probability =>
  probability < 0.5 ? -upperQuantile(1 - probability) : upperQuantile(probability)

/**
 * @typedef {{ kind: 'constant', ms: number }} ConstantLatency
 * @typedef {{ kind: 'uniform', minMs: number, maxMs: number }} UniformLatency
 * @typedef {{ kind: 'normal' | 'lognormal', meanMs: number, sdMs: number }} BellLatency - mean and standard deviation of the latency
 *   itself, for `lognormal` too
 * @typedef {ConstantLatency | UniformLatency | BellLatency} DrawnLatency
 * @typedef {(random: () => number) => number} Sampler - ns, whole, at least 0
 */

/** @param {number} ms */
const nonNegativeNs = ms => Math.max(0, toNs(ms))

/**
 * makeLatencySampler makes what draws the latency of one link. Each draw takes one random number.
 *
 * @param {DrawnLatency} spec
 * @returns {Sampler}
 */
export function makeLatencySampler(spec) {
  switch (spec.kind) {
    case 'constant':
      return () => nonNegativeNs(spec.ms)
    case 'uniform':
      return random => nonNegativeNs(spec.minMs + random() * (spec.maxMs - spec.minMs))
    case 'normal':
      return random => nonNegativeNs(spec.meanMs + spec.sdMs * normalQuantile(random()))
    case 'lognormal': {
      // mean and standard deviation of the variate are as asked: with v = 1 + sd²/mean² it is mean/√v · e^(z·√ln v)
      const relative = spec.sdMs / spec.meanMs
      const spread = 1 + relative * relative
      const median = spec.meanMs / Math.sqrt(spread)
      const sigma = Math.sqrt(computeLogarithm(spread))
      return random => nonNegativeNs(median * exponentialOf(sigma * normalQuantile(random())))
    }
  }
}

/**
 * @typedef {{ kind: 'share', share: number }} JitterShare - of the link's latency
 * @typedef {{ kind: 'time', ms: number }} JitterTime
 * @typedef {JitterShare | JitterTime} JitterSpec
 */

/** maxJitterNs is by how much a segment of a link can take longer or shorter. @param {JitterSpec | null} spec @param {number} latencyNs */
export function maxJitterNs(spec, latencyNs) {
  if (spec === null) return 0
  return spec.kind === 'share' ? spec.share * latencyNs : spec.ms * 1e6
}

/**
 * meanLatencyNs is what a segment takes on average: longer than the latency where jitter is, for none takes less than nothing.
 *
 * @param {JitterSpec | null} spec
 * @param {number} latencyNs
 */
export function meanLatencyNs(spec, latencyNs) {
  const maxNs = maxJitterNs(spec, latencyNs)
  const longestNs = latencyNs + maxNs
  return maxNs <= latencyNs ? latencyNs : (longestNs * longestNs) / (4 * maxNs)
}

/**
 * makeJitterSampler makes what varies the latency of one link from segment to segment: evenly, by up to so much in either direction, and never
 * below 0. Segments of a connection do not overtake one another all the same: that is kept where they arrive.
 *
 * @param {JitterSpec} spec
 * @param {{ latencyNs: number, random: () => number }} of - the link
 * @returns {() => number} the latency of the next segment, ns, whole
 */
export function makeJitterSampler(spec, { latencyNs, random }) {
  const maxNs = maxJitterNs(spec, latencyNs)
  if (maxNs === 0) return () => latencyNs
  return () => Math.max(0, Math.round(latencyNs + (2 * random() - 1) * maxNs))
}

/**
 * @typedef {object} NodeRange - both ends belong to it
 * @property {number} first
 * @property {number} last
 *
 * @typedef {object} Cut
 * @property {'hold' | 'reset'} kind - hold: what is under way waits, and TCP goes on trying; reset: connections between the groups are
 *   closed. Neither lets anything through, nor a new connection
 * @property {number} fromMs - since the start of the publish phase
 * @property {number} toMs
 * @property {readonly (readonly NodeRange[])[]} between - groups of nodes; an empty one: all that are in no other. Nodes in no group keep
 *   their connections to all
 *
 * @typedef {object} Reset - connections to be closed
 * @property {number} atNs
 * @property {number} untilNs - before which none can be made
 * @property {(a: number, b: number) => boolean} separates
 */

/** The group of all nodes that no other group names, and of a node in no group. */
const [REST, NO_GROUP] = [-2, -1]

/** @param {Cut} cut @param {number} a @param {number} b */
function isSeparatedBy({ between }, a, b) {
  const hasRest = between.some(group => group.length === 0)
  const [one, other] = [a, b].map(node => {
    const place = between.findIndex(group => group.some(({ first, last }) => node >= first && node <= last))
    return place === -1 && hasRest ? REST : place
  })
  return one !== NO_GROUP && other !== NO_GROUP && one !== other
}

/** PartitionSchedule says which nodes are cut off from one another when. Before its start nobody is. */
export class PartitionSchedule {
  #cuts
  #startNs = Infinity

  /** @param {readonly Cut[]} cuts */
  constructor(cuts) {
    this.#cuts = cuts
  }

  /** @param {number} startNs - of the publish phase */
  start(startNs) {
    this.#startNs = startNs
  }

  /**
   * between gives what says whether two nodes are cut off from one another at a time.
   *
   * @param {number} a
   * @param {number} b
   * @returns {((nowNs: number) => boolean) | null} null: they never are
   */
  between(a, b) {
    const cuts = this.#cuts.filter(cut => isSeparatedBy(cut, a, b))
    if (cuts.length === 0) return null
    return nowNs =>
      cuts.some(cut => {
        const { atNs, untilNs } = this.#span(cut)
        return nowNs >= atNs && nowNs < untilNs
      })
  }

  /** @returns {Reset[]} when connections are to be closed, in order; only after the start */
  resets() {
    return this.#cuts
      .filter(({ kind }) => kind === 'reset')
      .map(cut => ({
        ...this.#span(cut),
        separates: (/** @type {number} */ a, /** @type {number} */ b) => isSeparatedBy(cut, a, b)
      }))
      .sort((one, other) => one.atNs - other.atNs)
  }

  /** @param {Cut} cut @returns {{ atNs: number, untilNs: number }} whole ns */
  #span({ fromMs, toMs }) {
    return {
      atNs: this.#startNs + Math.round(fromMs * 1e6),
      untilNs: this.#startNs + Math.round(toMs * 1e6)
    }
  }
}
