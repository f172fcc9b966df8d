import { MISSING, megabytes, percent } from '../../../kit/numbers.js'
import { figure } from '../../../report/table.js'

/** @typedef {import('./load-point.js').LoadPoint} LoadPoint */

/** FIGURE_HEADINGS are the columns of what a server made of a load. */
export const FIGURE_HEADINGS = [
  ...['Avg ms', 'p50 ms', 'p99 ms', 'Max ms', 'Server CPU %', 'Server memory MB', 'Generator busy %']
]

/**
 * pointFigures are the cells under FIGURE_HEADINGS.
 *
 * @param {LoadPoint | null} point
 */
export function pointFigures(point) {
  if (point === null) return FIGURE_HEADINGS.map(() => MISSING)
  const { rt, serverCpuPercent, serverMemoryBytes, utilization } = point
  return [
    ...[rt.avg, rt.p50, rt.p99, rt.max].map(percentile => figure(percentile)),
    percent(serverCpuPercent),
    megabytes(serverMemoryBytes),
    percent(utilization === null ? null : utilization * 100)
  ]
}
