import { sumOf } from '../../../kit/lists.js'
import { median } from '../../../kit/median.js'
import { kolmogorovSmirnov } from '../../statistics/kolmogorov-smirnov.js'
import { totalVariation } from '../../statistics/total-variation.js'

/**
 * @typedef {import('./observation.js').Observation} Observation
 *
 * @typedef {'latency' | 'median' | 'hops' | 'meshDegrees' | 'duplicates' | 'rpcs' | 'control' | 'bytes'} MeasureName
 *
 * @typedef {object} Measure - something that a simulation must have in common with a real network
 * @property {(a: Observation, b: Observation) => number} distance - of two runs; 0: they are the same
 * @property {number} least - the smallest distance that matters: real runs that scatter less do not make the yardstick shorter
 * @property {(observation: Observation) => number} figure - of one run, for reading
 */

/** CPU_SHARE is how much of the latency of a link the CPU time of a hop may be. */
export const CPU_SHARE = 1 / 20

/**
 * Most deliveries take two hops: so much of L the machine may add to them on a plan that validates, and add differently in two runs.
 */
const MACHINE_SHARE = 2 * CPU_SHARE

/** A distribution of which so little is elsewhere is the same to who reads it. */
const LEAST_SHARE = 0.02
const LEAST_CHANGE = 0.01

/** @param {readonly number[]} counts - by value */
const meanOf = counts => counts.reduce((sum, count, value) => sum + count * value, 0) / sumOf(counts)

/** @param {readonly number[]} values */
const mean = values => sumOf(values) / values.length

/** @param {'duplicates' | 'rpcs' | 'control' | 'bytes'} name @returns {Measure} of a figure: by what factor it differs */
const ratio = name => ({
  distance: (a, b) => (a[name] === b[name] ? 0 : Math.abs(Math.log(a[name] / b[name]))),
  least: LEAST_CHANGE,
  figure: observation => observation[name]
})

/** MEASURES are what a simulation is held against a real network in. @type {Readonly<Record<MeasureName, Measure>>} */
export const MEASURES = {
  latency: {
    distance: (a, b) => kolmogorovSmirnov(a.latencies, b.latencies, MACHINE_SHARE),
    least: LEAST_SHARE,
    figure: ({ latencies }) => mean(latencies)
  },
  median: {
    distance: (a, b) => Math.abs(median(a.latencies) - median(b.latencies)),
    least: MACHINE_SHARE,
    figure: ({ latencies }) => median(latencies)
  },
  hops: {
    distance: (a, b) => totalVariation(a.hops, b.hops),
    least: LEAST_SHARE,
    figure: ({ hops }) => meanOf(hops)
  },
  meshDegrees: {
    distance: (a, b) => totalVariation(a.meshDegrees, b.meshDegrees),
    least: LEAST_SHARE,
    figure: ({ meshDegrees }) => meanOf(meshDegrees)
  },
  duplicates: ratio('duplicates'),
  rpcs: ratio('rpcs'),
  control: ratio('control'),
  bytes: ratio('bytes')
}

/** MEASURE_NAMES in the order of all views. */
export const MEASURE_NAMES = /** @type {MeasureName[]} */ (Object.keys(MEASURES))
