import { MISSING, significant } from '../../../kit/numbers.js'
import { NO_ANSWER, timeFigure } from '../../../report/page/answer.js'
import { measuredCells } from '../result/measured-cells.js'
import { saturationDiagonal } from '../search/saturation-grid.js'
import { isChosen } from './grid-tables.js'
import { gridPlots } from './plots/grid-plots.js'
import { searchPlots } from './plots/search-plots.js'

/**
 * @typedef {import('../../../report/page/answer.js').Answer} Answer
 * @typedef {import('../../../scenarios/saturation.js').Face} Face
 * @typedef {import('../result/trial.js').AnyTrial} AnyTrial
 */

/** @param {AnyTrial['point'] | undefined} point @param {Face} face @returns {[string, string][]} */
function timesAt(point, face) {
  if (point == null) return []
  const tail = face.tailOf(point)
  return [
    ['p50 there', timeFigure(point.rt.p50)],
    ['p99 there', tail === null ? 'too few' : `${significant(tail)} ms`]
  ]
}

/**
 * gridAnswer gives the largest load that was kept up with, its times, and the least that was not.
 *
 * @param {import('../result/saturation-document.js').GridState} grid
 * @param {Face} face
 * @returns {Answer}
 */
export function gridAnswer(grid, face) {
  const cells = measuredCells(grid.cells)
  if (cells.length === 0) return NO_ANSWER
  const cell = cells.find(other => isChosen(grid.chosen, other))
  const [beyond] = saturationDiagonal(cells).beyond
  return {
    figures: [
      ['Kept up with', cell === undefined ? 'none tried' : face.loadWords(cell.load)],
      ...timesAt(cell?.point, face),
      ['Not kept up with', beyond === undefined ? 'none tried' : face.loadWords(beyond.load)]
    ],
    plots: gridPlots(grid, face).slice(0, 1)
  }
}

/**
 * searchAnswer gives the highest rate that was sustained, its times, and the least that was not.
 *
 * @param {import('../result/trial.js').SearchState} search
 * @param {Face} face
 * @returns {Answer}
 */
export function searchAnswer(search, face) {
  const { found, trials } = search
  if (found === null) return NO_ANSWER
  const { below, above, generatorBound } = found
  const at = trials.find(({ perSecond, sustained }) => sustained === true && perSecond === below?.perSecond)
  const bound = generatorBound || above === null ? '≥ ' : ''
  return {
    figures: [
      ['Sustained', below === null ? MISSING : `${bound}${face.rateWords(below.perSecond)}`],
      ...timesAt(at?.point, face),
      ['Not sustained', above === null ? 'none tried' : face.rateWords(above.perSecond)]
    ],
    plots: searchPlots(search, face).slice(0, 1)
  }
}
