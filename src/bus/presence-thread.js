import { parentPort, workerData } from 'node:worker_threads'
import { connectBus } from './connect.js'
import { SUBJECT } from './names.js'
import { jsonIn, openPresence } from './stores.js'

/** Heartbeats come twice a second: after five that did not come somebody is lost. */
const LOST_AFTER_MS = 2500
/** A bus that is started again is there after less. */
const BUS_LOST_AFTER_MS = 10_000
/** Whoever looks is late by more only where it was stopped itself, and could hear nobody. */
const LATE_LOOK_MS = 1000

/** BUS is the bus itself, which answers heartbeats: while it does not, nothing is known of others. */
export const BUS = 'bus'
const QUIET_MS = 1200

/**
 * @typedef {{ kind: 'lost', key: string, silentMs: number } | { kind: 'back', key: string }} SilenceEvent
 */

/** Silence notices who has not been heard of for too long, by the clock of whoever listens. */
export class Silence {
  #now
  #tell
  #lookedMs
  #isCut = false
  /** @type {Map<string, { heardMs: number, lost: boolean }>} */
  #expected = new Map()

  /** @param {{ now: () => number, tell: (event: SilenceEvent) => void }} components - `now`: ms, monotonic */
  constructor({ now, tell }) {
    this.#now = now
    this.#tell = tell
    this.#lookedMs = now()
  }

  /** expect to hear of somebody from now on. @param {string} key */
  expect(key) {
    this.#expected.set(key, { heardMs: this.#now(), lost: false })
  }

  /** forget somebody. @param {string} key */
  forget(key) {
    this.#expected.delete(key)
  }

  /** cut says that the link to the bus has gone: it has to be heard of again before others can be. */
  cut() {
    this.#isCut = true
  }

  /** heard of somebody. @param {string} key */
  heard(key) {
    const one = this.#expected.get(key)
    if (one === undefined) return
    const nowMs = this.#now()
    // who speaks over the bus could not be heard meanwhile
    if (key === BUS && this.#busIsQuiet(nowMs))
      for (const other of this.#expected.values()) other.heardMs = nowMs
    if (key === BUS) this.#isCut = false
    one.heardMs = nowMs
    if (one.lost) this.#tell({ kind: 'back', key })
    one.lost = false
  }

  /** @param {number} nowMs */
  #busIsQuiet(nowMs) {
    const bus = this.#expected.get(BUS)
    return bus !== undefined && (this.#isCut || nowMs - bus.heardMs > QUIET_MS)
  }

  /** look notices who is silent. */
  look() {
    const nowMs = this.#now()
    const sinceMs = nowMs - this.#lookedMs
    const deafMs = sinceMs > LATE_LOOK_MS ? sinceMs : 0
    this.#lookedMs = nowMs
    for (const [key, one] of this.#expected) {
      one.heardMs += deafMs
      const silentMs = nowMs - one.heardMs
      if (key !== BUS && this.#busIsQuiet(nowMs)) continue
      if (one.lost || silentMs < (key === BUS ? BUS_LOST_AFTER_MS : LOST_AFTER_MS)) continue
      one.lost = true
      this.#tell({ kind: 'lost', key, silentMs })
    }
  }
}

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort)

/** @type {{ address: import('../plan/bus-address.js').BusAddress, key: string, value: object, clockOf: string | null, watched: string }} */
const { address, key, value: first, clockOf, watched } = workerData

const BEAT_MS = 500
const LOOK_MS = 200
const PUT_WITHIN_MS = 2000

let value = first
const silence = new Silence({ now: () => performance.now(), tell: event => port.postMessage(event) })

let open = /** @type {{ presence: import('@nats-io/kv').KV, stop: () => void } | null} */ (null)
/** Ends what waits for the bus when the link to it goes: its answer would never come. */
let cut = () => {}

/** @param {import('@nats-io/transport-node').NatsConnection} connection */
async function watchOthers(connection) {
  const presence = await openPresence(connection)
  const changes = await presence.watch({ key: watched })
  const own = { presence, stop: () => changes.stop() }
  const reading = (async () => {
    for await (const entry of changes) {
      const there = entry.operation === 'PUT'
      const told = there ? jsonIn(entry) : null
      if (there && told !== undefined) silence.heard(entry.key)
      port.postMessage({ kind: 'entry', key: entry.key, value: told })
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
    connection.subscribe(SUBJECT.clock(clockOf), {
      callback: (_, message) => void message.respond(String(process.hrtime.bigint()))
    })
  const put = async () => {
    try {
      open ??= await watchOthers(connection)
      const kept = open.presence.put(
        key,
        JSON.stringify(value),
        /** @type {any} */ ({ timeout: PUT_WITHIN_MS })
      )
      await new Promise((resolve, reject) => {
        cut = () => reject(new Error('the link to the bus was cut'))
        kept.then(resolve, reject)
      })
      silence.heard(BUS)
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
    beating ??= put().finally(() => {
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
  silence.expect(BUS)
  port.on('message', async message => {
    if (message.kind === 'value') {
      value = message.value
      // one that is under way tells what was before
      await beating
      await beat()
      port.postMessage({ kind: 'told' })
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
