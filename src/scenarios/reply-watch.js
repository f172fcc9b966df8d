import { TargetError } from '../target/target-error.js'

/** A server gets this long to answer anything again, after its connections broke or on top of the timeout. */
const GRACE_MS = 3000
const LOOK_EVERY_MS = 250

/**
 * watchReplies ends a run whose server answers nothing any more, while operations fail.
 *
 * @param {object} options
 * @param {import('../plan/plan.js').Plan} options.plan
 * @param {import('../measure/totals.js').Totals} options.totals
 * @param {import('./trouble.js').Trouble} options.trouble
 * @param {() => number} [options.clock] - ms
 * @returns {{ stop: () => void, check: () => void }} `check`: the round is over, and must have had a reply
 */
export function watchReplies({ plan, totals, trouble, clock = () => performance.now() }) {
  let last = state(totals)
  let sinceMs = clock()
  const look = () => {
    const now = state(totals)
    if (now.replies > last.replies) {
      last = now
      sinceMs = clock()
    }
    const failed = now.operations - last.operations
    const onlyTimeouts = now.timeouts - last.timeouts === failed
    const silentMs = clock() - sinceMs
    if (failed > 0 && silentMs > GRACE_MS + (onlyTimeouts ? plan.timeoutMs : 0))
      trouble.raise(silent(silentMs, failed))
  }
  const first = last
  const check = () => {
    const { replies, operations } = state(totals)
    const failed = operations - first.operations
    if (failed > 0 && replies === first.replies) trouble.raise(silent(clock() - sinceMs, failed))
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  return { stop: () => clearInterval(timer), check }
}

/** @param {import('../measure/totals.js').Totals} totals */
const state = totals => ({
  replies: totals.replies,
  operations: totals.operations,
  timeouts: totals.types.reduce(
    (sum, type) => sum + (totals.byOutcome('rt', type).get('TIMEOUT')?.count ?? 0),
    0
  )
})

/** @param {number} ms @param {number} failed */
const silent = (ms, failed) =>
  new TargetError(
    'SERVER_HUNG',
    `the server has answered nothing for ${(ms / 1000).toFixed(1)} s, while ${failed} operations failed`
  )
