import { statusName } from '../protocol/status.js'
import { DurationBuckets } from './duration-buckets.js'
import { Tally } from './tally.js'

/**
 * @typedef {object} ServerState
 * @property {number} registrations
 * @property {number} namespaces
 * @property {number} connections
 * @property {number} streams
 *
 * @typedef {ReturnType<typeof newCounts>} ServerCounts - of what was served and refused
 */

const newCounts = () => ({
  operations: new Tally('type', 'status'),
  durations: new DurationBuckets(),
  refusals: new Tally('reason'),
  late: 0
})

/**
 * createMetrics counts what /metrics shows. What makes the page is loaded when it is asked for first, and counts from then on what the
 * process itself does: its garbage collections, its event loop.
 *
 * @param {() => Promise<ServerState>} readState
 */
export function createMetrics(readState) {
  const counts = newCounts()
  /** @type {Promise<() => Promise<import('./http.js').Answer>> | undefined} */
  let loaded
  const load = () => {
    loaded ??= import('./metrics-page.js').then(({ metricsPage }) => metricsPage(counts, readState))
    return loaded
  }
  return {
    load,
    page: async () => (await load())(),
    /** @type {(operation: string, status: number, durationMs: number) => void} */
    onOperation(operation, status, durationMs) {
      counts.operations.add(operation, statusName(status))
      counts.durations.add(operation, durationMs / 1000)
    },
    /** @param {Error & { code?: string }} error */
    onRefused: error => counts.refusals.add(error.code ?? error.name),
    onLate() {
      counts.late++
    }
  }
}
