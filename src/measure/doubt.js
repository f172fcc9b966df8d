/**
 * @typedef {import('../result/types.js').Summary} Summary
 * @typedef {'generator' | 'machine' | 'unknown'} Cause - who added too much; unknown: nobody knows how much was added
 */

const FIGURES = /** @type {const} */ (['p50', 'p90', 'p95', 'p99', 'p999'])

/** BUSY: above this share of its time a generator does not send what it would. */
export const BUSY = 0.9

/** CAUSES of doubt there are. Results from before they were told apart blame the generator. @type {readonly Cause[]} */
export const CAUSES = ['generator', 'machine', 'unknown']

/**
 * doubtfulFigures names the percentiles that generator or machine had too large a part in.
 *
 * @param {Summary} summary
 * @param {Cause} [cause]
 * @returns {string[]}
 */
export const doubtfulFigures = (summary, cause = 'generator') =>
  FIGURES.filter(name => summary[name]?.doubtful && (summary[name].cause ?? 'generator') === cause)

/** ADDED says of each cause what makes a time doubtful: "… more than a tenth of it". @type {Readonly<Record<Cause, string>>} */
export const ADDED = {
  generator: 'the load generator itself added',
  machine: 'the machine, which had no core free for the load generator, added',
  unknown: 'what the load generator added was not counted for each operation, and may be'
}

/** ADDED_TO_DELIVERIES says so of times between nodes. @type {Readonly<Record<Cause, string>>} */
export const ADDED_TO_DELIVERIES = {
  generator: 'nodes that share a process, and waited for one another there, added',
  machine: 'the machine, which had no core free for the nodes, added',
  unknown: 'what was added on the way was not counted for each delivery, and may be'
}
