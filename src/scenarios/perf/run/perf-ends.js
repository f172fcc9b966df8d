import { setTimeout as sleep } from 'node:timers/promises'
import { present } from '../../../kit/lists.js'
import { mergedSettings } from '../../../libp2p/node-settings.js'
import { answeredWithin } from '../../../workers/answered-within.js'
import { ProcessGroup } from '../../../workers/process-group.js'
import { Joined } from '../../namespaces/joined.js'
import { linksOf } from '../perf-plan.js'
import { startClient, startServer } from './perf-processes.js'

/**
 * @typedef {import('../plan/ways.js').Way} Way
 * @typedef {import('./perf-processes.js').ServerSide} ServerSide
 * @typedef {import('../../../workers/fleet.js').HeldProcess} HeldProcess
 */

/** What is asked of a process is answered within --timeout, or the process hangs. */
const ANSWER_GRACE_MS = 5000
/** The server has counted what the client was told of in a moment. */
const [COUNTS_WITHIN, LOOK_EVERY_MS] = [400, 25]

/** PerfError says what went wrong while bytes moved. */
export class PerfError extends Error {
  name = 'PerfError'

  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message)
    this.code = code
  }
}

/** PerfEnds are the two ends of a run, a process each, and what is asked of them. */
export class PerfEnds {
  #plan
  #onDied
  #fleet
  #processes = new ProcessGroup()
  /** What they are joined by, where it is a network of namespaces. */
  joined = new Joined()
  /** @type {ServerSide | null} */
  #server = null
  /** @type {HeldProcess | null} */
  #client = null

  /**
   * @param {import('../perf-plan.js').PerfPlan} plan
   * @param {(error: Error) => void} onDied
   * @param {import('../../../workers/fleet.js').Fleet} [fleet] - a machine that holds the client; none: this one does
   */
  constructor(plan, onDied, fleet) {
    this.#plan = plan
    this.#onDied = onDied
    this.#fleet = fleet
  }

  /** start starts the server, then the client. */
  async start() {
    const plan = this.#plan
    const starting = {
      ...{ processes: this.#processes, onDied: this.#onDied, joined: this.joined },
      fleet: this.#fleet
    }
    if (plan.network === 'namespaces') await this.joined.start(linksOf(plan), this.#onDied)
    this.#server = await startServer(plan, starting)
    this.#client = await startClient(plan, this.#server.addresses, starting)
    this.joined.hold(present([this.#server.pid, this.#client.pid]))
  }

  /** begin has the server count anew. @param {number} expectedBytes */
  begin(expectedBytes) {
    const server = /** @type {ServerSide} */ (this.#server)
    return answered(server.begin(expectedBytes), ANSWER_GRACE_MS, 'the server process')
  }

  /**
   * count is what the server has counted since: it is looked at again until that is whole, for a moment.
   *
   * @param {(counts: Partial<import('./perf-server.js').ServerCount>) => boolean} [whole]
   */
  async count(whole = () => true) {
    const server = /** @type {ServerSide} */ (this.#server)
    for (let look = 0; ; look++) {
      const counts = await answered(server.count(), ANSWER_GRACE_MS, 'the server process')
      if (whole(counts) || look === COUNTS_WITHIN) return counts
      await sleep(LOOK_EVERY_MS)
    }
  }

  /**
   * ask asks the client, and names the way in what goes wrong.
   *
   * @param {Way} way
   * @param {string} method
   * @param {object} asked
   * @param {number} [timeouts] - that it may take
   * @param {string} [what]
   * @returns {Promise<any>}
   * @throws {PerfError}
   */
  async ask(way, method, asked, timeouts = 1, what = method) {
    const client = /** @type {HeldProcess} */ (this.#client)
    const withinMs = timeouts * this.#plan.timeoutMs + ANSWER_GRACE_MS
    try {
      return await answered(client.call(method, asked), withinMs, 'the client process')
    } catch (cause) {
      const { code = 'PERF_FAILED', message } = /** @type {Error & { code?: string }} */ (cause)
      if (code === 'WORKER_DIED' || code === 'WORKER_HUNG') throw cause
      throw new PerfError(typeof code === 'string' ? code : 'TIMEOUT', `${way.name}, ${what}: ${message}`)
    }
  }

  /** settings are what nodes of ours have other than what libp2p takes by itself. */
  async settings() {
    const { settings = async () => ({}) } = /** @type {ServerSide} */ (this.#server)
    const client = /** @type {HeldProcess} */ (this.#client)
    const server = mergedSettings([await answered(settings(), ANSWER_GRACE_MS, 'the server process')])
    const ofClient = mergedSettings([
      await answered(client.call('settings'), ANSWER_GRACE_MS, 'the client process')
    ])
    return mergedSettings([{ ...(Object.keys(server).length > 0 && { server }), client: ofClient }])
  }

  /** stop ends them; after a failure at once, for they may hang. @param {{ failed: boolean }} how */
  async stop(how) {
    await this.#processes.end(how)
    await this.joined.stop()
  }
}

/** @template T @param {Promise<T>} answer @param {number} ms @param {string} whose */
const answered = (answer, ms, whose) =>
  answeredWithin(
    answer,
    ms,
    () => new PerfError('WORKER_HUNG', `${whose} has answered nothing for ${ms / 1000} s`)
  )
