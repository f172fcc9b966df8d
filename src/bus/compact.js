import { packHistogram, unpackHistogram } from '../measure/packed-histogram.js'

/** The one key of what stands for a histogram on the bus. */
const PACKED = 'packed histogram'

/**
 * compacted gives a value in the form in which it goes over the bus: its histograms are packed, which take most of what workers of a load tell.
 *
 * @param {unknown} value - anything structured clone carries
 * @returns {unknown}
 */
export const compacted = value =>
  replaced(value, each => (isHistogram(each) ? { [PACKED]: packHistogram(each) } : null))

/** expanded gives back what was compacted. @param {unknown} value @returns {any} */
export const expanded = value =>
  replaced(value, each => (Object.hasOwn(each, PACKED) ? unpackHistogram(each[PACKED]) : null))

/** @param {any} object */
const isHistogram = ({ values, counts }) =>
  values instanceof Float64Array && counts instanceof Uint32Array && values.every(Number.isSafeInteger)

/**
 * Lists and objects are looked into, nothing else is: rows that are many come in typed arrays, or in lists of numbers.
 *
 * @param {unknown} value
 * @param {(object: any) => unknown} instead - null: the object itself
 * @returns {unknown}
 */
function replaced(value, instead) {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value))
    return value.some(each => typeof each === 'object') ? value.map(each => replaced(each, instead)) : value
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  return (
    instead(value) ??
    Object.fromEntries(Object.entries(value).map(([key, each]) => [key, replaced(each, instead)]))
  )
}
