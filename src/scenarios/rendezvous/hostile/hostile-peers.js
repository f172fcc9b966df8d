import { setTimeout as sleep } from 'node:timers/promises'
import { multiaddr as toMultiaddr } from '@multiformats/multiaddr'
import { clientAddressFor } from '../../../client/client-address.js'
import {
  leadInMs,
  MAX_RECOVERY_MS,
  orderOf,
  pairMs,
  SLOT_MS,
  slotFrom
} from '../../../load/hostile-stretches.js'
import { pressure } from '../../../measure/machine-pressure.js'
import { answeredWithin } from '../../../workers/answered-within.js'
import { lowestPriority } from '../../../workers/lowest-priority.js'
import { ProcessGroup } from '../../../workers/process-group.js'
import { hostileText } from '../plan/hostile-options.js'
import { largeRegistrations } from './large-registrations.js'
import { ServerWatch } from './server-watch.js'
import { StretchResults } from './stretch-results.js'

/** @typedef {import('../../../target/target.js').Target} Target */

/** The process runs when a core is idle: on a machine with other work it answers late, without hanging. */
const ANSWER_MS = 120_000
/** Above this share that was not sent, hostile peers were fewer than asked for. */
const MAX_NOT_SENT = 0.1
/** Of all cores, taken by other guests of the host: above this, a pair of stretches measured the host. */
const MAX_STEAL_PERCENT = 1
/** A recovery is read from intervals that workers hand over once a second. */
const LOOK_EVERY_MS = 250
/** Behind a hostile stretch so much of the load must be left to see a recovery. */
const MIN_RECOVERY_MS = 1000

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
  /** @type {ServerWatch | undefined} */
  #watch
  #results = new StretchResults()
  #spreads = false
  /** @type {string | null} */
  #priority = null
  /** In use by the server before the first stretch, and behind the last. @type {Partial<Record<'before' | 'after', Awaited<ReturnType<ServerWatch['memory']>>>>} */
  #memory = {}
  /** Pairs that were begun. */
  #begun = 0
  /** Whether hostile peers explain that nothing is answered. */
  excused = false

  /** @param {import('../../../plan/plan.js').Plan} plan - with hostile peers */
  constructor(plan) {
    this.#plan = plan
  }

  get #hostile() {
    return this.#plan.hostile ?? {}
  }

  /** add takes operations of a worker. @param {readonly import('../../../measure/due-slots.js').DueSlot[]} slots */
  add(slots) {
    this.#results.count(slots)
  }

  /** start connects them. @param {Target} target @param {{ onDied: (error: Error) => void, signal: AbortSignal }} how */
  async start(target, { onDied, signal }) {
    const { multiaddr, control } = target
    this.#spreads = clientAddressFor(toMultiaddr(multiaddr), 0, process.platform) !== undefined
    this.#watch = new ServerWatch(target)
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
   * warmUp has them hostile while load is generated that does not count, and waits until the server has nothing left to do: until the code
   * of all is compiled, times are twice what they are later.
   *
   * @param {() => Promise<unknown>} load
   */
  async warmUp(load) {
    this.excused = true
    await this.#call('begin')
    await load()
    await this.#end()
    await this.#watch?.calm(0)
    this.excused = false
  }

  /** readMemory reads what the server has in use, while there is no load. @param {'before' | 'after'} when - the stretches */
  async readMemory(when) {
    this.#memory[when] = (await this.#watch?.memory()) ?? null
  }

  /**
   * run has them hostile in every other stretch of a load, for as many pairs of stretches as there is time for.
   *
   * @param {object} parts
   * @param {Pick<import('../../trouble.js').Trouble, 'raise'>} parts.trouble
   * @param {bigint} parts.startNs - of the load
   * @returns {{ stop: () => void }}
   */
  run({ trouble, startNs }) {
    const stopping = new AbortController()
    const { signal } = stopping
    const time = {
      now: () => Number(process.hrtime.bigint() - startNs) / 1e6,
      until: (/** @type {number} */ ms) => sleep(Math.max(0, ms - time.now()), undefined, { signal }),
      signal
    }
    this.#pairs(time).catch(error => {
      if (!signal.aborted) trouble.raise(error)
    })
    return { stop: () => stopping.abort() }
  }

  /** @typedef {{ now: () => number, until: (ms: number) => Promise<void>, signal: AbortSignal }} Time - in ms since the load began */

  /** @param {Time} time */
  async #pairs(time) {
    const { durationMs, hostileEveryMs } = this.#plan
    const lastMs = Number(durationMs) - pairMs(Number(hostileEveryMs)) - MIN_RECOVERY_MS
    await time.until(0)
    let isCalm = true
    for (let pair = 0; time.now() <= lastMs; pair++) {
      const stolen = watchSteal()
      this.#begun++
      for (const [place, hostile] of orderOf(pair).entries()) {
        const stretch = await this.#stretch(hostile, isCalm, time)
        if (place === 1) this.#results.end(stolen())
        if (hostile) isCalm = await this.#calm(stretch, time)
      }
    }
  }

  /**
   * @param {boolean} hostile
   * @param {boolean} isCalm - before it
   * @param {Time} time
   */
  async #stretch(hostile, isCalm, { now, until }) {
    const watch = /** @type {ServerWatch} */ (this.#watch)
    const everyMs = Number(this.#plan.hostileEveryMs)
    this.excused = hostile
    if (hostile) await this.#call('begin')
    const from = slotFrom(now() + leadInMs(everyMs))
    const to = from + Math.ceil(everyMs / SLOT_MS)
    await until(from * SLOT_MS)
    await watch.cost()
    await until(to * SLOT_MS)
    const cost = await watch.cost()
    /** @type {import('./stretch-results.js').MeasuredStretch} */
    const stretch = { hostile, from, to, cost, isCalm, endMs: now(), watchedMs: Infinity, notSent: null }
    this.#results.add(stretch)
    return stretch
  }

  /**
   * Ends hostile peers, and waits until nothing is left of them: operations are as fast as before, and the server has done its work.
   *
   * @param {import('./stretch-results.js').MeasuredStretch} stretch
   * @param {Time} time
   * @returns {Promise<boolean>} the server has
   */
  async #calm(stretch, { now, until, signal }) {
    stretch.notSent = await this.#end()
    while (!this.#results.hasRecovered && now() - stretch.endMs < MAX_RECOVERY_MS)
      await until(now() + LOOK_EVERY_MS)
    this.excused = false
    const isCalm = await /** @type {ServerWatch} */ (this.#watch).calm(this.#results.quietPercent, signal)
    stretch.watchedMs = now()
    return isCalm
  }

  /** @returns {Promise<number>} share of what was due that was not sent */
  async #end() {
    const { notSent, failure } = await this.#call('end')
    if (failure !== null) throw new HostileError('HOSTILE_FAILED', `hostile peers stopped early: ${failure}`)
    return notSent
  }

  /** outcome is what is known so far. @returns {import('../../../result/types.js').HostileOutcome} */
  outcome() {
    const result = this.#results.result(MAX_STEAL_PERCENT)
    const { before = null, after = null } = this.#memory
    const left = before !== null && after !== null
    return {
      spreads: this.#spreads,
      priority: this.#priority,
      unfinished: this.#begun - result.pairs.length,
      left: left
        ? {
            heap: after.heapBytes / before.heapBytes,
            external: after.externalBytes / before.externalBytes
          }
        : null,
      ...result
    }
  }

  /** warnings are those of an outcome. @param {import('../../../result/types.js').HostileOutcome} outcome @returns {import('../../../result/types.js').Warning[]} */
  warnings({ notSent, pairs }) {
    const name = hostileText(this.#hostile)
    const disturbed = pairs.length > 0 && pairs.every(({ setAside }) => setAside !== null)
    return [
      ...(Number(notSent) > MAX_NOT_SENT
        ? [{ code: 'HOSTILE_NOT_SENT', values: { name, percent: 100 * Number(notSent) } }]
        : []),
      ...(disturbed ? [{ code: 'HOSTILE_DISTURBED', values: { pairs: pairs.length } }] : [])
    ]
  }

  /** stop ends the process; after a failure at once, for it may hang. @param {{ failed: boolean }} how */
  stop(how) {
    this.#watch?.stop()
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

/** watchSteal says, when it is called again, what other guests of the host took of all cores since. @returns {() => number | null} percent */
function watchSteal() {
  const was = pressure().ticks
  return () => {
    const is = pressure().ticks
    if (was === null || is === null) return null
    return is.all === was.all ? 0 : (100 * (is.stolen - was.stolen)) / (is.all - was.all)
  }
}
