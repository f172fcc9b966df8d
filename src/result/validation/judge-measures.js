import { MEASURE_NAMES, MEASURES } from './measures.js'

/**
 * @typedef {import('./observation.js').Observation} Observation
 * @typedef {import('./measures.js').MeasureName} MeasureName
 *
 * @typedef {object} MeasureVerdict
 * @property {MeasureName} name
 * @property {number[]} real - figure of each run
 * @property {number[]} simulated
 * @property {number} distance - from a real to a simulated run, on average over all pairs
 * @property {number} between - from a real run to another one, on average
 * @property {number} yardstick - what the distance may be
 * @property {boolean} passed
 */

/**
 * The largest distance between real runs, stretched by so much, is what a simulation may be away. Simulations that were held against
 * others of the same kind, 5 and 5 seeds, were on average at 0.4 to 0.7 of the largest distance, and at 0.95 of it in the worst of 20 cases
 * (docs/simulation.md).
 */
export const STRETCH = 1.25

/** LEAST_RUNS: a single real run has no spread. */
export const LEAST_RUNS = 2

/** @template T @param {readonly T[]} items @returns {[T, T][]} */
const pairsOf = items =>
  items.flatMap((item, place) => items.slice(place + 1).map(other => /** @type {[T, T]} */ ([item, other])))

/** @param {readonly number[]} values */
const mean = values => values.reduce((sum, value) => sum + value, 0) / values.length

/**
 * judgeMeasures holds simulated runs against real ones. A measure passes when a simulated run is, on average, not further from a real
 * one than real ones are from each other at most: the spread between their seeds is the yardstick.
 *
 * @param {readonly Observation[]} real - at least LEAST_RUNS
 * @param {readonly Observation[]} simulated - at least one
 * @returns {MeasureVerdict[]}
 * @throws {RangeError} for fewer
 */
export function judgeMeasures(real, simulated) {
  if (real.length < LEAST_RUNS || simulated.length < 1)
    throw new RangeError(
      `${real.length} real and ${simulated.length} simulated runs are too few: at least ${LEAST_RUNS} and 1`
    )
  return MEASURE_NAMES.map(name => {
    const { distance, least, figure } = MEASURES[name]
    const among = pairsOf(real).map(([a, b]) => distance(a, b))
    const across = real.flatMap(a => simulated.map(b => distance(a, b)))
    const yardstick = STRETCH * Math.max(least, ...among)
    return {
      name,
      real: real.map(figure),
      simulated: simulated.map(figure),
      distance: mean(across),
      between: mean(among),
      yardstick,
      passed: mean(across) <= yardstick
    }
  })
}
