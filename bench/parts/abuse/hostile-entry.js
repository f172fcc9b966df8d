// The hostile peers, in a process of their own: node hostile-entry.js <multiaddr> <http> <abuse> <times its rate>. They connect; then one
// message begins the abuse, and the next ends it: it answers with the share of what was due that this process was too late for.
import '../../../src/node-shim.js'
import { ABUSES } from './abuses.js'

const [, , multiaddr, http, abuse, times] = process.argv
const run = await ABUSES[abuse].prepare({ multiaddr, http }, Number(times))

/** @type {{ end: AbortController, ended: Promise<unknown>, tally: import('./abuses.js').Run['tally'] } | undefined} */
let running

process.on('message', async () => {
  if (running === undefined) {
    const end = new AbortController()
    const tally = { due: 0, skipped: 0 }
    const ended = run({ signal: end.signal, tally }).catch(error =>
      process.stderr.write(`the abuse failed: ${error.stack}\n`)
    )
    running = { end, ended, tally }
    process.send?.({})
  } else {
    running.end.abort()
    await running.ended
    const { due, skipped } = running.tally
    running = undefined
    process.send?.({ skipped: due === 0 ? 0 : skipped / due })
  }
})
// of who is thrown out while it sends
process.on('unhandledRejection', () => {})
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true })
