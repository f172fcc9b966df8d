import { estimateOf, FACTORS } from '../search/estimate.js'
import { isGenerators, limitAt, limitOf } from '../search/limits.js'

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
  const limit = limitFound(sustainable, trials)
  const estimate = estimateOf(inBlocks(trials.filter(({ purpose }) => purpose === 'block')))
  return { ...sustainable, estimate, generatorBound: limit !== null && isGenerators(limit) }
}

/**
 * estimateSoFar is what the trials of a search that did not end come to: blocks that are not complete do not count.
 *
 * @param {readonly SearchTrial[]} trials
 */
export function estimateSoFar(trials) {
  const ended = trials.filter(({ purpose, sustained }) => purpose === 'block' && sustained !== null)
  return estimateOf(inBlocks(ended.slice(0, ended.length - (ended.length % FACTORS.length))))
}

/**
 * limitFound says what was used up where a search found that a load is not sustained.
 *
 * @param {Pick<Found, 'above'>} found
 * @param {readonly SearchTrial[]} trials
 */
export const limitFound = ({ above }, trials) =>
  limitOf(
    trials
      .filter(
        ({ perSecond, sustained, purpose }) =>
          sustained === false && (purpose === 'block' || perSecond === above?.perSecond)
      )
      .flatMap(({ point }) => (point === null ? [] : [limitAt(point)]))
  )

/** @param {readonly SearchTrial[]} trials - of blocks, in their order @returns {import('../search/estimate.js').Tried[][]} */
const inBlocks = trials =>
  Array.from({ length: Math.ceil(trials.length / FACTORS.length) }, (_, block) =>
    trials
      .slice(block * FACTORS.length, (block + 1) * FACTORS.length)
      .map(({ perSecond, sustained }) => ({ perSecond, sustained: sustained === true }))
  )

/** Of searches without blocks. @param {readonly SearchTrial[]} trials @returns {import('../search/estimate.js').Tried[][]} a rate is tried once in each block */
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
