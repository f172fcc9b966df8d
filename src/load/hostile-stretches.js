/**
 * The schedule of hostile peers beside a load: stretches without them and with them, in turn, each of the same length. Two of them are a
 * pair. The first is quiet.
 */

/** LEAD_IN_MS of a stretch are not counted: connections being made and code being compiled belong to no stretch. */
export const LEAD_IN_MS = 2000

/** MIN_STRETCH_MS leaves something to be counted. */
export const MIN_STRETCH_MS = 4000

/**
 * pairsIn is how many whole pairs of stretches a load has.
 *
 * @param {{ durationMs: number, everyMs: number }} plan
 */
export const pairsIn = ({ durationMs, everyMs }) => Math.floor(durationMs / (2 * everyMs))

/**
 * switchesIn are the times at which hostile peers begin and end.
 *
 * @param {{ durationMs: number, everyMs: number }} plan
 * @returns {{ pair: number, beginMs: number, endMs: number }[]} in ms since the load began
 */
export const switchesIn = ({ durationMs, everyMs }) =>
  Array.from({ length: pairsIn({ durationMs, everyMs }) }, (_, pair) => ({
    pair,
    beginMs: (2 * pair + 1) * everyMs,
    endMs: (2 * pair + 2) * everyMs
  }))

/**
 * stretchAt says which stretch a time belongs to.
 *
 * @param {number} atMs - since the load began
 * @param {number} everyMs
 * @returns {{ pair: number, hostile: boolean, counted: boolean }} `counted`: it is behind the lead-in
 */
export function stretchAt(atMs, everyMs) {
  const index = Math.floor(atMs / everyMs)
  return { pair: index >> 1, hostile: index % 2 === 1, counted: atMs - index * everyMs >= LEAD_IN_MS }
}

/** So many seconds after one another must be as before: one alone may be by chance. */
const IN_A_ROW = 2

/**
 * recoveredAfterMs is how long after the end of a hostile stretch operations take no longer than in quiet stretches before.
 *
 * @param {readonly (number | null)[]} since - 90th percentile of each second since that end; null: too few operations
 * @param {number | null} maxQuiet - the largest of seconds of quiet stretches before
 * @returns {number | null} null: not within these seconds
 */
export function recoveredAfterMs(since, maxQuiet) {
  if (maxQuiet === null) return null
  const asBefore = (/** @type {number | null} */ value) => value !== null && value <= maxQuiet
  const at = since.findIndex(
    (_, i) => i + IN_A_ROW <= since.length && since.slice(i, i + IN_A_ROW).every(asBefore)
  )
  return at === -1 ? null : 1000 * at
}
