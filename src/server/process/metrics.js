// Counts a rendezvous server's requests, refusals and durations, cheaply, for the page /metrics and for the load tester.

import { Histogram } from '../../measure/histogram.js'
import { nameStatus } from '../../protocol/rendezvous.js'

/**
 * @typedef {object} ServerState
 * @property {number} registrations
 * @property {number} namespaces
 * @property {number} connections
 * @property {number} streams
 *
 * @typedef {ReturnType<typeof newCounts>} ServerCounts - of requests served or refused
 */

const newCounts = () => ({
  operations: new Tally('type', 'status'),
  durations: new DurationBuckets(),
  refusals: new Tally('reason'),
  late: 0
})

/**
 * createMetrics makes the counters of /metrics. The modules of the page are loaded at its first request; from then on they measure garbage
 * collections and event loop of the process.
 *
 * @param {() => Promise<ServerState>} readState
 */
export function createMetrics(readState) {
  const counts = newCounts()
  /** @type {Promise<() => Promise<import('../http.js').Answer>> | undefined} */
  let loaded
  const load = () => {
    loaded ??= import('./metrics-page.js').then(({ makeMetricsPage }) => makeMetricsPage(counts, readState))
    return loaded
  }
  return {
    load,
    page: async () => (await load())(),
    /** @type {(operation: string, status: number, durationMs: number) => void} */
    onOperation(operation, status, durationMs) {
      counts.operations.add(operation, nameStatus(status))
      counts.durations.add(operation, durationMs / 1000)
    },
    /** @param {Error & { code?: string }} error */
    onRefused: error => counts.refusals.add(error.code ?? error.name),
    onLate() {
      counts.late++
    }
  }
}

/**
 * Tally counts by labels. prom-client makes a key of sorted labels at each increment, which costs more than to serve some requests. So it gets
 * only the sums, when the page is requested.
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

  /** @param {import('prom-client').Counter<string>} counter */
  showIn(counter) {
    counter.reset()
    for (const { labels, count } of this.#counts.values()) counter.inc(labels, count)
  }
}

const BOUNDS_SECONDS = Object.freeze([
  0.00005, 0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5
])

/** DurationBuckets counts how long operations took, by type, in the buckets of a Prometheus histogram. */
export class DurationBuckets {
  /** @type {Map<string, { counts: number[], sum: number }>} by type: number in each bucket; the last bucket is for longer durations */
  #byType = new Map()

  /** @param {string} type @param {number} seconds */
  add(type, seconds) {
    const entry = this.#byType.get(type) ?? { counts: Array(BOUNDS_SECONDS.length + 1).fill(0), sum: 0 }
    this.#byType.set(type, entry)
    const bucket = BOUNDS_SECONDS.findIndex(bound => seconds <= bound)
    entry.counts[bucket === -1 ? BOUNDS_SECONDS.length : bucket]++
    entry.sum += seconds
  }

  /**
   * samples makes the lines of the histogram: a bucket counts all operations that took no longer than its bound.
   *
   * @param {string} name - of the metric
   */
  samples(name) {
    return [...this.#byType].flatMap(([type, { counts, sum }]) => {
      let count = 0
      const buckets = counts.map((added, bucket) => {
        count += added
        const le = bucket < BOUNDS_SECONDS.length ? BOUNDS_SECONDS[bucket] : '+Inf'
        return { metricName: `${name}_bucket`, labels: { le, type }, value: count }
      })
      const labels = { type }
      return [
        ...buckets,
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: count }
      ]
    })
  }
}

const MICROS_PER_MS = 1000

/**
 * createDurations counts the server's own time of each operation, in µs, for a load tester, which makes HDR histograms of the counts without
 * loss. The server does not load the library of these.
 */
export function createDurations() {
  /** @type {Map<string, Histogram>} */
  const byOperation = new Map()

  return {
    /** @param {string} operation @param {number} durationMs */
    record(operation, durationMs) {
      const histogram = byOperation.get(operation) ?? new Histogram()
      byOperation.set(operation, histogram)
      histogram.record(durationMs * MICROS_PER_MS)
    },
    /** @returns {Record<string, import('../../measure/histogram.js').HistogramCounts>} by operation */
    counts() {
      return Object.fromEntries(
        [...byOperation].map(([operation, { counts, count, sum, max }]) => [
          operation,
          { values: [...counts.keys()], counts: [...counts.values()], count, sum, max }
        ])
      )
    },
    reset() {
      for (const operation of byOperation.keys()) byOperation.set(operation, new Histogram())
    }
  }
}
