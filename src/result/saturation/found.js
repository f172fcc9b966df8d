import { isGenerators, limitOf } from '../../load/saturated-first.js'

/**
 * @typedef {import('./trial.js').SearchTrial} SearchTrial
 * @typedef {import('./trial.js').Found} Found
 */

/**
 * foundBy says what the trials of a search come to.
 *
 * @param {import('../../load/sustainable-rate.js').Sustainable} sustainable
 * @param {readonly SearchTrial[]} trials
 * @returns {Found}
 */
export function foundBy(sustainable, trials) {
  const points = trials
    .filter(({ perSecond, sustained }) => perSecond === sustainable.above?.perSecond && sustained === false)
    .flatMap(({ point }) => point ?? [])
  const first = limitOf(points)
  return { ...sustainable, first, generatorBound: first !== null && isGenerators(first.limit) }
}
