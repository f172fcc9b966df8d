import { isGenerators, saturatedFirst } from '../../load/saturated-first.js'
import { isBeyond, loadOf } from '../../load/saturation-grid.js'
import { measuredCells, ratePerConnection } from '../../result/saturation/measured-cells.js'
import { grouped, MISSING, megabytes, percent, significant } from '../numbers.js'
import { figure } from '../table.js'
import { limitWords } from './reason-words.js'

/**
 * @typedef {import('../../result/saturation/saturation-document.js').GridState} GridState
 * @typedef {import('../../result/saturation/load-point.js').LoadPoint} LoadPoint
 * @typedef {import('../../result/saturation/trial.js').Trial} Trial
 * @typedef {ReturnType<typeof measuredCells>[number]} Cell
 * @typedef {import('../table.js').Table} Table
 */

/** rateWords writes a rate as it would be typed. @param {number} rate */
export const rateWords = rate => (Number.isInteger(rate) ? grouped(rate) : significant(rate))

/** cellName is what a cell is called in texts. @param {{ ratePerSecond: number, connections: number }} cell */
export const cellName = ({ ratePerSecond, connections }) => `r=${rateWords(ratePerSecond)}, c=${connections}`

/** @param {GridState} grid @param {Cell} cell */
const isChosen = ({ chosen }, { ratePerSecond, connections }) =>
  chosen?.ratePerSecond === ratePerSecond && chosen.connections === connections

/** @param {GridState} grid @param {Cell | undefined} cell @param {Trial | undefined} trial */
function gridCell(grid, cell, trial) {
  if (cell === undefined) return trial?.status ?? MISSING
  const achieved = grouped(cell.achieved)
  if (isBeyond(cell)) return `✗ ${achieved} of ${grouped(cell.expected)}`
  return `${isChosen(grid, cell) ? '◆ ' : ''}${achieved}`
}

/**
 * gridTable is the grid as in the source: a row for each rate, a column for each number of connections, in the cells the operations
 * achieved.
 *
 * @param {GridState} grid
 * @returns {Table}
 */
export function gridTable(grid) {
  const cells = measuredCells(grid.cells)
  return {
    headings: ['', ...grid.connections.map(count => `c=${grouped(count)}`)],
    align: ['l', ...grid.connections.map(() => /** @type {const} */ ('r'))],
    rows: grid.rates.map(rate => [
      `r=${rateWords(rate)}`,
      ...grid.connections.map(count => {
        const trial = grid.cells.find(cell => cell.connections === count && ratePerConnection(cell) === rate)
        return gridCell(
          grid,
          cells.find(cell => cell.trial === trial),
          trial
        )
      })
    ])
  }
}

/** Signs of the grid, which stand under it. */
export const GRID_SIGNS = '✗ beyond the saturation diagonal, with the operations expected. ◆ the chosen cell.'

/** FIGURE_HEADINGS are the columns of what a load came to. */
export const FIGURE_HEADINGS = Object.freeze([
  ...['Avg ms', 'p50 ms', 'p99 ms', 'Max ms', 'Server CPU %', 'Server memory MB', 'Generator busy %']
])

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

/** @param {Cell} cell */
function whatLimited({ point, ...cell }) {
  if (!isBeyond(cell)) return ''
  const limit = saturatedFirst(point)
  return `${isGenerators(limit.limit) ? 'not the server: ' : ''}${limitWords(limit)}`
}

/**
 * cellTable has a row for every cell that was measured.
 *
 * @param {GridState} grid
 * @returns {Table & { trials: Trial[] }} `trials`: of the rows
 */
export function cellTable(grid) {
  const cells = measuredCells(grid.cells)
  return {
    trials: cells.map(({ trial }) => trial),
    headings: [
      'Cell',
      'Load /s',
      'Expected',
      'Achieved',
      '%',
      'Failed',
      ...FIGURE_HEADINGS,
      'What was used up'
    ],
    align: ['l', ...new Array(5 + FIGURE_HEADINGS.length).fill('r'), 'l'],
    rows: cells.map(cell => [
      cellName(cell),
      rateWords(loadOf(cell)),
      grouped(cell.expected),
      grouped(cell.achieved),
      significant((100 * cell.achieved) / cell.expected),
      grouped(cell.point.failed),
      ...pointFigures(cell.point),
      whatLimited(cell)
    ])
  }
}
