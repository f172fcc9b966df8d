import { addedSince } from '../../plan/option.js'
import { GOSSIP_OPTIONS } from './plan/gossip-options.js'

/** What was added to the plans of networks of nodes since they were first run. */
const ADDED_TO_PLAN = { linkLatencies: null, ...addedSince(GOSSIP_OPTIONS) }

/** @param {number | null | undefined} ms */
const jitterIn = ms => (ms == null || ms === 0 ? null : { kind: 'time', ms })

/** These had no seed of their own. */
const UNSEEDED = ['random-degree', 'regular', 'small-world']

/** @param {Record<string, any>} topology @param {number} seed - of the plan */
const seeded = (topology, seed) =>
  UNSEEDED.includes(topology?.kind) && !('seed' in topology) ? { ...topology, seed } : topology

/** What was called otherwise when networks of nodes were first run, and options that said nothing. @param {Record<string, any>} plan */
const withNames = ({
  preset,
  linkJitterMs,
  lossShare,
  bandwidthBytesPerSecond,
  fidelity,
  ideal,
  ...plan
}) => ({
  ...ADDED_TO_PLAN,
  ...(fidelity === 'full' && { fidelity }),
  ...(ideal && { ideal }),
  linkJitter: jitterIn(linkJitterMs),
  linkLossShare: lossShare ?? null,
  upBandwidthBytesPerSecond: bandwidthBytesPerSecond ?? null,
  ...plan,
  topology: seeded(plan.topology, plan.seed),
  preset: preset === 'none' ? 'default' : preset
})

/**
 * filled gives a result of a network what was added to version 1. A part that is missing altogether stays so: the schema says which.
 *
 * @param {Record<string, any>} document
 * @returns {Record<string, any>}
 */
export const filled = ({ plan, ...document }) => ({
  ...document,
  plan: plan && withNames(plan)
})
