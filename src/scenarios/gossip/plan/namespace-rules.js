import { grouped } from '../../../kit/numbers.js'
import { IMPAIRING, impairments } from '../../../network/links/asks-of-links.js'
import { congestionControls, namespacesLack } from '../../../network/namespaces/requirements.js'
import { isApart, NAMESPACES } from './conditions.js'
import { nodesOf } from './nodes-of.js'

/** @typedef {import('../../../plan/option.js').Rule} Rule */

/** As it is on this machine. */
const HOST = 'host'

/** inNamespaces is a rule of a network of namespaces, or of containers, which have them. @param {Pick<Rule, 'flag' | 'needs' | 'refuse'>} rule @returns {Rule} */
export const inNamespaces = ({ needs = [], refuse, ...rule }) => ({
  ...rule,
  needs: ['network', ...needs],
  refuse: (values, given) => isApart(/** @type {any} */ (values)) && refuse(values, given)
})

/** namespacesNeeded refuses them where they cannot be made. @param {string} [instead] - what can be run */
export const namespacesNeeded = instead =>
  inNamespaces({
    flag: 'network',
    refuse: ({ network }) => network === NAMESPACES && namespacesLack(instead)
  })

/** CONGESTION_CONTROL refuses one that namespaces may not take here. */
const CONGESTION_CONTROL = inNamespaces({
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

/** NAMESPACE_RULES refuse what namespaces cannot do, or cannot do here. @type {readonly Rule[]} */
export const NAMESPACE_RULES = [
  namespacesNeeded(),
  inNamespaces({
    flag: 'workers',
    needs: ['nodes', 'topology', 'churn', ...IMPAIRING],
    refuse: values => {
      const nodes = nodesOf(values)
      const asked = [...impairments(values), ...(values.churn === undefined ? [] : ['churn'])]
      return (
        values.network === NAMESPACES &&
        values.workers < nodes &&
        asked.length > 0 &&
        `must be --nodes ${grouped(nodes)} with --${asked[0]}: nodes that share a namespace meet past every impairment`
      )
    }
  }),
  inNamespaces({
    flag: 'topology',
    refuse: ({ topology, network }) =>
      topology.kind === 'rendezvous' &&
      `cannot be rendezvous with --network ${network}: the server is outside of them`
  }),
  CONGESTION_CONTROL
]
