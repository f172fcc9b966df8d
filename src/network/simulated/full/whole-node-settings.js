import { NO_PINGS } from '../../gossip/no-pings.js'
import { settingsWithout } from '../../gossip/settings-without.js'

/** @typedef {import('../../../scenarios/gossip/plan/gossip-plan.js').GossipPlan} GossipPlan */

const MANY = 100_000
const TIMEOUT_MS = 60_000
const ALL_AT_ONCE = 'the whole network connects at once'
const SLOW_LINKS = '--linkLatency must not cost the network a connection'

/**
 * WHOLE_NODE_SETTINGS lists what a whole simulated node has other than the defaults of libp2p, beside what the plan asks for, with the
 * reason.
 *
 * @type {Readonly<Record<string, Readonly<{ value: unknown, why: string }>>>}
 */
const WHOLE_NODE_SETTINGS = {
  'connectionManager.maxIncomingPendingConnections': { value: MANY, why: ALL_AT_ONCE },
  'connectionManager.maxConnections': { value: MANY, why: 'the topology decides' },
  'connectionManager.dialTimeout': { value: TIMEOUT_MS, why: SLOW_LINKS },
  'connectionManager.addressDialTimeout': { value: TIMEOUT_MS, why: SLOW_LINKS },
  'connectionManager.inboundUpgradeTimeout': { value: TIMEOUT_MS, why: SLOW_LINKS },
  'connectionManager.inboundStreamProtocolNegotiationTimeout': { value: TIMEOUT_MS, why: SLOW_LINKS },
  'connectionManager.outboundStreamProtocolNegotiationTimeout': { value: TIMEOUT_MS, why: SLOW_LINKS },
  'identify.timeout': { value: TIMEOUT_MS, why: SLOW_LINKS },
  ...NO_PINGS,
  logger: { value: 'silent', why: 'less work beside that of the protocols' },
  transports: { value: ['simulated'], why: 'what lies between the nodes is calculated' }
}

/**
 * wholeNodeSettingsOf lists what whole nodes of a plan have other than the defaults.
 *
 * @param {Pick<GossipPlan, 'security' | 'muxer'>} plan
 * @returns {Record<string, { value: unknown, why: string }>}
 */
export const wholeNodeSettingsOf = ({ security, muxer }) => ({
  ...settingsWithout(muxer === 'yamux' ? [] : ['yamux.'], WHOLE_NODE_SETTINGS),
  ...(security === 'noise' && {
    connectionEncrypters: {
      value: 'Noise with synchronous functions of node:crypto, its keys from the seed',
      why: 'virtual time cannot wait for threads, and a run can be had again'
    }
  })
})

/**
 * wholeNodeSettings gives everything that is set for a part of every node, by option.
 *
 * @param {string} part
 * @returns {Record<string, any>}
 */
export const wholeNodeSettings = part =>
  Object.fromEntries(
    Object.entries(WHOLE_NODE_SETTINGS).flatMap(([name, { value }]) =>
      name.startsWith(`${part}.`) ? [[name.slice(part.length + 1), value]] : []
    )
  )
