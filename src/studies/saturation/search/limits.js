/** @typedef {import('../../../scenarios/saturation.js').SaturatedFirst} SaturatedFirst */

/** Limits of the load generator, and of the machine it shares with the server; or of the processes it shares with the nodes. @type {ReadonlySet<SaturatedFirst['limit']>} */
const GENERATORS = new Set([
  'generator',
  'added',
  'machine',
  'maxInFlight',
  'ports',
  'processes',
  'cores',
  'publishedLate',
  'memoryCeiling'
])

/** isGenerators says whether a limit keeps a load from being the server's own. @param {SaturatedFirst['limit']} limit */
export const isGenerators = limit => GENERATORS.has(limit)

/**
 * limitOf says what saturated first, going by several trials at a load that was not sustained: what most of them say, and the load
 * generator where half of them do.
 *
 * @param {readonly SaturatedFirst[]} limits - of each trial
 * @returns {SaturatedFirst | null} null: there is no trial
 */
export function limitOf(limits) {
  const generators = limits.filter(({ limit }) => isGenerators(limit))
  const known = limits.filter(({ limit }) => limit !== 'unknown')
  const candidates = generators.length * 2 >= limits.length ? generators : known.length > 0 ? known : limits
  const count = (/** @type {SaturatedFirst['limit']} */ name) =>
    candidates.filter(({ limit }) => limit === name).length
  const [most = null] = [...candidates].sort((a, b) => count(b.limit) - count(a.limit))
  return most
}
