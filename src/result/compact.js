/**
 * @typedef {import('./types.js').Record_} Record_
 * @typedef {import('./types.js').Result} Result
 * @typedef {import('./gossip-types.js').AnyResult} AnyResult
 */

/**
 * compact leaves out of a result what only plots over time need.
 *
 * @template {AnyResult} R
 * @param {R} result
 * @returns {R}
 */
export function compact(result) {
  const outcome = { ...result.outcome, perSecond: [] }
  if ('server' in outcome && outcome.server !== null) outcome.server = { ...outcome.server, series: [] }
  if ('resources' in outcome) outcome.resources = outcome.resources.map(worker => ({ ...worker, series: [] }))
  return { ...result, outcome }
}

/**
 * compactRecord does so with a record that carries a result.
 *
 * @param {Record_} record
 * @returns {Record_}
 */
export const compactRecord = record =>
  'result' in record ? { ...record, result: compact(record.result) } : record
