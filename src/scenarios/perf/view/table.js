import { grouped, MISSING, percent, significant } from '../../../kit/numbers.js'
import { figure } from '../../../report/table.js'
import { medianOf } from '../measure/handshake-times.js'
import { perfResult } from '../perf-types.js'

/**
 * @typedef {import('../../../kit/table.js').Table} Table
 * @typedef {import('../perf-types.js').TransferRow} TransferRow
 * @typedef {import('../perf-types.js').LatencyRow} LatencyRow
 * @typedef {import('../perf-types.js').HandshakeRow} HandshakeRow
 */

const HEADINGS = [
  'Measure',
  'Way',
  'Streams',
  'Median',
  '95 %',
  'Slowest',
  '× TCP',
  '95 %',
  'Limited by',
  'CPU client / server',
  'RSS MB'
]

const ALIGN = /** @type {const} */ (['l', 'l', 'r', 'r', 'r', 'r', 'r', 'r', 'l', 'r', 'r'])

/** @param {number | null | undefined} value */
const orMissing = value => (value == null ? MISSING : significant(value))

/** @param {{ low: number | null, high: number | null }} centre @param {number} [unit] */
const interval = ({ low, high }, unit = 1) =>
  low === null || high === null ? MISSING : `${significant(low / unit)}–${significant(high / unit)}`

/** @param {{ client: number | null, server: number | null }} sides @param {(value: number | null) => string} write @param {string} [unit] */
const both = ({ client, server }, write, unit = '') =>
  client === null && server === null ? MISSING : `${write(client)} / ${write(server)}${unit}`

/** limitText says what limited a row. @param {TransferRow} row */
export function limitText({ verdict: { limit, side, reached } }) {
  const what = limit === 'CPU' ? `${side ?? ''} CPU`.trimStart() : limit
  if (reached === null) return what
  return limit === 'round trips'
    ? `${significant(reached)} round trips`
    : `${what} (${percent(100 * reached)} %)`
}

/** @param {TransferRow} row */
function transferCells(row) {
  const tcp = row.overhead.find(({ to }) => to === 'TCP')
  return [
    row.direction,
    row.way,
    grouped(row.streams),
    `${significant(row.bytesPerSecond.median / 1e6)} MB/s`,
    interval(row.bytesPerSecond, 1e6),
    significant(row.slowestBytesPerSecond / 1e6),
    orMissing(tcp?.median),
    tcp === undefined ? MISSING : interval(tcp),
    limitText(row),
    both(row.cpuSecondsPerGB, orMissing, ' s/GB'),
    both(row.rssBytes, value => (value === null ? MISSING : grouped(value / 1e6)))
  ]
}

/** @param {LatencyRow} row */
const latencyCells = ({ way, both: times }) => [
  'latency',
  way,
  '1',
  times === null ? MISSING : `${significant(times.median)} ms`,
  MISSING,
  orMissing(times?.max),
  MISSING,
  MISSING,
  '',
  MISSING,
  MISSING
]

/** @param {HandshakeRow} row */
const handshakeCells = row => [
  'handshakes',
  row.way,
  MISSING,
  row.perSecond === null ? MISSING : `${significant(row.perSecond.median)} /s`,
  row.perSecond === null ? MISSING : interval(row.perSecond),
  row.times === null ? MISSING : `${figure(medianOf(row.times))} ms each`,
  MISSING,
  MISSING,
  '',
  both(row.cpuMsEach, orMissing, ' ms'),
  MISSING
]

/** perfFileHeadings are those of its rows in a file that tables are collected in. */
export const perfFileHeadings = () => [...HEADINGS, 'Status', 'Run']

/**
 * perfCells are the figures of a result.
 *
 * @param {unknown} result
 * @returns {Table}
 */
export function perfCells(result) {
  const { rows, latency, handshakes } = perfResult(result).outcome
  return {
    headings: [...HEADINGS],
    align: [...ALIGN],
    rows: [...rows.map(transferCells), ...latency.map(latencyCells), ...handshakes.map(handshakeCells)]
  }
}
