/**
 * @typedef {import('./types.js').Record_} Record_
 * @typedef {import('./types.js').AnyResult} AnyResult
 */

/** Parts of an outcome with an entry for each second: the largest. */
const SECONDS = new Set(['perSecond'])

/** Those, and what else only plots over time need. */
const OVER_TIME = new Set([...SECONDS, 'timeline', 'series'])

/** @param {unknown} value @param {ReadonlySet<string>} keys @returns {unknown} */
function without(value, keys) {
  if (value === null || typeof value !== 'object') return value
  // rows of numbers hold nothing by name
  if (Array.isArray(value)) return Array.isArray(value[0]) ? value : value.map(item => without(item, keys))
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      keys.has(key) && Array.isArray(part) ? [] : without(part, keys)
    ])
  )
}

/**
 * @template {AnyResult} R
 * @param {R} result
 * @param {ReadonlySet<string>} keys
 * @returns {R}
 */
const outcomeWithout = (result, keys) => ({
  ...result,
  outcome: /** @type {R['outcome']} */ (without(result.outcome, keys))
})

/**
 * withoutSeconds leaves out of a result what there is of every second: the page of a matrix does not need it.
 *
 * @template {AnyResult} R
 * @param {R} result
 * @returns {R}
 */
export const withoutSeconds = result => outcomeWithout(result, SECONDS)

/**
 * compact leaves out of a result what only plots over time need: in every outcome it is called perSecond, timeline or series, and who could
 * be late while it was measured is told by second, too.
 *
 * @template {AnyResult} R
 * @param {R} result
 * @returns {R}
 */
export function compact(result) {
  const { lateness } = result.run
  const run = lateness === undefined ? result.run : { ...result.run, lateness: { ...lateness, series: [] } }
  return { ...outcomeWithout(result, OVER_TIME), run }
}

/**
 * compactRecord does so with a record that carries a result.
 *
 * @param {Record_} record
 * @returns {Record_}
 */
export const compactRecord = record =>
  'result' in record ? { ...record, result: compact(record.result) } : record

/**
 * resultToKeep is what stays in memory of a record that carries a result while its run goes on: of a partial one, which `result.json` holds
 * whole, only what tables need. The next one may take long to come.
 *
 * @param {Extract<Record_, { type: 'partial' | 'result' }>} record
 * @returns {AnyResult}
 */
export const resultToKeep = ({ type, result }) => (type === 'partial' ? compact(result) : result)
