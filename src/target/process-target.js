import { atAddress, loopbackHost } from '../kit/ip-address.js'
import { present } from '../kit/lists.js'
import { processReading, RESIDENT_SET } from './process-reading.js'
import { ServerControl } from './server-control.js'
import { startServerProcess } from './server-process.js'

/**
 * @typedef {object} Inside - a network namespace
 * @property {string} host - address in it
 * @property {readonly string[]} through - a command that becomes another one there
 *
 * @typedef {{ listen: string, httpPort: string }} Where
 */

/**
 * startProcessTarget starts our rendezvous server as a process of its own.
 *
 * @param {object} options
 * @param {Record<string, string | number | boolean>} options.settings - options of the server that differ from its defaults
 * @param {Inside | null} [options.inside] - default: in none of its own
 * @param {string} [options.host] - address that it listens on, outside of one
 * @param {boolean} [options.profiled] - it can be sampled
 * @param {AbortSignal} options.signal
 * @param {(error: import('./target-error.js').TargetError) => void} options.onFailed - the server ended without being asked, after
 *   it was ready
 * @returns {Promise<import('./target.js').Target>}
 * @throws {import('./target-error.js').TargetError} SERVER_NOT_STARTED
 */
export async function startProcessTarget({
  settings,
  inside = null,
  host = loopbackHost(),
  profiled = false,
  signal,
  onFailed
}) {
  /** @param {Where} where @param {AbortSignal} signal */
  const start = (where, signal) => {
    const flags = [...flagsOf(settings, where), ...(inside === null ? [] : ['--httpFromParent'])]
    return startServerProcess({
      flags,
      inside,
      httpPort: Number(where.httpPort),
      stock: settings.stock === true,
      profiled,
      signal,
      onFailed
    })
  }
  const listen = `${atAddress(inside?.host ?? host)}/tcp/0`
  let server = await start({ listen, httpPort: '0' }, signal)
  const { multiaddr, http } = server.address
  const control = new ServerControl(http, () => server.exited)
  const nodeSettings = await control.settings().catch(async error => {
    await server.stop()
    throw error
  })
  const again = { listen: multiaddr.split('/p2p/')[0], httpPort: new URL(http).port }
  return {
    kind: 'process',
    multiaddr,
    get pid() {
      return server.pid
    },
    container: null,
    versions: {},
    settings,
    nodeSettings,
    control,
    memoryCountedAs: RESIDENT_SET,
    reading: () => processReading(server.pid),
    get profiles() {
      return present([server.profile])
    },
    faults: {
      pause: async () => server.signal('SIGSTOP'),
      resume: async () => server.signal('SIGCONT'),
      kill: async () => server.signal('SIGKILL'),
      down: () => server.kill(),
      up: async signal => {
        server = await start(again, signal)
      },
      limitCpus: null
    },
    stop: () => server.stop()
  }
}

/**
 * @param {Record<string, string | number | boolean>} settings
 * @param {Where} where
 */
const flagsOf = (settings, { listen, httpPort }) => [
  `--listen=${listen}`,
  `--httpHost=${loopbackHost()}`,
  `--httpPort=${httpPort}`,
  '--control',
  '--logLevel=warn',
  ...Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
]
