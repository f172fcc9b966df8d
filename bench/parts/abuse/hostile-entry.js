// The hostile peers, in a process of their own: node hostile-entry.js <multiaddr> <http> <abuse> <times its rate>. They connect; then one
// message begins the abuse, and the next ends it: it answers with the share of what was due that this process was too late for.
import { HostileWorker } from '../../../src/scenarios/rendezvous/hostile/worker.js'

const [, , multiaddr, http, kind, times] = process.argv
const target = { multiaddr, http, spreads: true, seed: 1 }
const run = new HostileWorker({ target, hostile: { [kind]: Number(times) } })
await run.prepare()

let running = false

process.on('message', async () => {
  if (!running) {
    running = true
    run.begin()
    process.send?.({})
  } else {
    running = false
    const { notSent: skipped, failure } = await run.end()
    if (failure !== null) process.stderr.write(`the abuse failed: ${failure}\n`)
    process.send?.({ skipped })
  }
})
// of who is thrown out while it sends
process.on('unhandledRejection', () => {})
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true })
