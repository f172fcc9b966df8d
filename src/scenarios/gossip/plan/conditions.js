import { AUTO } from './auto-rate.js'

/** @typedef {import('../../../plan/option.js').Condition} Condition */

/** SIMULATED, AUTO_RATE and OWN_INTERVALS are what some options are of. */
export const SIMULATED = 'a simulated network'
export const AUTO_RATE = '--rate auto'
export const OWN_INTERVALS = '--publishers every'

/**
 * simulated is of options that only a simulated network has.
 *
 * @param {Pick<Condition, 'asks' | 'lacks'>} [more]
 * @param {string} [why]
 * @returns {Condition}
 */
export const simulated = (more, why = 'nothing of the kind can be set on real TCP') => ({
  of: SIMULATED,
  needs: ['network'],
  met: ({ network }) => network === 'simulated',
  otherwise: `needs --network simulated: ${why}`,
  ...more
})

/** impaired is of what a simulated network does to its links. @param {Condition['asks']} [asks] @returns {Condition} */
export const impaired = asks => simulated({ asks, lacks: 'simulated' }, 'none is made on real TCP')

/** autoRate is of options of the search for the rate that is carried. @returns {Condition} */
export const autoRate = () => ({
  of: AUTO_RATE,
  needs: ['rate'],
  met: ({ rate }) => rate === AUTO,
  otherwise: 'has no use without --rate auto'
})

/** toldOfOneAnother is of options of nodes whose connections are known beforehand. @returns {Condition} */
export const toldOfOneAnother = () => ({
  of: 'a topology with edges',
  needs: ['topology'],
  met: ({ topology }) => topology.kind !== 'rendezvous',
  otherwise: 'has no use with --topology rendezvous: each node dials whom it finds'
})

/** ownIntervals is of options of nodes that publish in their own time. @param {string} why @returns {Condition} */
export const ownIntervals = why => ({
  of: OWN_INTERVALS,
  needs: ['publishers'],
  met: ({ publishers }) => publishers === 'every',
  otherwise: `needs --publishers every: ${why}`
})
