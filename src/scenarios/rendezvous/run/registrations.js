import { multiaddr } from '@multiformats/multiaddr'
import { registerBodies } from '../../../client/register-bodies.js'
import { loadRegistrants } from '../../../client/registrants.js'
import { registerOverWire, unregisterOverWire } from '../../../client/registrations-over-wire.js'

/**
 * @typedef {import('../../../plan/plan.js').Plan} Plan
 * @typedef {import('../../../target/target.js').Target} Target
 *
 * @typedef {object} PreloadOptions
 * @property {Plan} plan
 * @property {Target} target
 * @property {import('../../../plan/namespaces.js').Namespaces} namespaces
 * @property {string | null} cacheDir
 * @property {AbortSignal} signal
 * @property {(done: number, total: number) => void} onProgress
 */

/**
 * preload gives the server the registrations it holds before the measurement, each by a peer of its own with a properly signed
 * record: our server gets them in bulk, any other one over the wire.
 *
 * @param {PreloadOptions} options
 * @returns {Promise<string>} how it was done, in words
 */
export async function preload(options) {
  const { plan, target, namespaces, cacheDir, signal, onProgress } = options
  if (plan.initialRegistrations === 0) return 'none asked for'
  if (target.control == null) {
    await registerOverWire({ ...overWire(options), ttlSeconds: plan.ttlSeconds })
    return 'over the wire'
  }
  const { initialRegistrations: count, seed, recordDomain: domain } = plan
  const registrants = await loadRegistrants({ seed, count, domain, cacheDir, signal, onProgress })
  const bodies = registerBodies(registrants, namespaceOf(plan, namespaces), plan.ttlSeconds)
  const added = await target.control.preload(bodies, signal)
  if (added !== count) throw new Error(`the server took ${added} of ${count} registrations`)
  return registrants.reused === count ? 'cached identities' : 'new identities, kept for next time'
}

/**
 * takeBack unregisters what preload registered over the wire.
 *
 * @param {PreloadOptions} options
 */
export const takeBack = options => unregisterOverWire(overWire(options))

/** @param {PreloadOptions} options */
const overWire = ({ plan, target, namespaces, signal, onProgress }) => ({
  server: multiaddr(target.multiaddr),
  seed: plan.seed,
  count: plan.initialRegistrations,
  recordDomain: plan.recordDomain,
  namespaceOf: namespaceOf(plan, namespaces),
  signal,
  onProgress
})

/** @param {Plan} plan @param {import('../../../plan/namespaces.js').Namespaces} namespaces */
const namespaceOf =
  ({ nNamespaces }, namespaces) =>
  (/** @type {number} */ index) =>
    namespaces.planned(index % nNamespaces)
