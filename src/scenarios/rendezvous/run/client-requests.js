import { encodeDiscover, encodeRegister, encodeUnregister } from '../../../protocol/messages.js'

/** @typedef {import('./load-client.js').LoadClientComponents} LoadClientComponents */

/** registration of a client in a namespace. @param {string} ns @param {Pick<LoadClientComponents, 'signedPeerRecord' | 'plan'>} client */
export const registration = (ns, { signedPeerRecord, plan }) =>
  encodeRegister({ ns, signedPeerRecord, ttl: plan.ttlSeconds })

/** discovery in one of the namespaces at random. @param {Pick<LoadClientComponents, 'namespaces' | 'plan' | 'random'>} client */
export function discovery({ namespaces, plan, random }) {
  const index = Math.floor(random() * plan.nNamespaces)
  const ns = plan.discoverInexistentNamespaces ? namespaces.inexistent(index) : namespaces.planned(index)
  return encodeDiscover({ ns, limit: plan.discoverLimit })
}

/** unregisterIn takes a registration back. @param {string} ns */
export const unregisterIn = ns => encodeUnregister({ ns })

/** confirm asks for the reply that UNREGISTER has not: that to a DISCOVER sent behind it confirms it. @param {string} ns */
export const confirm = ns => encodeDiscover({ ns, limit: 1 })
