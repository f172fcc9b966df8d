import { sumOf } from '../../../kit/lists.js'
import { Steps } from '../../../measure/steps.js'
import { named } from '../../../network/simulated/engine.js'
import { DeliveryDigest } from '../measure/delivery-digest.js'
import { DeliveryTracker } from '../measure/delivery-tracker.js'
import { mergeEvidence } from '../measure/evidence.js'
import { ScoreSeries } from '../measure/score-series.js'
import { WorkerUsage } from '../measure/worker-usage.js'

/** @typedef {import('../../../network/node-host.js').Counters} Counters */

/** COUNTER_NAMES of all Counters. @type {readonly (keyof Counters)[]} */
export const COUNTER_NAMES = [
  'duplicates',
  'bytesSent',
  'bytesReceived',
  'rpcsSent',
  'rpcsReceived',
  'messagesSent',
  'messagesReceived',
  'ihaveSent',
  'iwantSent',
  'graftSent',
  'pruneSent',
  'idontwantSent',
  'accepted',
  'ignored',
  'rejected',
  'promisesBroken',
  'foreign',
  'refusedRpcs'
]

/** @param {(name: keyof Counters) => number} countOf */
const countersOf = countOf =>
  /** @type {Counters} */ (Object.fromEntries(COUNTER_NAMES.map(name => [name, countOf(name)])))

/**
 * sumCounters adds counters up.
 *
 * @param {Iterable<Counters>} list
 */
function sumCounters(list) {
  const all = [...list]
  return countersOf(name => sumOf(all, counters => counters[name] ?? 0))
}

/**
 * counterDifference is what was counted between two moments.
 *
 * @param {Counters} later
 * @param {Counters} earlier
 */
export const counterDifference = (later, earlier) =>
  countersOf(name => (later[name] ?? 0) - (earlier[name] ?? 0))

/** NetworkCounters sums what the hosts of all workers last told. One whose worker has died keeps what it told last. */
export class NetworkCounters {
  /** @type {Map<number, Pick<HostInterval, 'seq' | 'counters' | 'causes'>>} by worker */
  #latest = new Map()

  /**
   * add takes an interval of a worker.
   *
   * @param {number} worker
   * @param {Pick<HostInterval, 'seq' | 'counters' | 'causes'>} interval
   */
  add(worker, { seq, counters, causes }) {
    const known = this.#latest.get(worker)
    if (known === undefined || seq > known.seq) this.#latest.set(worker, { seq, counters, causes })
  }

  /** total of the network so far; kept at two moments, their difference is that of a phase. */
  total() {
    return sumCounters([...this.#latest.values()].map(({ counters }) => counters))
  }

  /** causes of the network so far. @returns {Float64Array | undefined} undefined: a worker does not know them */
  causes() {
    const [first, ...others] = [...this.#latest.values()].map(({ causes }) => causes)
    return others.reduce((sum, causes) => causes && sum?.map((each, i) => each + causes[i]), first)
  }
}

/**
 * @typedef {import('../../../network/node-host.js').HostInterval['meshDegree']} Degrees
 *
 * @typedef {object} MeshPoint
 * @property {number} atMs - since the start, of the beginning of the step
 * @property {number} min - mesh peers of a (node, topic) pair
 * @property {number} avg
 * @property {number} max
 */

/**
 * MeshSeries is the mesh degree of the network over time. Workers tell theirs at moments of their own: a step in which one tells
 * nothing has what it told last, as long as it tells anything later.
 */
export class MeshSeries {
  /** @type {Steps<ReadonlyMap<number, Degrees>>} by worker */
  #steps

  /**
   * @param {number} startNs
   * @param {number} [stepMs] - at the beginning
   */
  constructor(startNs, stepMs) {
    this.#steps = new Steps({
      startNs,
      stepMs,
      join: (first, second) => [...second].reduce(withDegrees, first)
    })
  }

  /**
   * add takes an interval of a worker.
   *
   * @param {number} worker
   * @param {Pick<import('../../../network/node-host.js').HostInterval, 'atNs' | 'meshDegree'>} interval
   */
  add(worker, { atNs, meshDegree }) {
    if (meshDegree.count === 0) return
    this.#steps.tell(atNs, (before = new Map()) => withDegrees(before, [worker, meshDegree]))
  }

  /** @returns {MeshPoint[]} ascending, at most MOST_STEPS */
  result() {
    const steps = this.#steps.result()
    const ends = new Map(steps.flatMap(([atMs, told]) => [...told.keys()].map(worker => [worker, atMs])))
    /** @type {Map<number, Degrees>} by worker */
    const last = new Map()
    return steps.map(([atMs, told]) => {
      for (const [worker, degrees] of told) last.set(worker, degrees)
      for (const [worker, endMs] of ends) if (endMs < atMs) last.delete(worker)
      const { min, max, sum, count } = [...last.values()].reduce(joined)
      return { atMs, min, avg: sum / count, max }
    })
  }
}

/** @param {ReadonlyMap<number, Degrees>} told @param {[worker: number, degrees: Degrees]} more */
function withDegrees(told, [worker, degrees]) {
  const before = told.get(worker)
  return new Map(told).set(worker, before === undefined ? degrees : joined(before, degrees))
}

/** @param {Degrees} a @param {Degrees} b @returns {Degrees} */
const joined = (a, b) => ({
  min: Math.min(a.min, b.min),
  max: Math.max(a.max, b.max),
  sum: a.sum + b.sum,
  count: a.count + b.count
})

/**
 * @typedef {import('../../../network/node-host.js').HostInterval} HostInterval
 * @typedef {import('../../../network/node-host.js').ReceivedRows} ReceivedRows
 * @typedef {import('../gossip-types.js').GossipFigures} GossipFigures
 * @typedef {import('../measure/delivery-result.js').DeliveryResult} DeliveryResult
 * @typedef {import('../gossip-types.js').GossipCost} GossipCost
 *
 * @typedef {object} Lens - what looks at intervals before deliveries are counted
 * @property {(interval: HostInterval, received: ReceivedRows) => ReceivedRows} take - gives the receipts that are expected deliveries
 */

/** GossipMeasurement gathers what the hosts of all workers tell, from the moment publishing begins. */
export class GossipMeasurement {
  #counters = new NetworkCounters()
  /** @type {Counters | null} when publishing began */
  #before = null
  /** @type {Float64Array | undefined} then, too */
  #causesBefore
  #startNs
  #endNs
  /** @type {{ before: number, now: number }[]} by worker */
  #aborted = []
  tracker
  /** Rows come in the order of their times from a simulated network alone. @type {DeliveryDigest | null} */
  #digest
  meshSeries
  scoreSeries
  /** @type {WorkerUsage[]} */
  usage
  #lens
  #groups

  /**
   * @param {object} run
   * @param {number} run.workers
   * @param {number} run.nodes - that there are, or will be
   * @param {readonly (readonly number[])[]} run.subscriptions - at any time
   * @param {number} run.startNs - of the publish phase
   * @param {number | null} run.planned - messages
   * @param {boolean} [run.simulated]
   * @param {(node: number, publishedUs: number, topic: number) => boolean} [run.isThere] - where nodes come and go, or change their
   *   subscriptions: who is to receive what is published
   * @param {Lens | null} [run.lens]
   * @param {import('../measure/delivery-rows.js').DeliveryRows | null} [run.rows] - where each delivery is a row; null: nowhere
   * @param {import('../measure/groups.js').Groups | null} [run.groups] - that count too; null: there are none
   */
  constructor({
    workers,
    nodes,
    subscriptions,
    startNs,
    planned,
    simulated = false,
    isThere,
    lens = null,
    rows = null,
    groups = null
  }) {
    this.rows = rows
    this.#groups = groups
    this.#lens = lens
    this.#startNs = startNs
    this.#endNs = startNs
    this.tracker = new DeliveryTracker({ nodes, subscriptions, startNs, planned, isThere, rows, groups })
    this.#digest = simulated ? new DeliveryDigest(workers) : null
    this.meshSeries = new MeshSeries(startNs)
    this.scoreSeries = new ScoreSeries(startNs)
    this.usage = Array.from({ length: workers }, () => new WorkerUsage(startNs))
  }

  /** before takes what the hosts had counted when publishing began. @param {HostInterval} interval @param {number} worker */
  before(interval, worker) {
    this.#counters.add(worker, interval)
    this.#aborted[worker] = { before: interval.abortedStreams, now: interval.abortedStreams }
    this.#before = this.#counters.total()
    this.#groups?.addBytes(interval.nodeBytes, true)
    this.#causesBefore = this.#counters.causes()
  }

  /** add takes an interval. @param {HostInterval} interval @param {number} worker */
  add(interval, worker) {
    const { published, received, atNs, abortedStreams } = interval
    this.tracker.addPublished(published)
    const own = this.#lens === null ? received : this.#lens.take(interval, received)
    this.tracker.addReceived(own)
    if (interval.copies !== undefined) this.tracker.addCopies(interval.copies, atNs)
    this.tracker.writeRows(atNs)
    this.#digest?.addPublished(published, worker, atNs)
    // what nobody expected of a node that left or returned has happened, too
    this.#digest?.addReceived(received, worker, atNs)
    this.#counters.add(worker, interval)
    this.#groups?.addBytes(interval.nodeBytes)
    this.meshSeries.add(worker, interval)
    this.scoreSeries.add(interval.scores ?? [])
    this.usage[worker].add(interval)
    this.#aborted[worker] = { before: this.#aborted[worker]?.before ?? 0, now: abortedStreams }
    this.#endNs = Math.max(this.#endNs, atNs)
  }

  /**
   * close ends the measurement: what has not been received by now is missing.
   *
   * @param {import('../../../network/node-host.js').HostEnd[]} ends - of the workers that told theirs
   * @param {Pick<import('../measure/evidence.js').DeliveryEvidence, 'gone' | 'partitions' | 'absences' | 'components'>} known - in the main process
   * @returns {{ deliveries: DeliveryResult, meshPeersWithoutStream: number }}
   */
  close(ends, { gone, partitions, absences, components }) {
    const hosts = ends.map(({ evidence }) => evidence)
    const evidence = mergeEvidence(hosts, gone, { partitions, absences }, components)
    this.tracker.close(evidence, this.#endNs)
    return { deliveries: this.tracker.result(), meshPeersWithoutStream: evidence.meshWithoutStream.length }
  }

  /** startNs of the publish phase. */
  get startNs() {
    return this.#startNs
  }

  /** digest of all deliveries so far, behind the name of its engine; null: of a real network. */
  get digest() {
    return this.#digest === null ? null : named(this.#digest.hex())
  }

  /** endNs is the latest time that a host told. */
  get endNs() {
    return this.#endNs
  }

  get measuredMs() {
    return Math.max(0, this.#endNs - this.#startNs) / 1e6
  }

  get abortedStreams() {
    return this.#aborted.reduce((sum, { before, now }) => sum + now - before, 0)
  }

  /** counters since publishing began. */
  get counters() {
    const total = this.#counters.total()
    return counterDifference(total, this.#before ?? total)
  }

  /** causes since publishing began. @returns {Float64Array | undefined} undefined: not known */
  get causes() {
    const before = this.#causesBefore
    return before && this.#counters.causes()?.map((count, i) => count - before[i])
  }

  /**
   * cost per delivery.
   *
   * @param {number} deliveries
   * @returns {GossipCost}
   */
  cost(deliveries) {
    const { duplicates, bytesSent, rpcsSent, ...counters } = this.counters
    const { ihaveSent, iwantSent, graftSent, pruneSent, idontwantSent } = counters
    const each = (/** @type {number} */ sum) => (deliveries === 0 ? null : sum / deliveries)
    return {
      cpuMicrosPerDelivery: each(sumOf(this.usage, ({ cpuMicros }) => cpuMicros)),
      duplicatesPerDelivery: each(duplicates),
      bytesPerDelivery: each(bytesSent),
      rpcsPerDelivery: each(rpcsSent),
      controlPerDelivery: each(ihaveSent + iwantSent + graftSent + pruneSent + idontwantSent)
    }
  }

  /** partOf is what is known of a part of the network that a threshold is set on. @param {import('../../../measure/figure.js').Part} part */
  partOf(part) {
    return /** @type {import('../../../measure/figure.js').Outcome | null} */ (
      /** @type {unknown} */ (this.#groups?.part(part) ?? null)
    )
  }

  /** figures so far. @returns {GossipFigures} */
  figures() {
    const { openMessages, ...figures } = this.tracker.figures()
    return { ...figures, cost: this.cost(figures.delivery.delivered), measuredMs: this.measuredMs }
  }
}
