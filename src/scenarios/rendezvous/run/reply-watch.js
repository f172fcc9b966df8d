import { sumOf } from '../../../kit/lists.js'
import { within } from '../../../kit/time-limit.js'
import { isCensored } from '../../../load/outcomes.js'
import { controlsOf } from '../../../target/target.js'
import { TargetError } from '../../../target/target-error.js'

/** A server whose operations fail gets this long to answer anything again. */
const GRACE_MS = 3000
const LOOK_EVERY_MS = 250

/** Operations without a reply for a reason of our own. */
const OUR_OWN = new Set(['DROPPED', 'LOCAL_PORTS_EXHAUSTED', 'INTERRUPTED'])

/**
 * watchReplies ends a run whose server answers nothing any more, while operations fail: time out, or lose their connection. How
 * long nothing was asked does not count. A server of ours that is given more than it can do answers too late for anybody, and is not
 * hung: it is asked what it has served.
 *
 * @param {object} options
 * @param {import('../measure/totals.js').Totals} options.totals
 * @param {import('../../trouble.js').Trouble} options.trouble
 * @param {(signal: AbortSignal) => Promise<number | null>} [options.served] - requests of this load that the server says to have served;
 *   null: it does not say
 * @param {() => boolean} [options.excused] - a fault of the plan explains why nothing is answered
 * @param {() => number} [options.clock] - ms
 * @returns {{ stop: () => void, check: () => Promise<void> }} `check`: the load is over, and must have had a reply
 */
export function watchReplies({
  totals,
  trouble,
  served = async () => null,
  excused = () => false,
  clock = () => performance.now()
}) {
  const first = state(totals)
  const stopping = new AbortController()
  let last = first
  let repliedMs = clock()
  /** @type {number | null} when a failure was first seen after the last reply */
  let failingMs = null
  /** @type {number | null} what the server said last to have served */
  let servedBefore = null
  let asking = false
  const lives = (now = state(totals)) => {
    last = now
    repliedMs = clock()
    failingMs = null
  }
  const ask = async () => {
    if (asking) return
    asking = true
    const count = await served(stopping.signal)
    asking = false
    if (servedBefore !== null && count !== null && count > servedBefore) lives()
    servedBefore = count ?? servedBefore
  }
  const look = () => {
    const now = state(totals)
    if (now.replies > last.replies || excused()) lives(now)
    const failed = now.failed - last.failed
    if (failed === 0) return
    failingMs ??= clock()
    if (clock() - failingMs > GRACE_MS) trouble.raise(silent(clock() - repliedMs, failed))
    else void ask()
  }
  const check = async () => {
    const { replies, failed } = state(totals)
    if (failed === first.failed || replies > first.replies) return
    const late = await served(within(stopping.signal, GRACE_MS))
    if (!late) trouble.raise(silent(clock() - repliedMs, failed - first.failed))
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  const stop = () => {
    clearInterval(timer)
    stopping.abort()
  }
  return { stop, check }
}

/**
 * requestsServed asks servers of ours how many requests they have served since their durations were reset.
 *
 * @param {Pick<import('../../../target/target.js').Target, 'control' | 'members'>} target
 * @returns {(signal: AbortSignal) => Promise<number | null>} null: none of them is ours, or none answers
 */
export const requestsServed = target => async signal => {
  const asked = controlsOf(target).map(control => control.durations(signal))
  const answers = (await Promise.allSettled(asked)).flatMap(answer =>
    answer.status === 'fulfilled' ? Object.values(answer.value) : []
  )
  return answers.length === 0 ? null : sumOf(answers, ({ count }) => count)
}

/** @param {import('../measure/totals.js').Totals} totals */
const state = totals => ({
  replies: totals.replies,
  failed: totals.types
    .filter(type => type !== 'CONNECT' && type !== 'PUBLISH')
    .flatMap(type => [...totals.byOutcome('rt', type)])
    .filter(([outcome]) => isCensored(outcome) && !OUR_OWN.has(outcome))
    .reduce((sum, [, { count }]) => sum + count, 0)
})

/** @param {number} ms @param {number} failed */
const silent = (ms, failed) =>
  new TargetError(
    'SERVER_HUNG',
    `the server has answered nothing for ${(ms / 1000).toFixed(1)} s, while ${failed} operations failed`
  )
