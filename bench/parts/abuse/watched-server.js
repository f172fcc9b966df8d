import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../../src/server/main.js', import.meta.url))
const WATCH = new URL('./server-watch.js', import.meta.url).href

/** As for strangers: nobody's limits are lifted. */
const FLAGS = Object.freeze([
  '--listen=/ip4/127.0.0.1/tcp/0',
  '--httpPort=0',
  '--control',
  '--logLevel=error',
  '--unlimitedFrom=',
  '--maxStoreBytes=48MiB'
])

/** @typedef {import('../../../src/server/loop-watch.js').Seen} Seen */

/** startWatchedServer starts our server in a process of its own, which tells what it costs. */
export async function startWatchedServer() {
  const child = fork(MAIN, FLAGS, {
    execArgv: ['--expose-gc', '--import', WATCH],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc']
  })
  const [line] = await once(/** @type {import('node:stream').Readable} */ (child.stdout), 'data')
  const [, multiaddr, http] = String(line).trim().split(' ')
  return {
    multiaddr,
    http,
    /** @param {{ collect?: boolean }} [how] - `collect`: what nobody uses is collected first @returns {Promise<Seen>} */
    async seen(how = {}) {
      child.send(how)
      const [seen] = await once(child, 'message')
      return seen
    },
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
  }
}
