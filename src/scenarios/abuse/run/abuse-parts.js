import { startTarget } from '../../../target/start-target.js'
import { answeredWithin } from '../../../workers/answered-within.js'
import { lowestPriority } from '../../../workers/lowest-priority.js'
import { ProcessGroup } from '../../../workers/process-group.js'
import { LAST_REPLIES_MS } from '../measure/answers.js'
import { AbuseError } from './abuse-error.js'
import { honestAddress, spreadsAt } from './addresses.js'
import { LARGE_REGISTRATIONS, largeRegistrations, registrations } from './held.js'
import { serverFlags } from './server-settings.js'
import { ServerWatch } from './server-watch.js'

/**
 * @typedef {import('../abuse-plan.js').AbusePlan} AbusePlan
 * @typedef {import('../../../target/target.js').Target} Target
 * @typedef {import('../../../workers/fleet.js').HeldProcess} HeldProcess
 * @typedef {import('../measure/answers.js').Answers} Answers
 */

const ENTRIES = {
  honest: new URL('./honest-entry.js', import.meta.url),
  hostile: new URL('./hostile-entry.js', import.meta.url)
}

/** What is asked of a process is answered within what it takes and this, or the process hangs. */
const ANSWER_MS = 30_000

/** Hostile peers run when a core is idle: on a machine with other work they answer late, without hanging. */
const IDLE_ANSWER_MS = 120_000

/** What a plan of another scenario says of servers, and this one does not. */
const ONE_SERVER = Object.freeze({ targets: null, store: 'memory', servers: 1, faults: [] })

/**
 * @typedef {object} PartsOptions
 * @property {string} id - of the run
 * @property {(error: Error) => void} onDied - one of them ended without being asked
 * @property {import('../../../docker/progress.js').OnProgress} onProgress - of the server's image being built
 */

/** AbuseParts are a server, honest clients and hostile peers, in a process each. */
export class AbuseParts {
  #plan
  #options
  #processes = new ProcessGroup()
  #ending = new AbortController()
  /** @type {Promise<Target> | undefined} */
  #target
  /** @type {HeldProcess | undefined} */
  #honest
  /** @type {HeldProcess | undefined} */
  #hostile
  /** @type {ServerWatch | undefined} */
  #watch
  /** The server, once it was started. @type {Target | null} */
  server = null
  /** Whether peers have addresses of their own. */
  spreads = false
  /** What the hostile process has. @type {string | null} */
  priority = null

  /** @param {AbusePlan} plan @param {PartsOptions} options */
  constructor(plan, options) {
    this.#plan = plan
    this.#options = options
  }

  /** start starts all of them, the hostile ones for one kind of abuse. @param {import('../plan/cases.js').Case} which */
  async start({ name, kind, times }) {
    const { clients, ratePerSecond, seed } = this.#plan
    const server = await this.#startServer()
    const { multiaddr } = server
    this.server = server
    this.spreads = spreadsAt(multiaddr, process.platform)
    this.#watch = new ServerWatch(server)
    const addresses = Array.from({ length: clients }, (_, i) => (this.spreads ? honestAddress(i) : undefined))
    const asking = { multiaddr, addresses, ratePerSecond, registers: server.control === null }
    this.#honest = await this.#fork('honest', 'the process of honest clients', asking)
    await this.#askedOfHonest('start').catch(error => {
      throw new AbuseError(
        'HONEST_NOT_SERVED',
        `an honest client is not served, without any abuse: ${error.message}`
      )
    })
    const http = server.control?.url ?? null
    const target = { multiaddr, http, spreads: this.spreads, seed }
    this.#hostile = await this.#fork('hostile', 'the process of hostile peers', { target, kind, times })
    // hostile peers have machines of their own: they must not take a core from who is measured
    this.priority = lowestPriority(/** @type {number} */ (this.#hostile.pid))
    await this.#askedOfHostile('prepare').catch(error => {
      throw new AbuseError('ABUSE_FAILED', `${name}: hostile peers could not connect: ${error.message}`)
    })
  }

  async #startServer() {
    const { registrations: count } = this.#plan
    const { id, onDied: onFailed, onProgress } = this.#options
    const { signal } = this.#ending
    const how = { id, settings: serverFlags(), inHostNetwork: true, signal, onFailed, onProgress }
    this.#target = startTarget({ ...ONE_SERVER, ...this.#plan }, how).then(({ target }) => target)
    const target = await this.#target
    if (target.control === null) return target
    const bodies = [...(await collected(registrations(count))), ...(await collected(largeRegistrations()))]
    const added = await target.control.preload(bodies, signal)
    if (added !== count + LARGE_REGISTRATIONS)
      throw new AbuseError(
        'ABUSE_FAILED',
        `the server took ${added} of ${count + LARGE_REGISTRATIONS} registrations`
      )
    return target
  }

  /** @param {keyof typeof ENTRIES} which @param {string} name @param {unknown} setup */
  #fork(which, name, setup) {
    return this.#processes.start({
      entry: ENTRIES[which],
      name,
      setup,
      handlers: {},
      onDied: this.#options.onDied
    })
  }

  /** @param {'start' | 'measure'} method @param {{ ms: number }} [what] @param {number} [takesMs] @returns {Promise<any>} */
  #askedOfHonest(method, what, takesMs = 0) {
    const late = () =>
      new AbuseError('WORKER_HUNG', `honest clients have not answered ${method} in ${ANSWER_MS / 1000} s`)
    return answeredWithin(
      /** @type {HeldProcess} */ (this.#honest).call(method, what),
      takesMs + ANSWER_MS,
      late
    )
  }

  /** @param {'prepare' | 'begin' | 'end'} method @returns {Promise<any>} */
  #askedOfHostile(method) {
    const late = () =>
      new AbuseError(
        'WORKER_HUNG',
        `hostile peers have not answered ${method} in ${IDLE_ANSWER_MS / 1000} s: they run when a core is idle (${this.priority}), and other work on this machine may hold them back`
      )
    return answeredWithin(/** @type {HeldProcess} */ (this.#hostile).call(method), IDLE_ANSWER_MS, late)
  }

  /** ask has honest clients ask for so long. @param {number} ms @returns {Promise<Answers>} */
  ask = ms => this.#askedOfHonest('measure', { ms }, ms + LAST_REPLIES_MS)

  beginAbuse = () => this.#askedOfHostile('begin')

  /** @returns {Promise<import('./hostile/hostile-run.js').Done>} */
  endAbuse = () => this.#askedOfHostile('end')

  /** watch is of the server, once it was started. */
  get watch() {
    return /** @type {ServerWatch} */ (this.#watch)
  }

  /** stop ends all of them; after a failure at once, for they may hang. @param {{ failed: boolean }} how */
  async stop(how) {
    this.#ending.abort()
    this.#watch?.stop()
    await this.#processes.end(how)
    const target = await this.#target?.catch(() => undefined)
    await target?.stop()
  }
}

/** @param {AsyncIterable<Uint8Array>} chunks */
async function collected(chunks) {
  const all = []
  for await (const chunk of chunks) all.push(chunk)
  return all
}
