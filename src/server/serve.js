import { finished } from 'node:stream'
import { letHeapGrow, semiSpaceSettings } from './heap.js'

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
  const { runServer } = await import('./run-server.js')
  const heap = options.stock ? {} : letHeapGrow()
  const { multiaddrs, http, stop } = await runServer(options, {
    settings: { ...heap, ...semiSpaceSettings() }
  })
  return { ready: `${multiaddrs[0]} ${http}`, stop }
}

/** @param {import('./options.js').ServerOptions} options */
async function perf(options) {
  const { runPerfServer } = await import('./run-perf-server.js')
  const { multiaddrs, stop } = await runPerfServer(options)
  return { ready: multiaddrs[0], stop }
}
