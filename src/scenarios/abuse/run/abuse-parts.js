import { startTarget } from '../../../target/start-target.js'
import { answeredWithin } from '../../../workers/answered-within.js'
import { lowestPriority } from '../../../workers/lowest-priority.js'
import { ProcessGroup } from '../../../workers/process-group.js'
import {
  HELD_REGISTRATIONS,
  LARGE_REGISTRATIONS,
  largeRegistrations,
  registrations
} from '../../rendezvous/hostile/large-registrations.js'
import { LAST_REPLIES_MS } from '../measure/answers.js'
import { AbuseError } from './abuse-error.js'
import { honestAddress, spreadsAt } from './addresses.js'
import { serverFlags } from './server-settings.js'
import { ServerWatch } from './server-watch.js'

/**
 * @typedef {import('../abuse-plan.js').AbusePlan} AbusePlan
 * @typedef {import('../../../target/target.js').Target} Target
 * @typedef {import('../../../workers/fleet.js').HeldProcess} HeldProcess
 * @typedef {import('../measure/answers.js').Answers} Answers
 */

/** What is asked of a process is answered within what it takes and `answerMs`, or the process hangs. */
const PROCESSES = {
  honest: {
    entry: new URL('./honest-entry.js', import.meta.url),
    name: 'the process of honest clients',
    answerMs: 30_000,
    hint: ''
  },
  // on a machine with other work it answers late, without hanging
  hostile: {
    entry: new URL('../../rendezvous/hostile/entry.js', import.meta.url),
    name: 'the process of hostile peers',
    answerMs: 120_000,
    hint: ': it runs when a core is idle, and other work on this machine may hold it back'
  }
}

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
    const { clients, ratePerSecond, seed, stock } = this.#plan
    const server = await this.#startServer()
    const { multiaddr } = server
    this.server = server
    this.spreads = spreadsAt(multiaddr, process.platform)
    this.#watch = new ServerWatch(server)
    const addresses = Array.from({ length: clients }, (_, i) => (this.spreads ? honestAddress(i) : undefined))
    const asking = { multiaddr, addresses, ratePerSecond, registers: server.control === null, stock }
    this.#honest = await this.#fork('honest', asking)
    await this.#asked('honest', 'start').catch(error => {
      throw new AbuseError(
        'HONEST_NOT_SERVED',
        `an honest client is not served, without any abuse: ${error.message}`
      )
    })
    const http = server.control?.url ?? null
    const target = { multiaddr, http, spreads: this.spreads, seed }
    this.#hostile = await this.#fork('hostile', { target, hostile: { [kind]: times } })
    // hostile peers have machines of their own: they must not take a core from who is measured
    this.priority = lowestPriority(/** @type {number} */ (this.#hostile.pid))
    await this.#asked('hostile', 'prepare').catch(error => {
      throw new AbuseError('ABUSE_FAILED', `${name}: hostile peers could not connect: ${error.message}`)
    })
  }

  async #startServer() {
    const { id, onDied: onFailed, onProgress } = this.#options
    const { signal } = this.#ending
    const how = { id, settings: serverFlags(this.#plan), inHostNetwork: true, signal, onFailed, onProgress }
    this.#target = startTarget({ ...ONE_SERVER, ...this.#plan }, how).then(({ target }) => target)
    const target = await this.#target
    if (target.control === null) return target
    const bodies = [
      ...(await collected(registrations(HELD_REGISTRATIONS))),
      ...(await collected(largeRegistrations()))
    ]
    const added = await target.control.preload(bodies, signal)
    if (added !== HELD_REGISTRATIONS + LARGE_REGISTRATIONS)
      throw new AbuseError(
        'ABUSE_FAILED',
        `the server took ${added} of ${HELD_REGISTRATIONS + LARGE_REGISTRATIONS} registrations`
      )
    return target
  }

  /** @param {keyof typeof PROCESSES} which @param {unknown} setup */
  #fork(which, setup) {
    const { entry, name } = PROCESSES[which]
    return this.#processes.start({
      entry,
      name,
      setup,
      handlers: {},
      onDied: this.#options.onDied
    })
  }

  /**
   * @param {keyof typeof PROCESSES} which
   * @param {string} method
   * @param {unknown} [what]
   * @param {number} [takesMs]
   * @returns {Promise<any>}
   */
  #asked(which, method, what, takesMs = 0) {
    const { name, answerMs, hint } = PROCESSES[which]
    const process = /** @type {HeldProcess} */ (which === 'honest' ? this.#honest : this.#hostile)
    const late = () =>
      new AbuseError('WORKER_HUNG', `${name} has not answered ${method} in ${answerMs / 1000} s${hint}`)
    return answeredWithin(process.call(method, what), takesMs + answerMs, late)
  }

  /** ask has honest clients ask for so long. @param {number} ms @returns {Promise<Answers>} */
  ask = ms => this.#asked('honest', 'measure', { ms }, ms + LAST_REPLIES_MS)

  beginAbuse = () => this.#asked('hostile', 'begin')

  /** @returns {Promise<import('../../rendezvous/hostile/worker.js').Done>} */
  endAbuse = () => this.#asked('hostile', 'end')

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
