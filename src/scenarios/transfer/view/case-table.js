import { grouped, MISSING, megabytes, significant } from '../../../kit/numbers.js'
import { bandwidthWords, latencyWords } from './round-words.js'

/**
 * @typedef {import('../transfer-types.js').Case} Case
 * @typedef {import('../transfer-types.js').TransferResult} TransferResult
 * @typedef {(whole: number) => string} Whole
 */

/** @param {number | null} value @param {Whole} whole */
const number = (value, whole) => (value === null ? MISSING : significant(value, whole))

/** @param {{ median: number | null, low: number | null, high: number | null }} of @param {Whole} whole @param {number} [scale] */
function withInterval({ median, low, high }, whole, scale = 1) {
  if (median === null) return MISSING
  const write = (/** @type {number} */ value) => significant(value / scale, whole)
  return low === null || high === null ? write(median) : `${write(median)} (${write(low)} to ${write(high)})`
}

/** @param {number | null} provider @param {number | null} requestors @param {Whole} whole */
const bothSides = (provider, requestors, whole) =>
  provider === null && requestors === null
    ? MISSING
    : `${number(provider, whole)} / ${number(requestors, whole)}`

/** @type {readonly (readonly [heading: string, align: 'l' | 'r', cell: (of: Case, whole: Whole) => string])[]} */
const COLUMNS = [
  ['Latency', 'r', ({ latencyMs }) => latencyWords(latencyMs)],
  ['Bandwidth', 'r', ({ bytesPerSecond }) => bandwidthWords(bytesPerSecond)],
  ['Way', 'l', ({ way }) => way],
  ['Seconds', 'r', ({ seconds }, whole) => withInterval(seconds, whole)],
  ['Slowest', 'r', ({ seconds }, whole) => number(seconds.slowest, whole)],
  ['First byte ms', 'r', ({ firstByteMs }, whole) => number(firstByteMs.median, whole)],
  ['Wait ms', 'r', ({ waitMs }, whole) => number(waitMs.median, whole)],
  ['MB/s', 'r', ({ goodput }, whole) => withInterval(goodput, whole, 1e6)],
  [
    'Model MB/s',
    'r',
    ({ model }, whole) => number(model.bytesPerSecond === null ? null : model.bytesPerSecond / 1e6, whole)
  ],
  [
    '× http',
    'r',
    ({ factorToHttp }, whole) => (factorToHttp === null ? MISSING : withInterval(factorToHttp, whole))
  ],
  ['Wire/byte', 'r', ({ wirePerByte }) => (wirePerByte === null ? MISSING : wirePerByte.toFixed(3))],
  [
    'CPU s/GB',
    'r',
    ({ cpuSecondsPerGB: { provider, requestors } }, whole) => bothSides(provider, requestors, whole)
  ],
  [
    'Peak MB',
    'r',
    ({ peakBytes: { provider, requestor } }, whole) =>
      provider === null && requestor === null
        ? MISSING
        : `${megabytes(provider, whole)} / ${megabytes(requestor, whole)}`
  ],
  ['Limited by', 'l', ({ verdict }) => verdict.limit]
]

/** Columns that say nothing where a collection of memory came between. */
const TIMED = new Set([
  'Seconds',
  'Slowest',
  'First byte ms',
  'Wait ms',
  'MB/s',
  '× http',
  'CPU s/GB',
  'Limited by'
])

/** @param {TransferResult['plan']} plan @returns {(heading: string) => boolean} */
const printed =
  ({ memorySnapshots }) =>
  heading =>
    memorySnapshots !== 'detailed' || !TIMED.has(heading)

/** @param {TransferResult['plan']} plan @param {Whole} [whole] - how whole numbers are written @returns {(of: Case) => string[]} */
const cellsOf =
  (plan, whole = grouped) =>
  of =>
    COLUMNS.map(([heading, , cell]) => (printed(plan)(heading) ? cell(of, whole) : MISSING))

/**
 * caseCells is the table of a result: a row for each way in each round.
 *
 * @param {TransferResult} result
 * @returns {import('../../../kit/table.js').Table}
 */
export const caseCells = ({ outcome: { cases }, plan }) => ({
  headings: COLUMNS.map(([heading]) => heading),
  align: COLUMNS.map(([, align]) => align),
  rows: cases.map(cellsOf(plan))
})

/** caseFileHeadings are those of its rows in a file that tables are collected in. */
export const caseFileHeadings = () => [...COLUMNS.map(([heading]) => heading), 'Size', 'Status', 'Run']

/**
 * caseFileRows are its rows in a file that tables are collected in.
 *
 * @param {TransferResult} result
 */
export const caseFileRows = ({ outcome: { cases }, plan, status, id }) => ({
  headings: caseFileHeadings(),
  rows: cases.map(each => [...cellsOf(plan, String)(each), String(plan.sizeBytes), status, id])
})
