import { ruleLine } from './comparison-page.js'

/**
 * baselineLines say how runs stand against their baseline.
 *
 * @param {import('../result/comparison/baseline.js').BaselineVerdict} held
 * @returns {string}
 */
export function baselineLines({ verdict, baseline, rules }) {
  const { label, startedAt, version, runs } = baseline
  const whose = `${runs} ${runs === 1 ? 'run' : 'runs'}, ${startedAt.slice(0, 10)}, libp2p-loadtest ${version ?? 'unknown'}`
  return `${[`${verdict} against the baseline ${label} (${whose})`, ...rules.map(ruleLine)].join('\n')}\n`
}
