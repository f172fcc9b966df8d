import { html } from '../../../../kit/html.js'
import { tableOf } from '../../../../kit/html-table.js'
import { ruleFigures } from '../../../../report/rule-line.js'
import { isMissed } from '../../ab-thresholds.js'
import { figureOfRuns, inUnit, shown, thresholdCount } from '../comparison-page.js'

/**
 * @typedef {import('../../ab-comparison.js').AbRead} AbRead
 * @typedef {import('../../plan-differences.js').Difference} Difference
 * @typedef {import('../../../../plan/fail-rule.js').Judged} Judged
 * @typedef {import('../../../../kit/html.js').Html} Html
 */

/** @param {string} verdict */
const verdictCell = verdict => (verdict === 'PASS' ? '✓ PASS' : verdict === 'FAIL' ? '✗ FAIL' : verdict)

/** @param {string} of @param {Judged} rule */
const ruleRow = (of, rule) => [`fail on ${rule.text}`, of, verdictCell(rule.verdict), ruleFigures(rule)]

/**
 * rulesTable says what came of the rules, the baseline and the thresholds that a comparison was held to.
 *
 * @param {AbRead} ab
 * @returns {Html | null} null: it was held to none
 */
export function rulesTable({ comparison: { rules, baseline, thresholds } }) {
  const rows = [
    ...rules.map(rule => ruleRow('B against A', rule)),
    ...(baseline?.rules ?? []).map(rule => ruleRow('B against the baseline', rule)),
    ...thresholds.map(threshold => [
      threshold.text,
      `threshold of ${threshold.arm.toUpperCase()}`,
      verdictCell(isMissed(threshold) ? 'FAIL' : 'PASS'),
      thresholdCount(threshold).slice(threshold.text.length + 4)
    ])
  ]
  if (rows.length === 0) return null
  return tableOf(
    { headings: ['Rule', 'Of', 'Verdict', 'By'], align: ['l', 'l', 'l', 'l'], rows },
    { label: 'Rules' }
  )
}

/**
 * differencesTable names what differs between the two sides.
 *
 * @param {Difference[]} differences
 * @param {string} label
 * @returns {Html}
 */
export const differencesTable = (differences, label) =>
  tableOf(
    {
      headings: [label, 'A', 'B'],
      align: ['l', 'l', 'l'],
      rows: differences.map(({ what, base, candidate }) => [what, shown(base), shown(candidate)])
    },
    { label }
  )

/** @param {string | null} run @param {ReadonlyMap<string, string>} links */
function runCell(run, links) {
  if (run === null) return 'not complete'
  const name = run.slice(run.lastIndexOf('-') + 1)
  const href = links.get(run)
  return href === undefined ? name : html`<a href="${href}">${name}</a>`
}

/**
 * runsTable are the primary metrics of every run, pair by pair, each with the way to its own page.
 *
 * @param {AbRead} ab
 * @param {ReadonlyMap<string, string>} links - by the run's folder
 * @returns {Html}
 */
export function runsTable({ document: { pairs }, comparison }, links) {
  let compared = 0
  const rows = pairs.map(({ a, b }, i) => {
    const whole = a !== null && b !== null && compared < comparison.pairs
    const place = whole ? compared++ : null
    const figures = comparison.metrics.flatMap(metric => {
      const pair = place === null ? undefined : metric.pairs[place]
      return [figureOfRuns([pair?.base ?? null]), figureOfRuns([pair?.candidate ?? null])]
    })
    return [String(i + 1), runCell(a, links), runCell(b, links), ...figures]
  })
  const headings = comparison.metrics.flatMap(({ figure }) => [`A ${inUnit(figure)}`, `B ${inUnit(figure)}`])
  return tableOf(
    {
      headings: ['Pair', 'A', 'B', ...headings],
      align: ['r', 'l', 'l', ...headings.map(() => /** @type {const} */ ('r'))],
      rows
    },
    { label: 'Every run' }
  )
}
