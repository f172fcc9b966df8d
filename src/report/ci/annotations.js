import { counted } from '../../kit/numbers.js'
import { unmet } from './checks.js'

/**
 * @typedef {import('./checks.js').Check} Check
 * @typedef {import('./checks.js').Checked} Checked
 */

/** GitHub shows as many of each kind of a step: https://docs.github.com/en/rest/checks/runs, and the runner's limits. */
const MOST_SHOWN = 10

/** @param {string} text - as the value of a workflow command */
const escaped = text => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

/** @param {string} text - as that of one of its properties */
const asProperty = text => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** @param {'error' | 'warning'} kind @param {string} title @param {string} text */
const annotation = (kind, title, text) => `::${kind} title=${asProperty(title)}::${escaped(text)}`

/** @param {Check} check */
const saidOf = ({ verdict, found, because }) =>
  `${[verdict === 'undecided' ? 'undecided' : '', found, because ?? ''].filter(text => text !== '').join(': ') || verdict}`

/**
 * annotations are workflow commands of GitHub Actions that show what failed beside the run, and in pull requests:
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands.
 *
 * @param {Checked} checked
 * @returns {string[]} lines
 */
export function annotations(checked) {
  const failed = unmet(checked)
  const open = checked.checks.filter(check => check.verdict === 'undecided' && !failed.includes(check))
  const shown = failed.length > MOST_SHOWN ? failed.slice(0, MOST_SHOWN - 1) : failed
  const where = `${checked.kind} ${checked.name}`
  return [
    ...shown.map(check => annotation('error', check.name, `${saidOf(check)} (${check.group}, ${where})`)),
    ...(shown.length < failed.length
      ? [
          annotation(
            'error',
            `${counted(failed.length - shown.length, 'more check')} failed`,
            `see the step's summary (${where})`
          )
        ]
      : []),
    ...open
      .slice(0, MOST_SHOWN)
      .map(check => annotation('warning', check.name, `${saidOf(check)} (${check.group}, ${where})`))
  ]
}
