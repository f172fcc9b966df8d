import { isRouted } from '../links/asks-of-links.js'
import { niceOf } from './after-router.js'

/**
 * @typedef {import('../../scenarios/gossip/plan/gossip-plan.js').GossipPlan} GossipPlan
 * @typedef {Readonly<Record<string, Readonly<{ value: unknown, why: string }>>>} Settings
 */

/**
 * What namespaces have other than the kernel's defaults, with the reason; for the result.
 *
 * @type {Settings}
 */
const NAMESPACE_SETTINGS = {
  'addresses.listen': {
    value: ['/ip4/10.x.y.z/tcp/4001'],
    why: 'each node has an address in a network namespace of its own'
  },
  'net.ipv4.tcp_no_metrics_save': {
    value: 1,
    why: 'a connection must not begin with what an earlier one learned; where /proc/sys can be written'
  },
  'tun0.mtu': { value: 1500, why: 'as on Ethernet: a packet is what the links lose and carry' },
  'tun0.txqueuelen': { value: 4000, why: 'a burst of a node must not be lost on its own device' }
}

/** @param {number} nodes - processes @returns {Settings} */
const prioritySettings = nodes => ({
  'process.priority': {
    value: `nice ${niceOf(nodes)}`,
    why: 'of processes and their sessions: the router comes first, where it wants a core and nodes do too; all of these have the share of one process'
  }
})

/** @type {Settings} */
const CONTAINERS = {
  'addresses.listen': {
    value: ['/ip4/a.b.c.d/tcp/4001'],
    why: 'each container has an address in a network of the run, which leads nowhere else'
  },
  'container.rights': {
    value: 'no capabilities, no new privileges, a root that cannot be written',
    why: 'nothing of it is needed'
  }
}

/**
 * surroundingSettings lists what surrounds the nodes of a plan other than by default, with the reason; for the result.
 *
 * @param {GossipPlan} plan
 * @returns {Settings}
 */
export function surroundingSettings(plan) {
  if (plan.network === 'namespaces') return { ...NAMESPACE_SETTINGS, ...prioritySettings(plan.workers) }
  if (plan.network !== 'docker') return {}
  return { ...CONTAINERS, ...(isRouted(plan) && NAMESPACE_SETTINGS) }
}
