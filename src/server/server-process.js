// Runs a server until a signal or the end of its parent. Also defines the Node.js flags and heap settings of server
// processes.
import { finished } from 'node:stream'
import { setFlagsFromString } from 'node:v8'

/**
 * runServerProcess runs a server until SIGTERM, SIGINT, SIGHUP or SIGQUIT, until its parent process with an IPC channel has ended, or, with
 * `stopWithInput`, until its standard input ends. It prints one line when the server is ready: `ready <multiaddr> <URL of the HTTP port>`; a
 * perf server has no HTTP port.
 *
 * @param {import('./options.js').ServerOptions} options
 * @param {{ write: (line: string) => unknown }} [output]
 * @returns {Promise<void>} resolves when the server has stopped
 */
export async function runServerProcess(options, output = process.stdout) {
  const stopRequested = new Promise(resolve => {
    for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']) process.once(name, resolve)
    process.once('disconnect', resolve)
    // the parent process has ended already
    if (process.send !== undefined && !process.connected) resolve(undefined)
    if (options.stopWithInput) finished(process.stdin.resume(), resolve)
  })
  const server = await (options.perf ? perf(options) : rendezvous(options))
  output.write(`ready ${server.ready}\n`)
  await stopRequested
  await server.stop()
}

/** @param {import('./options.js').ServerOptions} options */
async function rendezvous(options) {
  const { runServer } = await import('./process/run-server.js')
  const heap = options.stock ? {} : raiseHeapGrowth()
  const { multiaddrs, http, stop } = await runServer(options, {
    settings: { ...heap, ...readSemiSpaceSettings() }
  })
  return { ready: `${multiaddrs[0]} ${http}`, stop }
}

/** @param {import('./options.js').ServerOptions} options */
async function perf(options) {
  const { runPerfServer } = await import('./process/run-perf-server.js')
  const { multiaddrs, stop } = await runPerfServer(options)
  return { ready: multiaddrs[0], stop }
}

/** Garbage, as a percentage of live memory, at which V8 collects all memory. */
const HEAP_GROWTH_PERCENT = 165

/** SEMI_SPACE_MB bounds each semi-space of V8, in which it keeps new objects: live ones are copied when it is full, and three times its size is reserved. */
export const SEMI_SPACE_MB = 8

/** NODE_FLAGS are the flags of a server's process, which V8 reads only at its start. @type {readonly string[]} */
export const NODE_FLAGS = Object.freeze([`--max-semi-space-size=${SEMI_SPACE_MB}`])

/**
 * raiseHeapGrowth is for a process that answers requests. By default V8 collects the garbage of a program that allocates slowly after 8 MB,
 * buffers included, and stops it for several ms; a program that allocates fast may have up to 300 % of garbage. A few clients with 400 kB a
 * second each could cause two such stops a second. V8 reads the flag at each decision, so that it can be set at run time.
 *
 * @returns {import('../libp2p/node-settings.js').LibrarySettings} the changed settings
 */
export function raiseHeapGrowth() {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`)
  return {
    'v8.heapGrowingPercent': {
      value: HEAP_GROWTH_PERCENT,
      why: 'memory is searched for garbage when there is some 45 MB of it, not for each 8 MB: a stop of several ms each time'
    }
  }
}

/** @returns {import('../libp2p/node-settings.js').LibrarySettings} settings changed by the flags of this process */
const readSemiSpaceSettings = () => {
  if (!process.execArgv.includes(NODE_FLAGS[0])) return {}
  const why = 'new objects take 20 MB less than with the 16 of V8'
  return { 'v8.maxSemiSpaceMB': { value: SEMI_SPACE_MB, why } }
}
