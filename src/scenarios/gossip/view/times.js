/** TIMES are the figures of a distribution in the table of a gossip run: key in a Summary and name. */
export const TIMES = /** @type {const} */ ([
  ['avg', 'avg'],
  ['p50', 'p50'],
  ['p90', 'p90'],
  ['p99', 'p99'],
  ['max', 'max']
])
