/**
 * @typedef {import('../plan/read-options.js').Problem} Problem
 * @typedef {import('../result/deliver.js').Consumer} Consumer
 *
 * @typedef {object} Watched
 * @property {Consumer[]} consumers - take the records of the run, and end the serving when they are closed
 * @property {string | null} url - where to look
 */

const HOST = '127.0.0.1'

/** @type {Record<string, string>} */
const REFUSALS = {
  EADDRINUSE: `is in use on ${HOST}: choose another port, or 0 for any that is free`,
  EACCES: 'may not be listened on by this user: choose a port from 1024 on, or 0 for any that is free'
}

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
  const { startHttp } = await import('../server/http.js')
  const metrics = runMetrics(views)
  try {
    const { url, stop } = await startHttp(
      { host: HOST, port },
      { 'GET /metrics': async () => ({ type: metrics.contentType, body: await metrics.text() }) }
    )
    return { consumers: [{ add: metrics.add, close: stop }], url: `${url}/metrics` }
  } catch (error) {
    const { code = '', message } = /** @type {NodeJS.ErrnoException} */ (error)
    return {
      problem: {
        flag: '--prometheus',
        value: String(port),
        allowed: REFUSALS[code] ?? `cannot be listened on: ${message}`
      }
    }
  }
}
