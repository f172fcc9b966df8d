import { sumOf } from '../../../kit/lists.js'
import { equivalence } from '../../statistics/equivalence.js'
import { MEASURES } from './measures.js'

/**
 * @typedef {import('./observation.js').Observation} Observation
 * @typedef {import('./measures.js').MeasureName} MeasureName
 *
 * @typedef {object} MeasureFigures
 * @property {MeasureName} name
 * @property {number[]} real - figure of each run
 * @property {number[]} simulated
 *
 * @typedef {MeasureFigures & { margin: number } & import('../../statistics/equivalence.js').Equivalent} MeasureVerdict - `margin`: by which the
 *   ratio of simulated to real may differ from 1
 */

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

/**
 * marginOf is by how much a measure may differ.
 *
 * @param {Exclude<MeasureName, 'goodput'>} name
 * @param {readonly number[]} real - figure of each run
 * @param {number} unitMs - the latency that times are counted in
 */
export function marginOf(name, real, unitMs) {
  const { share, ms = 0 } = MEASURES[name]
  return Math.max(share, (ms * real.length) / (unitMs * sumOf(real)))
}

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
    return judgeFigures(figures, marginOf(name, figures.real, unitMs))
  })
