import { setTimeout as sleep } from 'node:timers/promises'
import { LEAD_IN_MS, pairsIn, switchesIn } from '../../../load/hostile-stretches.js'
import { isLoopback } from '../../../plan/addresses.js'
import { answeredWithin } from '../../../workers/answered-within.js'
import { lowestPriority } from '../../../workers/lowest-priority.js'
import { ProcessGroup } from '../../../workers/process-group.js'
import { hostileText } from '../plan/hostile-options.js'
import { largeRegistrations } from './large-registrations.js'
import { StretchResults } from './stretch-results.js'

/** @typedef {import('../../../target/target.js').Target} Target */

/** The process runs when a core is idle: on a machine with other work it answers late, without hanging. */
const ANSWER_MS = 120_000
/** Above this share that was not sent, hostile peers were fewer than asked for. */
const MAX_NOT_SENT = 0.1

/** The turns of the server are read so long before a stretch ends, */
const LAST_LOOK_MS = 200
/** and hostile peers stop a little before its end, so that none of them is in the quiet stretch behind it. */
const STOP_BEFORE_MS = 100

/** HostileError says why a run with hostile peers could not go on: HOSTILE_FAILED, WORKER_HUNG. */
export class HostileError extends Error {
  name = 'HostileError'

  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message)
    this.code = code
  }
}

/** HostilePeers are the hostile peers of a run, in a process of their own, and what the clients of the run experience beside them. */
export class HostilePeers {
  #plan
  #processes = new ProcessGroup()
  /** @type {import('../../../workers/fleet.js').HeldProcess | undefined} */
  #process
  /** @type {StretchResults} */
  #results
  #spreads = false
  /** @type {string | null} */
  #priority = null

  /** @param {import('../../../plan/plan.js').Plan} plan - with hostile peers */
  constructor(plan) {
    this.#plan = plan
    this.#results = new StretchResults({ everyMs: this.#schedule.everyMs, pairs: pairsIn(this.#schedule) })
  }

  get #hostile() {
    return this.#plan.hostile ?? {}
  }

  get #schedule() {
    const { durationMs, hostileEveryMs } = this.#plan
    return { durationMs: Number(durationMs), everyMs: Number(hostileEveryMs) }
  }

  /** add takes an interval of a worker. @param {import('../../../measure/meter.js').Interval} interval */
  add(interval) {
    this.#results.add(interval)
  }

  /** start connects them. @param {Target} target @param {{ onDied: (error: Error) => void, signal: AbortSignal }} how */
  async start(target, { onDied, signal }) {
    const { multiaddr, control } = target
    const hasAddresses = process.platform === 'linux' || process.platform === 'win32'
    this.#spreads = hasAddresses && multiaddr.startsWith('/ip4/') && isLoopback(multiaddr)
    if (control !== null && 'unread' in this.#hostile) {
      const bodies = []
      for await (const body of largeRegistrations()) bodies.push(body)
      await control.preload(bodies, signal)
    }
    const http = control?.url ?? null
    this.#process = await this.#processes.start({
      entry: new URL('./entry.js', import.meta.url),
      name: 'the process of hostile peers',
      setup: {
        target: { multiaddr, http, spreads: this.#spreads, seed: this.#plan.seed },
        hostile: this.#hostile
      },
      handlers: {},
      onDied
    })
    // hostile peers have machines of their own: they must not take a core from clients that are measured
    this.#priority = lowestPriority(/** @type {number} */ (this.#process.pid))
    await this.#call('prepare').catch(error => {
      throw new HostileError('HOSTILE_FAILED', `hostile peers could not connect: ${error.message}`)
    })
  }

  /**
   * during has them hostile while something goes on, so that their code is compiled when it counts.
   *
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  async during(work) {
    await this.#call('begin')
    try {
      return await work()
    } finally {
      await this.#call('end')
    }
  }

  /**
   * run has them hostile in every other stretch of a load.
   *
   * @param {object} parts
   * @param {Pick<Target, 'control'>} parts.target
   * @param {Pick<import('../../trouble.js').Trouble, 'raise'>} parts.trouble
   * @param {bigint} parts.startNs - of the load
   * @returns {{ stop: () => Promise<void> }}
   */
  run({ target, trouble, startNs }) {
    const stopping = new AbortController()
    const { signal } = stopping
    const until = (/** @type {number} */ ms) =>
      sleep(Math.max(0, ms - Number(process.hrtime.bigint() - startNs) / 1e6), undefined, { signal })
    const longestTurn = async () => (await target.control?.seen())?.longestTurnMs ?? null
    const all = async () => {
      const { everyMs } = this.#schedule
      for (const { pair, beginMs, endMs } of switchesIn(this.#schedule)) {
        await until(beginMs - everyMs + LEAD_IN_MS)
        await longestTurn()
        await until(beginMs)
        this.#results.observe(pair, false, { longestTurnMs: await longestTurn() })
        await this.#call('begin')
        await until(beginMs + LEAD_IN_MS)
        await longestTurn()
        // the load ends with the last stretch: nothing is asked of the server then
        await until(endMs - LAST_LOOK_MS)
        const longestTurnMs = await longestTurn()
        await until(endMs - STOP_BEFORE_MS)
        const { notSent, failure } = await this.#call('end')
        if (failure !== null)
          throw new HostileError('HOSTILE_FAILED', `hostile peers stopped early: ${failure}`)
        this.#results.observe(pair, true, { longestTurnMs, notSent })
      }
    }
    const running = all().catch(error => {
      if (!signal.aborted) trouble.raise(error)
    })
    return {
      stop: async () => {
        stopping.abort()
        await running
      }
    }
  }

  /** outcome is what is known so far. @param {import('../measure/measurement.js').Measurement} measurement */
  outcome({ resources, beganMs }) {
    const samples = resources.samples.map(sample => ({ ...sample, atMs: sample.atMs - beganMs }))
    return { spreads: this.#spreads, priority: this.#priority, ...this.#results.result(samples) }
  }

  /** warnings are those of an outcome. @param {{ notSent: number }} outcome @returns {import('../../../result/types.js').Warning[]} */
  warnings({ notSent }) {
    const name = hostileText(this.#hostile)
    return notSent > MAX_NOT_SENT
      ? [{ code: 'ABUSE_NOT_SENT', values: { name, percent: 100 * notSent } }]
      : []
  }

  /** stop ends the process; after a failure at once, for it may hang. @param {{ failed: boolean }} how */
  stop(how) {
    return this.#processes.end(how)
  }

  /** @param {string} method @returns {Promise<any>} */
  #call(method) {
    const process = /** @type {import('../../../workers/fleet.js').HeldProcess} */ (this.#process)
    const late = () =>
      new HostileError(
        'WORKER_HUNG',
        `the process of hostile peers has not answered ${method} in ${ANSWER_MS / 1000} s: it runs when a core is idle, and other work on this machine may hold it back`
      )
    return answeredWithin(process.call(method), ANSWER_MS, late)
  }
}
