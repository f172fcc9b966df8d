import { saturatedBy } from '../saturated.js'

/**
 * @typedef {import('./trial.js').AnyTrial} AnyTrial
 * @typedef {import('../search/saturation-grid.js').MeasuredCell} MeasuredCell
 */

/**
 * measuredCells are the cells of a grid that were measured, with what puts them in order.
 *
 * @template {AnyTrial} T
 * @param {readonly T[]} cells
 * @returns {(MeasuredCell & { trial: T, point: NonNullable<T['point']> })[]}
 */
export const measuredCells = cells =>
  cells.flatMap(trial => {
    const { point, plan } = trial
    if (point === null) return []
    const { sizeOf, rateOf, cellOf } = saturatedBy(plan)
    return [
      {
        trial,
        point: /** @type {NonNullable<T['point']>} */ (point),
        size: sizeOf(plan),
        ratePerSecond: rateOf(trial),
        ...cellOf(trial, point),
        beyond: trial.sustained === false
      }
    ]
  })
