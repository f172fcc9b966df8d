import { isCensored } from '../../../load/outcomes.js'
import { TargetError } from '../../../target/target-error.js'

/** A server whose operations fail gets this long to answer anything again. */
const GRACE_MS = 3000
const LOOK_EVERY_MS = 250

/** Operations without a reply for a reason of our own. */
const OUR_OWN = new Set(['DROPPED', 'LOCAL_PORTS_EXHAUSTED', 'INTERRUPTED'])

/**
 * watchReplies ends a run whose server answers nothing any more, while operations fail: time out, or lose their connection. How
 * long nothing was asked does not count.
 *
 * @param {object} options
 * @param {import('../measure/totals.js').Totals} options.totals
 * @param {import('../../trouble.js').Trouble} options.trouble
 * @param {() => boolean} [options.excused] - a fault of the plan explains why nothing is answered
 * @param {() => number} [options.clock] - ms
 * @returns {{ stop: () => void, check: () => void }} `check`: the round is over, and must have had a reply
 */
export function watchReplies({ totals, trouble, excused = () => false, clock = () => performance.now() }) {
  const first = state(totals)
  let last = first
  let repliedMs = clock()
  /** @type {number | null} when a failure was first seen after the last reply */
  let failingMs = null
  const look = () => {
    const now = state(totals)
    if (now.replies > last.replies || excused()) {
      last = now
      repliedMs = clock()
      failingMs = null
    }
    const failed = now.failed - last.failed
    if (failed === 0) return
    failingMs ??= clock()
    if (clock() - failingMs > GRACE_MS) trouble.raise(silent(clock() - repliedMs, failed))
  }
  const check = () => {
    const { replies, failed } = state(totals)
    if (failed > first.failed && replies === first.replies)
      trouble.raise(silent(clock() - repliedMs, failed - first.failed))
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  return { stop: () => clearInterval(timer), check }
}

/** @param {import('../measure/totals.js').Totals} totals */
const state = totals => ({
  replies: totals.replies,
  failed: totals.types
    .filter(type => type !== 'CONNECT')
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
