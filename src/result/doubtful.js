import { doubtfulFigures } from '../measure/doubt.js'

/** @typedef {import('./types.js').Result} Result */

/**
 * isDoubtful says whether a figure of a result carries a mark: the load generator had too large a part in a percentile, or
 * could not send more.
 *
 * @param {Result} result
 * @returns {boolean}
 */
export const isDoubtful = ({ outcome }) =>
  Object.values(outcome.operations).some(
    operation => operation.throughputIsLowerBound || doubtfulFigures(operation.rt.all).length > 0
  )
