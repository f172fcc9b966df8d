import { multiaddr } from '@multiformats/multiaddr'
import { registerBodies } from '../../../client/register-bodies.js'
import { loadRegistrants } from '../../../client/registrants.js'
import { registerOverWire, unregisterOverWire } from '../../../client/registrations-over-wire.js'
import { registrantNamespaces } from '../../../plan/namespaces.js'

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
 * @returns {Promise<{ how: string, expiresMs: number }>} how it was done, in words; when the first of them is over, on the monotonic
 *   clock of the host
 */
export async function preload(options) {
  const { plan, target, namespaces, cacheDir, signal, onProgress } = options
  const beganMs = Number(process.hrtime.bigint()) / 1e6
  const until = (/** @type {number} */ ttlSeconds) => beganMs + 1000 * Math.min(ttlSeconds, plan.ttlSeconds)
  const expiresMs = until(plan.ttlSeconds)
  if (plan.initialRegistrations === 0) return { how: 'none asked for', expiresMs }
  if (target.control == null) {
    const granted = await registerOverWire({ ...overWire(options), ttlSeconds: plan.ttlSeconds })
    return { how: 'over the wire', expiresMs: until(granted) }
  }
  const { initialRegistrations: count, seed, recordDomain: domain } = plan
  const registrants = await loadRegistrants({ seed, count, domain, cacheDir, signal, onProgress })
  const bodies = registerBodies(registrants, registrantNamespaces(plan, namespaces), plan.ttlSeconds)
  const added = await target.control.preload(bodies, signal)
  if (added !== count) throw new Error(`the server took ${added} of ${count} registrations`)
  return {
    how: identitiesIn(registrants, cacheDir),
    expiresMs
  }
}

/** @param {import('../../../client/registrants.js').Registrants} registrants @param {string | null} cacheDir */
function identitiesIn({ reused, count, cacheProblem }, cacheDir) {
  if (reused === count) return 'cached identities'
  return cacheDir === null || cacheProblem !== undefined
    ? 'new identities, not kept'
    : 'new identities, kept for next time'
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
  stock: plan.stock,
  namespaceOf: registrantNamespaces(plan, namespaces),
  signal,
  onProgress
})
