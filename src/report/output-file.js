import { constants } from 'node:fs'
import { access, appendFile, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { MISSING } from '../kit/numbers.js'
import { rateInWords } from './arrival-words.js'
import { resultCells } from './result-table.js'
import { SOURCE_FIGURES } from './source-figures.js'
import { figure, operationsOf, throughput } from './table.js'
import { failedTexts, thresholdVerdict } from './threshold-lines.js'

/**
 * @typedef {import('../result/types.js').Result} Result
 * @typedef {import('../result/gossip-types.js').AnyResult} AnyResult
 * @typedef {import('../result/types.js').OperationType} OperationType
 * @typedef {import('../result/types.js').OperationResult} OperationResult
 * @typedef {import('../result/types.js').Record_} Record_
 * @typedef {import('../plan/read-options.js').Problem} Problem
 */

/** A cell of the file: its column's heading and how it is filled. Numbers are not grouped, so that programs read them. */
/** @typedef {[string, (row: { result: Result, type: OperationType, operation: OperationResult }) => string]} Column */

const ungrouped = String

/** @param {Result['plan']} plan of an open model */
const paceOf = ({ arrivals, ratePerSecond }) =>
  typeof arrivals === 'string' ? `${ratePerSecond}/s` : rateInWords(arrivals, ratePerSecond ?? 0)

/** @type {readonly Column[]} exactly those of the program this one follows */
const SOURCE_COLUMNS = Object.freeze([
  ['Type', ({ type }) => type],
  ['Clients', ({ result }) => String(result.plan.nClients)],
  ['Io Reg', ({ result }) => String(result.plan.initialRegistrations)],
  ['Namespaces', ({ result }) => String(result.plan.nNamespaces)],
  ['Ops', ({ operation }) => String(operation.count)],
  ...SOURCE_FIGURES.map(
    ({ heading, measured }) => /** @type {Column} */ ([heading, row => measured(row, ungrouped)])
  )
])

/** @type {readonly Column[]} */
const OUR_COLUMNS = Object.freeze([
  ['Errors', ({ operation }) => String(operation.errors)],
  ['Op/s', ({ operation }) => throughput(operation, ungrouped)],
  ['p90 RT', ({ operation }) => figure(operation.rt.all.p90, ungrouped)],
  ['p95 RT', ({ operation }) => figure(operation.rt.all.p95, ungrouped)],
  ['p99 RT', ({ operation }) => figure(operation.rt.all.p99, ungrouped)],
  ['p99.9 RT', ({ operation }) => figure(operation.rt.all.p999, ungrouped)],
  ['Model', ({ result }) => (result.plan.ratePerSecond === null ? 'closed' : `open ${paceOf(result.plan)}`)],
  ['Limit', ({ result }) => String(result.plan.discoverLimit)],
  ['Seed', ({ result }) => String(result.plan.seed)],
  ['Ops a round', ({ result }) => String(result.plan.benchmarkRuns ?? MISSING)],
  ['Status', ({ result }) => result.status],
  ['Run', ({ result }) => result.id]
])

const COLUMNS = Object.freeze([...SOURCE_COLUMNS, ...OUR_COLUMNS])

/** In a table that began with a run that had thresholds. @type {Column} */
const THRESHOLDS = ['Thresholds', ({ result }) => thresholdCell(result)]

const COLUMNS_WITH_THRESHOLDS = Object.freeze([...COLUMNS, THRESHOLDS])

/** @param {Result} result */
function thresholdCell(result) {
  const failed = failedTexts(result)
  return failed === '' ? (thresholdVerdict(result) ?? MISSING) : `FAIL: ${failed}`
}

/** @param {string[]} cells */
const line = cells => `| ${cells.join(' | ')} |`

/** @param {readonly Column[]} columns */
const headerOf = columns => line(columns.map(([heading]) => heading))

/** The first line of the last table of a file. @param {string} content */
const lastHeader = content =>
  content
    .slice(content.lastIndexOf('\n\n') + 1)
    .trim()
    .split('\n')[0]

/**
 * The columns of the table that a file ends in, as far as a result fits into it; else those of a table of its own.
 *
 * @param {string} content
 * @param {Result} result
 * @returns {readonly Column[]}
 */
function columnsFor(content, result) {
  const header = lastHeader(content)
  if (header === headerOf(COLUMNS_WITH_THRESHOLDS)) return COLUMNS_WITH_THRESHOLDS
  return thresholdVerdict(result) === null ? COLUMNS : COLUMNS_WITH_THRESHOLDS
}

/**
 * @param {string} content
 * @param {Result} result
 * @returns {{ headings: string[], rows: string[][] }}
 */
function operationRows(content, result) {
  const columns = columnsFor(content, result)
  return {
    headings: columns.map(([heading]) => heading),
    rows: operationsOf(result).map(([type, operation]) =>
      columns.map(([, cell]) => cell({ result, type, operation }))
    )
  }
}

/**
 * appendix is the text to append to an output file: the rows of a result, and the header before them unless the file
 * already ends in a table that they fit into.
 *
 * @param {string} content - of the file so far
 * @param {AnyResult} result
 * @returns {string} empty when nothing was measured
 */
export function appendix(content, result) {
  const { headings, rows } =
    'operations' in result.outcome ? operationRows(content, /** @type {any} */ (result)) : resultCells(result)
  if (rows.length === 0) return ''
  const lineEnd = content === '' || content.endsWith('\n') ? '' : '\n'
  const lines = rows.map(line)
  if (lastHeader(content) === line(headings)) return `${lineEnd}${lines.join('\n')}\n`
  const head = [line(headings), line(headings.map(() => '---'))]
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
 * @returns {{ add(record: Record_): Promise<void>, close(): void }}
 */
export const outputFile = path => ({
  async add(record) {
    if (record.type === 'result') await appendFile(path, appendix(await contentOf(path), record.result))
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
 * outputFileProblem says why a file could not be appended to, before anything is started.
 *
 * @param {string} path
 * @returns {Promise<Problem | null>}
 */
export async function outputFileProblem(path) {
  const allowed = await obstacle(path)
  return allowed === null ? null : { flag: '--outputFile', value: path, allowed }
}
