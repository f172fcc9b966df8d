// What a gossip network used of workers or links, from which follows what limited it.
import { largestOf, sumOf } from '../../../kit/collections.js'
import { significant } from '../../../kit/numbers.js'
import { decodedHistogram } from '../../../measure/distribution.js'
import { Histogram, summarize } from '../../../measure/histogram.js'
import { generatorUse, limitedBy } from '../../../measure/limited-by.js'
import { lateAllowedMs } from './delivery-tracker.js'

/**
 * @typedef {import('../options.js').GossipPlan} GossipPlan
 * @typedef {import('../outcome.js').GossipOutcome} GossipOutcome
 * @typedef {{ plan: GossipPlan, outcome: Omit<GossipOutcome, 'limitedBy' | 'thresholds'> }} Measured
 *
 * @typedef {'upBandwidth' | 'downBandwidth' | 'linkBandwidth'} Line - by the flag that limits it
 *
 * @typedef {object} Use - of a line, or of the time of nodes; shares
 * @property {number} average - over all nodes, or links
 * @property {number} busiest - estimate: of a node that has as much more to do as it has more neighbours; of a link of the mesh
 */

/** IN_TIME_MS: a message is to reach everyone within a second, unless another time is given. */
export const IN_TIME_MS = 1000

/** What the busiest node uses is an estimate, by its neighbours: where it says so much, a line may have been full. */
const FULL_BY_ESTIMATE = 0.5

/**
 * limitedNetwork says what limited a network. Nodes and load generator share the processes. How busy a simulation keeps this machine says nothing
 * of its network.
 *
 * @param {Measured & { run: Pick<import('../outcome.js').GossipRun, 'health' | 'lateness'> }} measured
 * @param {{ inTimeMs?: number }} [how] - within which a delivery of the offered load is to come
 * @returns {import('../../../report/schema.js').LimitedBy | undefined} undefined: nothing was published
 */
export function limitedNetwork({ plan, outcome, run }, { inTimeMs = IN_TIME_MS } = {}) {
  const { dueDeliveries } = amountsOf(outcome, plan.nodes)
  if (outcome.messages.published === 0 || dueDeliveries === 0) return undefined
  const simulated = plan.network === 'simulated'
  const unpaced = plan.publishers === 'every' && plan.loadModel === 'closed'
  const inTime = countUpTo(outcome.latency.histogram, inTimeMs)
  return limitedBy({
    ...(!simulated && { generator: nodesUse(plan, run) }),
    ...linkUse({ plan, outcome }),
    ...(!unpaced && { achieved: Math.min(100, (100 * inTime) / dueDeliveries) })
  })
}

/** Containers of nodes have a quota each, for which they wait. @param {GossipPlan} plan @param {Parameters<typeof generatorUse>[0]} run */
function nodesUse({ nodeCpus, nodesPerContainer }, run) {
  const cores = nodeCpus == null ? 1 : Math.min(1, nodeCpus * (nodesPerContainer ?? 1))
  if (cores === 1) return generatorUse(run)
  const { percent } = generatorUse({ health: run.health })
  return { percent: percent === null ? null : percent / cores, of: `${significant(cores)} cores` }
}

/** @param {Measured} measured @returns {{ link?: number, linkIsFull?: boolean }} */
function linkUse(measured) {
  const [fullest] = Object.values(lineUses(measured)).toSorted((a, b) => b.busiest - a.busiest)
  return fullest === undefined
    ? {}
    : { link: 100 * Math.min(1, fullest.average), linkIsFull: fullest.busiest >= FULL_BY_ESTIMATE }
}

/**
 * lineUses says how much of each line with a limit was used: lines carry the bytes of RPCs and more, which is not counted.
 *
 * @param {Measured} measured
 * @returns {Partial<Record<Line, Use>>}
 */
export function lineUses({ plan, outcome }) {
  const { counters, topology, measuredMs } = outcome
  const seconds = Math.max(1e-3, measuredMs / 1000)
  const uneven = unevenness(outcome)
  /** @type {[Line, number, number, number][]} */
  const lines = [
    ['upBandwidth', counters.bytesSent, plan.nodes, uneven.nodes],
    ['downBandwidth', counters.bytesReceived, plan.nodes, uneven.nodes],
    ['linkBandwidth', counters.bytesSent, 2 * topology.edgeCount, uneven.links]
  ]
  const shares = lines.flatMap(([line, bytes, count, more]) => {
    const limit = bandwidthOf(plan, line)
    const ofAll = limit === null ? 0 : bytes / (limit * seconds * Math.max(1, count))
    const share = Math.max(ofAll, fullestClass(plan, outcome, line) / seconds)
    return limit === null && share === 0 ? [] : [[line, useOf(share, more)]]
  })
  return Object.fromEntries(shares)
}

/** @param {GossipPlan} plan @param {Measured['outcome']} outcome @param {Line} line @returns {number} seconds that the lines of a class needed, on average; 0: no class has a limit */
function fullestClass({ networkFile }, { groups }, line) {
  if (line === 'linkBandwidth') return 0
  const [limit, bytes] =
    line === 'upBandwidth'
      ? /** @type {const} */ (['upBytesPerSecond', 'bytesSent'])
      : /** @type {const} */ (['downBytesPerSecond', 'bytesReceived'])
  return largestOf(groups?.classes ?? [], each => {
    const perSecond = networkFile?.classes.find(({ name }) => name === each.class)?.[limit]
    return perSecond == null ? 0 : (each[bytes] ?? 0) / (perSecond * Math.max(1, each.nodes))
  })
}

/**
 * processingUse says how much of the nodes' time was taken by processing, as a simulated network models it.
 *
 * @param {Measured} measured
 * @returns {Use}
 */
export function processingUse({ plan, outcome }) {
  const seconds = Math.max(1e-3, outcome.measuredMs / 1000)
  return useOf(processingMs(plan, outcome) / 1000 / (plan.nodes * seconds), unevenness(outcome).nodes)
}

/** @param {number} average @param {number} more @returns {Use} */
const useOf = (average, more) => ({ average, busiest: Math.min(1, average * more) })

/**
 * How many times the average the node with the most neighbours has, and how many times as many links there are as the mesh has.
 *
 * @param {Pick<GossipOutcome, 'topology' | 'mesh'>} outcome
 */
function unevenness({ topology: { measures }, mesh }) {
  const { max, avg } = measures?.degrees ?? { max: 1, avg: 1 }
  const degrees = Object.entries(mesh.degrees).map(([degree, count]) => ({ degree: Number(degree), count }))
  const inMesh = sumOf(degrees, ({ degree, count }) => degree * count)
  const meshAvg =
    inMesh /
    Math.max(
      1,
      sumOf(degrees, ({ count }) => count)
    )
  return { nodes: avg > 0 ? max / avg : 1, links: meshAvg > 0 ? Math.max(1, avg / meshAvg) : 1 }
}

/**
 * bandwidthOf is the limit of a line of a simulated network.
 *
 * @param {object} plan
 * @param {Line} line
 * @returns {number | null} bytes per second; null: without a limit
 */
const bandwidthOf = (plan, line) =>
  /** @type {Record<string, number | null>} */ (plan)[`${line}BytesPerSecond`] ?? null

/** LINES that can have a limit. @type {readonly Line[]} */
export const LINES = ['upBandwidth', 'downBandwidth', 'linkBandwidth']

/** Of all nodes together. @param {GossipPlan} plan @param {Measured['outcome']} outcome */
function processingMs({ signing, fastMsgId }, { counters, delivery, network }) {
  const setting = (/** @type {string} */ name) =>
    Number(/** @type {{ value?: unknown }} */ (network.settings[`simulated.processing.${name}`])?.value ?? 0)
  const copies = fastMsgId ? delivery.delivered : counters.messagesReceived
  const checked = signing ? copies : 0
  return (counters.rpcsReceived * setting('rpcNs') + checked * setting('signatureNs')) / 1e6
}

/**
 * amountsOf counts messages and deliveries that were due. A message is expected at as many nodes as those that were published are, on average. One that
 * publishing ended before it was late is not due.
 *
 * @param {Measured['outcome']} outcome
 * @param {number} nodes
 */
export function amountsOf({ messages, delivery, lateness, interArrival }, nodes) {
  const allowedMs = lateAllowedMs({ interArrival })
  const { published, skipped, failed } = messages
  const { histogram, censoredHistogram } = lateness
  const cutOff = censoredHistogram == null ? 0 : countUpTo(censoredHistogram, allowedMs)
  const planned = (messages.planned ?? published + skipped + failed) - cutOff
  const receivers = published === 0 ? nodes - 1 : delivery.expected / published
  return {
    due: planned - (published - delivery.expectedMessages),
    dueDeliveries: Math.round(planned * receivers),
    published: { planned, inTime: countUpTo(/** @type {string} */ (histogram), allowedMs) }
  }
}

/**
 * countUpTo counts the values of a histogram that are not above a limit.
 *
 * @param {string} encoded
 * @param {number} ms
 */
export function countUpTo(encoded, ms) {
  const histogram = decodedHistogram(encoded)
  let [low, high] = [0, histogram.count]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    // the middle of a value's share: that of its border would be rounded to either side
    if (histogram.quantile((middle - 0.5) / histogram.count) <= ms * 1000) low = middle
    else high = middle - 1
  }
  return low
}

/** @typedef {Pick<import('../outcome.js').WorkerResources, 'series'>} Resources */

/** Less than this in all waits for other reasons. */
const MIN_BACKLOG_BYTES = 64 * 1024
const PARTS = 3

/**
 * backlogGrows tells whether what waited in the write buffers of all nodes grew all the while messages were published: more in
 * each third of the time than in the one before, and twice as much in the last as in the first.
 *
 * @param {readonly Resources[]} resources - of the workers
 * @param {number} publishMs - how long it was published for
 * @returns {number | null} bytes that waited in the last third, on average; null: it did not grow
 */
export function backlogGrows(resources, publishMs) {
  const thirds = Array.from({ length: PARTS }, (_, part) =>
    sumOf(resources, ({ series }) => averageOf(series, partOf(publishMs, part)))
  )
  const last = thirds[PARTS - 1]
  const rising = thirds.every((bytes, part) => part === 0 || bytes > thirds[part - 1])
  return rising && last >= MIN_BACKLOG_BYTES && last >= 2 * thirds[0] ? last : null
}

/** @param {number} ms @param {number} part */
const partOf = (ms, part) => ({ fromMs: (ms * part) / PARTS, toMs: (ms * (part + 1)) / PARTS })

/**
 * @param {Resources['series']} series
 * @param {{ fromMs: number, toMs: number }} part
 * @returns {number} bytes; 0 where nothing is known
 */
function averageOf(series, { fromMs, toMs }) {
  const within = series.filter(({ atMs }) => atMs > fromMs && atMs <= toMs)
  return sumOf(within, ({ backlogBytes }) => backlogBytes) / Math.max(1, within.length)
}

/**
 * @typedef {import('../../../network/node-host.js').HostInterval} HostInterval
 * @typedef {import('../outcome.js').WorkerResources} WorkerResources
 */

/** POINTS: a series that grows longer has every other point left out. */
const POINTS = 600
/** Shorter stretches of time tell of chance: the system counts CPU time in steps of 10 ms. */
const MIN_MS = 200

/** WorkerUsage is how busy one worker process was while messages were under way. */
export class WorkerUsage {
  #startNs
  #wallMs = 0
  #activeMs = 0
  #longestTurns = new Histogram()
  /** @type {WorkerResources['series']} */
  #series = []
  #every = 1
  #seen = 0
  #maxCpuPercent = 0
  #readings = 0
  #rssSum = 0
  #maxRssBytes = 0
  /** @type {{ receivedBytes: number, sentBytes: number } | null} null: it has no device of its own */
  #traffic = null
  /** @type {number | null} null: it is in no container */
  #heldBackMs = null
  cpuMicros = 0
  backlogBytes = 0

  /** @param {number} startNs */
  constructor(startNs) {
    this.#startNs = startNs
  }

  /** @param {Pick<HostInterval, 'atNs' | 'usage' | 'backlogBytes'>} interval */
  add({ atNs, usage, backlogBytes }) {
    const { wallMs, activeMs, cpuMicros, rssBytes, heapBytes, maxTurnMs } = usage
    const { receivedBytes, sentBytes, heldBackMs } = usage
    if (heldBackMs !== undefined) this.#heldBackMs = (this.#heldBackMs ?? 0) + heldBackMs
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
    this.#point({
      ...{ atMs: (atNs - this.#startNs) / 1e6, cpuPercent, rssBytes, heapBytes, backlogBytes },
      ...perSecond({ receivedBytes, sentBytes }, wallMs)
    })
  }

  /** @param {WorkerResources['series'][number]} point */
  #point(point) {
    if (this.#seen++ % this.#every === 0) this.#series.push(point)
    if (this.#series.length <= POINTS) return
    this.#series = this.#series.filter((_, place) => place % 2 === 0)
    this.#every *= 2
  }

  /** utilization of the event loop, 0 to 1. */
  get utilization() {
    return this.#wallMs > 0 ? this.#activeMs / this.#wallMs : 0
  }

  /** summary of what it used. @returns {import('../outcome.js').Used} */
  summary() {
    return {
      cpu: {
        averagePercent: this.#wallMs > 0 ? this.cpuMicros / this.#wallMs / 10 : null,
        maxPercent: this.#seen > 0 ? this.#maxCpuPercent : null,
        ...(this.#heldBackMs !== null &&
          this.#wallMs > 0 && { heldBackPercent: (100 * this.#heldBackMs) / this.#wallMs })
      },
      memory: {
        averageBytes: this.#readings > 0 ? this.#rssSum / this.#readings : null,
        maxBytes: this.#readings > 0 ? this.#maxRssBytes : null
      },
      ...(this.#traffic !== null && { traffic: this.#traffic })
    }
  }

  /** result. @param {number} worker @returns {Omit<WorkerResources, 'nodes' | 'phases'>} */
  result(worker) {
    return { worker, ...this.summary(), series: [...this.#series] }
  }

  /**
   * health says how busy the process was: `turns` are the longest ones of the event loop in each second.
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

/** @param {{ receivedBytes?: number, sentBytes?: number }} bytes @param {number} wallMs */
const perSecond = ({ receivedBytes, sentBytes }, wallMs) =>
  receivedBytes === undefined || sentBytes === undefined
    ? {}
    : { receivedPerSecond: (1000 * receivedBytes) / wallMs, sentPerSecond: (1000 * sentBytes) / wallMs }

/**
 * @typedef {'warmup' | 'publish' | 'cooldown'} Phase
 * @typedef {import('../outcome.js').Used} Used
 */

/** UsageByPhase is what each worker used in each phase of a run. */
export class UsageByPhase {
  #workers
  /** @type {Phase | null} */
  #phase = null
  /** @type {Map<Phase, WorkerUsage[]>} */
  #usage = new Map()
  /** @type {Set<number>} */
  #heard = new Set()

  /** @param {number} workers */
  constructor(workers) {
    this.#workers = workers
  }

  /** begin begins a phase. What was used in an earlier one of this name is no longer told. @param {Phase} phase */
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
    // the first one tells of the start as well
    const first = !this.#heard.has(worker)
    this.#heard.add(worker)
    if (this.#phase !== null && !first) this.#usage.get(this.#phase)?.[worker].add(interval)
  }

  /** health of each worker in a phase. @param {Phase} phase @returns {import('../../../report/schema.js').WorkerHealth[]} none: there was no such phase yet */
  health(phase) {
    return (this.#usage.get(phase) ?? []).map((usage, worker) => usage.health(worker))
  }

  /** result of a worker. @param {number} worker @returns {Record<Phase, Used | null>} null: there was no such phase */
  result(worker) {
    const used = (/** @type {Phase} */ phase) => this.#usage.get(phase)?.[worker].summary() ?? null
    return { warmup: used('warmup'), publish: used('publish'), cooldown: used('cooldown') }
  }
}
