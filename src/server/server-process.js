// The life of a server process, from its start to a signal that ends it.
import { finished } from 'node:stream'
import { setFlagsFromString } from 'node:v8'

/**
 * serve runs a server until SIGTERM, SIGINT, SIGHUP or SIGQUIT, until the process that started it through an IPC channel is gone, or, where
 * that is asked for, until its standard input ends. It prints one line when the server is ready: `ready <multiaddr> <URL of the
 * second port>`, of which a perf server has none.
 *
 * @param {import('./options.js').ServerOptions} options
 * @param {{ write: (line: string) => unknown }} [output]
 * @returns {Promise<void>} resolves when the server has stopped
 */
export async function serve(options, output = process.stdout) {
  const stopAsked = new Promise(resolve => {
    for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']) process.once(name, resolve)
    process.once('disconnect', resolve)
    // started through a channel, and who started it is gone already
    if (process.send !== undefined && !process.connected) resolve(undefined)
    if (options.stopWithInput) finished(process.stdin.resume(), resolve)
  })
  const server = await (options.perf ? perf(options) : rendezvous(options))
  output.write(`ready ${server.ready}\n`)
  await stopAsked
  await server.stop()
}

/** @param {import('./options.js').ServerOptions} options */
async function rendezvous(options) {
  const { runServer } = await import('./process/run-server.js')
  const heap = options.stock ? {} : letHeapGrow()
  const { multiaddrs, http, stop } = await runServer(options, {
    settings: { ...heap, ...semiSpaceSettings() }
  })
  return { ready: `${multiaddrs[0]} ${http}`, stop }
}

/** @param {import('./options.js').ServerOptions} options */
async function perf(options) {
  const { runPerfServer } = await import('./process/run-perf-server.js')
  const { multiaddrs, stop } = await runPerfServer(options)
  return { ready: multiaddrs[0], stop }
}

/** HEAP_GROWTH_PERCENT is how much garbage there may be, as a share of what lives, before V8 searches all memory for it. */
const HEAP_GROWTH_PERCENT = 165

/** SEMI_SPACE_MB is the most of each half of what V8 keeps new objects in: as much of them is copied when it is full, and three times as much reserved. */
export const SEMI_SPACE_MB = 8

/** NODE_FLAGS are those of the process of a server: V8 reads them once, when it starts. @type {readonly string[]} */
export const NODE_FLAGS = Object.freeze([`--max-semi-space-size=${SEMI_SPACE_MB}`])

/**
 * letHeapGrow is for a process that answers others: V8 by itself lets a program that allocates slowly have 8 MB of garbage, buffers
 * included, and then stops it for several ms; one that allocates fast has up to 300 %. Strangers need 400 kB a second each to make that
 * two stops a second. V8 reads the flag whenever it decides this, so it can be set while the program runs.
 *
 * @returns {import('../libp2p/node-settings.js').Settings} what is changed by it
 */
export function letHeapGrow() {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`)
  return {
    'v8.heapGrowingPercent': {
      value: HEAP_GROWTH_PERCENT,
      why: 'memory is searched for garbage when there is some 45 MB of it, not for each 8 MB: a stop of several ms each time'
    }
  }
}

/** semiSpaceSettings are what the flags of this process change. @returns {import('../libp2p/node-settings.js').Settings} */
const semiSpaceSettings = () =>
  process.execArgv.includes(NODE_FLAGS[0])
    ? {
        'v8.maxSemiSpaceMB': {
          value: SEMI_SPACE_MB,
          why: 'new objects take 20 MB less than with the 16 of V8'
        }
      }
    : {}
