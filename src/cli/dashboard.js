import { randomBytes } from 'node:crypto'
import { serveLocally } from './serve-locally.js'

/**
 * @typedef {import('../plan/read-options.js').Problem} Problem
 *
 * @typedef {object} Dashboard - a page of what goes on
 * @property {string | null} url - where it is; null: there is none
 * @property {import('./json-lines.js').Sink[]} sinks - take the lines that it is told
 * @property {() => Promise<void>} stop
 */

/** So many cannot be guessed by what else runs on this machine. */
const TOKEN_BYTES = 24

/** Nobody else shows it, keeps it, or is told its address. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff'
}

/**
 * serveDashboard serves a page of what goes on, to who knows its address.
 *
 * @param {number | null} port - 0: any that is free; null: nothing is served
 * @returns {Promise<Dashboard | { problem: Problem }>}
 */
export async function serveDashboard(port) {
  if (port === null) return { url: null, sinks: [], async stop() {} }
  const { dashboardPage } = await import('../report/page/dashboard-page.js')
  const { Feed } = await import('../report/page/feed.js')
  const feed = new Feed()
  const path = `/live/${randomBytes(TOKEN_BYTES).toString('base64url')}/`
  const body = dashboardPage()
  const served = await serveLocally(
    { flag: '--dashboard', port },
    {
      [`GET ${path}`]: () => ({ type: 'text/html; charset=utf-8', headers: HEADERS, body }),
      [`GET ${path}records`]: () => feed.answer()
    }
  )
  if ('problem' in served) return served
  return {
    url: `${served.url}${path}`,
    sinks: [
      {
        write: async line => feed.add(line),
        describe: (run, description) => feed.describe(run, description),
        close: () => feed.end()
      }
    ],
    stop: served.stop
  }
}
