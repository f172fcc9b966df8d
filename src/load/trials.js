// Orders and searches of loads: search for the highest rate carried, pairs of periods without and with hostile peers,
// balanced orders of rows.
import { shuffle } from '../kit/random.js'

/**
 * @typedef {object} RateSearchResult
 * @property {number | null} carried - the highest rate that was; null: not even the first one
 * @property {number | null} notCarried - the lowest rate that was not; null: none up to `most`
 *
 * @typedef {object} RateSearchOptions
 * @property {number} from - the first rate, > 0
 * @property {number} [tolerance] - how far apart the two may end, as a share of the higher one
 * @property {number} [maxRate] - no rate above it is tried
 */

const TOLERANCE = 0.1
/** Rates are tried that can be read. */
const DIGITS = 3

/**
 * searchRate finds the highest rate that a system carries: it is doubled until one is not carried, and then the space between is
 * halved. A system is taken to carry every rate below one that it carries.
 *
 * @param {(perSecond: number) => Promise<boolean>} carries - tries a rate
 * @param {RateSearchOptions} options
 * @returns {Promise<RateSearchResult>}
 */
export async function searchRate(carries, { from, tolerance = TOLERANCE, maxRate = Infinity }) {
  /** @type {number | null} */
  let carried = null
  let rate = Math.min(from, maxRate)
  while (await carries(rate)) {
    carried = rate
    if (rate === maxRate) return { carried, notCarried: null }
    rate = Math.min(rate * 2, maxRate)
  }
  let notCarried = rate
  while (carried !== null && notCarried - carried > tolerance * notCarried) {
    const middle = Number(((carried + notCarried) / 2).toPrecision(DIGITS))
    // no number of so few digits lies between them
    if (middle <= carried || middle >= notCarried) break
    if (await carries(middle)) carried = middle
    else notCarried = middle
  }
  return { carried, notCarried }
}

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

/** DEFAULT_PAIRS are measured where a plan does not say how long: fewer give no interval. */
export const DEFAULT_PAIRS = 6

/** computeLeadInMs is the lead-in of a stretch. @param {number} everyMs */
export const computeLeadInMs = everyMs => Math.min(LEAD_IN_MS, everyMs)

/** computePairMs is what two stretches take with their lead-ins, without what is waited for between them. @param {number} everyMs */
export const computePairMs = everyMs => 2 * (everyMs + computeLeadInMs(everyMs))

/** estimateHostileMs is about how long so many pairs take. @param {number} pairs @param {number} everyMs */
export const estimateHostileMs = (pairs, everyMs) => pairs * (computePairMs(everyMs) + CALM_MS)

/** getPairOrder says whether the stretches of a pair are hostile, in the order they come in. @param {number} pair @returns {[boolean, boolean]} */
export const getPairOrder = pair => (pair % 2 > 0 ? [true, false] : [false, true])

/** findFirstSlot is the first slot that begins at a time or later. @param {number} ms - since the load began */
export const findFirstSlot = ms => Math.ceil(ms / SLOT_MS)

/** Of fewer operations the slowest tenth is a matter of chance. */
const MIN_OPERATIONS = 10
const SHARE = 0.9
/** So many intervals after one another must be as before: one alone may be by chance. */
const IN_A_ROW = 2

/** countIntervalSlots is how many slots an interval has: as few as have enough operations. @param {number} operations - in a quiet slot */
export const countIntervalSlots = operations => Math.max(1, Math.ceil(MIN_OPERATIONS / operations - 1e-9))

/**
 * @typedef {import('../measure/histogram.js').Histogram} Histogram - of response times in µs; Infinity: an operation failed
 */

/**
 * findSlowestTenth is the time in which nine of ten operations of an interval were answered.
 *
 * @param {Histogram} operations
 * @returns {number | null} µs, Infinity: they were not; null: too few operations
 */
export const findSlowestTenth = operations =>
  operations.count < MIN_OPERATIONS / 2 ? null : operations.bucketAt(SHARE)

/**
 * findRecovery is the first interval from which on operations take no longer than in quiet stretches.
 *
 * @param {readonly (number | null)[]} since - slowest of each interval since hostile peers ended
 * @param {number | null} maxQuiet - the largest of quiet intervals
 * @returns {number | null} null: none of them
 */
export function findRecovery(since, maxQuiet) {
  if (maxQuiet === null) return null
  const asBefore = (/** @type {number | null} */ value) => value !== null && value <= maxQuiet
  const at = since.findIndex(
    (_, i) => i + IN_A_ROW <= since.length && since.slice(i, i + IN_A_ROW).every(asBefore)
  )
  return at === -1 ? null : at
}

/**
 * countBalancedRows is how many orders of items are balanced.
 *
 * @param {number} items - how many there are
 */
export const countBalancedRows = items => (items % 2 === 0 ? items : 2 * items)

/**
 * makeBalancedOrders orders items in rows, so that none always finds what another one has warmed: each is once in every row, and comes right
 * after every other one as often. With an even number of them that takes one Latin square, with each item once in every place; with an odd
 * number a second one, whose rows are those of the first, mirrored (E. J. Williams, Aust. J. Sci. Res. A 2 (1949) 149–168).
 *
 * @template T
 * @param {readonly T[]} items - at least one
 * @param {() => number} random - uniform in [0, 1): which item is which, and the order of the rows of a square
 * @returns {T[][]} square after square
 */
export function makeBalancedOrders(items, random) {
  const dealt = shuffle(items, random)
  const first = zigzag(items.length)
  const square = dealt.map((_, row) => first.map(place => dealt[(place + row) % dealt.length]))
  if (items.length % 2 === 0) return shuffle(square, random)
  const mirrored = square.map(row => row.toReversed())
  return [square, mirrored].flatMap(rows => shuffle(rows, random))
}

/** 0, 1, n − 1, 2, n − 2, …: every difference of neighbours once, if n is even. @param {number} n */
const zigzag = n =>
  Array.from({ length: n }, (_, place) => (place % 2 === 1 ? (place + 1) / 2 : (n - place / 2) % n))
