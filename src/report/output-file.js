import { constants } from 'node:fs'
import { access, appendFile, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { MISSING } from '../kit/numbers.js'
import { visibleLine } from '../kit/visible.js'
import { STANDARD_OUTPUT } from '../plan/shared-options.js'
import { plainText } from './description/kinds.js'
import { failedTexts, thresholdVerdict } from './threshold-lines.js'

/**
 * @typedef {import('../result/types.js').AnyResult} AnyResult
 * @typedef {import('../result/types.js').Record_} Record_
 * @typedef {import('../plan/read-options.js').Problem} Problem
 * @typedef {import('./view.js').View} View
 */

/** What every row ends with: whose it is. @type {readonly (readonly [heading: string, of: (result: AnyResult) => string])[]} */
const OF_RUN = [
  ['Thresholds', result => verdictText(result)],
  ['Seed', ({ plan }) => String(plan.seed)],
  ['Status', ({ status }) => status],
  ['Run', ({ id }) => id]
]

/** @param {AnyResult} result */
const verdictText = result =>
  thresholdVerdict(result) === 'FAIL' ? `FAIL: ${failedTexts(result)}` : (thresholdVerdict(result) ?? MISSING)

/** Those that a scenario's table does not have itself. @param {readonly string[]} headings */
const ofRun = headings => OF_RUN.filter(([heading]) => !headings.includes(heading))

/** @param {string[]} cells */
const rowLine = cells => `| ${cells.map(cell => visibleLine(cell).replaceAll('|', '\\|')).join(' | ')} |`

/** The first line of the last table of a file. @param {string} content */
const lastHeader = content =>
  content
    .slice(content.lastIndexOf('\n\n') + 1)
    .trim()
    .split('\n')[0]

/**
 * appendix is the text to append to an output file: the rows of a result's first table, and the header before them unless the file
 * already ends in a table that they fit into.
 *
 * @param {string} content - of the file so far
 * @param {AnyResult} result
 * @param {View} view
 * @returns {string} empty when nothing was measured
 */
export function appendix(content, result, { describeResult }) {
  const [first] = describeResult(result).tables
  if (first === undefined || first.rows.length === 0) return ''
  const { columns, rows } = first
  const own = columns.map(([heading]) => heading)
  const behind = ofRun(own)
  const headings = [...own, ...behind.map(([heading]) => heading)]
  const lineEnd = content === '' || content.endsWith('\n') ? '' : '\n'
  const lines = rows.map(row =>
    rowLine([...row.map((cell, i) => plainText(cell, columns[i][1])), ...behind.map(([, of]) => of(result))])
  )
  if (lastHeader(content) === rowLine(headings)) return `${lineEnd}${lines.join('\n')}\n`
  const head = [rowLine(headings), rowLine(headings.map(() => '---'))]
  return `${lineEnd}${content === '' ? '' : '\n'}${[...head, ...lines].join('\n')}\n`
}

/** @param {string} path */
const contentOf = path =>
  readFile(path, 'utf8').catch(error => {
    if (error.code === 'ENOENT') return ''
    throw error
  })

/**
 * outputFile appends the rows of a result to a markdown file.
 *
 * @param {string} path
 * @param {View} view
 * @returns {{ add(record: Record_): Promise<void>, close(): void }}
 */
export const outputFile = (path, view) => ({
  async add(record) {
    if (record.type === 'result') await appendFile(path, appendix(await contentOf(path), record.result, view))
  },
  close() {}
})

/** @param {string} path @returns {Promise<string | null>} what keeps it from being written */
async function obstacle(path) {
  const found = await stat(path).catch(() => null)
  if (found?.isDirectory()) return 'is a folder: name a file'
  const parent = found === null ? await stat(dirname(path)).catch(() => null) : null
  if (found === null && !parent?.isDirectory()) return `cannot be made: there is no folder ${dirname(path)}`
  const allowed = await access(found === null ? dirname(path) : path, constants.W_OK).then(
    () => true,
    () => false
  )
  return allowed ? null : 'cannot be written: choose another file or change its permissions'
}

/**
 * otherTable says whether a file ends in a table that rows of a plan do not fit into.
 *
 * @param {string} path
 * @param {import('../plan/plan.js').AnyPlan} plan
 * @param {Pick<View, 'describePlan'>} view
 * @returns {Promise<Problem | null>}
 */
export async function otherTable(path, plan, { describePlan }) {
  const { columns } = describePlan(plan)
  if (columns === null) return null
  const header = lastHeader(await contentOf(path))
  const own = rowLine([...columns, ...ofRun(columns).map(([heading]) => heading)])
  if (!header.startsWith('|') || header === own) return null
  const allowed = 'ends in a table with other columns, as of another scenario or version: name another file'
  return { flag: '--outputFile', value: path, allowed }
}

/**
 * outputFileProblem says why a file could not be written, before anything is started.
 *
 * @param {string} path
 * @param {string} [flag] - that names it
 * @returns {Promise<Problem | null>}
 */
export async function outputFileProblem(path, flag = '--outputFile') {
  const allowed = await obstacle(path)
  return allowed === null ? null : { flag, value: path, allowed }
}

/** @typedef {{ plan: import('../plan/plan.js').AnyPlan, scenario: import('../scenarios/scenario.js').Scenario }} Written - of whose results the files are */

/** @param {string} path @param {{ json: boolean }} output @returns {Promise<Problem | null>} */
async function linesProblem(path, { json }) {
  if (path !== STANDARD_OUTPUT) return outputFileProblem(path, '--jsonLines')
  const allowed = 'cannot stand beside --json, which has standard output for itself: name a file'
  return json ? { flag: '--jsonLines', value: path, allowed } : null
}

/** @param {string} path @param {Written | null} written @returns {Promise<Problem | null>} */
async function tableProblem(path, written) {
  const problem = await outputFileProblem(path)
  return (
    problem ?? (written === null ? null : otherTable(path, written.plan, await written.scenario.describe()))
  )
}

/**
 * outputProblems says which files that are named cannot be written, before anything is started.
 *
 * @param {Pick<import('../plan/plan.js').Output, 'outputFile' | 'hdrFile' | 'deliveriesFile' | 'junit' | 'jsonLines' | 'json'>} output
 * @param {Written | null} [written] - null: it is not known yet
 * @returns {Promise<Problem[]>}
 */
export async function outputProblems(output, written = null) {
  const { outputFile, hdrFile = null, deliveriesFile = null, junit, jsonLines } = output
  const problems = [
    outputFile === null ? null : await tableProblem(outputFile, written),
    hdrFile === null ? null : await outputFileProblem(hdrFile, '--hdr'),
    deliveriesFile === null ? null : await outputFileProblem(deliveriesFile, '--deliveries'),
    junit === null ? null : await outputFileProblem(junit, '--junit'),
    jsonLines === null ? null : await linesProblem(jsonLines, output)
  ]
  return problems.filter(problem => problem !== null)
}
