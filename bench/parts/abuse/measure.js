import { setTimeout as sleep } from 'node:timers/promises'
import { LAST_REPLIES_MS } from '../../../src/scenarios/abuse/measure/answers.js'
import {
  largeRegistrations,
  registrations
} from '../../../src/scenarios/rendezvous/hostile/large-registrations.js'
import { MOST_REPEATS } from '../../../src/studies/matrix/row-runs.js'
import { lowestPriority } from '../../../src/workers/lowest-priority.js'
import { startPart } from '../part-process.js'
import { isStolen, untilQuiet, watchSteal } from '../quiet-machine.js'
import { startWatchedServer } from './watched-server.js'

/**
 * @typedef {object} Stretch
 * @property {number} p99Ms - who was not answered counts as if at the end of the wait for it
 * @property {number} failed - of the honest client's requests
 * @property {number} longestTurnMs
 * @property {number} rssBytes - at most
 * @property {number} cpuPercent - of a core
 * @property {number} [skipped] - share of what was due that the hostile process did not do, because it was late itself
 *
 * @typedef {object} Pair
 * @property {Stretch} quiet
 * @property {Stretch} abused
 * @property {number} stealPercent - of all cores, taken by other guests of the host
 *
 * @typedef {object} Left - bytes afterwards as a share of those before
 * @property {number} heap
 * @property {number} external
 */

const PAUSE_MS = 1500
// so that who connects, and what compiles, is not in the middle of a stretch
const LEAD_IN_MS = 1500
// what was sent, and waits in sockets, belongs to no quiet stretch
const CALM_PERCENT = 5
const MOST_UNTIL_CALM_MS = 60_000
const MOST_UNTIL_QUIET_MS = 600_000

/** @param {string} http @param {AsyncIterable<Uint8Array>} bodies */
async function preload(http, bodies) {
  const chunks = []
  for await (const body of bodies) chunks.push(body)
  const response = await fetch(`${http}/control/registrations`, {
    method: 'POST',
    body: new Uint8Array(Buffer.concat(chunks))
  })
  const { added } = await response.json()
  if (!(added > 0)) throw new Error('the server took no registrations')
}

/** @param {number[]} times @param {number} failed @param {number} mostMs @returns {number} ms */
function p99(times, failed, mostMs) {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.ceil(0.99 * (times.length + failed)) - 1] ?? mostMs
}

/** Bench is a server, an honest client and hostile peers, in a process each. */
class Bench {
  #server
  #honest
  #hostile
  #seconds

  /**
   * @param {object} parts
   * @param {Awaited<ReturnType<typeof startWatchedServer>>} parts.server
   * @param {Awaited<ReturnType<typeof startPart>>} parts.honest
   * @param {Awaited<ReturnType<typeof startPart>>} parts.hostile
   * @param {number} parts.seconds - of a stretch
   */
  constructor({ server, honest, hostile, seconds }) {
    this.#server = server
    this.#honest = honest
    this.#hostile = hostile
    this.#seconds = seconds
  }

  /** @param {string} abuse @param {number} times @param {number} seconds */
  static async start(abuse, times, seconds) {
    const server = await startWatchedServer()
    await preload(server.http, registrations(1000))
    await preload(server.http, largeRegistrations())
    const honest = await startPart(new URL('./honest-entry.js', import.meta.url), [server.multiaddr])
    const hostile = await startPart(new URL('./hostile-entry.js', import.meta.url), [
      server.multiaddr,
      server.http,
      abuse,
      String(times)
    ])
    // hostile peers have machines of their own: they must not take a core from who is measured
    lowestPriority(hostile.pid)
    const bench = new Bench({ server, honest, hostile, seconds })
    // until V8 has compiled what is hot: in its first 10 s the server takes twice the CPU, and p99 is twice what it is later
    await honest.ask({ ms: 15_000 })
    await bench.stretch(true)
    return bench
  }

  /** @param {boolean} abused @returns {Promise<Stretch>} */
  async stretch(abused) {
    if (abused) await this.#hostile.ask({})
    await sleep(LEAD_IN_MS)
    const [began, { cpuMs }] = [performance.now(), await this.#server.seen()]
    const { times, failed } = await this.#honest.ask({ ms: this.#seconds * 1000 })
    const { longestTurnMs, rssBytes, cpuMs: cpuMsThen } = await this.#server.seen()
    const cpuPercent = (100 * (cpuMsThen - cpuMs)) / (performance.now() - began)
    const { skipped } = abused ? await this.#hostile.ask({}) : {}
    await this.#calm()
    const p99Ms = p99(times, failed, this.#seconds * 1000 + LAST_REPLIES_MS)
    return { p99Ms, failed, longestTurnMs, rssBytes, cpuPercent, skipped }
  }

  async #calm() {
    const most = performance.now() + MOST_UNTIL_CALM_MS
    let { cpuMs } = await this.#server.seen()
    for (let percent = 100; percent > CALM_PERCENT && performance.now() < most; ) {
      await sleep(PAUSE_MS)
      const { cpuMs: now } = await this.#server.seen()
      percent = (100 * (now - cpuMs)) / PAUSE_MS
      cpuMs = now
    }
  }

  /**
   * pairs are stretches in turn. One during which others of the host took more than a percent of the cores is set aside, whatever it
   * measured, and taken again, up to three times as many as there shall be.
   *
   * @param {number} count
   * @param {(pair: Pair) => void} tell
   */
  async pairs(count, tell) {
    /** @type {Pair[]} */
    const done = []
    /** @type {Pair[]} */
    const setAside = []
    while (done.length < count) {
      await untilQuiet(MOST_UNTIL_QUIET_MS)
      const pair = await this.#pair(done.length % 2 === 0)
      tell(pair)
      const again = isStolen(pair.stealPercent) && setAside.length < MOST_REPEATS * count
      ;(again ? setAside : done).push(pair)
    }
    return { done, setAside }
  }

  /** @param {boolean} isQuietFirst */
  async #pair(isQuietFirst) {
    const stolen = watchSteal()
    const first = await this.stretch(!isQuietFirst)
    const second = await this.stretch(isQuietFirst)
    const [quiet, abused] = isQuietFirst ? [first, second] : [second, first]
    return { quiet, abused, stealPercent: stolen() }
  }

  /** seen is what the server has in memory. */
  seen = () => this.#server.seen({ collect: true })

  endAbuse = () => this.#hostile.stop()

  async stop() {
    await this.#honest.stop()
    await this.#server.stop()
  }
}

/**
 * measure takes quiet and abused stretches in turn, on one server.
 *
 * @param {string} abuse
 * @param {object} options
 * @param {number} options.times - its rate
 * @param {number} options.pairs
 * @param {number} options.seconds - of a stretch
 * @param {number} options.settle - seconds until memory is looked at again; 0: it is not
 * @param {(pair: Pair) => void} options.tell
 * @returns {Promise<{ pairs: Pair[], setAside: Pair[], left: Left | null }>}
 */
export async function measure(abuse, { times, pairs, seconds, settle, tell }) {
  const bench = await Bench.start(abuse, times, seconds)
  const before = await bench.seen()
  const { done, setAside } = await bench.pairs(pairs, tell)
  await bench.endAbuse()
  let left = null
  if (settle > 0) {
    await sleep(settle * 1000)
    const { heapBytes, externalBytes } = await bench.seen()
    left = { heap: heapBytes / before.heapBytes, external: externalBytes / before.externalBytes }
  }
  await bench.stop()
  return { pairs: done, setAside, left }
}
