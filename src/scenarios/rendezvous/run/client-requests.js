import { encodeDiscover, encodeRegister, encodeUnregister } from '../../../protocol/messages.js'

/** @typedef {import('./load-client.js').LoadClientComponents} LoadClientComponents */

/** registration of a client in a namespace. @param {string} ns @param {Pick<LoadClientComponents, 'signedPeerRecord' | 'plan'>} client */
export const registration = (ns, { signedPeerRecord, plan }) =>
  encodeRegister({ ns, signedPeerRecord, ttl: plan.ttlSeconds })

/** discovery in a namespace. @param {string} ns @param {Pick<LoadClientComponents, 'plan'>} client @param {Uint8Array} [cookie] - of the reply before */
export const discovery = (ns, { plan }, cookie) => encodeDiscover({ ns, limit: plan.discoverLimit, cookie })

/** unregisterIn takes a registration back. @param {string} ns */
export const unregisterIn = ns => encodeUnregister({ ns })

/** confirm asks for the reply that UNREGISTER has not: that to a DISCOVER sent behind it confirms it. @param {string} ns */
export const confirm = ns => encodeDiscover({ ns, limit: 1 })
