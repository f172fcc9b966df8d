import { saturatedBy } from '../saturated.js'
import { estimateOf, LEAST_BLOCKS } from '../search/estimate.js'
import { isGenerators, limitOf } from '../search/limits.js'

/**
 * @typedef {import('./trial.js').SearchTrial} SearchTrial
 * @typedef {import('./trial.js').Found} Found
 */

/**
 * foundBy says what the trials of a search come to, with those that were made before it.
 *
 * @param {import('../search/sustainable-rate.js').Sustainable} sustainable
 * @param {readonly SearchTrial[]} trials
 * @returns {Found}
 */
export function foundBy(sustainable, trials) {
  const limits = trials
    .filter(
      ({ perSecond, sustained, purpose }) =>
        sustained === false && (purpose === 'block' || perSecond === sustainable.above?.perSecond)
    )
    .flatMap(({ plan, point }) => (point === null ? [] : [saturatedBy(plan).saturatedFirst(point)]))
  const first = limitOf(limits)
  return {
    ...sustainable,
    estimate: estimateIn(trials),
    first,
    generatorBound: first !== null && isGenerators(first.limit)
  }
}

/**
 * What the blocks come to. Where they have trials that the others are held against, all are held against the one in the middle. It is one
 * standard error away from what more of them would have in the middle about half a square root of their number of places further on.
 *
 * @param {readonly SearchTrial[]} trials
 */
function estimateIn(trials) {
  const references = inOrder(referencesOf(trials))
  const tried = trials.filter(({ purpose }) => purpose === 'block')
  if (references.length < LEAST_BLOCKS) return estimateOf(blocksOf(tried))
  const places = Math.sqrt(references.length) / 2
  const ends = [-places, places].map(by => {
    const reference = references[Math.round((references.length - 1) / 2 + by)]
    return tried.map(trial => judgedBy(trial, reference))
  })
  return estimateOf(blocksOf(tried), ends)
}

/** Of the blocks alone: those before the first one have bracketed the rate. @param {readonly SearchTrial[]} trials */
export function referencesOf(trials) {
  const first = trials.findIndex(({ purpose }) => purpose === 'block')
  return trials.filter(
    ({ purpose, point }, place) => purpose === 'reference' && place >= first - 1 && point !== null
  )
}

/** By what they took. @param {readonly SearchTrial[]} trials - of one rate */
const inOrder = trials => trials.toSorted((a, b) => tailOf(a) - tailOf(b))

/** @param {SearchTrial} trial */
const tailOf = ({ plan, point }) =>
  saturatedBy(plan)
    .face({ ...plan })
    .tailOf(point) ?? 0

/** middleOf trials is the one in the middle, by what they took. @param {readonly SearchTrial[]} trials - of one rate */
export const middleOf = trials => inOrder(trials)[(trials.length - 1) >> 1]

/** @param {SearchTrial} trial @param {SearchTrial} reference @returns {import('../search/estimate.js').Tried} */
const judgedBy = ({ plan, point, perSecond, sustained }, reference) => ({
  perSecond,
  sustained:
    point === null || perSecond <= reference.perSecond
      ? sustained === true
      : saturatedBy(plan).notSustained(point, reference.point).length === 0
})

/** @param {readonly SearchTrial[]} trials @returns {import('../search/estimate.js').Tried[][]} a rate is tried once in each block */
function blocksOf(trials) {
  /** @type {import('../search/estimate.js').Tried[][]} */
  const blocks = []
  for (const { perSecond, sustained } of trials) {
    if (sustained === null) continue
    const open = blocks.find(block => block.every(other => other.perSecond !== perSecond))
    if (open === undefined) blocks.push([{ perSecond, sustained }])
    else open.push({ perSecond, sustained })
  }
  return blocks
}

/** Trials of earlier searches this far from the rate that was found tell of it. */
const NEAR = 1.25

/**
 * earlierEstimate is that of a search from before there were blocks: what was tried near the rate that was found, the first time, the
 * second time and so on, stands for them.
 *
 * @param {readonly SearchTrial[]} trials
 * @param {Pick<Found, 'below' | 'above'>} found
 */
export function earlierEstimate(trials, found) {
  const centre = centreOf(found)
  if (centre === null) return null
  const isNear = (/** @type {SearchTrial} */ { perSecond }) =>
    Math.abs(Math.log(perSecond / centre)) <= Math.log(NEAR)
  return estimateOf(blocksOf(trials.filter(isNear)))
}

/**
 * centreOf is the rate in the middle of what was bracketed.
 *
 * @param {Pick<Found, 'below' | 'above'>} between
 * @returns {number | null} null: one end was not found
 */
export const centreOf = ({ below, above }) =>
  below === null || above === null ? null : Math.sqrt(below.perSecond * above.perSecond)
