import { DIAGONAL_SHARE, loadOf, saturationDiagonal } from '../../load/saturation-grid.js'
import { measuredCells } from '../../result/saturation/measured-cells.js'
import { cellName, rateWords } from './grid-tables.js'
import { limitWords } from './reason-words.js'

/**
 * @typedef {import('../../result/saturation/saturation-document.js').SaturationDocument} SaturationDocument
 * @typedef {import('../../result/saturation/saturation-document.js').GridState} GridState
 * @typedef {import('../../result/saturation/trial.js').Found} Found
 */

/** @param {readonly string[]} items */
const listed = items =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items[items.length - 1]}`

/** @param {ReturnType<typeof measuredCells>} cells */
const names = cells => listed(cells.map(cell => `(${cellName(cell)})`))

/** @param {GridState} grid @returns {string[]} */
function ofGrid({ cells: trials, chosen }) {
  const cells = measuredCells(trials)
  if (cells.length === 0) return ['No cell of the grid was measured.']
  const { below, beyond } = saturationDiagonal(cells)
  return [...diagonal(below, beyond), ...choice(cells, chosen)]
}

/** @param {ReturnType<typeof measuredCells>} below @param {ReturnType<typeof measuredCells>} beyond @returns {string[]} */
function diagonal(below, beyond) {
  const share = `${DIAGONAL_SHARE * 100} %`
  if (beyond.length === 0)
    return [
      `No cell lies beyond the saturation diagonal: every load up to ${rateWords(loadOf(below[0]))}/s was achieved. Raise --rates, or use --search.`
    ]
  const first = `${names(beyond)} ${beyond.length === 1 ? 'is the least load' : 'are the least loads'} beyond it: ${rateWords(loadOf(beyond[0]))}/s, with less than ${share} of the expected operations achieved.`
  if (below.length === 0) return [`Every cell lies beyond the saturation diagonal. Lower --rates.`]
  return [
    `The saturation diagonal runs beyond ${names(below)}, the largest load below it, ${rateWords(loadOf(below[0]))}/s. ${first}`
  ]
}

/** @param {ReturnType<typeof measuredCells>} cells @param {GridState['chosen']} chosen @returns {string[]} */
function choice(cells, chosen) {
  const cell = cells.find(
    ({ ratePerSecond, connections }) =>
      chosen?.ratePerSecond === ratePerSecond && chosen.connections === connections
  )
  if (cell === undefined) return []
  const ties = cells.filter(other => loadOf(other) === loadOf(cell) && other !== cell).length > 0
  return [
    `Chosen: (${cellName(cell)}), the largest c·r below the diagonal${ties ? '; of several, the one with the lowest average response time' : ''}.`
  ]
}

/**
 * foundSentences say what a search found.
 *
 * @param {Found | null} found
 * @returns {string[]} the first is the answer
 */
export function foundSentences(found) {
  if (found === null) return ['The search did not come to its end: there is no answer.']
  const { below, above, closed, first, generatorBound } = found
  const reason =
    first === null ? [] : [`What was used up at ${rateWords(above?.perSecond ?? 0)}/s: ${limitWords(first)}.`]
  const open = closed
    ? []
    : [
        'Repeats contradicted the search again and again: this machine does not answer the same from trial to trial.'
      ]
  return [
    answer(found),
    ...open,
    ...reason,
    ...repeats(found),
    ...(generatorBound ? [NOT_THE_SERVERS] : [])
  ].filter(sentence => sentence !== '' || below !== null)
}

const NOT_THE_SERVERS =
  'This is no figure of the server: with a load generator on a machine of its own it may carry more.'

/** @param {Found} found */
function answer({ below, above, generatorBound }) {
  if (below === null)
    return generatorBound
      ? `Generator-bound: not even ${rateWords(above?.perSecond ?? 0)}/s could be offered as it should be.`
      : `Not even ${rateWords(above?.perSecond ?? 0)}/s was sustained.`
  if (above === null)
    return `At least ${rateWords(below.perSecond)}/s is sustained, the highest rate that was to be tried.`
  if (generatorBound) return `Generator-bound: at least ${rateWords(below.perSecond)}/s.`
  return `The highest sustainable rate is ${rateWords(below.perSecond)}/s: it lies in [${rateWords(below.perSecond)}, ${rateWords(above.perSecond)}], sustained and not sustained.`
}

/** @param {Found} found @returns {string[]} */
function repeats({ below, above }) {
  const said = [
    ...(below === null || below.repeats === 0
      ? []
      : [`${rateWords(below.perSecond)}/s was sustained in ${below.sustained} of ${below.repeats} repeats`]),
    ...(above === null || above.repeats === 0
      ? []
      : [`${rateWords(above.perSecond)}/s in ${above.sustained} of ${above.repeats}`])
  ]
  return said.length === 0 ? [] : [`${said.join(', ')}.`]
}

/**
 * saturationSentences say what a saturation came to.
 *
 * @param {SaturationDocument} document
 * @returns {string[]} the first is the answer
 */
export const saturationSentences = ({ grid, search }) =>
  grid !== null ? ofGrid(grid) : foundSentences(search?.found ?? null)
