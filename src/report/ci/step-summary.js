import { counted } from '../../kit/numbers.js'
import { asMarkdown, literal } from '../../kit/table.js'
import { isMet, unmet } from './checks.js'

/**
 * @typedef {import('./checks.js').Check} Check
 * @typedef {import('./checks.js').Checked} Checked
 */

/** So many are all listed; of more only those that did not pass. */
const MOST_LISTED = 25
/** A step has 1 MiB for its summary, and may run several commands. */
const MOST_FIGURES = 100_000

/** @param {string} text - of others, on one line of a table */
const cell = text => literal(text.replaceAll(/\s+/g, ' '))

/** @param {Check} check @param {Checked} checked */
const signOf = (check, checked) =>
  isMet(check, checked)
    ? check.verdict === 'pass'
      ? '✅'
      : '➖'
    : check.verdict === 'undecided'
      ? '❔'
      : '❌'

/** @param {Check} check @param {Checked} checked */
const foundIn = (check, checked) =>
  [check.found, isMet(check, checked) ? '' : (check.because ?? '')].filter(text => text !== '').join(': ')

/** @param {readonly Check[]} checks @param {Checked} checked */
const tableOf = (checks, checked) =>
  asMarkdown({
    headings: ['', 'Check', 'Of', 'Found'],
    align: ['l', 'l', 'l', 'l'],
    rows: checks.map(check => [
      `${signOf(check, checked)} ${check.verdict}`,
      cell(check.name),
      cell(check.group),
      cell(foundIn(check, checked))
    ])
  })

/** @param {Checked} checked */
function verdictWords(checked) {
  const failed = unmet(checked)
  const all = counted(checked.checks.length, 'check')
  if (failed.length === 0) return `✅ ${all}, none failed.`
  const decided = failed.filter(({ verdict }) => verdict !== 'undecided').length
  const open = failed.length - decided
  const said = [decided > 0 ? `${decided} failed` : '', open > 0 ? `${open} undecided` : '']
  return `❌ ${all}, ${said.filter(text => text !== '').join(', ')}.`
}

/**
 * stepSummary is what was held to something as markdown for the summary of a step of GitHub Actions.
 *
 * @param {Checked} checked
 * @returns {string}
 */
export function stepSummary(checked) {
  const { kind, name, checks } = checked
  const figures = checked.figures?.().trim() ?? ''
  const few = checks.length <= MOST_LISTED
  const listed = few ? checks : checks.filter(({ verdict }) => verdict !== 'pass')
  const parts = [
    `### ${cell(kind)} ${cell(name)}`,
    verdictWords(checked),
    ...(listed.length === 0 ? [] : [tableOf(listed, checked)]),
    ...(few ? [] : [`${counted(checks.length - listed.length, 'check')} that passed left out.`]),
    ...(figures === '' || figures.length > MOST_FIGURES
      ? []
      : [`<details><summary>What was measured</summary>\n\n${figures}\n\n</details>`])
  ]
  return `${parts.join('\n\n')}\n\n`
}
