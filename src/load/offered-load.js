import { constantArrivals, poissonArrivals, shapedArrivals } from './arrivals.js'
import { rateShapeOf } from './rate-shape.js'
import { unpackReplay } from './replay.js'

/** @typedef {import('./rate-shape.js').Offered} Offered */

/**
 * offeredLoad gives when operations of a plan are due.
 *
 * @param {Offered} plan
 * @param {() => number} random - uniform in [0, 1)
 * @returns {Iterable<number>} offsets from the start in ns; for ever, but for those replayed from a file
 */
export function offeredLoad(plan, random) {
  const { arrivals, ratePerSecond } = plan
  if (arrivals === 'constant') return constantArrivals(ratePerSecond)
  if (arrivals === 'poisson') return poissonArrivals(ratePerSecond, random)
  if (arrivals.shape === 'replay') return unpackReplay(arrivals)
  const { timeOf } = /** @type {import('./rate-shape.js').RateShape} */ (rateShapeOf(plan))
  return shapedArrivals(timeOf, arrivals.spacing === 'poisson' ? random : null)
}

/**
 * steadyLoad gives when operations are due where only the rate counts, as in the warm-up: as many in each second.
 *
 * @param {Offered} plan
 * @param {() => number} random - uniform in [0, 1)
 * @returns {Iterable<number>} offsets from the start in ns, for ever
 */
export const steadyLoad = ({ arrivals, ratePerSecond }, random) =>
  arrivals === 'poisson' ? poissonArrivals(ratePerSecond, random) : constantArrivals(ratePerSecond)

/**
 * dueIn is how many operations of a plan are due in its duration.
 *
 * @param {Offered} plan - with a duration
 * @returns {number} a whole number; of Poisson arrivals the expected one
 */
export function dueIn(plan) {
  const seconds = (plan.durationMs ?? 0) / 1000
  const shape = rateShapeOf(plan)
  if (shape !== null) return Math.round(shape.dueBy(seconds))
  let due = 0
  for (const offset of offeredLoad(plan, () => 0)) if (offset < seconds * 1e9) due++
  return due
}
