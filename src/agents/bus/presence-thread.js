// The thread that sends heartbeats to the NATS bus, so that a busy event loop does not delay them.
import { parentPort, workerData } from 'node:worker_threads'
import { BUS_SUBJECTS, connectBus, openPresenceBucket, readJsonEntry } from '../bus-connection.js'
import { BUS_KEY, SilenceDetector } from '../presence.js'

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort)

/** @type {{ address: import('../../plan/agents.js').BusAddress, key: string, value: object, clockOf: string | null, watched: string }} */
const { address, key, value: first, clockOf, watched } = workerData

const BEAT_MS = 500
const LOOK_MS = 200
const WRITE_WITHIN_MS = 2000

let value = first
const silence = new SilenceDetector({ now: () => performance.now(), tell: event => port.postMessage(event) })

let open = /** @type {{ presence: import('@nats-io/kv').KV, stop: () => void } | null} */ (null)
/** Ends what waits for the bus when the link to it goes: its answer would never come. */
let cut = () => {}

/** @param {import('@nats-io/transport-node').NatsConnection} connection */
async function watchOthers(connection) {
  const presence = await openPresenceBucket(connection)
  const changes = await presence.watch({ key: watched })
  const own = { presence, stop: () => changes.stop() }
  const reading = (async () => {
    for await (const entry of changes) {
      const there = entry.operation === 'PUT'
      const entryValue = there ? readJsonEntry(entry) : null
      if (there && entryValue !== undefined) silence.heard(entry.key)
      port.postMessage({ kind: 'entry', key: entry.key, value: entryValue })
    }
  })()
  const over = () => {
    if (open === own) open = null
  }
  reading.then(over, over)
  return own
}

try {
  const connection = await connectBus(address, key)
  open = await watchOthers(connection)
  if (clockOf !== null)
    connection.subscribe(BUS_SUBJECTS.clock(clockOf), {
      callback: (_, message) => void message.respond(String(process.hrtime.bigint()))
    })
  const writeEntry = async () => {
    try {
      open ??= await watchOthers(connection)
      const writing = open.presence.put(
        key,
        JSON.stringify(value),
        /** @type {any} */ ({ timeout: WRITE_WITHIN_MS })
      )
      await new Promise((resolve, reject) => {
        cut = () => reject(new Error('the link to the bus was cut'))
        writing.then(resolve, reject)
      })
      silence.heard(BUS_KEY)
    } catch (error) {
      // a bus that was started again knows nothing any more
      if (/** @type {Error} */ (error).name !== 'TimeoutError') close()
    }
  }
  const close = () => {
    open?.stop()
    open = null
  }
  /** @type {Promise<void> | null} */
  let beating = null
  const beat = () => {
    beating ??= writeEntry().finally(() => {
      beating = null
    })
    return beating
  }
  const following = async () => {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect') {
        silence.cut()
        cut()
      }
      if (type === 'reconnect') {
        await beating
        close()
        await beat()
      }
    }
  }
  void following()
  await beat()
  setInterval(beat, BEAT_MS)
  setInterval(() => silence.look(), LOOK_MS)
  silence.expect(BUS_KEY)
  port.on('message', async message => {
    if (message.kind === 'value') {
      value = message.value
      // one that is under way tells what was before
      await beating
      await beat()
      port.postMessage({ kind: 'reported' })
    }
    if (message.kind === 'expect') silence.expect(message.key)
    if (message.kind === 'forget') silence.forget(message.key)
    if (message.kind === 'end') {
      await Promise.race([
        open?.presence.delete(key).catch(() => {}),
        new Promise(resolve => setTimeout(resolve, 500))
      ])
      process.exit()
    }
  })
  port.postMessage({ kind: 'ready' })
} catch (error) {
  const { message } = /** @type {Error} */ (error)
  port.postMessage({ kind: 'failed', message })
}
