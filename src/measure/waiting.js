import { sumOf } from '../kit/lists.js'

/**
 * waitingOverTime counts the operations that were due and had not ended, at the end of each second of a schedule.
 *
 * @param {readonly { second: number, count: number }[]} ended - operations by the second they ended in, in any order
 * @param {number} due - operations over the whole duration, evenly spread
 * @param {number} seconds - of the duration
 * @returns {number[]}
 */
export function waitingOverTime(ended, due, seconds) {
  const counts = new Array(seconds).fill(0)
  for (const { second, count } of ended) if (second < seconds) counts[Math.max(0, second)] += count
  let done = 0
  return counts.map((count, second) => {
    done += count
    return Math.max(0, Math.round((due * (second + 1)) / seconds) - done)
  })
}

/** Fewer wait for other reasons than a load that is too high. */
const LEAST_WAITING = 10
/** So much of a second's load is under way at any time. */
const LEAST_SHARE = 0.1
const PARTS = 3

/**
 * waitingGrows tells whether what waits grew all the while: more in each third of the time than in the one before, twice as much in
 * the last as in the first, and more than is under way at any time (10 operations, and a tenth of a second's).
 *
 * @param {readonly number[]} waiting - at the end of each second
 * @param {number} duePerSecond
 * @returns {number | null} operations that waited in the last third, on average; null: it did not grow, or the time is too short
 *   to tell
 */
export function waitingGrows(waiting, duePerSecond) {
  if (waiting.length < PARTS) return null
  const thirds = Array.from({ length: PARTS }, (_, part) => average(partOf(waiting, part)))
  const last = thirds[PARTS - 1]
  const rising = thirds.every((count, part) => part === 0 || count > thirds[part - 1])
  const many = last >= Math.max(LEAST_WAITING, LEAST_SHARE * duePerSecond)
  return rising && many && last >= 2 * thirds[0] ? last : null
}

/** @param {readonly number[]} list @param {number} part */
const partOf = (list, part) =>
  list.slice(Math.round((list.length * part) / PARTS), Math.round((list.length * (part + 1)) / PARTS))

/** @param {readonly number[]} list */
const average = list => sumOf(list) / Math.max(1, list.length)
