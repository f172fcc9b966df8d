/**
 * @typedef {object} Searched
 * @property {number | null} carried - the highest rate that was; null: not even the first one
 * @property {number | null} notCarried - the lowest rate that was not; null: none up to `most`
 *
 * @typedef {object} SearchOptions
 * @property {number} from - the first rate, > 0
 * @property {number} [tolerance] - how far apart the two may end, as a share of the higher one
 * @property {number} [most] - no rate above it is tried
 */

const TOLERANCE = 0.1
/** Rates are tried that can be read. */
const DIGITS = 3

/**
 * searchRate finds the highest rate that a system carries: it is doubled until one is not carried, and then the space between is
 * halved. A system is taken to carry every rate below one that it carries.
 *
 * @param {(perSecond: number) => Promise<boolean>} carries - tries a rate
 * @param {SearchOptions} options
 * @returns {Promise<Searched>}
 */
export async function searchRate(carries, { from, tolerance = TOLERANCE, most = Infinity }) {
  /** @type {number | null} */
  let carried = null
  let rate = Math.min(from, most)
  while (await carries(rate)) {
    carried = rate
    if (rate === most) return { carried, notCarried: null }
    rate = Math.min(rate * 2, most)
  }
  if (carried === null) return { carried, notCarried: rate }
  return between(carries, { carried, notCarried: rate }, tolerance)
}

/**
 * @param {(perSecond: number) => Promise<boolean>} carries
 * @param {{ carried: number, notCarried: number }} ends
 * @param {number} tolerance
 */
async function between(carries, { carried, notCarried }, tolerance) {
  while (notCarried - carried > tolerance * notCarried) {
    const rate = Number(((carried + notCarried) / 2).toPrecision(DIGITS))
    // nothing that can be read lies between them
    if (rate <= carried || rate >= notCarried) break
    if (await carries(rate)) carried = rate
    else notCarried = rate
  }
  return { carried, notCarried }
}
