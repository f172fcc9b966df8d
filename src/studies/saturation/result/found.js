import { saturatedBy } from '../saturated.js'
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
    .filter(({ perSecond, sustained }) => perSecond === sustainable.above?.perSecond && sustained === false)
    .flatMap(({ plan, point }) => (point === null ? [] : [saturatedBy(plan).saturatedFirst(point)]))
  const first = limitOf(limits)
  return { ...sustainable, first, generatorBound: first !== null && isGenerators(first.limit) }
}
