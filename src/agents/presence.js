// Presence on the NATS bus: sends this process's heartbeats, and detects which agents or runs have gone silent.
import { Worker } from 'node:worker_threads'
import { waitAtMost } from '../kit/time.js'
import { BusError } from './bus-connection.js'

const THREAD = new URL('./bus/presence-thread.js', import.meta.url)

const END_WITHIN_MS = 2000

/**
 * @typedef {object} PresenceOptions
 * @property {import('../plan/agents.js').BusAddress} address
 * @property {string} key - of whoever is present
 * @property {object} value - what it tells of itself
 * @property {string | null} clockOf - the agent whose clock others may ask for
 * @property {string} watched - keys of others, with * and >
 * @property {(key: string, value: any) => void} onEntry - null: gone by itself; undefined: it is no JSON
 * @property {(key: string, silentMs: number) => void} onLost - `bus`: the bus itself
 * @property {(key: string) => void} [onBack]
 *
 * @typedef {object} Presence
 * @property {(value: object) => Promise<void>} tell - from now on; resolves when others can see it, or the bus does not take it
 * @property {(key: string) => void} expect - to hear of it
 * @property {(key: string) => void} forget
 * @property {() => Promise<void>} end
 */

/**
 * startPresence says on the bus that we are there, and notices who else no longer is. It does so in a thread of its own: however busy
 * the event loop of this process is, who only works is not lost.
 *
 * @param {PresenceOptions} options
 * @returns {Promise<Presence>}
 * @throws {BusError}
 */
export async function startPresence({ onEntry, onLost, onBack = () => {}, ...workerData }) {
  const thread = new Worker(THREAD, { workerData })
  const ready = Promise.withResolvers()
  /** @type {Array<() => void>} */
  const telling = []
  const ended = new Promise(resolve => thread.once('exit', resolve))
  void ended.then(() => {
    for (const resolve of telling.splice(0)) resolve()
  })
  thread.on('error', error => ready.reject(error))
  thread.on('message', message => {
    if (message.kind === 'ready') ready.resolve(null)
    if (message.kind === 'failed') ready.reject(new BusError(message.message))
    if (message.kind === 'reported') telling.shift()?.()
    if (message.kind === 'entry') onEntry(message.key, message.value)
    if (message.kind === 'lost') onLost(message.key, message.silentMs)
    if (message.kind === 'back') onBack(message.key)
  })
  await ready.promise.catch(async error => {
    await thread.terminate()
    throw error
  })
  return {
    tell: value =>
      new Promise(resolve => {
        telling.push(resolve)
        thread.postMessage({ kind: 'value', value })
      }),
    expect: key => thread.postMessage({ kind: 'expect', key }),
    forget: key => thread.postMessage({ kind: 'forget', key }),
    async end() {
      thread.postMessage({ kind: 'end' })
      await waitAtMost(ended, END_WITHIN_MS)
      await thread.terminate()
    }
  }
}

/** Heartbeats come twice a second: after five that did not come somebody is lost. */
const LOST_AFTER_MS = 2500
/** A bus that is started again is there after less. */
const BUS_LOST_AFTER_MS = 10_000
/** Whoever looks is late by more only where it was stopped itself, and could hear nobody. */
const LATE_LOOK_MS = 1000

/** BUS_KEY is the bus itself, which answers heartbeats: while it does not, nothing is known of others. */
export const BUS_KEY = 'bus'
const QUIET_MS = 1200

/**
 * @typedef {{ kind: 'lost', key: string, silentMs: number } | { kind: 'back', key: string }} SilenceEvent
 */

/** SilenceDetector notices who has not been heard of for too long, by the clock of whoever listens. */
export class SilenceDetector {
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
    if (key === BUS_KEY && this.#busIsQuiet(nowMs))
      for (const other of this.#expected.values()) other.heardMs = nowMs
    if (key === BUS_KEY) this.#isCut = false
    one.heardMs = nowMs
    if (one.lost) this.#tell({ kind: 'back', key })
    one.lost = false
  }

  /** @param {number} nowMs */
  #busIsQuiet(nowMs) {
    const bus = this.#expected.get(BUS_KEY)
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
      if (key !== BUS_KEY && this.#busIsQuiet(nowMs)) continue
      if (one.lost || silentMs < (key === BUS_KEY ? BUS_LOST_AFTER_MS : LOST_AFTER_MS)) continue
      one.lost = true
      this.#tell({ kind: 'lost', key, silentMs })
    }
  }
}
