/** @typedef {import('../studies/comparison/baseline.js').BaselineVerdict} BaselineVerdict */

/**
 * baselineLine says in one line how runs stand against their baseline.
 *
 * @param {BaselineVerdict} held
 */
export function baselineLine({ verdict, baseline: { label, startedAt, version, runs } }) {
  const whose = `${runs} ${runs === 1 ? 'run' : 'runs'}, ${startedAt.slice(0, 10)}, libp2p-loadtest ${version ?? 'unknown'}`
  return `${verdict} against the baseline ${label} (${whose})`
}
