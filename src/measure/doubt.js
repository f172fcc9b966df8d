/** @typedef {import('../result/types.js').Summary} Summary */

const FIGURES = /** @type {const} */ (['p50', 'p90', 'p95', 'p99', 'p999'])

/**
 * doubtfulFigures names the percentiles that the load generator had too large a part in.
 *
 * @param {Summary} summary
 * @returns {string[]}
 */
export const doubtfulFigures = summary => FIGURES.filter(name => summary[name]?.doubtful)
