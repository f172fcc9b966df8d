// Starts a rendezvous server: opens its store, makes its libp2p node, listens on its HTTP ports.
import '../../kit/runtime.js'
import { once } from 'node:events'
import pino from 'pino'
import { makeConnectionGater } from '../../libp2p/node-components.js'
import { readNodeSettings } from '../../libp2p/node-settings.js'
import { DEFAULT_STACK, findStack } from '../../libp2p/stacks.js'
import { isInNetworks, makeNetworkList } from '../admission/address-groups.js'
import { Guard } from '../admission/connection-guard.js'
import { startHttp } from '../http.js'
import { LIMITS, pickLimits } from '../limits.js'
import { makeListenError } from '../options.js'
import { rendezvousServer } from '../rendezvous-server.js'
import { MemoryStore } from '../store/memory-store.js'
import { computeDefaultStoreBytes } from '../store.js'
import { loadServerKey } from './identity.js'
import { createDurations, createMetrics } from './metrics.js'
import { SERVER_REASONS, STREAM_WINDOW } from './node-settings.js'
import { makeControlRoutes, makePublicRoutes } from './routes.js'

/**
 * @typedef {import('../options.js').ServerOptions} ServerOptions
 * @typedef {Awaited<ReturnType<typeof createServerNode>>} ServerNode
 *
 * @typedef {object} RunningServer
 * @property {string[]} multiaddrs - each with the peer id
 * @property {string} http - URL of its HTTP port
 * @property {ServerNode} node
 * @property {() => Promise<void>} stop
 */

/**
 * runServer starts a rendezvous server with its HTTP port.
 *
 * @param {ServerOptions} options - of readServerOptions
 * @param {object} [parts]
 * @param {import('../store/registration.js').RegistrationStore} [parts.store] - default what the options say
 * @param {import('pino').Logger} [parts.log] - default: JSON lines to stderr
 * @param {import('../../libp2p/node-settings.js').LibrarySettings} [parts.settings] - of the process, added to those of the node in /control/settings
 * @returns {Promise<RunningServer>}
 * @throws {import('../store.js').StoreOpenError | import('../options.js').ListenError}
 */
export async function runServer(
  options,
  { store: ownStore, log = makeStderrLog(options), settings = {} } = {}
) {
  const store = ownStore ?? (await openStore(options, log))
  const durations = options.control ? createDurations() : undefined
  const metrics = createMetrics(readState)
  // the server of a run is seldom scraped: it starts without the modules of the metrics page
  if (!options.control) await metrics.load()
  const guard = new Guard(options, options.unlimitedFrom)
  const node = await createServerNode(options, {
    guard,
    privateKey: await loadServerKey(options),
    rendezvous: { store, replyDelayMs: options.replyDelayMs, ...makeObserver({ metrics, durations, log }) }
  })

  async function readState() {
    const { registrations, namespaces } = await store.counts()
    const connections = node.getConnections()
    const streams = connections.reduce((sum, connection) => sum + connection.streams.length, 0)
    return { registrations, namespaces, connections: connections.length, streams }
  }

  const routes = makePublicRoutes(store, metrics)
  if (durations !== undefined) {
    const allSettings = { ...(await readNodeSettings(node, options, SERVER_REASONS)), ...settings }
    Object.assign(
      routes,
      makeControlRoutes({ ...options, store, readState, durations, settings: allSettings })
    )
  }
  const existing = options.httpFromParent ? await receiveHttpServer() : undefined
  const where = { host: options.httpHost, port: options.httpPort, existing }
  const http = await startHttp(where, routes, { shareOf: guard.shareOf }).catch(async error => {
    await store.stop()
    throw makeListenError(error, '--httpPort')
  })
  try {
    await node.start()
  } catch (error) {
    await http.stop()
    await store.stop()
    throw makeListenError(error, '--listen')
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

/** Receives a listening server from the parent process. @returns {Promise<import('node:net').Server>} */
async function receiveHttpServer() {
  const message = once(process, 'message')
  // server-profile.js has unreferenced the channel
  process.channel?.ref()
  process.send?.('http')
  const [, server] = await message
  process.channel?.unref()
  return server
}

/** @param {ServerOptions} options */
const makeStderrLog = ({ logLevel }) => pino({ level: logLevel, base: null }, pino.destination(2))

/**
 * @param {object} listeners
 * @param {ReturnType<typeof createMetrics>} listeners.metrics
 * @param {import('./routes.js').Durations} [listeners.durations]
 * @param {import('pino').Logger} listeners.log
 * @returns {Required<Omit<import('../rendezvous-server.js').Observer, 'onStream'>>}
 */
function makeObserver({ metrics, durations, log }) {
  let warned = false
  return {
    onLate(address) {
      metrics.onLate()
      if (warned) return
      warned = true
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

/**
 * @typedef {import('@libp2p/interface').PrivateKey} PrivateKey
 * @typedef {import('../rendezvous-server.js').RendezvousServer} RendezvousServer
 */

/**
 * createServerNode makes the libp2p node of a rendezvous server: TCP, Noise and Yamux. It is not started.
 *
 * Differences from libp2p's defaults with their reasons: see SERVER_REASONS (node-settings.js). A stock node is libp2p as published: it has
 * no guard, and no other limits than those of the rendezvous service. There is no identify service: the protocol needs none, for a client's
 * addresses come with its signed record, and identify costs the server 1.1 to 1.6 ms for each connection, half as much again as the
 * connection itself.
 *
 * @param {Pick<ServerOptions, 'listen' | 'announce' | 'unlimitedFrom' | keyof import('../limits.js').Limits> & Partial<Pick<ServerOptions, 'onlyFrom' | 'stack' | 'stock'>>} options
 * @param {object} parts
 * @param {PrivateKey} parts.privateKey
 * @param {import('../rendezvous-server.js').RendezvousServerInit} [parts.rendezvous] - besides limits and networks without limits
 * @param {Guard} [parts.guard] - default: one of its own
 * @returns {Promise<import('@libp2p/interface').Libp2p<{ rendezvous: RendezvousServer }>>}
 */
export function createServerNode(
  options,
  { privateKey, rendezvous = {}, guard = new Guard(options, options.unlimitedFrom) }
) {
  const { listen, announce, unlimitedFrom, onlyFrom = [], maxStreams, stack = DEFAULT_STACK } = options
  const admitted = makeNetworkList(onlyFrom)
  return findStack(stack).createNode({
    ...(!options.stock && {
      lean: true,
      guard,
      muxerOptions: { streamOptions: STREAM_WINDOW, maxInboundStreams: maxStreams },
      connectionMonitor: { enabled: false }
    }),
    privateKey,
    addresses: { listen, announce },
    ...(onlyFrom.length > 0 && {
      connectionGater: makeConnectionGater({ isAddress: address => isInNetworks(admitted, address) })
    }),
    connectionManager: { allow: unlimitedFrom },
    services: {
      rendezvous: rendezvousServer({
        ...pickLimits(LIMITS, options),
        unlimitedFrom,
        ...rendezvous,
        onStream: guard.negotiated,
        loopTime: guard.loopTime
      })
    }
  })
}

/**
 * openStore opens the store of `--store`. The modules of a database are loaded only for one.
 *
 * @param {import('../options.js').ServerOptions} options
 * @param {Pick<import('pino').Logger, 'info' | 'warn' | 'error'>} log
 * @returns {Promise<import('../store/registration.js').RegistrationStore>}
 * @throws {import('../store.js').StoreOpenError}
 */
async function openStore(options, log) {
  const { storeAddress: store, maxPeerRegistrations, maxRegistrations } = options
  if (store.kind === 'memory')
    return new MemoryStore({ maxStoreBytes: computeDefaultStoreBytes(), ...options })
  const beganMs = performance.now()
  const { SqlStore } = await import('../sql-store.js')
  const { openPostgres } = await import('../postgres.js')
  const database = await openPostgres(store.url, { connections: options.storeConnections })
  const opened = await SqlStore.open(database, {
    maxPeerRegistrations,
    maxRegistrations,
    onChange: problem =>
      problem === undefined ? log.info('store is back') : log.error({ problem }, 'store is away'),
    onSweepFailed: err => log.error({ err }, 'expired registrations could not be removed')
  })
  const openMs = Math.round(performance.now() - beganMs)
  log.info({ store: store.kind, durability: opened.health().durability, openMs }, 'store open')
  return opened
}
