/**
 * @typedef {import('./trial.js').Trial} Trial
 * @typedef {import('../../load/saturation-grid.js').MeasuredCell} MeasuredCell
 */

/**
 * measuredCells are the cells of a grid that were measured, with what their place in it is judged by.
 *
 * @param {readonly Trial[]} cells
 * @returns {(MeasuredCell & { trial: Trial, point: import('./load-point.js').LoadPoint })[]}
 */
export const measuredCells = cells =>
  cells.flatMap(trial => {
    const { point, connections } = trial
    if (point === null) return []
    return [
      {
        trial,
        point,
        connections,
        ratePerSecond: ratePerConnection(trial),
        expected: expectedOf(trial, point),
        achieved: point.achieved,
        avgMs: point.rt.avg?.ms ?? null
      }
    ]
  })

/** Independent arrivals are as many as come: more or fewer than the rate says. @param {Trial} trial @param {NonNullable<Trial['point']>} point */
const expectedOf = ({ perSecond, plan }, { durationMs, due }) =>
  plan.arrivals === 'poisson' ? due : (perSecond * durationMs) / 1000

/**
 * ratePerConnection is the rate r of a cell; divisions leave no digits behind.
 *
 * @param {Pick<Trial, 'perSecond' | 'connections'>} trial
 */
export const ratePerConnection = ({ perSecond, connections }) =>
  Number((perSecond / connections).toPrecision(12))
