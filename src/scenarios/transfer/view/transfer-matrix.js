import { grouped, MISSING, significant } from '../../../kit/numbers.js'
import { sizeText } from '../../../kit/units.js'
import { transferPlan } from '../transfer-plan.js'
import { roundWords } from './round-words.js'
import { transfersInLine } from './transfer-words.js'

/**
 * @typedef {import('../transfer-types.js').TransferResult} TransferResult
 * @typedef {import('../transfer-types.js').Case} Case
 * @typedef {import('../../../studies/matrix/matrix-folder.js').RowRecord} RowRecord
 */

/** @param {RowRecord} row @param {TransferResult | undefined} result a line for each way in each round */
const lines = (row, result) =>
  result === undefined || result.outcome.cases.length === 0
    ? [{ row }]
    : result.outcome.cases.map(each => ({ row, result, transferCase: each }))

/** @param {(of: Case) => string} cell */
const ofCase =
  cell =>
  (/** @type {any} */ { transferCase }) =>
    transferCase === undefined ? MISSING : cell(transferCase)

/** @param {number | null} value */
const number = value => (value === null ? MISSING : significant(value))

const COLUMNS = [
  {
    heading: 'Size',
    cell: (/** @type {{ row: RowRecord }} */ { row }) => sizeText(transferPlan(row.plan).sizeBytes)
  },
  { heading: 'Round', align: /** @type {const} */ ('l'), cell: ofCase(roundWords) },
  { heading: 'Way', align: /** @type {const} */ ('l'), cell: ofCase(({ way }) => way) },
  { heading: 'Seconds', cell: ofCase(({ seconds }) => number(seconds.median)) },
  { heading: 'Slowest', cell: ofCase(({ seconds }) => number(seconds.slowest)) },
  {
    heading: 'MB/s',
    cell: ofCase(({ goodput }) => (goodput.median === null ? MISSING : significant(goodput.median / 1e6)))
  },
  { heading: '× http', cell: ofCase(({ factorToHttp }) => number(factorToHttp?.median ?? null)) },
  { heading: 'Limited by', align: /** @type {const} */ ('l'), cell: ofCase(({ verdict }) => verdict.text) }
]

/** TRANSFER_MATRIX is what a matrix of transfers shows. @type {import('../../../report/scenario-matrix.js').ScenarioMatrix<any>} */
export const TRANSFER_MATRIX = {
  columns: () => COLUMNS,
  lines,
  signs: [],
  setting: (/** @type {TransferResult[]} */ results) => [
    `- Each row: ${grouped(results[0]?.plan.repeats ?? 0)} repeats of each way in each round, in Latin squares; the line is at the socket`
  ],
  words: { work: 'bytes', members: 'requestors' },
  lead: (/** @type {TransferResult[]} */ results) =>
    `${grouped(results.length)} rows of transfers were measured.`,
  withoutPlots: 'No plots: each row has its own, on its page.',
  inLine: transfersInLine
}
