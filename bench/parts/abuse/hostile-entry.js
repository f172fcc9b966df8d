// The hostile peers, in a process of their own: node hostile-entry.js <multiaddr> <http> <abuse> <times its rate>. They connect; then one
// message begins the abuse, and the next ends it.
import '../../../src/node-shim.js'
import { ABUSES } from './abuses.js'

const [, , multiaddr, http, abuse, times] = process.argv
const run = await ABUSES[abuse].prepare({ multiaddr, http }, Number(times))

/** @type {{ end: AbortController, ended: Promise<unknown> } | undefined} */
let running

process.on('message', async () => {
  if (running === undefined) {
    const end = new AbortController()
    const ended = run(end.signal).catch(error => process.stderr.write(`the abuse failed: ${error.stack}\n`))
    running = { end, ended }
  } else {
    running.end.abort()
    await running.ended
    running = undefined
  }
  process.send?.({ done: true })
})
// of who is thrown out while it sends
process.on('unhandledRejection', () => {})
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true })
