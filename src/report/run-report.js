import { grouped, spell } from '../kit/numbers.js'
import { asMarkdown } from '../kit/table.js'
import { tookMs } from './ci/end-checks.js'
import { resultNotes } from './notes.js'
import { headLines } from './progress-words.js'
import { planCommandLine, repeatCommandLine } from './repeat.js'
import { resultTable } from './result-table.js'
import { shortJson } from './short-json.js'

/** @typedef {import('../result/types.js').AnyResult} AnyResult */

/** @param {string} time ISO 8601 */
const inWords = time => `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`

/** @param {AnyResult} result */
function when({ status, run }) {
  const took = tookMs(run)
  return `${status === 'complete' ? 'Complete' : 'Partial'}: began ${inWords(run.startedAt)}, ${took === undefined ? 'its end was not written' : `took ${spell(took)}`}.`
}

/** @param {unknown} value @returns {string} */
function words(value) {
  if (Array.isArray(value)) return value.map(item => item?.text ?? words(item)).join('; ')
  return value !== null && typeof value === 'object' ? shortJson(value) : String(value)
}

/** @param {unknown} value */
const cell = value => words(value).replaceAll('|', '\\|')

/** @param {string} name @param {object} values */
const listed = (name, values) =>
  asMarkdown({
    headings: [name, ''],
    align: ['l', 'l'],
    rows: Object.entries(values).map(([key, value]) => [key, cell(value)])
  })

/** @param {AnyResult} result */
function machine({ run: { machine } }) {
  const { memoryBytes, loadAverage, ...rest } = machine
  return {
    ...rest,
    memory: `${grouped(memoryBytes / 1e6)} MB`,
    'load average at the start': loadAverage.map(load => load.toFixed(2)).join(', ')
  }
}

/**
 * runReport is the markdown page of one run: the table with its notes, and what is needed to repeat it.
 *
 * @param {AnyResult} result
 * @param {object} where
 * @param {string} where.folder - path of the run's folder, as a user types it
 * @param {import('./view.js').View} where.view
 * @returns {string}
 */
export function runReport(result, { folder, view }) {
  const { id, plan, run } = result
  const parts = [
    `# ${id}`,
    headLines({ plan, run }, run.versions['libp2p-loadtest'] ?? '', view).join('  \n'),
    when(result),
    resultTable(result, view),
    resultNotes(result, view)
      .map(note => `- ${note}`)
      .join('\n'),
    ...view.parts(result),
    '## Once more',
    ['```', repeatCommandLine(folder, plan, view.scenario), '```'].join('\n'),
    'The same, without this result at hand:',
    ['```', planCommandLine(plan, view.scenario), '```'].join('\n'),
    '## Plan',
    listed('Parameter', plan),
    '## Where',
    listed('Machine', machine(result)),
    listed('Version', run.versions)
  ]
  return `${parts.filter(part => part !== '').join('\n\n')}\n`
}
