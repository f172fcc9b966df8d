import { LEAST_PAIRS, LEVEL } from '../result/comparison/compare-metrics.js'
import { METRICS } from '../result/comparison/metrics.js'
import { median } from '../result/statistics/median.js'
import { MISSING, significant } from './numbers.js'
import { asMarkdown } from './table.js'

/**
 * @typedef {import('../result/comparison/comparison.js').Comparison} Comparison
 * @typedef {import('../result/comparison/comparison.js').SideInfo} SideInfo
 * @typedef {import('../result/comparison/compare-metrics.js').MetricComparison} MetricComparison
 * @typedef {import('../result/comparison/primary-metrics.js').Figure} Figure
 * @typedef {import('../result/comparison/plan-differences.js').Difference} Difference
 * @typedef {import('../result/comparison/fail-rule.js').Judged} Judged
 * @typedef {import('./table.js').Table} Table
 */

/**
 * change writes a ratio as a change.
 *
 * @param {number} ratio
 */
export function change(ratio) {
  const percent = 100 * (ratio - 1)
  if (ratio === Number.POSITIVE_INFINITY) return 'any more'
  if (ratio === 0) return 'any less'
  const size = Math.abs(percent)
  return `${percent < 0 ? '−' : '+'}${size < 99.95 ? size.toFixed(1) : significant(size)} %`
}

/** @param {{ low: number, high: number }} interval */
const spread = ({ low, high }) => `${change(low)} … ${change(high)}`

/** @param {number} p */
const chance = p => (p < 0.001 ? '< 0.001' : p.toFixed(3))

/**
 * figureOfRuns writes the figure of one run, or the median of those of several.
 *
 * @param {(Figure | null)[]} figures
 */
export function figureOfRuns(figures) {
  const known = figures.filter(figure => figure !== null)
  if (known.length === 0 || known.length < figures.length) return MISSING
  const value = median(known.map(figure => figure.value))
  const atLeast = known.some(figure => figure.atLeast)
  return `${atLeast ? '> ' : ''}${significant(value)}${known.some(({ doubtful }) => doubtful) ? '*' : ''}`
}

/** @param {MetricComparison} comparison */
function metricRow({ metric, pairs, ratio, interval, adjustedP, verdict }) {
  const { title, unit } = METRICS[metric]
  return [
    `${title}, ${unit}`,
    figureOfRuns(pairs.map(({ base }) => base)),
    figureOfRuns(pairs.map(({ candidate }) => candidate)),
    ratio === null ? MISSING : ratio.toFixed(3),
    ratio === null ? MISSING : change(ratio),
    interval === null ? MISSING : spread(interval),
    adjustedP === null ? MISSING : chance(adjustedP),
    worded(verdict, ratio, metric)
  ]
}

/** @param {string} verdict @param {number | null} ratio @param {MetricComparison['metric']} metric */
function worded(verdict, ratio, metric) {
  if (verdict !== 'different' || ratio === null) return verdict
  const better = METRICS[metric].better === 'higher' ? ratio > 1 : ratio < 1
  return `different: ${better ? 'better' : 'worse'}`
}

/**
 * metricsTable are the cells of the primary metrics.
 *
 * @param {Comparison} comparison
 * @returns {Table}
 */
export const metricsTable = ({ metrics }) => ({
  headings: ['Metric', 'Base', 'Candidate', 'Ratio', 'Change', '95 % interval', 'p (Holm)', 'Verdict'],
  align: ['l', 'r', 'r', 'r', 'r', 'r', 'r', 'l'],
  rows: metrics.map(metricRow)
})

/** @param {string} role @param {SideInfo} side */
function sideLine(role, { label, runs, startedAt, version }) {
  const amount = runs.length === 1 ? '1 run' : `${runs.length} runs`
  return `- ${role}: ${label} (${amount}, ${startedAt.slice(0, 10)}, libp2p-loadtest ${version ?? 'unknown'})`
}

/** @param {unknown} value */
const shown = value =>
  value === null ? 'none' : typeof value === 'object' ? JSON.stringify(value) : String(value)

/** @param {string} title @param {Difference[]} differences */
const differing = (title, differences) =>
  differences.length === 0
    ? []
    : [
        `- ${title}: ${differences.map(({ what, base, candidate }) => `${what} ${shown(base)} → ${shown(candidate)}`).join('; ')}`
      ]

/** @param {Comparison} comparison */
function caveats({ pairs, alternated, metrics, differences }) {
  const marked = metrics.some(metric =>
    metric.pairs.some(({ base, candidate }) => base?.doubtful || candidate?.doubtful)
  )
  return [
    ...(pairs < LEAST_PAIRS
      ? [
          `Too few runs to tell: ${pairs} of the ${LEAST_PAIRS} pairs that are needed. One run says nothing of how far the next would be off; ab repeats them.`
        ]
      : [
          `Different: more than 5 % and p < ${LEVEL} after Holm over the four metrics. Ratio: Hodges–Lehmann estimate over ${pairs} pairs of runs; interval and p: exact sign-flip test.`
        ]),
    ...(pairs >= LEAST_PAIRS && !alternated
      ? [
          'The runs of the two sides did not take turns: a machine that drifted between them counts as a difference.'
        ]
      : []),
    ...(differences.machine.length > 0 ? ['Another machine: what differs may be the machines.'] : []),
    ...(marked
      ? ['* doubtful: the load generator had too large a part in it; what differs may be its own part.']
      : [])
  ]
}

/**
 * ruleLine says how a rule came out.
 *
 * @param {Judged} judged
 */
export function ruleLine({ text, verdict, why, ratio, interval }) {
  const measured =
    ratio === null ? [] : [`measured ${change(ratio)}${interval === null ? '' : ` (${spread(interval)})`}`]
  const said = [...measured, ...(why === null ? [] : [why])].join(', ')
  return `- ${verdict} ${text}${said === '' ? '' : `: ${said}`}`
}

/**
 * comparisonPage says in markdown how a candidate compares with its base.
 *
 * @param {Comparison} comparison
 * @param {string} [tables] - further ones, of all figures
 * @returns {string}
 */
export function comparisonPage(comparison, tables = '') {
  const { base, candidate, differences, rules } = comparison
  const parts = [
    [
      sideLine('base', base),
      sideLine('candidate', candidate),
      ...differing('plans differ in', differences.plan),
      ...differing('machines differ in', differences.machine),
      ...differing('versions differ in', differences.versions)
    ].join('\n'),
    asMarkdown(metricsTable(comparison)),
    caveats(comparison).join('\n'),
    rules.map(ruleLine).join('\n'),
    tables
  ]
  return `${parts.filter(part => part !== '').join('\n\n')}\n`
}
