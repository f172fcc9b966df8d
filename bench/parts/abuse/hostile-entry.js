// The hostile peers, in a process of their own: node hostile-entry.js <multiaddr> <http>. A message begins an abuse, another ends it.
import '../../../src/node-shim.js'
import { ABUSES } from './abuses.js'

const [, , multiaddr, http] = process.argv

/** @type {{ end: AbortController, ended: Promise<unknown> } | undefined} */
let running

process.on('message', async (/** @type {{ begin?: string, times?: number }} */ { begin, times = 1 }) => {
  if (begin !== undefined) {
    const end = new AbortController()
    running = { end, ended: ABUSES[begin].run({ multiaddr, http }, times, end.signal) }
    running.ended.catch(error => process.stderr.write(`the abuse failed: ${error.stack}\n`))
  } else {
    running?.end.abort()
    await running?.ended.catch(() => {})
    running = undefined
  }
  process.send?.({ done: true })
})
// who is thrown out while it sends
process.on('unhandledRejection', () => {})
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true })
