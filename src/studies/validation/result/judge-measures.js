import { sumOf } from '../../../kit/lists.js'
import { permutationTest } from '../../statistics/permutation-test.js'
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
 * @property {number} p - how often runs of the same kind, split at random, lie that far apart
 * @property {boolean} passed
 */

/** The largest distance between real runs, stretched by so much, is what a simulation may be away. */
const STRETCH = 1.25

/** What chance does more often than this is no difference. */
export const LEVEL = 0.01

/** LEAST_RUNS of each side: of fewer, any split is what chance gives more often than LEVEL. */
export const LEAST_RUNS = 5

/** @template T @param {readonly T[]} items @returns {[T, T][]} */
const pairsOf = items =>
  items.flatMap((item, place) => items.slice(place + 1).map(other => /** @type {[T, T]} */ ([item, other])))

/** @param {readonly number[]} values */
const mean = values => sumOf(values) / values.length

/**
 * judgeMeasures holds simulated runs against real ones. The spread between real seeds is the yardstick: a measure does not pass when a
 * simulated run is, on average, further from a real one than real ones are from each other at most, unless chance alone does as
 * much. The second keeps five real runs that happen to be alike from being a yardstick that nothing passes.
 *
 * @param {readonly Observation[]} real - at least LEAST_RUNS
 * @param {readonly Observation[]} simulated - as many
 * @returns {MeasureVerdict[]}
 * @throws {RangeError} for fewer
 */
export function judgeMeasures(real, simulated) {
  if (Math.min(real.length, simulated.length) < LEAST_RUNS)
    throw new RangeError(
      `${real.length} real and ${simulated.length} simulated runs are too few: at least ${LEAST_RUNS} of each`
    )
  return MEASURE_NAMES.map(name => {
    const { distance, least, figure } = MEASURES[name]
    const all = [...real, ...simulated]
    const among = pairsOf(real).map(([a, b]) => distance(a, b))
    const across = mean(real.flatMap(a => simulated.map(b => distance(a, b))))
    const yardstick = STRETCH * Math.max(least, ...among)
    const p = permutationTest(
      all.map(a => all.map(b => distance(a, b))),
      real.length
    )
    return {
      name,
      real: real.map(figure),
      simulated: simulated.map(figure),
      distance: across,
      between: mean(among),
      yardstick,
      p,
      passed: across <= yardstick || p > LEVEL
    }
  })
}
