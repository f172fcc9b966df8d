// Finds what limited a gossip run, such as CPU or bandwidth, from the resource usage of workers and links.
import { computeSum, findLargest } from '../../../kit/collections.js'
import { formatSignificant } from '../../../kit/numbers.js'
import { decodeHistogram } from '../../../measure/distribution.js'
import { Histogram, summarize } from '../../../measure/histogram.js'
import { findGeneratorUse, findLimit } from '../../../measure/limited-by.js'
import { computeLateAllowanceMs } from './delivery-tracker.js'

/**
 * @typedef {import('../options.js').GossipPlan} GossipPlan
 * @typedef {import('../outcome.js').GossipOutcome} GossipOutcome
 * @typedef {{ plan: GossipPlan, outcome: Omit<GossipOutcome, 'limitedBy' | 'thresholds'> }} Measured
 *
 * @typedef {'upBandwidth' | 'downBandwidth' | 'linkBandwidth'} Line - by the flag that limits it
 *
 * @typedef {object} LineUse - of a line, or of the time of nodes; shares
 * @property {number} average - over all nodes, or links
 * @property {number} busiest - estimate: of a node that has as much more to do as it has more neighbours; of a link of the mesh
 */

/** DEFAULT_IN_TIME_MS: a message is to reach everyone within a second, unless another time is given. */
export const DEFAULT_IN_TIME_MS = 1000

/** The use of the busiest node is an estimate by its neighbours: from this estimate on, a line may have been full. */
const FULL_BY_ESTIMATE = 0.5

/**
 * findNetworkLimit says what limited a network. Nodes and load generator share the processes. The CPU use of a simulation says nothing about its
 * network.
 *
 * @param {Measured & { run: Pick<import('../outcome.js').GossipRun, 'health' | 'lateness'> }} measured
 * @param {{ inTimeMs?: number }} [how] - within which a delivery of the offered load is to arrive
 * @returns {import('../../../report/schema.js').LimitedBy | undefined} undefined: nothing was published
 */
export function findNetworkLimit({ plan, outcome, run }, { inTimeMs = DEFAULT_IN_TIME_MS } = {}) {
  const { dueDeliveries } = countDue(outcome, plan.nodes)
  if (outcome.messages.published === 0 || dueDeliveries === 0) return undefined
  const simulated = plan.network === 'simulated'
  const unpaced = plan.publishers === 'every' && plan.loadModel === 'closed'
  const inTime = countWithinMs(outcome.latency.histogram, inTimeMs)
  const [fullest] = Object.values(computeLineUses({ plan, outcome })).toSorted(
    (a, b) => b.busiest - a.busiest
  )
  return findLimit({
    ...(!simulated && { generator: computeNodesUse(plan, run) }),
    ...(fullest && {
      link: 100 * Math.min(1, fullest.average),
      linkIsFull: fullest.busiest >= FULL_BY_ESTIMATE
    }),
    ...(!unpaced && { achieved: Math.min(100, (100 * inTime) / dueDeliveries) })
  })
}

/** Nodes in containers wait for the CPU quota of their container. @param {GossipPlan} plan @param {Parameters<typeof findGeneratorUse>[0]} run */
function computeNodesUse({ nodeCpus, nodesPerContainer }, run) {
  const cores = nodeCpus == null ? 1 : Math.min(1, nodeCpus * (nodesPerContainer ?? 1))
  if (cores === 1) return findGeneratorUse(run)
  const { percent } = findGeneratorUse({ health: run.health })
  return { percent: percent === null ? null : percent / cores, of: `${formatSignificant(cores)} cores` }
}

/**
 * computeLineUses gives the used share of each line with a limit. It counts the bytes of RPCs; lines also carry other bytes.
 *
 * @param {Measured} measured
 * @returns {Partial<Record<Line, LineUse>>}
 */
export function computeLineUses({ plan, outcome }) {
  const { counters, topology, measuredMs } = outcome
  const seconds = Math.max(1e-3, measuredMs / 1000)
  const uneven = computeUnevenness(outcome)
  /** @type {[Line, number, number, number][]} */
  const lines = [
    ['upBandwidth', counters.bytesSent, plan.nodes, uneven.nodes],
    ['downBandwidth', counters.bytesReceived, plan.nodes, uneven.nodes],
    ['linkBandwidth', counters.bytesSent, 2 * topology.edgeCount, uneven.links]
  ]
  const shares = lines.flatMap(([line, bytes, count, more]) => {
    const limit = plan[/** @type {const} */ (`${line}BytesPerSecond`)] ?? null
    const ofAll = limit === null ? 0 : bytes / (limit * seconds * Math.max(1, count))
    const share = Math.max(ofAll, computeClassUse(plan, outcome, line) / seconds)
    return limit === null && share === 0 ? [] : [[line, useOf(share, more)]]
  })
  return Object.fromEntries(shares)
}

/** @param {GossipPlan} plan @param {Measured['outcome']} outcome @param {Line} line @returns {number} seconds that the lines of a class needed, on average; 0: no class has a limit */
function computeClassUse({ networkFile }, { groups }, line) {
  if (line === 'linkBandwidth') return 0
  const [limit, bytes] =
    line === 'upBandwidth'
      ? /** @type {const} */ (['upBytesPerSecond', 'bytesSent'])
      : /** @type {const} */ (['downBytesPerSecond', 'bytesReceived'])
  return findLargest(groups?.classes ?? [], each => {
    const perSecond = networkFile?.classes.find(({ name }) => name === each.class)?.[limit]
    return perSecond == null ? 0 : (each[bytes] ?? 0) / (perSecond * Math.max(1, each.nodes))
  })
}

/**
 * computeProcessingUse gives the share of the nodes' time that processing took, by the model of a simulated network.
 *
 * @param {Measured} measured
 * @returns {LineUse}
 */
export function computeProcessingUse({ plan, outcome }) {
  const { counters, delivery, network, measuredMs } = outcome
  const setting = (/** @type {string} */ name) =>
    Number(/** @type {{ value?: unknown }} */ (network.settings[`simulated.processing.${name}`])?.value ?? 0)
  const copies = plan.fastMsgId ? delivery.delivered : counters.messagesReceived
  const checked = plan.signing ? copies : 0
  const processingMs = (counters.rpcsReceived * setting('rpcNs') + checked * setting('signatureNs')) / 1e6
  const seconds = Math.max(1e-3, measuredMs / 1000)
  return useOf(processingMs / 1000 / (plan.nodes * seconds), computeUnevenness(outcome).nodes)
}

/** @param {number} average @param {number} more @returns {LineUse} */
const useOf = (average, more) => ({ average, busiest: Math.min(1, average * more) })

/**
 * computeUnevenness compares the neighbours of the node with the most to the average, and the links of the topology to those of the mesh.
 *
 * @param {Pick<GossipOutcome, 'topology' | 'mesh'>} outcome
 */
function computeUnevenness({ topology: { measures }, mesh }) {
  const { max, avg } = measures?.degrees ?? { max: 1, avg: 1 }
  const degrees = Object.entries(mesh.degrees)
  const pairs = computeSum(degrees, ([, count]) => count)
  const meshAvg = computeSum(degrees, ([degree, count]) => Number(degree) * count) / Math.max(1, pairs)
  return { nodes: avg > 0 ? max / avg : 1, links: meshAvg > 0 ? Math.max(1, avg / meshAvg) : 1 }
}

/** BANDWIDTH_LINES that can have a limit. @type {readonly Line[]} */
export const BANDWIDTH_LINES = ['upBandwidth', 'downBandwidth', 'linkBandwidth']

/**
 * countDue counts messages and deliveries that were due. An unpublished message counts with the average number of receivers of the published
 * ones. A message is not due when publishing ended before the message was late.
 *
 * @param {Measured['outcome']} outcome
 * @param {number} nodes
 */
export function countDue({ messages, delivery, lateness, interArrival }, nodes) {
  const allowedMs = computeLateAllowanceMs({ interArrival })
  const { published, skipped, failed } = messages
  const { histogram, censoredHistogram } = lateness
  const cutOff = censoredHistogram == null ? 0 : countWithinMs(censoredHistogram, allowedMs)
  const planned = (messages.planned ?? published + skipped + failed) - cutOff
  const receivers = published === 0 ? nodes - 1 : delivery.expected / published
  return {
    due: planned - (published - delivery.expectedMessages),
    dueDeliveries: Math.round(planned * receivers),
    published: { planned, inTime: countWithinMs(/** @type {string} */ (histogram), allowedMs) }
  }
}

/**
 * countWithinMs counts the values of a histogram that are not above a limit.
 *
 * @param {string} encoded
 * @param {number} ms
 */
export function countWithinMs(encoded, ms) {
  const histogram = decodeHistogram(encoded)
  let [low, high] = [0, histogram.count]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    // half a value away from the border of a quantile, which rounding could move
    if (histogram.quantile((middle - 0.5) / histogram.count) <= ms * 1000) low = middle
    else high = middle - 1
  }
  return low
}

/** @typedef {Pick<import('../outcome.js').WorkerResources, 'series'>} Resources */

/** A smaller backlog of all nodes has other reasons. */
const MIN_BACKLOG_BYTES = 64 * 1024
const PARTS = 3

/**
 * findBacklogGrowth says whether the bytes in the write buffers of all nodes grew during the publish phase: more in each third of the time than in
 * the one before, and twice as many in the last as in the first.
 *
 * @param {readonly Resources[]} resources - of the workers
 * @param {number} publishMs - how long it was published for
 * @returns {number | null} average bytes in the last third; null: they did not grow
 */
export function findBacklogGrowth(resources, publishMs) {
  const thirds = Array.from({ length: PARTS }, (_, part) =>
    computeSum(resources, ({ series }) => {
      const [fromMs, toMs] = [(publishMs * part) / PARTS, (publishMs * (part + 1)) / PARTS]
      const within = series.filter(({ atMs }) => atMs > fromMs && atMs <= toMs)
      return computeSum(within, ({ backlogBytes }) => backlogBytes) / Math.max(1, within.length)
    })
  )
  const last = thirds[PARTS - 1]
  const rising = thirds.every((bytes, part) => part === 0 || bytes > thirds[part - 1])
  return rising && last >= MIN_BACKLOG_BYTES && last >= 2 * thirds[0] ? last : null
}

/**
 * @typedef {import('../../../network/node-host.js').HostInterval} HostInterval
 * @typedef {import('../outcome.js').WorkerResources} WorkerResources
 */

/** MAX_POINTS: a longer series loses every other point. */
const MAX_POINTS = 600
/** Samples of a shorter time are random: the system counts CPU time in steps of 10 ms. */
const MIN_MS = 200

/** WorkerUsage is the resource usage of one worker process. */
export class WorkerUsage {
  #startNs
  #wallMs = 0
  #activeMs = 0
  #longestTurns = new Histogram()
  /** @type {WorkerResources['series']} */
  #series = []
  #every = 1
  #samples = 0
  #maxCpuPercent = 0
  #readings = 0
  #rssSum = 0
  #maxRssBytes = 0
  /** @type {{ receivedBytes: number, sentBytes: number } | null} null: it has no device of its own */
  #traffic = null
  /** @type {number | null} null: it is in no container */
  #throttledMs = null
  cpuMicros = 0
  backlogBytes = 0

  /** @param {number} startNs */
  constructor(startNs) {
    this.#startNs = startNs
  }

  /** @param {Pick<HostInterval, 'atNs' | 'usage' | 'backlogBytes'>} interval */
  add({ atNs, usage, backlogBytes }) {
    const { wallMs, activeMs, cpuMicros, rssBytes, heapBytes, maxTurnMs } = usage
    const { receivedBytes, sentBytes, throttledMs } = usage
    if (throttledMs !== undefined) this.#throttledMs = (this.#throttledMs ?? 0) + throttledMs
    if (receivedBytes !== undefined && sentBytes !== undefined)
      this.#traffic = {
        receivedBytes: (this.#traffic?.receivedBytes ?? 0) + receivedBytes,
        sentBytes: (this.#traffic?.sentBytes ?? 0) + sentBytes
      }
    this.#wallMs += wallMs
    this.#activeMs += activeMs
    this.cpuMicros += cpuMicros
    this.backlogBytes = backlogBytes
    this.#readings++
    this.#maxRssBytes = Math.max(this.#maxRssBytes, rssBytes)
    this.#rssSum += rssBytes
    if (wallMs < MIN_MS) return
    this.#longestTurns.record(maxTurnMs * 1000)
    const cpuPercent = cpuMicros / wallMs / 10
    this.#maxCpuPercent = Math.max(this.#maxCpuPercent, cpuPercent)
    if (this.#samples++ % this.#every === 0)
      this.#series.push({
        ...{ atMs: (atNs - this.#startNs) / 1e6, cpuPercent, rssBytes, heapBytes, backlogBytes },
        ...(receivedBytes !== undefined &&
          sentBytes !== undefined && {
            receivedPerSecond: (1000 * receivedBytes) / wallMs,
            sentPerSecond: (1000 * sentBytes) / wallMs
          })
      })
    if (this.#series.length <= MAX_POINTS) return
    this.#series = this.#series.filter((_, place) => place % 2 === 0)
    this.#every *= 2
  }

  /** utilization of the event loop, 0 to 1. */
  get utilization() {
    return this.#wallMs > 0 ? this.#activeMs / this.#wallMs : 0
  }

  /** summary of its resources. @returns {import('../outcome.js').WorkerUse} */
  summary() {
    return {
      cpu: {
        averagePercent: this.#wallMs > 0 ? this.cpuMicros / this.#wallMs / 10 : null,
        maxPercent: this.#samples > 0 ? this.#maxCpuPercent : null,
        ...(this.#throttledMs !== null &&
          this.#wallMs > 0 && { heldBackPercent: (100 * this.#throttledMs) / this.#wallMs })
      },
      memory: {
        averageBytes: this.#readings > 0 ? this.#rssSum / this.#readings : null,
        maxBytes: this.#readings > 0 ? this.#maxRssBytes : null
      },
      ...(this.#traffic !== null && { traffic: this.#traffic })
    }
  }

  /** result with the series. @param {number} worker @returns {Omit<WorkerResources, 'nodes' | 'phases'>} */
  result(worker) {
    return { worker, ...this.summary(), series: [...this.#series] }
  }

  /**
   * health of the process: `turns` are the longest turns of the event loop in each second.
   *
   * @param {number} worker
   * @returns {import('../../../report/schema.js').WorkerHealth}
   */
  health(worker) {
    return {
      worker,
      utilization: this.utilization,
      cpuPercent: this.#wallMs > 0 ? this.cpuMicros / this.#wallMs / 10 : 0,
      turns: summarize(this.#longestTurns),
      overhead: summarize(new Histogram())
    }
  }
}

/**
 * @typedef {'warmup' | 'publish' | 'cooldown'} Phase
 * @typedef {import('../outcome.js').WorkerUse} WorkerUse
 */

/** UsageByPhase is the resource usage of each worker in each phase of a run. */
export class UsageByPhase {
  #workers
  /** @type {Phase | null} */
  #phase = null
  /** @type {Map<Phase, WorkerUsage[]>} */
  #usage = new Map()
  /** @type {Set<number>} */
  #started = new Set()

  /** @param {number} workers */
  constructor(workers) {
    this.#workers = workers
  }

  /** begin begins a phase. It replaces an earlier phase of this name. @param {Phase} phase */
  begin(phase) {
    this.#phase = phase
    this.#usage.set(
      phase,
      Array.from({ length: this.#workers }, () => new WorkerUsage(0))
    )
  }

  /** end ends the phase. */
  end() {
    this.#phase = null
  }

  /** add takes an interval. @param {HostInterval} interval @param {number} worker */
  add(interval, worker) {
    // the first interval includes the start of the worker
    const first = !this.#started.has(worker)
    this.#started.add(worker)
    if (this.#phase !== null && !first) this.#usage.get(this.#phase)?.[worker].add(interval)
  }

  /** health of each worker in a phase. @param {Phase} phase @returns {import('../../../report/schema.js').WorkerHealth[]} none: there was no such phase yet */
  health(phase) {
    return (this.#usage.get(phase) ?? []).map((usage, worker) => usage.health(worker))
  }

  /** result of a worker. @param {number} worker @returns {Record<Phase, WorkerUse | null>} null: there was no such phase */
  result(worker) {
    const used = (/** @type {Phase} */ phase) => this.#usage.get(phase)?.[worker].summary() ?? null
    return { warmup: used('warmup'), publish: used('publish'), cooldown: used('cooldown') }
  }
}
