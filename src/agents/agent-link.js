import { ClockEstimate } from '../bus/clock-estimate.js'
import { SUBJECT } from '../bus/names.js'
import { Joining, partsOf } from '../bus/parts.js'
import { nameOf } from './entries.js'

/**
 * @typedef {import('./agent.js').AgentCard} AgentCard
 * @typedef {Parameters<typeof import('../workers/forked-process.js').startForkedProcess>[0]} StartOptions
 * @typedef {import('../workers/fleet.js').HeldProcess} HeldProcess
 */

/** AgentLostError is thrown by calls to workers of an agent that is gone. */
export class AgentLostError extends Error {
  name = 'AgentLostError'
  code = 'AGENT_LOST'
}

const ANSWER_WITHIN_MS = 10_000
/** Heartbeats tell of most before. */
const SILENT_MS = 4000
const CLOCK_WITHIN_MS = 1000
/** The exchange with the least round trip of so many is off by a hundredth of a millisecond or so. */
export const BURST = 50
/** While a run goes on, each second. */
export const SMALL_BURST = 5

/** AgentLink is how a coordinator has an agent hold workers. */
export class AgentLink {
  #connection
  #run
  #onSilent
  #onBegan
  #next = 0
  #joining = new Joining()
  /** @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
  #pending = new Map()
  /** @type {Map<number, { name: string, handlers: import('../workers/channel.js').Handlers, onDied: (error: any) => void, asked: boolean }>} */
  #workers = new Map()
  clock = new ClockEstimate()
  /** It has said that it is busy with the run. */
  held = false
  /** @type {AgentLostError | null} */
  lost = null
  /** When it was found lost, on our monotonic clock. @type {bigint | null} */
  lostNs = null
  /** How late its workers began, by its own clock. @type {number | null} ms */
  lateMs = null

  /**
   * @param {AgentCard} card
   * @param {object} of
   * @param {import('@nats-io/transport-node').NatsConnection} of.connection
   * @param {string} of.run
   * @param {() => void} [of.onSilent] - it was asked for something, and has not answered
   * @param {(worker: number, lateMs: number) => void} [of.onBegan]
   */
  constructor(card, { connection, run, onSilent = () => {}, onBegan = () => {} }) {
    this.#onSilent = onSilent
    this.#onBegan = onBegan
    this.card = card
    this.#connection = connection
    this.#run = run
  }

  /** name in messages. */
  get name() {
    return `agent ${this.card.id} (${this.card.host})`
  }

  /** workers that it holds, by their places in the run. */
  get workers() {
    return [...this.#workers.keys()]
  }

  /**
   * ask sends something that is answered at once.
   *
   * @param {{ kind: string } & Record<string, any>} asked
   * @param {number} [withinMs]
   * @returns {Promise<any>} what it answers
   * @throws {AgentLostError} or what the agent says against it, with its code
   */
  async ask(asked, withinMs = ANSWER_WITHIN_MS) {
    const parts = partsOf({ run: this.#run, ...asked }, `${this.#run}.${this.#next++}`)
    let answer
    for (const { payload, headers } of parts)
      answer = await this.#connection.request(SUBJECT.asked(this.card.id), payload, {
        headers,
        timeout: withinMs
      })
    const { error, ...told } = new Joining().add(/** @type {any} */ (answer))?.value ?? {}
    if (error !== undefined) throw Object.assign(new Error(error.message), error, { answered: true })
    return told
  }

  /** measureClock asks for its time. @param {number} exchanges */
  async measureClock(exchanges) {
    /** @type {import('../bus/clock-estimate.js').Exchange[]} */
    const found = []
    for (let i = 0; i < exchanges; i++) {
      const sentNs = process.hrtime.bigint()
      const answer = await this.#connection
        .request(SUBJECT.clock(this.card.id), undefined, { timeout: CLOCK_WITHIN_MS })
        .catch(() => null)
      const backNs = process.hrtime.bigint()
      if (answer === null) break
      found.push({ sentNs, theirNs: BigInt(answer.string()), backNs })
    }
    this.clock.add(found)
  }

  /** start has it start a worker. @param {number} worker @param {StartOptions} options @returns {Promise<HeldProcess>} */
  async start(worker, { entry, name, setup, handlers, onDied, graceMs, signal }) {
    const state = { name, handlers, onDied, asked: false }
    this.#workers.set(worker, state)
    const calls = Object.keys(handlers)
    const end = (/** @type {'stop' | 'kill'} */ kind) => async () => {
      state.asked = true
      await this.#do({ kind, worker }).catch(() => {})
    }
    const kill = end('kill')
    signal?.addEventListener('abort', kill, { once: true })
    try {
      await this.#do({ kind: 'start', worker, entry: nameOf(entry), name, setup, calls, graceMs })
    } finally {
      signal?.removeEventListener('abort', kill)
    }
    return {
      pid: null,
      call: (method, ...args) => this.#do({ kind: 'call', worker, method, args }),
      stop: end('stop'),
      kill,
      clock: this.clock,
      began: lateMs => {
        this.lateMs ??= lateMs
        this.#onBegan(worker, lateMs)
      }
    }
  }

  /** @param {{ kind: string } & Record<string, any>} asked @returns {Promise<any>} what comes of it */
  #do(asked) {
    if (this.lost !== null) return Promise.reject(this.lost)
    const id = this.#next++
    const { promise, resolve, reject } = Promise.withResolvers()
    this.#pending.set(id, { resolve, reject })
    this.ask({ ...asked, id }).catch(error => {
      // who does not answer is lost, as its heartbeats say before long
      if (!error.answered && this.lost === null) return void setTimeout(this.#onSilent, SILENT_MS).unref()
      this.#pending.delete(id)
      reject(this.lost ?? error)
    })
    return promise
  }

  /** told takes what the agent tells. @param {any} message */
  told(message) {
    const whole = this.#joining.add(message)
    if (whole === null) return
    const { kind, id, worker, method, args, result, error, message: text } = whole.value
    if (kind === 'called') return void this.#workers.get(worker)?.handlers[method](...args)
    if (kind === 'died') return this.#died(worker, text)
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    if (error === undefined) pending?.resolve(result)
    else pending?.reject(Object.assign(new Error(error.message), error))
  }

  /** @param {number} worker @param {string} text */
  #died(worker, text) {
    const state = this.#workers.get(worker)
    if (state === undefined || state.asked || this.lost !== null) return
    state.onDied(Object.assign(new Error(`${this.name}: ${text}`), { code: 'WORKER_DIED' }))
  }

  /** lose ends all waiting for it. @param {string} why @returns {AgentLostError} */
  lose(why) {
    if (this.lost !== null) return this.lost
    this.lost = new AgentLostError(`${this.name} is lost: ${why}`)
    this.lostNs = process.hrtime.bigint()
    for (const { reject } of this.#pending.values()) reject(this.lost)
    this.#pending.clear()
    return this.lost
  }
}
