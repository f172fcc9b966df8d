/**
 * @typedef {Record<string, any>} Document_ - a result as it was read
 */

/**
 * By version, how a document of it becomes one of the next.
 *
 * @type {Readonly<Record<number, (document: Document_) => Document_>>}
 */
const TO_NEXT = Object.freeze({})

/**
 * What was added to the plan since version 1 was first written, with what the program did before.
 */
const ADDED_TO_PLAN = Object.freeze({
  server: 'process',
  cpus: null,
  memoryBytes: null,
  targetContainer: null,
  thresholds: [],
  thinkTimeMs: null,
  faults: [],
  stack: ['libp2p-3'],
  serverStack: null
})

/** What was added to the plans of networks of nodes since they were first run. */
const ADDED_TO_GOSSIP = Object.freeze({
  fidelity: 'gossipsub',
  linkLatencies: null,
  linkBandwidthBytesPerSecond: null,
  downBandwidthBytesPerSecond: null,
  partitions: [],
  churn: null,
  sendQueue: null
})

/** @param {number | null | undefined} ms */
const jitterIn = ms => (ms == null || ms === 0 ? null : { kind: 'time', ms })

/** What was called otherwise when networks of nodes were first run. @param {Record<string, any>} plan */
const withNames = ({ preset, linkJitterMs, lossShare, bandwidthBytesPerSecond, ...plan }) => ({
  ...ADDED_TO_GOSSIP,
  linkJitter: jitterIn(linkJitterMs),
  linkLossShare: lossShare ?? null,
  upBandwidthBytesPerSecond: bandwidthBytesPerSecond ?? null,
  ...plan,
  preset: preset === 'none' ? 'default' : preset
})

/** Scenarios that are about a rendezvous server; others are about networks of nodes. */
const OF_A_SERVER = new Set(['rendezvous', 'rotation-rendezvous'])

/** @param {Document_ | null} server */
const withServer = server => (server === null ? null : { memoryCountedAs: 'resident set', ...server })

/**
 * Fills what was added to version 1. A part that is missing altogether stays so: the schema says which.
 *
 * @param {Document_} document
 * @returns {Document_}
 */
function filled({ plan, outcome, ...document }) {
  if (!OF_A_SERVER.has(document.scenario))
    return { ...document, plan: plan && { stack: ['libp2p-3'], ...withNames(plan) }, outcome }
  return {
    ...document,
    plan: plan && { ...ADDED_TO_PLAN, ...plan },
    outcome: outcome && {
      thresholds: [],
      faults: [],
      soak: null,
      secondsPerPoint: 1,
      ...outcome,
      target: outcome.target && { chosenBy: null, container: null, ...outcome.target },
      server: outcome.server && withServer(outcome.server)
    }
  }
}

/**
 * migrated brings a result of an older version up to date.
 *
 * @param {Document_} document
 * @param {number} version - it is to become
 * @param {typeof TO_NEXT} [toNext]
 * @returns {Document_}
 */
export function migrated(document, version, toNext = TO_NEXT) {
  let current = document
  while (current.schemaVersion < version)
    current = { ...toNext[current.schemaVersion](current), schemaVersion: current.schemaVersion + 1 }
  return filled(current)
}
