import { usableCores } from '../../../kit/control-group.js'
import { IMPAIRING, impairments } from '../../../network/links/asks-of-links.js'
import { agentsIn } from '../../../plan/agents-option.js'
import { inNamespaces } from '../../gossip/plan/namespace-rules.js'
import { linkRules } from '../../namespaces/link-rules.js'
import { isJoined } from '../../namespaces/link-table.js'
import { networkPlan } from '../../namespaces/network-plan.js'

/** @typedef {Record<string, any>} Values - of options, by flag */

/** Where the server runs that is in a namespace. @type {readonly [flag: string, asks: (value: any) => boolean, why: string][]} */
const OF_THE_SERVER = [
  [
    'target',
    target => target !== undefined,
    'cannot be given with --network namespaces: it is outside of them'
  ],
  [
    'targets',
    targets => targets !== undefined,
    'cannot be given with --network namespaces: they are outside of them'
  ],
  [
    'server',
    server => server === 'docker',
    'must be process with --network namespaces: a container has a network of its own'
  ],
  ['cpus', cpus => cpus !== undefined, 'needs a container, which --network namespaces does not join'],
  ['memory', memory => memory !== undefined, 'needs a container, which --network namespaces does not join'],
  ['servers', servers => servers > 1, 'must be 1 with --network namespaces'],
  [
    'store',
    store => store !== 'memory',
    'must be memory with --network namespaces: a database is outside of them'
  ],
  [
    'fault',
    (faults = []) => faults.some((/** @type {{ kind: string }} */ { kind }) => kind === 'cpu'),
    'cannot have cpu with --network namespaces: nothing limits a process'
  ]
]

/** clientsApart says whether each client is alone in its process. @param {Values} values */
const clientsApart = values => isJoined(values) && impairments(values).length > 0

/**
 * usualWorkers is how many processes hold the clients where that is not said.
 *
 * @param {Values} values
 * @param {number} cores
 */
export function usualWorkers({ nClients, agents, ...values }, cores) {
  if (agents != null) return agentsIn(agents)
  return clientsApart({ nClients, ...values }) ? nClients : Math.max(1, Math.min(cores - 1, nClients))
}

/** @param {{ workers: number }} plan @returns {number} server, clients */
const namespacesIn = ({ workers }) => 1 + workers

/** CLIENTS_ALONE refuses clients that share a namespace where anything is asked of its links. */
export const CLIENTS_ALONE = inNamespaces({
  flag: 'workers',
  needs: ['nClients', ...IMPAIRING],
  refuse: values => {
    const [asked] = impairments(values)
    return (
      values.workers < values.nClients &&
      asked !== undefined &&
      `must be ${values.nClients}, one for each client, with --${asked}: clients that share a namespace share its links`
    )
  }
})

/** NAMESPACE_RULES refuse what namespaces cannot do, or cannot do here. @type {readonly import('../../../plan/option.js').Rule[]} */
export const NAMESPACE_RULES = [
  ...linkRules(['nClients', 'workers', 'agents', ...IMPAIRING], values =>
    namespacesIn({ workers: values.workers ?? usualWorkers(values, usableCores()) })
  ),
  CLIENTS_ALONE,
  ...OF_THE_SERVER.map(([flag, asks, why]) =>
    inNamespaces({ flag, refuse: values => asks(values[flag]) && why })
  )
]

/**
 * linksOf is the network of namespaces of a plan.
 *
 * @param {import('../../../plan/plan.js').Plan} plan
 * @returns {import('../../namespaces/network-plan.js').NetworkPlan | null} null: it asks for none
 */
export function linksOf(plan) {
  const { seed, linkLatency, linkLossShare, upBandwidthBytesPerSecond } = plan
  const asked = { seed, linkLatency, linkLossShare, upBandwidthBytesPerSecond }
  return isJoined(plan) ? networkPlan(asked, namespacesIn(plan)) : null
}
