import { choice } from '../../../plan/values.js'

/** @typedef {import('../../../plan/option.js').Condition} Condition */

/** SIMULATED and OWN_INTERVALS are what some options are of. */
export const SIMULATED = 'a simulated network'
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

/** IMPAIRABLE is what impairments of links are of. */
export const IMPAIRABLE = 'a simulated network, or one of namespaces or containers'

/** isImpairable says whether a network does to its links whatever is asked for. @param {{ network: string }} values */
export const isImpairable = ({ network }) => network !== 'loopback'

/** impaired is of what is done to links. @param {Condition['asks']} [asks] @returns {Condition} */
export const impaired = asks => ({
  of: IMPAIRABLE,
  needs: ['network'],
  met: ({ network }) => isImpairable({ network }),
  otherwise: 'needs --network simulated, namespaces or docker: none is made on loopback',
  asks,
  lacks: 'simulated'
})

/** NAMESPACES are a network. */
export const NAMESPACES = 'namespaces'

/** DOCKER is a network of containers. */
export const DOCKER = 'docker'

/** namespaces is of options of such a network alone. @returns {Condition} */
export const namespaces = () => ({
  of: 'a network of namespaces',
  needs: ['network'],
  met: ({ network }) => network === NAMESPACES || network === DOCKER,
  otherwise: 'needs --network namespaces or docker',
  lacks: 'simulated'
})

/** containers is of options of such a network alone. @returns {Condition} */
export const containers = () => ({
  of: 'a network of containers',
  needs: ['network'],
  met: ({ network }) => network === DOCKER,
  otherwise: 'needs --network docker',
  lacks: 'simulated'
})

/** isApart says whether nodes are in processes of their own, or few in each. @param {{ network: string }} values */
export const isApart = ({ network }) => network === NAMESPACES || network === DOCKER

/** ON_REAL_TCP is what joins nodes where none are simulated. */
export const ON_REAL_TCP = {
  ...choice(['loopback', NAMESPACES, DOCKER]),
  describe:
    'what joins the nodes: real TCP, by loopback, or between namespaces or containers with every impairment'
}

/** toldOfOneAnother is of options of nodes whose connections are known beforehand. @returns {Condition} */
export const toldOfOneAnother = () => ({
  of: 'a topology with edges',
  needs: ['topology'],
  met: ({ topology }) => topology.kind !== 'rendezvous',
  otherwise: 'has no use with --topology rendezvous: each node dials whom it finds'
})

/** foundAtServer is of options of nodes that find one another at a rendezvous server. @returns {Condition} */
export const foundAtServer = () => ({
  of: '--topology rendezvous',
  needs: ['topology'],
  met: ({ topology }) => topology.kind === 'rendezvous',
  otherwise: 'needs --topology rendezvous: other nodes have no server'
})

/** ownIntervals is of options of nodes that publish in their own time. @param {string} why @returns {Condition} */
export const ownIntervals = why => ({
  of: OWN_INTERVALS,
  needs: ['publishers'],
  met: ({ publishers }) => publishers === 'every',
  otherwise: `needs --publishers every: ${why}`
})
