import { serveLocally } from './serve-locally.js'

/**
 * @typedef {import('../plan/read-options.js').Problem} Problem
 * @typedef {import('../result/deliver.js').Consumer} Consumer
 *
 * @typedef {object} Watched
 * @property {Consumer[]} consumers - take the records of the run, and end the serving when they are closed
 * @property {string | null} url - where to look
 */

/**
 * servePrometheus serves the metrics of a run while it goes on.
 *
 * @param {number | null} port - 0: any that is free; null: nothing is served
 * @param {readonly import('../report/view.js').View[]} views - of the scenarios that are run
 * @returns {Promise<Watched | { problem: Problem }>}
 */
export async function servePrometheus(port, views) {
  if (port === null) return { consumers: [], url: null }
  const { runMetrics } = await import('../report/run-metrics.js')
  const metrics = await runMetrics(views)
  const served = await serveLocally(
    { flag: '--prometheus', port },
    { 'GET /metrics': async () => ({ type: metrics.contentType, body: await metrics.text() }) }
  )
  if ('problem' in served) return served
  return { consumers: [{ add: metrics.add, close: served.stop }], url: `${served.url}/metrics` }
}
