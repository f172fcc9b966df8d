// Makes the page /metrics of a rendezvous server in the format of Prometheus.
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'

const DURATIONS = 'rendezvous_operation_duration_seconds'

/**
 * makeMetricsPage makes the handler of /metrics.
 *
 * @param {import('./metrics.js').ServerCounts} counts
 * @param {() => Promise<import('./metrics.js').ServerState>} readState
 * @returns {() => Promise<import('../http.js').Answer>}
 */
export function makeMetricsPage(counts, readState) {
  const registry = new Registry()
  addCounters(counts, registry)
  for (const name of /** @type {const} */ (['registrations', 'namespaces', 'connections', 'streams'])) {
    new Gauge({
      name: `rendezvous_${name}`,
      help: `${name[0].toUpperCase()}${name.slice(1)} at this moment`,
      registers: [registry],
      async collect() {
        this.set((await readState())[name])
      }
    })
  }
  collectDefaultMetrics({ register: registry })
  /** @type {Promise<string> | undefined} shared by concurrent requests */
  let underWay
  return async () => {
    underWay ??= registry.metrics().finally(() => {
      underWay = undefined
    })
    return { type: registry.contentType, body: await underWay }
  }
}

/** @param {import('./metrics.js').ServerCounts} counts @param {Registry} registry */
function addCounters(counts, registry) {
  const registers = [registry]
  registry.registerMetric(histogram(counts.durations))
  new Counter({
    name: 'rendezvous_operations_total',
    help: 'Requests served, by type and status',
    labelNames: ['type', 'status'],
    registers,
    collect() {
      counts.operations.showIn(this)
    }
  })
  new Counter({
    name: 'rendezvous_streams_refused_total',
    help: 'Streams reset because of what the other side sent or failed to send',
    labelNames: ['reason'],
    registers,
    collect() {
      counts.refusals.showIn(this)
    }
  })
  new Counter({
    name: 'rendezvous_requests_late_total',
    help: 'Requests that waited because their address sends more than it may: see --unlimitedFrom',
    registers,
    collect() {
      this.reset()
      this.inc(counts.late)
    }
  })
}

/**
 * The part of a metric's interface that a registry uses; the histogram of prom-client accepts only single observations.
 *
 * @param {import('./metrics.js').DurationBuckets} durations
 * @returns {import('prom-client').Metric}
 */
const histogram = durations =>
  /** @type {any} */ ({
    name: DURATIONS,
    get: async () => ({
      name: DURATIONS,
      help: 'Time from a decoded request to its reply handed over',
      type: 'histogram',
      values: durations.samples(DURATIONS)
    })
  })
