/**
 * @typedef {import('./types.js').Record_} Record_
 * @typedef {import('./types.js').Result} Result
 */

/**
 * compact leaves out of a result what only plots over time need.
 *
 * @param {Result} result
 * @returns {Result}
 */
export const compact = result => ({
  ...result,
  outcome: {
    ...result.outcome,
    perSecond: [],
    server: result.outcome.server === null ? null : { ...result.outcome.server, series: [] }
  }
})

/**
 * compactRecord does so with a record that carries a result.
 *
 * @param {Record_} record
 * @returns {Record_}
 */
export const compactRecord = record =>
  'result' in record ? { ...record, result: compact(record.result) } : record
