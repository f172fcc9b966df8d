import { MISSING, significant } from '../../../kit/numbers.js'
import { countedResults } from '../row-runs.js'

/**
 * @typedef {import('../../../result/types.js').AnyResult} AnyResult
 * @typedef {import('../../../result/types.js').Lateness} Lateness
 * @typedef {import('../../../result/types.js').Warning} Warning
 */

/** @type {Record<string, string>} */
const CAUSES = { generator: 'generator `*`', machine: 'machine `*m`', unknown: 'not known `*?`' }

/** The same as over the columns of the table. @param {string} name */
const percentile = name => name.replace('p999', 'p99.9')

/** @param {Warning} warning */
const isMark = ({ values }) => Array.isArray(values.percentiles)

/** Of the part of the run that the mark is in. @param {AnyResult} result @param {Warning} warning @returns {Lateness | undefined} */
function latenessOf({ outcome, run }, { values }) {
  const { latency } = /** @type {any} */ (outcome)
  return values.part === 'latency' ? latency?.lateness : run.lateness
}

/** What those who generate load did most of, or waited most for. @param {Lateness | undefined} lateness @param {'ownPercent' | 'waitedPercent'} what */
function mostOf(lateness, what) {
  const workers = (lateness?.processes ?? []).filter(({ name }) => name.startsWith('worker'))
  const known = workers.flatMap(worker => worker[what] ?? [])
  return known.length === 0 ? MISSING : significant(Math.max(...known))
}

/** @param {number | null | undefined} value */
const cell = value => (value == null ? MISSING : significant(value))

/** @param {string} name @param {AnyResult} result @param {Warning} mark @returns {string[]} */
function line(name, result, mark) {
  const {
    type,
    times,
    percentiles,
    cause = 'generator',
    part
  } = /** @type {Record<string, any>} */ (mark.values)
  const lateness = latenessOf(result, mark)
  return [
    name,
    `${part === 'latency' ? 'latency of ' : ''}${type ?? times} ${percentiles.map(percentile).join(', ')}`,
    CAUSES[cause] ?? cause,
    mostOf(lateness, 'ownPercent'),
    mostOf(lateness, 'waitedPercent'),
    cell(lateness?.pressurePercent),
    cell(lateness?.hiccups.p99?.ms)
  ]
}

/**
 * marksLeft lists row by row the percentiles that are marked, who added too much to them, and what was seen of it: how long those who
 * generate load worked and waited for a core, how long anything waited for one, and hiccups of the machine.
 *
 * @param {import('../matrix-folder.js').TableRecord} table
 * @param {ReadonlyMap<string, AnyResult>} results - by row id, those of attempts by their paths
 * @returns {import('../../../kit/table.js').Table | null} null: none is marked
 */
export function marksLeft({ id, rows }, results) {
  const marked = countedResults(rows, results).flatMap(([name, result]) =>
    result.run.warnings.filter(isMark).map(mark => line(name.replace(`${id}/`, ''), result, mark))
  )
  return marked.length === 0
    ? null
    : {
        headings: [
          ...['Row', 'Marked', 'Added by', 'Generator worked, %', 'Generator waited for a core, %'],
          ...['Anything waited, %', 'Hiccups p99, ms']
        ],
        align: ['l', 'l', 'l', 'r', 'r', 'r', 'r'],
        rows: marked
      }
}
