import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { BusError } from './connect.js'

const THREAD = new URL('./presence-thread.js', import.meta.url)

const END_WITHIN_MS = 2000

/**
 * @typedef {object} PresenceOptions
 * @property {import('../plan/bus-address.js').BusAddress} address
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
    if (message.kind === 'told') telling.shift()?.()
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
      await Promise.race([ended, sleep(END_WITHIN_MS, undefined, { ref: false })])
      await thread.terminate()
    }
  }
}
