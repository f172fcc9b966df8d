import { grouped, significant } from '../../../kit/numbers.js'
import { reasonsOf } from '../../../scenarios/gossip/saturation/carried-words.js'
import { saturatedBy } from '../saturated.js'

/**
 * @typedef {import('./trial.js').AnyTrial} AnyTrial
 * @typedef {import('./trial.js').Reason} Reason
 */

/** Of what was expected in a cell: less was beyond the saturation diagonal. */
const DIAGONAL_SHARE = 0.95

const ms = (/** @type {number} */ value) => `${significant(value)} ms`

/** Reasons of versions without an objective, by code. @type {Readonly<Record<string, (reason: any) => string>>} */
const WORDS = {
  ACHIEVED: ({ share }) => `${significant(100 * share)} % achieved`,
  SLOWER: ({ figure, lowestMs, ...at }) => `${figure} ${ms(at.ms)}, at the lowest rate ${ms(lowestMs)}`,
  WAITING: ({ count }) => `growing backlog, ${grouped(count)} operations at the end`,
  NOT_CARRIED: ({ why }) => reasonsOf(why),
  UNDER_WAY: ({ count }) => `growing backlog, ${grouped(count)} deliveries at the end`
}

/** @param {any} reason @returns {Reason} */
const inWords = reason =>
  Object.hasOwn(WORDS, reason.code) ? { code: 'FORMER', text: WORDS[reason.code](reason) } : reason

/** @param {AnyTrial} trial @param {readonly Reason[]} reasons @returns {boolean | null} */
function wasSustained(trial, reasons) {
  // a search said so
  if (trial.sustained !== undefined) return trial.sustained
  if (trial.point === null) return null
  if ('reasons' in trial.point) return reasons.length === 0
  const { achieved, expected } = saturatedBy(trial.plan).cellOf(trial, trial.point)
  return achieved >= DIAGONAL_SHARE * expected
}

/**
 * withFormerVerdicts gives trials of a version without an objective what that version said of them.
 *
 * @template {AnyTrial} T
 * @param {readonly T[]} trials
 * @returns {T[]}
 */
export const withFormerVerdicts = trials =>
  trials.map(trial => {
    const ofPoint = /** @type {{ reasons?: Reason[] } | null} */ (trial.point)?.reasons ?? []
    const own = trial.reasons ?? []
    const reasons = (own.length > 0 ? own : ofPoint).map(inWords)
    return { ...trial, reasons, sustained: wasSustained(trial, reasons) }
  })
