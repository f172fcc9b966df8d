import { grouped } from '../../../kit/numbers.js'
import { congestionControls, namespacesLack } from '../../../network/namespaces/requirements.js'
import { NAMESPACES, namespaces } from './conditions.js'
import { nodesOf } from './nodes-of.js'

/** @typedef {import('../../../plan/option.js').Rule} Rule */

/** As it is on this machine. */
const HOST = 'host'

/**
 * namespaceOptions are the options of a network of namespaces alone.
 *
 * @param {string} group - of --help
 * @returns {{ congestionControl: import('../../../plan/option.js').Option }}
 */
export const namespaceOptions = group => ({
  congestionControl: {
    group,
    allowed: 'must be host, or a congestion control of the kernel by its name, such as reno',
    schema: z => z.string().regex(/^[a-z0-9_]+$/),
    only: namespaces(),
    ofCase: true,
    added: null,
    describe:
      'what TCP between namespaces goes by: reno, or another one that this machine allows everybody; host, as it is without this: as on this machine'
  }
})

/** @param {Record<string, any>} values */
const impairments = ({ linkLatency, ...values }) => [
  ...(linkLatency.kind === 'constant' && linkLatency.ms === 0 ? [] : ['linkLatency']),
  ...['linkLoss', 'linkBandwidth', 'upBandwidth', 'downBandwidth', 'partition', 'churn'].filter(
    flag => values[flag] !== undefined && values[flag] !== 0
  ),
  ...(values.linkJitter?.ms > 0 ? ['linkJitter'] : [])
]

/** @param {Pick<Rule, 'flag' | 'needs' | 'refuse'>} rule @returns {Rule} of a network of namespaces */
const inNamespaces = ({ needs = [], refuse, ...rule }) => ({
  ...rule,
  needs: ['network', ...needs],
  refuse: (values, given) => values.network === NAMESPACES && refuse(values, given)
})

/** NAMESPACE_RULES refuse what namespaces cannot do, or cannot do here. @type {readonly Rule[]} */
export const NAMESPACE_RULES = [
  inNamespaces({ flag: 'network', refuse: namespacesLack }),
  inNamespaces({
    flag: 'workers',
    needs: ['nodes', 'topology', 'linkLatency', 'linkLoss', 'linkBandwidth', 'upBandwidth', 'partition'],
    refuse: values => {
      const nodes = nodesOf(values)
      const asked = impairments(values)
      return (
        values.workers < nodes &&
        asked.length > 0 &&
        `must be --nodes ${grouped(nodes)} with --${asked[0]}: nodes that share a namespace meet past every impairment`
      )
    }
  }),
  inNamespaces({
    flag: 'topology',
    refuse: ({ topology }) =>
      topology.kind === 'rendezvous' &&
      'cannot be rendezvous with --network namespaces: the server is outside of them'
  }),
  inNamespaces({
    flag: 'congestionControl',
    refuse: ({ congestionControl: name = HOST }) => {
      const allowed = congestionControls()
      return (
        name !== HOST &&
        !allowed.includes(name) &&
        `must be ${HOST} or one of ${allowed.join(', ')}: nothing else is in /proc/sys/net/ipv4/tcp_allowed_congestion_control here`
      )
    }
  })
]
