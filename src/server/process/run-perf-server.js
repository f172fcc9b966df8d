// Starts a standalone perf server on a libp2p node with default settings.
import '../../kit/runtime.js'
import pino from 'pino'
import { DEFAULT_STACK, findStack } from '../../libp2p/stacks.js'
import { makeListenError } from '../options.js'
import { perfServer } from '../perf-server.js'
import { loadServerKey } from './identity.js'

/**
 * @typedef {import('../options.js').ServerOptions} ServerOptions
 *
 * @typedef {object} RunningPerfServer
 * @property {string[]} multiaddrs - each with the peer id
 * @property {import('@libp2p/interface').Libp2p} node
 * @property {() => Promise<void>} stop
 */

/**
 * runPerfServer starts a server of the perf protocol: TCP, Noise and Yamux, with libp2p's defaults except for pings, so that libp2p itself is
 * measured.
 *
 * @param {ServerOptions} options - of readServerOptions
 * @param {{ log?: import('pino').Logger }} [parts] - `log`: default JSON lines to stderr
 * @returns {Promise<RunningPerfServer>}
 */
export async function runPerfServer(
  options,
  { log = pino({ level: options.logLevel, base: null }, pino.destination(2)) } = {}
) {
  const { listen, announce, unlimitedFrom, maxStreams, stack = DEFAULT_STACK } = options
  const node = await findStack(stack).createNode({
    privateKey: await loadServerKey(options),
    addresses: { listen, announce },
    connectionManager: { allow: unlimitedFrom },
    connectionMonitor: { enabled: false },
    muxerOptions: { maxInboundStreams: maxStreams },
    services: {
      perf: perfServer({
        ...options,
        onServed: ({ error, ...served }) => {
          if (error === null) log.debug(inWords(served), 'request served')
          else log.info({ ...inWords(served), err: error }, 'request ended early')
        }
      })
    }
  })
  try {
    await node.start()
  } catch (error) {
    throw makeListenError(error, '--listen')
  }
  const multiaddrs = node.getMultiaddrs().map(String)
  log.info({ multiaddrs }, 'perf server ready')
  return {
    multiaddrs,
    node,
    stop: async () => {
      log.info('server stops')
      await node.stop()
    }
  }
}

/** The log cannot contain a bigint. @param {Omit<import('../perf-server.js').PerfRequestResult, 'error'>} served */
const inWords = ({ wantedBytes, ...served }) => ({ ...served, wantedBytes: wantedBytes?.toString() ?? null })
