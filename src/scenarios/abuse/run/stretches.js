import { setTimeout as sleep } from 'node:timers/promises'
import { sumUp } from '../measure/answers.js'
import { intervalMsOf, intervalsOf, quietMostMs, recoveredMs } from '../measure/recovery.js'
import { leadInMs } from '../plan/abuse-kind.js'
import { AbuseError } from './abuse-error.js'

/**
 * @typedef {import('../abuse-types.js').Stretch} Stretch
 * @typedef {import('../abuse-types.js').Pair} Pair
 * @typedef {import('../measure/recovery.js').Interval} Interval
 * @typedef {import('./server-watch.js').Seen} Seen
 *
 * @typedef {Pick<import('./abuse-parts.js').AbuseParts, 'ask' | 'beginAbuse' | 'endAbuse' | 'watch'>} Parts
 */

const MOST_RECOVERY_MS = 30_000
/** Honest clients are asked about so many intervals at once, until they are served as before. */
const INTERVALS_AT_ONCE = 2

/** Stretches are those of one kind of abuse: without it and with it, in turn. */
export class Stretches {
  #parts
  #plan
  #intervalMs
  /** @type {Interval[]} */
  #quiet = []

  /** @param {Parts} parts @param {import('../abuse-plan.js').AbusePlan} plan */
  constructor(parts, plan) {
    this.#parts = parts
    this.#plan = plan
    this.#intervalMs = intervalMsOf(plan.ratePerSecond)
  }

  /** warmUp is honest load alone, then some abuse: until the code of all is compiled times are twice what they are later. */
  async warmUp() {
    const { warmupMs, stretchMs } = this.#plan
    if (warmupMs === 0) return
    await this.#parts.ask(warmupMs)
    const { ending } = await this.#abused(Math.min(warmupMs, stretchMs))
    await ending
    await this.#parts.watch.calm()
  }

  /** pair measures the next two: who comes first takes turns, without abuse in the first of all. @param {number} index @returns {Promise<Pair>} */
  async pair(index) {
    if (index % 2 === 0) return { quiet: await this.#quietStretch(), abused: await this.#abusedStretch() }
    const abused = await this.#abusedStretch()
    return { quiet: await this.#quietStretch(), abused }
  }

  async #quietStretch() {
    const { answers, stretch } = await this.#measured(this.#plan.stretchMs)
    if (stretch.failed === stretch.asked)
      throw new AbuseError(
        'HONEST_NOT_SERVED',
        `no honest client was served without abuse: ${Object.keys(stretch.failures).join(', ')}`
      )
    this.#quiet.push(...intervalsOf(answers, this.#intervalMs))
    return stretch
  }

  /** @returns {Promise<Pair['abused']>} */
  async #abusedStretch() {
    const { stretch, ending } = await this.#abused(this.#plan.stretchMs)
    const recoveryMs = await this.#recovery()
    const { notSent, failure } = await ending
    if (failure !== null) throw new AbuseError('ABUSE_FAILED', `the abuse ended by itself: ${failure}`)
    await this.#parts.watch.calm()
    return { ...stretch, notSent, recoveryMs }
  }

  /** @param {number} ms */
  async #abused(ms) {
    await this.#parts.beginAbuse()
    const { stretch } = await this.#measured(ms)
    const ending = this.#parts.endAbuse()
    // it is waited for later, and may fail before
    ending.catch(() => {})
    return { stretch, ending }
  }

  /** @param {number} ms */
  async #measured(ms) {
    const { watch, ask } = this.#parts
    await sleep(leadInMs(this.#plan))
    const before = await watch.seen()
    const began = performance.now()
    const answers = await ask(ms)
    const after = await watch.seen()
    const { rssBytes, longestTurnMs } = after
    const used = cpuPercent(before, after, performance.now() - began)
    return { answers, stretch: { ...sumUp(answers), longestTurnMs, rssBytes, cpuPercent: used } }
  }

  /** Until honest clients are served as before; null: they were not, for as long as it is waited for. */
  async #recovery() {
    const mostMs = quietMostMs(this.#quiet)
    const began = performance.now()
    /** @type {Interval[]} */
    const since = []
    for (let at = 0; mostMs !== null && at < MOST_RECOVERY_MS; at = performance.now() - began) {
      const answers = await this.#parts.ask(INTERVALS_AT_ONCE * this.#intervalMs)
      since.push(...intervalsOf(answers, this.#intervalMs, at))
      const recovered = recoveredMs(since, mostMs)
      if (recovered !== null) return recovered
    }
    return null
  }
}

/** @param {Seen} before @param {Seen} after @param {number} wallMs @returns {number | null} */
const cpuPercent = (before, after, wallMs) =>
  before.cpuMs === null || after.cpuMs === null ? null : (100 * (after.cpuMs - before.cpuMs)) / wallMs
