import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connectBus, reportSubject } from '../../src/agents/bus-connection.js'
import { parseBusAddress } from '../../src/plan/agents.js'

const TOLD = reportSubject('', '').split('.').slice(0, 2).join('.')
/** Of its own: what is put there goes nowhere. */
const STREAM = 'BENCH'
const AT_ONCE = 16
const MAX_KEPT = 1000

const connection = await connectBus(parseBusAddress(process.argv[2]), 'bench')

const nothing = () => ({
  messages: 0,
  bytes: 0,
  toldBytes: 0,
  toldMessages: 0,
  largest: { bytes: 0, subject: '' }
})
let seen = nothing()

const watch = () =>
  connection.subscribe('>', {
    callback(_, { subject, data, headers }) {
      const bytes = data.length + (headers === undefined ? 0 : String(headers).length)
      seen.messages++
      seen.bytes += bytes
      if (subject.startsWith(TOLD)) {
        seen.toldBytes += bytes
        seen.toldMessages++
      }
      if (bytes > seen.largest.bytes) seen.largest = { bytes, subject }
    }
  })

/** How many messages a second are kept. @param {number} bytes @param {number} forMs */
async function speed(bytes, forMs) {
  const manager = await jetstreamManager(connection)
  await manager.streams.add({ name: STREAM, subjects: ['bench.>'], max_msgs: MAX_KEPT })
  const payload = new Uint8Array(bytes)
  const stream = jetstream(connection)
  const beganMs = performance.now()
  let kept = 0
  const putting = async () => {
    while (performance.now() - beganMs < forMs) {
      await stream.publish('bench.put', payload)
      kept++
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, putting))
  const perSecond = (1000 * kept) / (performance.now() - beganMs)
  await manager.streams.delete(STREAM)
  return perSecond
}

let watching = watch()
await connection.flush()
process.on('message', async (/** @type {any} */ { kind, bytes, forMs }) => {
  if (kind === 'look') {
    await connection.flush()
    process.send?.({ ...seen, limitBytes: connection.info?.max_payload })
    seen = nothing()
    return
  }
  watching.unsubscribe()
  const perSecond = await speed(bytes, forMs)
  watching = watch()
  process.send?.(perSecond)
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
