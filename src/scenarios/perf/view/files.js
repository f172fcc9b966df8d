import { MISSING, significant } from '../../../kit/numbers.js'
import { asMarkdown } from '../../../kit/table.js'
import { perfResult } from '../perf-types.js'
import { limitText } from './table.js'

/** @param {readonly (string | number | null | undefined)[]} cells */
const line = cells =>
  cells
    .map(cell =>
      typeof cell === 'string' && /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : (cell ?? '')
    )
    .join(',')

/** @param {readonly string[]} headings @param {(string | number | null | undefined)[][]} rows */
const csv = (headings, rows) => `${[headings, ...rows].map(line).join('\n')}\n`

/** transfersCsv are all transfers, a line each. @param {unknown} result */
export function transfersCsv(result) {
  const { transfers } = perfResult(result).outcome
  const keys = /** @type {const} */ ([
    'way',
    'direction',
    'streams',
    'repeat',
    'bytes',
    'totalMs',
    'firstByteMs',
    'bytesPerSecond',
    'steadyBytesPerSecond',
    'clientCpuMs',
    'serverCpuMs',
    'clientRssBytes',
    'serverRssBytes'
  ])
  return csv(
    keys,
    transfers.map(transfer => keys.map(key => transfer[key]))
  )
}

/** exchangesCsv are the figures of each way, direction and number of streams. @param {unknown} result */
export function exchangesCsv(result) {
  const { rows } = perfResult(result).outcome
  return csv(
    [
      'way',
      'direction',
      'streams',
      'medianBytesPerSecond',
      'low',
      'high',
      'steadyBytesPerSecond',
      'modelBytesPerSecond',
      'limit'
    ],
    rows.map(row => [
      row.way,
      row.direction,
      row.streams,
      row.bytesPerSecond.median,
      row.bytesPerSecond.low,
      row.bytesPerSecond.high,
      row.steadyBytesPerSecond,
      row.modelBytesPerSecond,
      limitText(row)
    ])
  )
}

/** @param {number | null} value */
const rate = value => (value === null ? MISSING : significant(value / 1e6))

/**
 * baselineParts are how long each way takes against each baseline, and what the model says, in markdown.
 *
 * @param {unknown} result
 * @returns {string[]}
 */
export function baselineParts(result) {
  const { rows } = perfResult(result).outcome
  if (rows.length === 0) return []
  const names = [...new Set(rows.flatMap(({ overhead }) => overhead.map(({ to }) => to)))]
  const table = asMarkdown({
    headings: [
      '',
      'Way',
      'Streams',
      'Steady MB/s',
      'Model MB/s',
      'Round trip ms',
      ...names.map(name => `× ${name}`)
    ],
    align: ['l', 'l', 'r', 'r', 'r', 'r', ...names.map(() => /** @type {const} */ ('r'))],
    rows: rows.map(row => [
      row.direction,
      row.way,
      String(row.streams),
      rate(row.steadyBytesPerSecond),
      rate(row.modelBytesPerSecond),
      row.roundTripMs === null ? MISSING : significant(row.roundTripMs),
      ...names.map(name => overheadText(row.overhead.find(({ to }) => to === name)))
    ])
  })
  return ['## Steady state, model and overhead', table]
}

/** @param {{ median: number, low: number | null, high: number | null } | undefined} overhead */
function overheadText(overhead) {
  if (overhead === undefined) return MISSING
  const { median, low, high } = overhead
  const around = low === null || high === null ? '' : ` (${significant(low)}–${significant(high)})`
  return `${significant(median)}${around}`
}
