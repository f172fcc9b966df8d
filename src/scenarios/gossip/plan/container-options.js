import { dockerLack } from '../../../docker/requirements.js'
import { IMPAIRING, impairments } from '../../../network/links/asks-of-links.js'
import { containersLack } from '../../../network/namespaces/requirements.js'
import { cores, size, wholeNumber } from '../../../plan/values.js'
import { containers, DOCKER } from './conditions.js'

/** @typedef {import('../../../plan/option.js').Rule} Rule */

/** Less, and Node takes minutes to start, or cannot. */
const LEAST = { cpus: 0.05, memory: '96MB' }

/**
 * containerOptions are the options of a network of containers alone.
 *
 * @param {string} group - of --help
 * @returns {Record<'nodesPerContainer' | 'nodeCpus' | 'nodeMemory', import('../../../plan/option.js').Option>}
 */
export const containerOptions = group => ({
  nodesPerContainer: {
    group,
    ...wholeNumber(1, 1024),
    only: containers(),
    added: null,
    describe: 'with --network docker, nodes that share a container and its process (default: 1)'
  },
  nodeCpus: {
    group,
    ...cores({ min: LEAST.cpus, max: 1024 }),
    only: containers(),
    added: null,
    describe:
      'with --network docker, cores that a node may use, such as 0.2; a container may use that of its nodes together'
  },
  nodeMemory: {
    group,
    ...size({ min: LEAST.memory, max: '64TiB' }),
    planKey: 'nodeMemoryBytes',
    only: containers(),
    added: null,
    describe:
      'with --network docker, memory that a node may use, with its unit; a container may use that of its nodes together'
  }
})

/** @param {Pick<Rule, 'flag' | 'needs' | 'refuse'>} rule @returns {Rule} of a network of containers */
const inContainers = ({ needs = [], refuse, ...rule }) => ({
  ...rule,
  needs: ['network', ...needs],
  refuse: (values, given) => values.network === DOCKER && refuse(values, given)
})

/** CONTAINER_RULES refuse what containers cannot do, or cannot do here. @type {readonly Rule[]} */
export const CONTAINER_RULES = [
  inContainers({ flag: 'network', refuse: dockerLack }),
  inContainers({
    flag: 'network',
    needs: IMPAIRING,
    refuse: values => {
      const [asked] = impairments(values)
      const lack = asked === undefined ? null : containersLack()
      return lack !== null && `with --${asked} ${lack}`
    }
  }),
  inContainers({
    flag: 'nodesPerContainer',
    needs: IMPAIRING,
    refuse: ({ nodesPerContainer, ...values }) => {
      const [asked] = impairments(values)
      return (
        nodesPerContainer > 1 &&
        asked !== undefined &&
        `must be 1 with --${asked}: nodes that share a container meet past every impairment`
      )
    }
  }),
  inContainers({
    flag: 'congestionControl',
    needs: IMPAIRING,
    refuse: (values, given) =>
      given.has('congestionControl') &&
      impairments(values).length === 0 &&
      'has no use with --network docker where nothing is asked of links, such as --linkLatency: the engine joins the nodes'
  }),
  inContainers({
    flag: 'workers',
    refuse: (_, given) =>
      given.has('workers') && 'has no use with --network docker: --nodesPerContainer says how many there are'
  })
]
