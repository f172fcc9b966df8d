import { sumOf } from '../../../kit/lists.js'

/**
 * @typedef {import('./observation.js').Observation} Observation
 *
 * @typedef {'p50' | 'p99' | 'hops' | 'meshDegrees' | 'duplicates' | 'rpcs' | 'control' | 'bytes' | 'goodput'} MeasureName
 *
 * @typedef {object} Measure - something that a simulation must have in common with a real network
 * @property {(observation: Observation) => number} figure - of one run
 * @property {number} share - by which it may differ, fixed beforehand
 * @property {number} [ms] - or by this, where it is more
 */

/** CPU_SHARE is how much of the latency of a link the CPU time of a hop may be. */
export const CPU_SHARE = 1 / 20

/** @param {readonly number[]} counts - by value */
const meanOf = counts => counts.reduce((sum, count, value) => sum + count * value, 0) / sumOf(counts)

/** @param {readonly number[]} ascending @param {number} share */
const quantile = (ascending, share) =>
  ascending[Math.min(ascending.length - 1, Math.floor(share * ascending.length))]

/** What counts as the same of figures that are counted. */
const COUNTED = 0.05
/** GOODPUT_SHARE is by how much the goodput of a connection may differ. */
export const GOODPUT_SHARE = 0.2

/** @type {Readonly<Record<Exclude<MeasureName, 'goodput'>, Measure>>} MEASURES are what a simulation is held against a real network in. */
export const MEASURES = {
  p50: { figure: ({ latencies }) => quantile(latencies, 0.5), share: 0.05, ms: 2 },
  p99: { figure: ({ latencies }) => quantile(latencies, 0.99), share: 0.15, ms: 5 },
  hops: { figure: ({ hops }) => meanOf(hops), share: COUNTED },
  meshDegrees: { figure: ({ meshDegrees }) => meanOf(meshDegrees), share: COUNTED },
  duplicates: { figure: ({ duplicates }) => duplicates, share: COUNTED },
  rpcs: { figure: ({ rpcs }) => rpcs, share: COUNTED },
  control: { figure: ({ control }) => control, share: COUNTED },
  bytes: { figure: ({ bytes }) => bytes, share: COUNTED }
}
