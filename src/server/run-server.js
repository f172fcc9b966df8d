import '../node-shim.js'
import { once } from 'node:events'
import pino from 'pino'
import { settingsOf } from '../libp2p/node-settings.js'
import { createDurations } from './durations.js'
import { Guard } from './guard/guard.js'
import { startHttp } from './http.js'
import { serverIdentity } from './identity.js'
import { listenError } from './listen-error.js'
import { createMetrics } from './metrics.js'
import { createServerNode } from './node.js'
import { SERVER_REASONS } from './node-settings.js'
import { controlRoutes, publicRoutes } from './routes.js'
import { openStore } from './store/open-store.js'

/**
 * @typedef {import('./options.js').ServerOptions} ServerOptions
 * @typedef {Awaited<ReturnType<typeof createServerNode>>} ServerNode
 *
 * @typedef {object} RunningServer
 * @property {string[]} multiaddrs - each with the peer id
 * @property {string} http - URL of the second port
 * @property {ServerNode} node
 * @property {() => Promise<void>} stop
 */

/**
 * runServer starts a rendezvous server with its second port.
 *
 * @param {ServerOptions} options - of readServerOptions
 * @param {object} [parts]
 * @param {import('./store/registration-store.js').RegistrationStore} [parts.store] - default what the options say
 * @param {import('pino').Logger} [parts.log] - default: JSON lines to stderr
 * @param {import('../libp2p/node-settings.js').Settings} [parts.settings] - of the process, for whoever asks for those of the server
 * @returns {Promise<RunningServer>}
 * @throws {import('./store/store-error.js').StoreOpenError | import('./listen-error.js').ListenError}
 */
export async function runServer(options, { store: given, log = stderrLog(options), settings = {} } = {}) {
  const store = given ?? (await openStore(options, log))
  const durations = options.control ? createDurations() : undefined
  const metrics = createMetrics(readState)
  // a server of a run is seldom scraped: it starts without what makes the page
  if (!options.control) await metrics.load()
  const guard = new Guard(options, options.unlimitedFrom)
  const node = await createServerNode(options, {
    guard,
    privateKey: await serverIdentity(options),
    rendezvous: {
      ...{ store, replyDelayMs: options.replyDelayMs },
      ...observer({ metrics, durations, log })
    }
  })

  async function readState() {
    const { registrations, namespaces } = await store.counts()
    const connections = node.getConnections()
    const streams = connections.reduce((sum, connection) => sum + connection.streams.length, 0)
    return { registrations, namespaces, connections: connections.length, streams }
  }

  const control =
    durations === undefined
      ? {}
      : controlRoutes({
          ...options,
          store,
          readState,
          durations,
          settings: { ...(await settingsOf(node, options, SERVER_REASONS)), ...settings }
        })
  const http = await startHttp(
    { host: options.httpHost, port: options.httpPort, ...(options.httpFromParent && (await handedOver())) },
    { ...publicRoutes(store, metrics), ...control },
    { shareOf: guard.shareOf }
  ).catch(async error => {
    await store.stop()
    throw listenError(error, '--httpPort')
  })
  try {
    await node.start()
  } catch (error) {
    await http.stop()
    await store.stop()
    throw listenError(error, '--listen')
  }
  const multiaddrs = node.getMultiaddrs().map(String)
  log.info({ multiaddrs, http: http.url, control: options.control }, 'server ready')
  return {
    multiaddrs,
    http: http.url,
    node,
    stop: async () => {
      log.info('server stops')
      await node.stop()
      await http.stop()
    }
  }
}

/** What listens, from the process that forked this one. @returns {Promise<{ given: import('node:net').Server }>} */
async function handedOver() {
  const handed = once(process, 'message')
  // what samples this process has said that it need not stay for messages
  process.channel?.ref()
  process.send?.('http')
  const [, given] = await handed
  process.channel?.unref()
  return { given }
}

/** @param {ServerOptions} options */
const stderrLog = ({ logLevel }) => pino({ level: logLevel, base: null }, pino.destination(2))

/**
 * @param {object} listeners
 * @param {ReturnType<typeof createMetrics>} listeners.metrics
 * @param {import('./routes.js').Durations} [listeners.durations]
 * @param {import('pino').Logger} listeners.log
 * @returns {Required<Omit<import('./rendezvous-server.js').Observer, 'onStream'>>}
 */
function observer({ metrics, durations, log }) {
  let told = false
  return {
    onLate(address) {
      metrics.onLate()
      if (told) return
      told = true
      log.warn(
        { address },
        'requests wait: an address sends more than it may; --unlimitedFrom lifts its limits'
      )
    },
    onOperation(operation, status, durationMs) {
      metrics.onOperation(operation, status, durationMs)
      durations?.record(operation, durationMs)
    },
    onRefused(error) {
      metrics.onRefused(error)
      log.debug({ err: error }, 'stream refused')
    },
    onFailure(error, operation) {
      log.error({ err: error, operation }, 'request failed')
    }
  }
}
