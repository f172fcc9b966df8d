import { counted, significant, spell } from '../kit/numbers.js'

/**
 * @typedef {import('../plan/arrivals-option.js').Arrivals} Arrivals
 * @typedef {import('../plan/arrivals-option.js').Shape} Shape
 */

/** @param {number} rate */
const perSecond = rate => `${significant(rate)}/s`

/** More steps than this are not listed. */
const LISTED = 8

/** @param {readonly number[]} rates */
function stepsInWords(rates) {
  if (rates.length > LISTED)
    return `${rates.length} steps from ${perSecond(rates[0])} to ${perSecond(rates[rates.length - 1])}`
  return `steps of ${rates.map(perSecond).join(', ')}`
}

/** @param {Shape} shape @param {number} ratePerSecond */
function shapeInWords(shape, ratePerSecond) {
  switch (shape.shape) {
    case 'ramp':
      return `${perSecond(ratePerSecond)} ${shape.toPerSecond < ratePerSecond ? 'falling' : 'rising'} to ${perSecond(shape.toPerSecond)}`
    case 'steps':
      return stepsInWords(shape.ratesPerSecond)
    case 'sine':
      return `${perSecond(ratePerSecond)} ± ${significant(shape.amplitude * 100)} % in waves of ${shape.periodMs === null ? 'the whole duration' : spell(shape.periodMs)}`
    case 'replay':
      return `the times in ${shape.path} (${counted(shape.count, 'arrival')}${shape.speed === 1 ? '' : `, ${shape.speed} times as fast`})`
  }
}

/**
 * rateInWords says how much is due, after "due at".
 *
 * @param {Arrivals} arrivals
 * @param {number} ratePerSecond
 * @returns {string}
 */
export const rateInWords = (arrivals, ratePerSecond) =>
  typeof arrivals === 'string' ? perSecond(ratePerSecond) : shapeInWords(arrivals, ratePerSecond)

/**
 * arrivalsInWords says when operations or messages are due, after "due at".
 *
 * @param {Arrivals} arrivals
 * @param {number} ratePerSecond
 * @returns {string}
 */
export function arrivalsInWords(arrivals, ratePerSecond) {
  if (typeof arrivals === 'string') return `${perSecond(ratePerSecond)} (${arrivals} arrivals)`
  const spacing = 'spacing' in arrivals && arrivals.spacing === 'poisson' ? ' (poisson arrivals)' : ''
  return `${shapeInWords(arrivals, ratePerSecond)}${spacing}`
}
