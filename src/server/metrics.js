import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { statusName } from '../protocol/status.js'

/**
 * @typedef {object} ServerState
 * @property {number} registrations
 * @property {number} namespaces
 * @property {number} connections
 * @property {number} streams
 */

const DURATION_BUCKETS_SECONDS = [
  0.00005, 0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5
]

/**
 * createMetrics makes what /metrics shows.
 *
 * @param {() => Promise<ServerState>} readState
 */
export function createMetrics(readState) {
  const registry = new Registry()
  const registers = [registry]
  const durations = new Histogram({
    name: 'rendezvous_operation_duration_seconds',
    help: 'Time from a decoded request to its reply handed over',
    labelNames: ['type'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers
  })
  const operations = new Tally('type', 'status')
  new Counter({
    name: 'rendezvous_operations_total',
    help: 'Requests served, by type and status',
    labelNames: ['type', 'status'],
    registers,
    collect() {
      operations.showIn(this)
    }
  })
  const refusals = new Tally('reason')
  new Counter({
    name: 'rendezvous_streams_refused_total',
    help: 'Streams reset because of what the other side sent or failed to send',
    labelNames: ['reason'],
    registers,
    collect() {
      refusals.showIn(this)
    }
  })
  const late = new Counter({
    name: 'rendezvous_requests_late_total',
    help: 'Requests that waited because their address sends more than it may: see --unlimitedFrom',
    registers
  })
  for (const name of /** @type {const} */ (['registrations', 'namespaces', 'connections', 'streams'])) {
    new Gauge({
      name: `rendezvous_${name}`,
      help: `${name[0].toUpperCase()}${name.slice(1)} at this moment`,
      registers,
      async collect() {
        this.set((await readState())[name])
      }
    })
  }
  collectDefaultMetrics({ register: registry })
  /** @type {Promise<string> | undefined} */
  let underWay
  return {
    contentType: registry.contentType,
    /** text is made once for all who ask at the same time. */
    text() {
      underWay ??= registry.metrics().finally(() => {
        underWay = undefined
      })
      return underWay
    },
    /** @type {(operation: string, status: number, durationMs: number) => void} */
    onOperation(operation, status, durationMs) {
      operations.add(operation, statusName(status))
      durations.observe({ type: operation }, durationMs / 1000)
    },
    /** @param {Error & { code?: string }} error */
    onRefused: error => refusals.add(error.code ?? error.name),
    onLate: () => late.inc()
  }
}

/**
 * Tally counts by labels. prom-client builds a key of sorted labels on each increment, which is dearer than serving some
 * requests, so that it only gets the sums when somebody asks.
 */
class Tally {
  #labelNames
  /** @type {Map<string, { labels: Record<string, string>, count: number }>} */
  #counts = new Map()

  /** @param {string[]} labelNames */
  constructor(...labelNames) {
    this.#labelNames = labelNames
  }

  /** @param {string[]} values */
  add(...values) {
    const key = values.join(' ')
    const entry = this.#counts.get(key)
    if (entry !== undefined) {
      entry.count++
      return
    }
    const labels = Object.fromEntries(this.#labelNames.map((name, index) => [name, values[index]]))
    this.#counts.set(key, { labels, count: 1 })
  }

  /** @param {Counter<string>} counter */
  showIn(counter) {
    counter.reset()
    for (const { labels, count } of this.#counts.values()) counter.inc(labels, count)
  }
}
