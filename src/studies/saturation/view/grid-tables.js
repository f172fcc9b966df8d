import { grouped, MISSING, significant } from '../../../kit/numbers.js'
import { rateWords } from '../../../kit/rate-words.js'
import { measuredCells } from '../result/measured-cells.js'
import { sizesOf } from '../result/saturation-document.js'
import { saturatedBy } from '../saturated.js'
import { cellName } from './faces.js'
import { limitSeenBy, reasonWords } from './reason-words.js'

/**
 * @typedef {import('../result/saturation-document.js').GridState} GridState
 * @typedef {import('../result/trial.js').AnyTrial} AnyTrial
 * @typedef {ReturnType<typeof measuredCells<AnyTrial>>[number]} Cell
 * @typedef {import('../../../scenarios/saturation.js').Face} Face
 * @typedef {import('../../../kit/table.js').Table} Table
 */

/**
 * isChosen tells the chosen cell of a grid.
 *
 * @param {GridState['chosen']} chosen
 * @param {{ ratePerSecond: number, size: number }} cell
 */
export const isChosen = (chosen, { ratePerSecond, size }) =>
  chosen?.ratePerSecond === ratePerSecond && (chosen.connections ?? chosen.nodes) === size

/** @param {GridState} grid @param {Cell | undefined} cell @param {AnyTrial | undefined} trial */
function gridCell({ chosen }, cell, trial) {
  if (cell === undefined) return trial?.status ?? MISSING
  const achieved = grouped(cell.achieved)
  if (cell.beyond) return `✗ ${achieved} of ${grouped(cell.expected)}`
  return `${isChosen(chosen, cell) ? '◆ ' : ''}${achieved}`
}

/**
 * gridTable is the grid as in the source: a row for each rate, a column for each number of connections or nodes, in the cells what was
 * achieved.
 *
 * @param {GridState} grid
 * @param {Face} face
 * @returns {Table}
 */
export function gridTable(grid, { sizeSign }) {
  const cells = measuredCells(grid.cells)
  const sizes = sizesOf(grid)
  return {
    headings: ['', ...sizes.map(count => `${sizeSign}=${grouped(count)}`)],
    rows: grid.rates.map(rate => [
      `r=${rateWords(rate)}`,
      ...sizes.map(size => {
        const trial = grid.cells.find(cell => {
          const { sizeOf, rateOf } = saturatedBy(cell.plan)
          return sizeOf(cell.plan) === size && rateOf(cell) === rate
        })
        return gridCell(
          grid,
          cells.find(cell => cell.trial === trial),
          trial
        )
      })
    ])
  }
}

/** @param {import('../../../scenarios/saturation.js').Face} face @param {Cell} cell */
const whatLimited = (face, { beyond, trial, point }) =>
  beyond ? limitSeenBy(face, saturatedBy(trial.plan).saturatedFirst(point)) : ''

/** @param {Face} face @param {Cell} cell */
const why = ({ saysWhy }, { point }) =>
  saysWhy
    ? [
        reasonWords(
          /** @type {import('../../../scenarios/gossip/saturation/gossip-point.js').GossipPoint} */ (point)
        )
      ]
    : []

/**
 * cellTable has a row for every cell that was measured.
 *
 * @param {GridState} grid
 * @param {Face} face
 * @returns {Table & { trials: AnyTrial[] }} `trials`: of the rows
 */
export function cellTable(grid, face) {
  const cells = measuredCells(grid.cells)
  const { figures, outcome, saysWhy } = face
  const numbers = [face.loadHeading, 'Expected', 'Achieved', '%', ...outcome.headings, ...figures.headings]
  const words = [...(saysWhy ? ['Why beyond'] : []), 'What was used up']
  return {
    trials: cells.map(({ trial }) => trial),
    headings: ['Cell', ...numbers, ...words],
    align: [
      'l',
      ...numbers.map(() => /** @type {const} */ ('r')),
      ...words.map(() => /** @type {const} */ ('l'))
    ],
    rows: cells.map(cell => [
      cellName(face, cell),
      rateWords(cell.load),
      grouped(cell.expected),
      grouped(cell.achieved),
      significant((100 * cell.achieved) / Math.max(1, cell.expected)),
      ...outcome.cells(cell.point),
      ...figures.cells(cell.point),
      ...why(face, cell),
      whatLimited(face, cell)
    ])
  }
}
