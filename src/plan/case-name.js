import { KINDS } from './kinds.js'

/**
 * @typedef {import('./plan.js').AnyPlan} AnyPlan
 * @typedef {import('./plan.js').Plan} Plan
 * @typedef {import('./gossip/gossip-plan.js').GossipPlan} GossipPlan
 *
 * @typedef {object} Naming - of the cases of a scenario
 * @property {ReadonlySet<string>} short - options that every name of a case shows in short
 * @property {(plan: any, own: Map<string, unknown>) => string[]} inShort - `own`: what the row says, by key
 */

/** @param {unknown} value as typed */
const safe = value =>
  (typeof value === 'object' ? JSON.stringify(value) : String(value)).replace(/[^\w.=]+/g, '_')

/** @type {Naming} */
const RENDEZVOUS = {
  short: new Set([
    'benchmarkType',
    'nClients',
    'initialRegistrations',
    'nNamespaces',
    'benchmarkRuns',
    'duration'
  ]),
  inShort: (/** @type {Plan} */ plan, own) => [
    ...(own.has('benchmarkType') ? [plan.benchmarkType.toLowerCase()] : []),
    `c${plan.nClients}`,
    `r${plan.initialRegistrations}`,
    `ns${plan.nNamespaces}`,
    plan.benchmarkRuns === null ? `${plan.durationMs}ms` : `ops${plan.benchmarkRuns}`
  ]
}

/** @param {GossipPlan} plan */
const pace = ({ publishers, ratePerSecond, intervalMs }) =>
  publishers === 'every' ? `each${intervalMs.min}-${intervalMs.max}ms` : `rate${ratePerSecond ?? 'auto'}`

/** @type {Naming} */
const GOSSIP = {
  short: new Set(['nodes', 'topology', 'publishers', 'rate', 'interval', 'messages', 'duration']),
  inShort: (/** @type {GossipPlan} */ plan) => [
    `n${plan.nodes}`,
    safe(KINDS.gossip.options.topology.write?.(plan.topology) ?? plan.topology.kind),
    pace(plan),
    plan.messages === null ? `${plan.durationMs}ms` : `msgs${plan.messages}`
  ]
}

/** @type {Naming} */
const ROTATING_PEERS = {
  short: new Set(['stable', 'ephemeral', 'rotateEvery', 'ttl', 'rate', 'duration']),
  inShort: (/** @type {import('./plan.js').RendezvousRotationPlan} */ plan) => [
    `s${plan.stable}`,
    `e${plan.ephemeral}`,
    `every${plan.rotateEveryMs}ms`,
    `ttl${plan.ttlSeconds}s`,
    `rate${plan.ratePerSecond}`,
    `${plan.durationMs}ms`
  ]
}

/** @type {Readonly<Record<string, Naming>>} */
const NAMING = Object.freeze({
  rendezvous: RENDEZVOUS,
  gossip: GOSSIP,
  profile: GOSSIP,
  rotation: GOSSIP,
  'rotation-rendezvous': ROTATING_PEERS
})

/** @param {AnyPlan} plan @param {string} key @param {unknown} typed */
function longForm(plan, key, typed) {
  const { options, flat } = KINDS[plan.scenario]
  const inPlan = flat(plan)[options[key]?.planKey ?? key]
  return `${key}=${safe(typeof inPlan === 'object' ? typed : inPlan)}`
}

/**
 * caseName names a case of a matrix by what its row says: `c100-r10000-ns10-ops500`, with the type of operation first and
 * further options behind where the row or a list of values has them. It depends on the case only, never on the place of
 * the row.
 *
 * @param {AnyPlan} plan
 * @param {object} given
 * @param {string | null} given.name - that the row has been given
 * @param {Map<string, unknown>} given.row - options by key
 * @param {Map<string, unknown>} given.varied - options by key
 * @returns {string}
 */
export function caseName(plan, { name, row, varied }) {
  const { short, inShort } = NAMING[plan.scenario]
  const long = (/** @type {Map<string, unknown>} */ options) =>
    [...options].map(([key, typed]) => longForm(plan, key, typed))
  if (name !== null) return [name, ...long(varied)].join('-')
  const own = new Map([...row, ...varied])
  const others = new Map([...own].filter(([key, value]) => !short.has(key) && value != null).sort())
  return [...inShort(plan, own), ...long(others)].join('-')
}
