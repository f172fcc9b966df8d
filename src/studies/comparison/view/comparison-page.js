import { present } from '../../../kit/lists.js'
import { median } from '../../../kit/median.js'
import { MISSING, significant } from '../../../kit/numbers.js'
import { asMarkdown } from '../../../kit/table.js'
import { UNITS } from '../../../kit/units.js'
import { baselineLines } from '../../../report/baseline-lines.js'
import { change, changeSpan } from '../../../report/change.js'
import { ruleLine } from '../../../report/rule-line.js'
import { isMissed } from '../ab-thresholds.js'
import { LEVEL } from '../compare-metrics.js'

/**
 * @typedef {import('../comparison.js').Comparison} Comparison
 * @typedef {import('../comparison.js').SideInfo} SideInfo
 * @typedef {import('../compare-metrics.js').MetricComparison} MetricComparison
 * @typedef {import('../compared-figures.js').Compared} Compared
 * @typedef {import('../../../measure/figure.js').Figure} Figure
 * @typedef {import('../plan-differences.js').Difference} Difference
 * @typedef {import('../ab-comparison.js').AbComparison} AbComparison
 * @typedef {import('../ab-thresholds.js').ArmThreshold} ArmThreshold
 * @typedef {import('../../../kit/table.js').Table} Table
 */

/** @param {number} p */
const chance = p => (p < 0.001 ? '< 0.001' : p.toFixed(3))

/**
 * figureOfRuns writes the figure of one run, or the median of those of several.
 *
 * @param {(Compared | null)[]} figures
 */
export function figureOfRuns(figures) {
  const known = figures.filter(figure => figure !== null)
  if (known.length === 0 || known.length < figures.length) return MISSING
  const value = median(known.map(figure => figure.value))
  const atLeast = known.some(figure => figure.atLeast)
  return `${atLeast ? '> ' : ''}${significant(value)}${known.some(({ doubtful }) => doubtful) ? '*' : ''}`
}

/**
 * inUnit is a figure as the heading of a column.
 *
 * @param {Figure} figure
 */
export const inUnit = ({ title, unit, quantity }) => `${title}, ${unit ?? UNITS[quantity].own}`

/** @param {MetricComparison} comparison */
function metricRow(comparison) {
  const { figure, pairs, ratio, interval, p, adjustedP } = comparison
  return [
    inUnit(figure),
    figureOfRuns(pairs.map(({ base }) => base)),
    figureOfRuns(pairs.map(({ candidate }) => candidate)),
    ratio === null ? MISSING : ratio.toFixed(3),
    ratio === null ? MISSING : change(ratio),
    interval === null ? MISSING : changeSpan(interval),
    p === null ? MISSING : chance(p),
    adjustedP === null ? MISSING : chance(adjustedP),
    verdictWords(comparison)
  ]
}

/**
 * verdictWords says what was found of a metric, and whether a difference is for the better.
 *
 * @param {Pick<MetricComparison, 'figure' | 'ratio' | 'verdict'>} comparison
 */
export function verdictWords({ verdict, ratio, figure }) {
  if (verdict === 'not measured' && ratio !== null) return 'not measured in every run'
  if (verdict !== 'different' || ratio === null) return verdict
  const better = figure.better === 'higher' ? ratio > 1 : ratio < 1
  return `different: ${better ? 'better' : 'worse'}`
}

/**
 * metricsTable are the cells of the primary metrics.
 *
 * @param {Comparison} comparison
 * @returns {Table}
 */
export const metricsTable = ({ metrics }) => ({
  headings: ['Metric', 'Base', 'Candidate', 'Ratio', 'Change', '95 % interval', 'p', 'p (Holm)', 'Verdict'],
  align: ['l', 'r', 'r', 'r', 'r', 'r', 'r', 'r', 'l'],
  rows: metrics.map(metricRow)
})

/** @param {string} role @param {SideInfo} side */
function sideLine(role, { label, runs, startedAt, version }) {
  const amount = runs.length === 1 ? '1 run' : `${runs.length} runs`
  return `- ${role}: ${label} (${amount}, ${startedAt.slice(0, 10)}, libp2p-loadtest ${version ?? 'unknown'})`
}

/**
 * shown writes a value of a plan, a machine or a version.
 *
 * @param {unknown} value
 */
export const shown = value => {
  if (value === null) return 'none'
  if (Array.isArray(value) && value.every(item => typeof item === 'string')) return value.join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** @param {string} title @param {Difference[]} differences */
const differing = (title, differences) =>
  differences.length === 0
    ? []
    : [
        `- ${title}: ${differences.map(({ what, base, candidate }) => `${what} ${shown(base)} → ${shown(candidate)}`).join('; ')}`
      ]

/**
 * isMarked says whether a figure of a comparison is doubtful.
 *
 * @param {readonly MetricComparison[]} metrics
 */
export const isMarked = metrics =>
  metrics.some(({ pairs }) => pairs.some(({ base, candidate }) => base?.doubtful || candidate?.doubtful))

/** @param {number} n */
const numeral = n => ({ 4: 'four', 9: 'nine' })[n] ?? String(n)

/**
 * caveats say how much the verdicts of a comparison are worth.
 *
 * @param {Comparison} comparison
 * @returns {string[]}
 */
export function caveats({ compared, pairs, leastPairs, alternated, metrics, differences }) {
  return present([
    ...(pairs < leastPairs
      ? [
          `Too few runs to tell: ${pairs} of the ${leastPairs} pairs that are needed. One run says nothing of how far the next would be off; ab repeats them.`
        ]
      : [
          `Different: more than 5 % and p < ${LEVEL} after Holm over the ${numeral(metrics.length)} metrics; the same: the 90 % interval lies within 5 %; else undecided. Ratio: Hodges–Lehmann estimate over ${pairs} pairs of runs; interval and p: exact sign-flip test.`
        ]),
    pairs >= leastPairs &&
      !alternated &&
      'The runs of the two sides did not take turns: a machine that drifted between them counts as a difference.',
    differences.machine.length > 0 && 'Another machine: what differs may be the machines.',
    isMarked(metrics) && `* doubtful: ${compared.doubtful('it', ';')}`
  ])
}

/**
 * thresholdCount says in how many runs of a plan a threshold held.
 *
 * @param {ArmThreshold} threshold
 */
export const thresholdCount = ({ arm, text, runs, passed }) =>
  `${arm.toUpperCase()} ${text}: held in ${passed} of ${runs} ${runs === 1 ? 'run' : 'runs'}`

/** @param {ArmThreshold} threshold */
const thresholdLine = threshold => `- ${isMissed(threshold) ? 'FAIL' : 'PASS'} ${thresholdCount(threshold)}`

/**
 * comparisonPage says in markdown how a candidate compares with its base.
 *
 * @param {Comparison & Partial<Pick<AbComparison, 'baseline' | 'thresholds'>>} comparison
 * @param {string} [tables] - further ones, of all figures
 * @returns {string}
 */
export function comparisonPage(comparison, tables = '') {
  const { base, candidate, differences, rules, thresholds = [], baseline = null } = comparison
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
    thresholds.map(thresholdLine).join('\n'),
    baseline === null ? '' : baselineLines(baseline).trimEnd(),
    tables
  ]
  return `${parts.filter(part => part !== '').join('\n\n')}\n`
}
