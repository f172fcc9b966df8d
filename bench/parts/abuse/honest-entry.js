// The honest client, in a process of its own: node honest-entry.js <multiaddr>. A message has it ask 100 times a second, at the times
// that were due, for so many ms; it answers with how long each took from then on, in ms, and how many were not answered.
import { HonestClients } from '../../../src/scenarios/abuse/run/honest-clients.js'

const [, , multiaddr] = process.argv
const clients = new HonestClients({
  multiaddr,
  addresses: ['127.0.0.2'],
  ratePerSecond: 100,
  registers: false
})
await clients.start()

process.on('message', async (/** @type {{ ms: number }} */ { ms }) => {
  const { tookMs } = await clients.measure({ ms })
  const times = [...tookMs].filter(Number.isFinite)
  process.send?.({ times, failed: tookMs.length - times.length })
})
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true })
