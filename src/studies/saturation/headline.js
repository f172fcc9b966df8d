import { enumerated } from '../../kit/lists.js'
import { counted, grouped } from '../../kit/numbers.js'
import { rateWords as numberWords } from '../../kit/rate-words.js'
import { limitedByText } from '../../measure/limited-by.js'
import { networkNeeds } from './network-servers.js'
import { objectiveWords } from './objective.js'
import { limitFound } from './result/found.js'
import { measuredCells } from './result/measured-cells.js'
import { limitAt, limitOf } from './search/limits.js'
import { saturationDiagonal } from './search/saturation-grid.js'

/**
 * @typedef {import('./result/saturation-document.js').SaturationDocument} SaturationDocument
 * @typedef {import('./result/saturation-document.js').GridState} GridState
 * @typedef {import('./result/trial.js').Found} Found
 * @typedef {import('../../scenarios/saturation.js').Face} Face
 */

/** @param {GridState} grid @param {Face} face */
function ofGrid({ cells: trials }, face) {
  const { who, loadWords, ratesFlag, sizeSign } = face
  const cells = measuredCells(trials)
  if (cells.length === 0) return 'No load of the grid was measured'
  const { below, beyond } = saturationDiagonal(cells)
  const names = (/** @type {typeof cells} */ those) =>
    enumerated(those.map(({ ratePerSecond, size }) => `r=${numberWords(ratePerSecond)} ${sizeSign}=${size}`))
  const limit = limitOf(beyond.map(({ point }) => limitAt(point)))
  const limited = limit === null ? '' : `, limited by: ${limitedByText(limit)}`
  if (beyond.length === 0)
    return trials.some(({ status }) => status === 'failed')
      ? `${who} sustained every load that was measured, up to ${loadWords(below[0].load)}; runs failed beyond it`
      : `${who} sustained every load tried, up to ${loadWords(below[0].load)}: a higher ${ratesFlag}, or --search, finds the limit`
  if (below.length === 0)
    return `${who} sustained no load that was tried, from ${loadWords(beyond[0].load)} on${limited}`
  return `${who} sustained up to ${loadWords(below[0].load)} (${names(below)}), and not ${loadWords(beyond[0].load)} (${names(beyond)})${limited}`
}

/** Three digits are as much as it is known. @param {number} perSecond */
const rounded = perSecond => Number(perSecond.toPrecision(3))

/** @param {Found} found @param {import('./result/trial.js').SearchState} search @param {Face} face */
function ofSearch(found, { trials }, { rateName, rateWords: rate }) {
  const { below, above, generatorBound, estimate } = found
  const limit = limitFound(found, trials)
  const limited = limit === null ? '' : `, limited by: ${limitedByText(limit)}`
  const atLeast = generatorBound || above === null ? 'at least ' : ''
  const [nine] = estimate?.rates ?? []
  if (nine !== undefined) {
    const interval = [nine.low, nine.high].map(of => numberWords(rounded(of))).join(' to ')
    return `${rateName}: ${atLeast}${rate(rounded(nine.perSecond))} in 9 of 10 trials (95 % interval ${interval}, ${estimate?.blocks} blocks of trials)${limited}`
  }
  if (below === null) return `Not even ${rate(above?.perSecond ?? 0)} was sustained${limited}`
  if (above === null) return `${rateName}: at least ${rate(below.perSecond)}, the highest rate that was tried`
  if (estimate !== null && !generatorBound)
    return `${rateName}: not known. One trial sustained ${rate(below.perSecond)}, one did not sustain ${rate(above.perSecond)}, and blocks of trials do not confirm it`
  return `${rateName}: ${atLeast}${rate(below.perSecond)}, and ${rate(above.perSecond)} was not sustained${limited}`
}

/** @param {SaturationDocument} document */
function ofNetwork(document) {
  const needs = networkNeeds(document)
  if (needs === null || needs.servers === null) return ''
  return `; ${grouped(needs.peers)} peers need ${needs.isBound ? 'at most ' : ''}${counted(needs.servers, 'server')}`
}

/**
 * saturationHeadline says how much was sustained, what limited it, and the objective that it was judged by.
 *
 * @param {SaturationDocument} document
 * @param {Face} face
 */
export function saturationHeadline(document, face) {
  const { grid, search, objective } = document
  const by = objective === null ? '' : ` Objective: ${objectiveWords(objective)}.`
  if (grid !== null) return `${ofGrid(grid, face)}.${by}`
  const found = search?.found ?? null
  return search === null || found === null
    ? `The search did not finish: it found no sustainable rate.${by}`
    : `${ofSearch(found, search, face)}${ofNetwork(document)}.${by}`
}
