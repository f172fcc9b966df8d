import { loopbackHost } from '../kit/ip-address.js'

/** @typedef {import('../plan/read-options.js').Problem} Problem */

const HOST = loopbackHost()

/** @type {Record<string, string>} */
const REFUSALS = {
  EADDRINUSE: `is in use on ${HOST}: choose another port, or 0 for any that is free`,
  EACCES: 'may not be listened on by this user: choose a port from 1024 on, or 0 for any that is free'
}

/**
 * serveLocally serves for this machine alone while a command goes on.
 *
 * @param {{ flag: string, port: number }} asked - 0: any port that is free
 * @param {Parameters<typeof import('../server/http.js').startHttp>[1]} routes
 * @returns {Promise<Awaited<ReturnType<typeof import('../server/http.js').startHttp>> | { problem: Problem }>}
 */
export async function serveLocally({ flag, port }, routes) {
  const { startHttp } = await import('../server/http.js')
  try {
    return await startHttp({ host: HOST, port }, routes)
  } catch (error) {
    const { code = '', message } = /** @type {NodeJS.ErrnoException} */ (error)
    const allowed = REFUSALS[code] ?? `cannot be listened on: ${message}`
    return { problem: { flag, value: String(port), allowed } }
  }
}
