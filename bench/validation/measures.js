import { computeSum } from '../../src/kit/collections.js'
import { decodeHistogram } from '../../src/measure/distribution.js'
import { equivalence } from './equivalence.js'

/**
 * @typedef {import('../../src/scenarios/gossip/outcome.js').GossipResult} GossipResult
 *
 * @typedef {object} Observation - what of a run a simulation is held against
 * @property {number[]} latencies - evenly spaced quantiles of the latencies of its deliveries, in units of the latency of a link, ascending
 * @property {number[]} hops - deliveries by hops
 * @property {number[]} meshDegrees - (node, topic) pairs by mesh peers
 * @property {number} duplicates - per delivery
 * @property {number} rpcs - per delivery
 * @property {number} control - control messages, per delivery
 * @property {number} bytes - sent in RPCs, per delivery
 *
 * @typedef {'p50' | 'p99' | 'hops' | 'meshDegrees' | 'duplicates' | 'rpcs' | 'control' | 'bytes' | 'goodput'} MeasureName
 *
 * @typedef {object} Measure - something that a simulation must have in common with a real network
 * @property {(observation: Observation) => number} figure - of one run
 * @property {number} share - by which it may differ, fixed beforehand
 * @property {number} [ms] - or by this, where it is more
 *
 * @typedef {object} MeasureFigures
 * @property {MeasureName} name
 * @property {number[]} real - figure of each run
 * @property {number[]} simulated
 *
 * @typedef {MeasureFigures & { margin: number } & import('./equivalence.js').Equivalent} MeasureVerdict - `margin`: by which the
 *   ratio of simulated to real may differ from 1
 */

/** A distribution is kept in at most so many steps. */
const MAX_QUANTILES = 1000

/** The histogram has three digits. @param {number} x */
const kept = x => Number(x.toPrecision(5))

/**
 * @param {string} encoded - a histogram in µs
 * @param {number} unitMs
 */
function quantiles(encoded, unitMs) {
  const histogram = decodeHistogram(encoded)
  const steps = Math.min(MAX_QUANTILES, histogram.count)
  return Array.from({ length: steps }, (_, i) => kept(histogram.quantile((i + 0.5) / steps) / 1000 / unitMs))
}

/** @param {Record<string, number>} degrees */
function byDegree(degrees) {
  const most = Math.max(0, ...Object.keys(degrees).map(Number))
  return Array.from({ length: most + 1 }, (_, degree) => degrees[degree] ?? 0)
}

/**
 * observationOf takes from the result of a run what is compared.
 *
 * @param {GossipResult} result - of a plan whose links take time
 * @param {number} unitMs - the latency that times are counted in: that of the links of the real network
 * @returns {Observation | null} null: nothing was delivered
 */
export function observationOf({ outcome }, unitMs) {
  const { latency, hops, mesh, cost, delivery } = outcome
  const { duplicatesPerDelivery, rpcsPerDelivery, controlPerDelivery, bytesPerDelivery } = cost
  if (delivery.delivered === 0) return null
  return {
    latencies: quantiles(latency.histogram, unitMs),
    hops: [...hops.deliveries],
    meshDegrees: byDegree(mesh.degrees),
    duplicates: duplicatesPerDelivery ?? 0,
    rpcs: rpcsPerDelivery ?? 0,
    control: controlPerDelivery ?? 0,
    bytes: bytesPerDelivery ?? 0
  }
}

/** CPU_SHARE is how much of the latency of a link the CPU time of a hop may be. */
export const CPU_SHARE = 1 / 20

/** @param {readonly number[]} counts - by value */
const meanOf = counts => counts.reduce((sum, count, value) => sum + count * value, 0) / computeSum(counts)

/** @param {readonly number[]} ascending @param {number} share */
const quantile = (ascending, share) =>
  ascending[Math.min(ascending.length - 1, Math.floor(share * ascending.length))]

/** What counts as the same of figures that are counted. */
const COUNTED = 0.05
/** GOODPUT_SHARE is by how much the goodput of a connection may differ. */
export const GOODPUT_SHARE = 0.2

/** What a simulation is held against a real network in. @type {Readonly<Record<Exclude<MeasureName, 'goodput'>, Measure>>} */
const MEASURES = {
  p50: { figure: ({ latencies }) => quantile(latencies, 0.5), share: 0.05, ms: 2 },
  p99: { figure: ({ latencies }) => quantile(latencies, 0.99), share: 0.15, ms: 5 },
  hops: { figure: ({ hops }) => meanOf(hops), share: COUNTED },
  meshDegrees: { figure: ({ meshDegrees }) => meanOf(meshDegrees), share: COUNTED },
  duplicates: { figure: ({ duplicates }) => duplicates, share: COUNTED },
  rpcs: { figure: ({ rpcs }) => rpcs, share: COUNTED },
  control: { figure: ({ control }) => control, share: COUNTED },
  bytes: { figure: ({ bytes }) => bytes, share: COUNTED }
}

/**
 * judgeFigures holds the figures of simulated runs against those of real ones with the same seeds.
 *
 * @param {MeasureFigures} figures
 * @param {number} margin
 * @returns {MeasureVerdict}
 */
export function judgeFigures({ name, real, simulated }, margin) {
  const pairs = real
    .slice(0, simulated.length)
    .map((figure, place) => /** @type {[number, number]} */ ([figure, simulated[place]]))
  return { name, real, simulated, margin, ...equivalence(pairs, { low: 1 - margin, high: 1 + margin }) }
}

/** By how much a measure may differ. @param {Measure} measure @param {readonly number[]} real @param {number} unitMs */
const marginOf = ({ share, ms = 0 }, real, unitMs) =>
  Math.max(share, (ms * real.length) / (unitMs * computeSum(real)))

/**
 * judgeMeasures holds simulated runs against real ones of the same seeds, measure by measure.
 *
 * @param {readonly Observation[]} real - at least 2
 * @param {readonly Observation[]} simulated - as many
 * @param {number} unitMs - the latency that their times are counted in
 * @returns {MeasureVerdict[]}
 */
export const judgeMeasures = (real, simulated, unitMs) =>
  /** @type {(keyof typeof MEASURES)[]} */ (Object.keys(MEASURES)).map(name => {
    const { figure } = MEASURES[name]
    const figures = { name, real: real.map(figure), simulated: simulated.map(figure) }
    return judgeFigures(figures, marginOf(MEASURES[name], figures.real, unitMs))
  })
