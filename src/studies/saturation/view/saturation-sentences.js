import { enumerated } from '../../../kit/lists.js'
import { rateWords as numberWords } from '../../../kit/rate-words.js'
import { networkSentences } from '../network-servers.js'
import { measuredCells } from '../result/measured-cells.js'
import { saturatedBy } from '../saturated.js'
import { isAmber } from '../search/estimate.js'
import { isGenerators, limitOf } from '../search/limits.js'
import { saturationDiagonal } from '../search/saturation-grid.js'
import { cellName, faceOf, trialName } from './faces.js'
import { isChosen } from './grid-tables.js'
import { limitSeenBy, limitWords } from './reason-words.js'

/**
 * @typedef {import('../result/saturation-document.js').SaturationDocument} SaturationDocument
 * @typedef {import('../result/saturation-document.js').GridState} GridState
 * @typedef {import('../result/trial.js').Found} Found
 * @typedef {import('../../../scenarios/saturation.js').Face} Face
 * @typedef {ReturnType<typeof measuredCells>} Cells
 */

/** @param {Face} face @param {Cells} cells */
const names = (face, cells) => enumerated(cells.map(cell => `(${cellName(face, cell)})`))

/**
 * gridSentences say what a grid came to.
 *
 * @param {Pick<GridState, 'cells' | 'chosen'>} grid
 * @param {Face} face
 * @param {string} [instead] - of higher rates
 * @returns {string[]}
 */
export function gridSentences({ cells: trials, chosen }, face, instead = ', or use --search') {
  const cells = measuredCells(trials)
  if (cells.length === 0) return ['No cell of the grid was measured.']
  const failed = trials
    .filter(({ status }) => status === 'failed')
    .map(trial => `(${trialName(face, trial)})`)
  return [
    ...(failed.length > 0 && cells.every(({ beyond }) => !beyond)
      ? [keptUpUntil(saturationDiagonal(cells), failed, face)]
      : diagonal(saturationDiagonal(cells), face, instead)),
    ...choice(cells, chosen, face),
    ...face.notes(false)
  ]
}

/** @param {{ below: Cells }} sides @param {readonly string[]} failed @param {Face} face */
const keptUpUntil = ({ below }, failed, face) =>
  `${face.who} kept up with every load that was measured, up to ${face.loadWords(below[0].load)}; the run of ${enumerated(failed)} failed.`

/** @param {{ below: Cells, beyond: Cells }} sides @param {Face} face @param {string} instead @returns {string[]} */
function diagonal({ below, beyond }, face, instead) {
  if (beyond.length === 0)
    return [
      `${face.who} kept up with every load tried, up to ${face.loadWords(below[0].load)}. To find where it no longer does, raise ${face.ratesFlag}${instead}.`
    ]
  if (below.length === 0)
    return [
      `${face.who} kept up with no load that was tried. Lower ${face.ratesFlag}.`,
      ...limitSentences(beyond, face)
    ]
  return [
    `${face.who} kept up with loads up to ${face.loadWords(below[0].load)}, ${names(face, below)}. The least with which it did not keep up: ${face.loadWords(beyond[0].load)}, ${names(face, beyond)}, ${face.beyondWords}.`,
    ...limitSentences(beyond, face)
  ]
}

/** What the load generator could not offer is no answer of what it was offered to. @param {Cells} beyond @param {Face} face @returns {string[]} */
function limitSentences(beyond, face) {
  const limit = limitOf(beyond.map(({ trial, point }) => saturatedBy(trial.plan).saturatedFirst(point)))
  if (limit === null) return []
  const more = isGenerators(limit.limit) ? ` ${face.who} may keep up with more.` : ''
  return [`What was used up there: ${limitSeenBy(face, limit)}.${more}`]
}

/** @param {Cells} cells @param {GridState['chosen']} chosen @param {Face} face @returns {string[]} */
function choice(cells, chosen, face) {
  const cell = cells.find(other => isChosen(chosen, other))
  if (cell === undefined) return []
  const ties = cells.some(other => other.load === cell.load && other !== cell)
  return [
    `Chosen: (${cellName(face, cell)}), the largest ${face.loadName} that it kept up with${ties ? `; of several, the one with the lowest average ${face.timeName}` : ''}.`
  ]
}

/**
 * foundSentences say what a search found.
 *
 * @param {Found | null} found
 * @param {Face} face
 * @returns {string[]} the first is the answer
 */
export function foundSentences(found, face) {
  if (found === null) return ['The search did not come to its end: it found no largest rate.']
  const { above, closed, first, generatorBound, estimate } = found
  const reason =
    first === null
      ? []
      : [`What was used up at ${face.rateWords(above?.perSecond ?? 0)}: ${limitWords(first)}.`]
  const open = closed
    ? []
    : [
        `Repeats contradicted the search again and again: ${face.unsteady ?? 'this machine does not answer the same from trial to trial'}.`
      ]
  return [
    answer(found, face),
    ...estimateSentences(estimate, face),
    ...open,
    ...reason,
    ...repeats(found, face),
    ...face.notes(generatorBound)
  ]
}

/** @param {number} perSecond - three digits are as much as it is known */
const rounded = perSecond => Number(perSecond.toPrecision(3))

/** @param {import('../search/estimate.js').RateSustained} of @param {Face} face */
const estimated = ({ share, perSecond, low, high }, { rateWords: rate }) =>
  `${rate(rounded(perSecond))} is sustained in ${Math.round(10 * share)} of 10 trials, 95 % interval [${numberWords(rounded(low))}, ${numberWords(rounded(high))}]`

/** What is not the answer. @param {Found['estimate']} estimate @param {Face} face @returns {string[]} */
function estimateSentences(estimate, face) {
  if (estimate === null) return []
  const [answer, ...others] = estimate.rates
  if (answer === undefined)
    return [
      'There is no interval: higher rates were sustained as often as lower ones, or all that were tried are far from where it changes.'
    ]
  const contradict = estimate.contradict
    ? ['Blocks of trials contradict one another: what was measured drifts between them.']
    : []
  const wide = isAmber({ ...estimate, contradict: false })
    ? ['The interval is wider than ± 10 %: more --blocks, or a longer --duration, make it narrower.']
    : []
  return [...others.map(other => `${estimated(other, face)}.`), ...contradict, ...wide]
}

/** @param {Found} found @param {Face} face */
function answer({ below, above, generatorBound, estimate }, face) {
  const { rateWords: rate } = face
  const [nine] = estimate?.rates ?? []
  if (nine !== undefined)
    return generatorBound
      ? `Generator-bound: at least ${estimated(nine, face)}.`
      : `The highest sustainable rate: ${estimated(nine, face)}, from ${estimate?.blocks} blocks of trials.`
  if (below === null)
    return generatorBound
      ? `Generator-bound: not even ${rate(above?.perSecond ?? 0)} could be offered as it should be.`
      : `Not even ${rate(above?.perSecond ?? 0)} was sustained.`
  if (above === null)
    return `At least ${rate(below.perSecond)} is sustained, the highest rate that was to be tried.`
  if (generatorBound) return `Generator-bound: at least ${rate(below.perSecond)}.`
  if (estimate !== null)
    return `The highest sustainable rate is not known: one trial sustained ${rate(below.perSecond)}, one did not ${rate(above.perSecond)}, and blocks of trials do not bear it out.`
  return `The highest sustainable rate is ${rate(below.perSecond)}: it lies in [${numberWords(below.perSecond)}, ${numberWords(above.perSecond)}], sustained and not sustained.`
}

/** @param {Found} found @param {Face} face @returns {string[]} */
function repeats({ below, above }, { rateWords: rate }) {
  const said = [
    ...(below === null || below.repeats === 0
      ? []
      : [`${rate(below.perSecond)} was sustained in ${below.sustained} of ${below.repeats} repeats`]),
    ...(above === null || above.repeats === 0
      ? []
      : [`${rate(above.perSecond)} in ${above.sustained} of ${above.repeats}`])
  ]
  return said.length === 0 ? [] : [`${said.join(', ')}.`]
}

/**
 * saturationSentences say what a saturation came to.
 *
 * @param {SaturationDocument} document
 * @returns {string[]} the first is the answer
 */
export function saturationSentences({ grid, search, ...document }) {
  const face = faceOf(document)
  return grid !== null
    ? gridSentences(grid, face)
    : [...foundSentences(search?.found ?? null, face), ...networkSentences({ grid, search, ...document })]
}
