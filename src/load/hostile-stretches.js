/**
 * The stretches of a load with hostile peers beside it: without them (quiet) and with them (hostile), in turn. Two of them are a pair. Which
 * comes first changes from pair to pair, so that what drifts meanwhile is in both alike.
 */

/** SLOT_MS: operations are counted in slots of this length, by when they were due. It is the resolution of a recovery time. */
export const SLOT_MS = 250

/** LEAD_IN_MS before a stretch at most are not counted: connections being made and code being compiled belong to no stretch. */
const LEAD_IN_MS = 1500

/** Behind a hostile stretch: until operations are as fast as before, and the server has nothing left to do. */
const CALM_MS = 3000

/** MAX_RECOVERY_MS is how long a recovery is waited for. */
export const MAX_RECOVERY_MS = 30_000

/** USUAL_PAIRS are measured where a plan does not say how long: fewer give no interval. */
export const USUAL_PAIRS = 6

/** leadInMs is the lead-in of a stretch. @param {number} everyMs */
export const leadInMs = everyMs => Math.min(LEAD_IN_MS, everyMs)

/** pairMs is what two stretches take with their lead-ins, without what is waited for between them. @param {number} everyMs */
export const pairMs = everyMs => 2 * (everyMs + leadInMs(everyMs))

/** durationOf is about how long so many pairs take. @param {number} pairs @param {number} everyMs */
export const durationOf = (pairs, everyMs) => pairs * (pairMs(everyMs) + CALM_MS)

/** orderOf says whether the stretches of a pair are hostile, in the order they come in. @param {number} pair @returns {[boolean, boolean]} */
export const orderOf = pair => (pair % 2 > 0 ? [true, false] : [false, true])

/** slotFrom is the first slot that begins at a time or later. @param {number} ms - since the load began */
export const slotFrom = ms => Math.ceil(ms / SLOT_MS)

/** Of fewer operations the slowest tenth is a matter of chance. */
const MIN_OPERATIONS = 10
const SHARE = 0.9
/** So many intervals after one another must be as before: one alone may be by chance. */
const IN_A_ROW = 2

/** slotsEach is how many slots an interval has: as few as have enough operations. @param {number} operations - in a quiet slot */
export const slotsEach = operations => Math.max(1, Math.ceil(MIN_OPERATIONS / operations - 1e-9))

/**
 * @typedef {import('../measure/histogram.js').Histogram} Histogram - of response times in µs; Infinity: an operation failed
 */

/**
 * slowest is the time in which nine of ten operations of an interval were answered.
 *
 * @param {Histogram} operations
 * @returns {number | null} µs, Infinity: they were not; null: too few operations
 */
export const slowest = operations =>
  operations.count < MIN_OPERATIONS / 2 ? null : operations.bucketAt(SHARE)

/**
 * recoveredAt is the first interval from which on operations take no longer than in quiet stretches.
 *
 * @param {readonly (number | null)[]} since - slowest of each interval since hostile peers ended
 * @param {number | null} maxQuiet - the largest of quiet intervals
 * @returns {number | null} null: none of them
 */
export function recoveredAt(since, maxQuiet) {
  if (maxQuiet === null) return null
  const asBefore = (/** @type {number | null} */ value) => value !== null && value <= maxQuiet
  const at = since.findIndex(
    (_, i) => i + IN_A_ROW <= since.length && since.slice(i, i + IN_A_ROW).every(asBefore)
  )
  return at === -1 ? null : at
}
