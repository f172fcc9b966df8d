import { grouped, MISSING, megabytes, significant } from '../../../kit/numbers.js'
import { tableFrom } from '../../../kit/table.js'
import { abuseResult } from '../abuse-types.js'

/**
 * @typedef {import('../abuse-types.js').CaseRow} CaseRow
 * @typedef {import('../abuse-types.js').RatioRow} RatioRow
 * @typedef {import('../../../kit/table.js').Column<CaseRow>} Column
 */

/** @param {number | null | undefined} value @param {(value: number) => string} [write] */
const orMissing = (value, write = significant) => (value == null ? MISSING : write(value))

/** @param {{ quiet: number | null, abused: number | null }} sides @param {(value: number) => string} [write] */
const change = ({ quiet, abused }, write) =>
  quiet === null && abused === null ? MISSING : `${orMissing(quiet, write)} → ${orMissing(abused, write)}`

/** @param {RatioRow | null} ratio */
const interval = ratio =>
  ratio === null || ratio.low === null || ratio.high === null
    ? MISSING
    : `${significant(ratio.low)}–${significant(ratio.high)}`

/** @param {RatioRow | null} ratio */
const atLeast = ratio => (ratio?.atLeast ? '> ' : '')

/** @param {'p50' | 'p99'} which @returns {Column[]} */
const ratioColumns = which => [
  {
    heading: `${which} ms`,
    cell: ({ [which]: ratio }) =>
      ratio === null
        ? MISSING
        : `${significant(ratio.quietMs)} → ${atLeast(ratio)}${significant(ratio.abusedMs)}`
  },
  {
    heading: `Per pair × ${which}`,
    cell: ({ [which]: ratio }) => (ratio === null ? MISSING : `${atLeast(ratio)}${significant(ratio.ratio)}`)
  },
  { heading: '95 %', cell: ({ [which]: ratio }) => interval(ratio) }
]

/** @type {readonly Column[]} */
const COLUMNS = [
  { heading: 'Abuse', align: 'l', cell: ({ name }) => name },
  ...ratioColumns('p50'),
  ...ratioColumns('p99'),
  { heading: 'Failed', cell: ({ failed }) => change(failed, grouped) },
  { heading: 'RSS MB', cell: ({ rssBytes }) => change(rssBytes, megabytes) },
  { heading: 'CPU %', cell: ({ cpuPercent }) => change(cpuPercent, grouped) },
  { heading: 'Longest turn ms', cell: ({ longestTurnMs }) => change(longestTurnMs) },
  { heading: 'Recovery ms', cell: ({ recoveryMs }) => orMissing(recoveryMs, grouped) },
  { heading: 'Not sent %', cell: ({ notSent }) => significant(100 * notSent) }
]

/** abuseCells are the figures of a result. @param {unknown} result */
export const abuseCells = result => tableFrom(COLUMNS, abuseResult(result).outcome.cases)

/** abuseFileHeadings are those of its rows in a file that tables are collected in. */
export const abuseFileHeadings = () => [...tableFrom(COLUMNS, []).headings, 'Status', 'Run']
