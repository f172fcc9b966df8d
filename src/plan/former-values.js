/**
 * FORMER_VALUES are values that plans of earlier releases can have and that nothing runs any more, by key of the plan, each with what is said
 * of it. Results with them are still read and shown.
 *
 * @type {Readonly<Record<string, Readonly<Record<string, string>>>>}
 */
export const FORMER_VALUES = Object.freeze({
  store: { pglite: 'is not run any more: use --store postgres' },
  fidelity: { full: 'is not run any more: simulated nodes are gossipsub on simulated streams' },
  ideal: { true: 'is not run any more: simulated links have TCP, nodes take time' },
  autoRate: { true: 'is not run any more: saturate gossip --search finds what is carried' },
  ways: { bitswap: 'is not run any more: docs/transfer.md has the protocols there are' }
})

/**
 * formerProblems says what of the plan of a result cannot be run any more.
 *
 * @param {object} plan
 * @returns {import('./read-options.js').Problem[]}
 */
export const formerProblems = plan =>
  Object.entries(plan).flatMap(([key, values]) =>
    [values].flat().flatMap(value => {
      const allowed = FORMER_VALUES[key]?.[value]
      return allowed === undefined ? [] : [{ flag: `--${key}`, value: value === true ? '' : value, allowed }]
    })
  )
