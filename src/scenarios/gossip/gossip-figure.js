import { none } from '../../measure/figure.js'

/**
 * @typedef {import('../../measure/figure.js').Figure<GossipOutcome>} Figure
 * @typedef {import('./gossip-types.js').GossipOutcome} GossipOutcome
 * @typedef {import('./gossip-types.js').GossipRun} GossipRun
 * @typedef {(outcome: GossipOutcome, run: Pick<GossipRun, 'simulator'>) => number | null | undefined} Of
 */

/**
 * plain is a figure that is a number of an outcome.
 *
 * @param {string} name
 * @param {string} title
 * @param {Of} of
 * @param {Partial<Figure> & { unless?: string }} [more] - `unless`: why there is none
 * @returns {Figure}
 */
export const plain = (name, title, of, { unless = 'not measured', ...more } = {}) => ({
  name,
  title,
  quantity: 'number',
  better: 'lower',
  read(outcome, /** @type {Partial<GossipRun>} */ run = {}) {
    const value = of(outcome, run)
    const { published, skipped, failed } = outcome.messages
    return value == null ? none(unless) : { value, samples: published + skipped + failed }
  },
  ...more
})
