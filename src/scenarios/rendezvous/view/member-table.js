import { MISSING, megabytes, percent, significant } from '../../../kit/numbers.js'
import { asMarkdown, tableFrom } from '../../../kit/table.js'
import { figure } from '../../../report/table.js'

/**
 * @typedef {import('../../../result/types.js').Result} Result
 * @typedef {import('../../../result/types.js').Summary} Summary
 * @typedef {NonNullable<Result['outcome']['members']>[number]} Member
 *
 * @typedef {object} Line - what a member served of one type, its first with what it took
 * @property {Member | null} member - null: as above
 * @property {string} type
 * @property {Summary | null} own - null: nothing of it is known
 * @property {number} seconds
 */

/** @param {(own: Summary, line: Line) => string} write @returns {(line: Line) => string} */
const ofOwn = write => line => (line.own === null ? MISSING : write(line.own, line))

/** @param {(member: Member) => string} write @returns {(line: Line) => string} */
const ofMember =
  write =>
  ({ member }) =>
    member === null ? '' : write(member)

/** @type {readonly import('../../../kit/table.js').Column<Line>[]} */
const COLUMNS = [
  { heading: 'Of each', align: 'l', cell: ofMember(({ name }) => name) },
  { heading: 'Operation', align: 'l', cell: ({ type }) => type },
  { heading: 'Served/s', cell: ofOwn(({ count }, { seconds }) => significant(count / seconds)) },
  { heading: 'Own p50 ms', cell: ofOwn(({ p50 }) => figure(p50)) },
  { heading: 'Own p99 ms', cell: ofOwn(({ p99 }) => figure(p99)) },
  { heading: 'CPU %', cell: ofMember(({ cpu }) => percent(cpu.averagePercent)) },
  { heading: 'Mem MB', cell: ofMember(({ memory }) => megabytes(memory.averageBytes)) }
]

/** @param {number} seconds @returns {(member: Member) => Line[]} */
const linesOf = seconds => member => {
  const served = Object.entries(member.durations ?? {})
  if (served.length === 0) return [{ member, type: MISSING, own: null, seconds }]
  return served.map(([type, own], i) => ({ member: i === 0 ? member : null, type, own, seconds }))
}

/**
 * memberCells are the figures of each of several servers, and of their database.
 *
 * @param {Result} result
 * @returns {import('../../../kit/table.js').Table} without rows where there is one server, that has its registrations in memory
 */
export const memberCells = ({ outcome: { members = [], measuredMs } }) =>
  tableFrom(COLUMNS, members.flatMap(linesOf(measuredMs / 1000)))

/** memberParts are the table as a part of the markdown page. @param {Result} result @returns {string[]} */
export function memberParts(result) {
  const table = memberCells(result)
  return table.rows.length === 0 ? [] : ['## Each server', asMarkdown(table), OWN_TIME]
}

/** OWN_TIME says what its times are. */
export const OWN_TIME =
  'Own: from the decoded request to the reply handed over, as the server itself has it; what clients waited for is in the table of all.'
