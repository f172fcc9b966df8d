import { isSimulated } from './is-simulated.js'

/** @typedef {import('../gossip-types.js').GossipResult} GossipResult */

/** @type {Record<string, string>} */
const REAL = {
  loopback: 'TCP connections on this machine',
  namespaces: 'TCP between network namespaces of this machine, through a router',
  docker: 'TCP between containers of this machine'
}

/** @param {GossipResult} result @returns {[string, string]} */
const once = ({ plan }) => [
  'Network',
  isSimulated(plan) ? 'simulated: no real network, times are virtual' : REAL[plan.network]
]

/** @param {GossipResult} result @returns {[string, string]} */
const repeatedly = ({ plan }) => [
  'Network',
  `${isSimulated(plan) ? 'simulated, in virtual time' : REAL[plan.network]}; a fresh one for every run`
]

/** NETWORK_AGAINST says on which network a run, or each of many, was made. @type {import('../../../report/view.js').ScenarioView<import('../gossip-types.js').GossipResult>['against']} */
export const NETWORK_AGAINST = { once, repeatedly }
