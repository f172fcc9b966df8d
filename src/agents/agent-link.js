// A run's connection to one agent over NATS: it starts and calls the agent's workers. Also an estimate of the difference
// between both machines' clocks.
import { setTimeout as sleep } from 'node:timers/promises'
import { computeSum } from '../kit/collections.js'
import { waitAtMost } from '../kit/time.js'
import { MessageAssembler, splitMessage } from './bus/message-parts.js'
import { BUS_SUBJECTS } from './bus-connection.js'
import { findEntryName, MESSAGE_SCHEMAS, parseBusMessage } from './messages.js'

/**
 * @typedef {import('./agent.js').AgentCard} AgentCard
 * @typedef {import('../run/fleet.js').StartOptions} StartOptions
 * @typedef {import('../run/fleet.js').WorkerProcess} WorkerProcess
 */

/** AgentLostError is thrown by calls to workers of an agent that is gone. */
export class AgentLostError extends Error {
  name = 'AgentLostError'
  code = 'AGENT_LOST'
}

const ANSWER_WITHIN_MS = 10_000
const AGAIN_AFTER_MS = 1500
const RETRY_MS = 200
/** Heartbeats tell of most before. */
const SILENT_MS = 4000
/** Of a worker; it may be given more. */
const END_WITHIN_MS = 10_000
const CLOCK_WITHIN_MS = 1000
/** In ns. */
const CLOCK = /^\d{1,20}$/
/** The exchange with the least round trip of so many is off by a hundredth of a millisecond or so. */
export const CLOCK_BURST = 50
/** While a run goes on, each second. */
export const SMALL_CLOCK_BURST = 5

/** AgentLink is how a coordinator has an agent hold workers. */
export class AgentLink {
  #connection
  #run
  #onSilent
  #onBegan
  #next = 0
  #joining = new MessageAssembler()
  /** @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
  #pending = new Map()
  /** @type {Map<number, { name: string, handlers: import('../run/channel.js').Handlers, onDied: (error: any) => void, endRequested: boolean }>} */
  #workers = new Map()
  clock = new ClockEstimate()
  /** The agent has confirmed that it is reserved for the run. */
  reserved = false
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
   * @param {{ kind: string } & Record<string, any>} request
   * @param {number} [withinMs]
   * @returns {Promise<any>} what it answers
   * @throws {AgentLostError} or what the agent says against it, with its code
   */
  async ask(request, withinMs = ANSWER_WITHIN_MS) {
    const parts = splitMessage({ run: this.#run, ...request }, `${this.#run}.${this.#next++}`)
    const answer = await this.#answered(parts, performance.now() + withinMs)
    const { value } = new MessageAssembler().add(/** @type {any} */ (answer)) ?? {}
    const { error, ...content } = parseBusMessage(MESSAGE_SCHEMAS.answer, value)
    if (error !== undefined) throw Object.assign(new Error(error.message), error, { answered: true })
    return content
  }

  /**
   * What a bus that was away has lost is asked again: an agent does once what it is asked twice under one id.
   *
   * @param {import('./bus/message-parts.js').MessagePart[]} parts
   * @param {number} untilMs
   */
  async #answered(parts, untilMs) {
    for (;;)
      try {
        let answer
        for (const { payload, headers } of parts)
          answer = await this.#connection.request(BUS_SUBJECTS.request(this.card.id), payload, {
            headers,
            timeout: Math.max(1, Math.min(AGAIN_AFTER_MS, untilMs - performance.now()))
          })
        return answer
      } catch (cause) {
        if (this.lost !== null) throw this.lost
        const leftMs = untilMs - performance.now()
        if (leftMs <= 0 || this.#connection.isClosed()) throw new Error('it does not answer', { cause })
        await sleep(Math.min(RETRY_MS, leftMs))
      }
  }

  /** measureClock asks for its time. @param {number} exchanges */
  async measureClock(exchanges) {
    /** @type {ClockExchange[]} */
    const samples = []
    for (let i = 0; i < exchanges; i++) {
      const sentNs = process.hrtime.bigint()
      const answer = await this.#connection
        .request(BUS_SUBJECTS.clock(this.card.id), undefined, { timeout: CLOCK_WITHIN_MS })
        .catch(() => null)
      const backNs = process.hrtime.bigint()
      const clockText = answer?.string() ?? ''
      if (!CLOCK.test(clockText)) break
      samples.push({ sentNs, theirNs: BigInt(clockText), backNs })
    }
    this.clock.add(samples)
  }

  /** start has it start a worker. @param {number} worker @param {StartOptions} options @returns {Promise<WorkerProcess>} */
  async start(worker, { entry, name, setup, handlers, onDied, graceMs, signal }) {
    const state = { name, handlers, onDied, endRequested: false }
    this.#workers.set(worker, state)
    const calls = Object.keys(handlers)
    const end = (/** @type {'stop' | 'kill'} */ kind) => async () => {
      state.endRequested = true
      const withinMs = END_WITHIN_MS + (graceMs ?? 0)
      await waitAtMost(
        this.#do({ kind, worker }).catch(() => {}),
        withinMs
      )
    }
    const kill = end('kill')
    signal?.addEventListener('abort', kill, { once: true })
    try {
      await this.#do({ kind: 'start', worker, entry: findEntryName(entry), name, setup, calls, graceMs })
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

  /** @param {{ kind: string } & Record<string, any>} request @returns {Promise<any>} what comes of it */
  #do(request) {
    if (this.lost !== null) return Promise.reject(this.lost)
    const id = this.#next++
    const { promise, resolve, reject } = Promise.withResolvers()
    this.#pending.set(id, { resolve, reject })
    this.ask({ ...request, id }).catch(error => {
      // who does not answer is lost, as its heartbeats say before long
      if (!error.answered && this.lost === null) return void setTimeout(this.#onSilent, SILENT_MS).unref()
      this.#pending.delete(id)
      reject(this.lost ?? error)
    })
    return promise
  }

  /** onMessage handles a message of the agent. @param {any} message @throws {Error} for what is no message of an agent */
  async onMessage(message) {
    const whole = this.#joining.add(message)
    if (whole === null) return
    const value = parseBusMessage(MESSAGE_SCHEMAS.report, whole.value)
    if (value.kind === 'called') {
      const { handlers = {} } = this.#workers.get(value.worker) ?? {}
      if (Object.hasOwn(handlers, value.method)) await handlers[value.method](...value.args)
      return
    }
    if (value.kind === 'died') return this.#died(value.worker, value.message)
    const { id, result, error } = value
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    if (error === undefined) pending?.resolve(result)
    else pending?.reject(Object.assign(new Error(error.message), error))
  }

  /** @param {number} worker @param {string} text */
  #died(worker, text) {
    const state = this.#workers.get(worker)
    if (state === undefined || state.endRequested || this.lost !== null) return
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

/**
 * @typedef {object} ClockExchange - a question for the time at another machine, and its answer, in ns of the two monotonic clocks
 * @property {bigint} sentNs - here
 * @property {bigint} theirNs
 * @property {bigint} backNs - here
 *
 * @typedef {NonNullable<import('../report/schema.js').AgentRow['clock']>} ClockOffset
 */

/** A drift that is not known to so much is not told. */
const KNOWN_DRIFT = 20e-6
/** Crystals are off by less, which counts between looks as long as the drift is not known. */
const USUAL_DRIFT = 100e-6

/**
 * ClockEstimate tells how the clock of another machine stands to ours. In the exchange with the least round trip their clock was read at
 * some moment between question and answer: the middle is off by at most half of it (Cristian 1989). How fast they part is the line of
 * least squares through the best exchange of each burst, weighed by 1 ÷ error²; it is known to twice its standard error.
 */
export class ClockEstimate {
  /** @type {bigint | null} their clock less ours, about: the numbers below are small beside it */
  #baseNs = null
  #originNs = 0n
  /** @type {{ atNs: number, offsetNs: number, errorNs: number }[]} the best exchange of each burst */
  #bursts = []

  /** add takes the exchanges of one burst. @param {readonly ClockExchange[]} exchanges */
  add(exchanges) {
    const tripOf = (/** @type {ClockExchange} */ { sentNs, backNs }) => Number(backNs - sentNs)
    const best = [...exchanges].sort((a, b) => tripOf(a) - tripOf(b))[0]
    if (best === undefined) return
    const middle = best.sentNs + (best.backNs - best.sentNs) / 2n
    if (this.#baseNs === null) {
      this.#baseNs = best.theirNs - middle
      this.#originNs = middle
    }
    this.#bursts.push({
      atNs: Number(middle - this.#originNs),
      offsetNs: Number(best.theirNs - middle - this.#baseNs),
      errorNs: tripOf(best) / 2
    })
  }

  /** there turns a time of our clock into theirs. @param {bigint} ns @returns {bigint} */
  there(ns) {
    return ns + (this.#baseNs ?? 0n) + BigInt(Math.round(this.#at(Number(ns - this.#originNs)).offsetNs))
  }

  /** here turns a time of their clock into ours. @param {bigint} ns @returns {bigint} */
  here(ns) {
    const about = ns - (this.#baseNs ?? 0n)
    return about - BigInt(Math.round(this.#at(Number(about - this.#originNs)).offsetNs))
  }

  /** getOffset estimates the offset of the clock at a time of our clock. @param {bigint} [ns] - default: the last burst @returns {ClockOffset | null} */
  getOffset(ns) {
    if (this.#baseNs === null) return null
    const atNs = ns === undefined ? this.#bursts[this.#bursts.length - 1].atNs : Number(ns - this.#originNs)
    const { offsetNs, errorNs } = this.#at(atNs)
    return {
      offsetMs: (Number(this.#baseNs) + offsetNs) / 1e6,
      errorMs: errorNs / 1e6,
      driftPpm: this.#drift === null ? null : this.#drift.slope * 1e6
    }
  }

  /** By the burst whose error is the least when carried to a moment. @param {number} atNs */
  #at(atNs) {
    const { slope, error } = this.#drift ?? { slope: 0, error: USUAL_DRIFT }
    const carried = this.#bursts.map(burst => ({
      offsetNs: burst.offsetNs + slope * (atNs - burst.atNs),
      errorNs: burst.errorNs + error * Math.abs(atNs - burst.atNs)
    }))
    return carried.reduce((best, one) => (one.errorNs < best.errorNs ? one : best), NOTHING)
  }

  /** null: it is not known well enough. */
  get #drift() {
    const bursts = this.#bursts.map(burst => ({ ...burst, weight: 1 / burst.errorNs ** 2 }))
    const weight = computeSum(bursts, one => one.weight)
    const mean = (/** @type {'atNs' | 'offsetNs'} */ key) =>
      computeSum(bursts, one => one.weight * one[key]) / weight
    const [x, y] = [mean('atNs'), mean('offsetNs')]
    const spread = computeSum(bursts, one => one.weight * (one.atNs - x) ** 2)
    const error = 2 / Math.sqrt(spread)
    if (!(error < KNOWN_DRIFT)) return null
    return {
      slope: computeSum(bursts, one => one.weight * (one.atNs - x) * (one.offsetNs - y)) / spread,
      error
    }
  }
}

const NOTHING = { offsetNs: 0, errorNs: Infinity }
