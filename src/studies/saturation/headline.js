import { enumerated } from '../../kit/lists.js'
import { counted, grouped } from '../../kit/numbers.js'
import { rateWords as numberWords } from '../../kit/rate-words.js'
import { limitedByText } from '../../measure/limited-by.js'
import { networkNeeds } from './network-servers.js'
import { objectiveWords } from './objective.js'
import { estimateSoFar, limitFound } from './result/found.js'
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

/** @param {import('./search/estimate.js').RateSustained} answer @param {number} blocks @param {(perSecond: number) => string} rate */
function estimateWords({ perSecond, low, high }, blocks, rate) {
  const interval = [low, high].map(of => numberWords(rounded(of))).join(' to ')
  return `${rate(rounded(perSecond))} in 9 of 10 trials (95 % interval ${interval}, ${blocks} blocks of trials)`
}

/** @param {readonly import('./result/trial.js').SearchTrial[]} trials @param {Face} face */
function ofUnfinished(trials, { rateWords: rate }) {
  const unfinished = 'The search did not finish'
  const estimate = estimateSoFar(trials)
  const [nine] = estimate?.rates ?? []
  if (estimate !== null && nine !== undefined)
    return `${unfinished}; so far: ${estimateWords(nine, estimate.blocks, rate)}`
  const sustained = trials.filter(trial => trial.sustained === true).map(({ perSecond }) => perSecond)
  return sustained.length === 0
    ? `${unfinished}: no rate was sustained so far`
    : `${unfinished}; so far: a trial sustained ${rate(Math.max(...sustained))}`
}

/** @param {Found} found @param {import('./result/trial.js').SearchState} search @param {Face} face */
function ofSearch(found, { trials }, { rateName, rateWords: rate }) {
  const { below, above, generatorBound, estimate } = found
  const limit = limitFound(found, trials)
  const limited = limit === null ? '' : `, limited by: ${limitedByText(limit)}`
  const atLeast = generatorBound || above === null ? 'at least ' : ''
  const [nine] = estimate?.rates ?? []
  if (estimate !== null && nine !== undefined)
    return `${rateName}: ${atLeast}${estimateWords(nine, estimate.blocks, rate)}${limited}`
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
  if (search === null || search.found === null) return `${ofUnfinished(search?.trials ?? [], face)}.${by}`
  return `${ofSearch(search.found, search, face)}${ofNetwork(document)}.${by}`
}
