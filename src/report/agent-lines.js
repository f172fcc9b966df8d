import { grouped, significant } from '../kit/numbers.js'
import { asMarkdown, tableFrom } from '../kit/table.js'

/** @typedef {import('../result/types.js').AgentRow} AgentRow */

const NONE = '–'

/** @type {readonly import('../kit/table.js').Column<AgentRow>[]} */
const COLUMNS = [
  { heading: 'Agent', align: 'l', cell: ({ id, host }) => `${id} (${host})` },
  { heading: 'Cores', cell: ({ cores }) => String(cores) },
  { heading: 'Workers', cell: ({ workers }) => workers.join(', ') },
  { heading: 'Ops', cell: ({ operations }) => (operations === undefined ? NONE : grouped(operations)) },
  {
    heading: 'Busiest worker %',
    cell: ({ busiest }) => (busiest === undefined ? NONE : String(Math.round(100 * busiest)))
  },
  {
    heading: 'Added at most ms',
    cell: ({ addedMs }) => (addedMs === undefined ? NONE : significant(addedMs))
  },
  { heading: 'Began late ms', cell: ({ lateMs }) => (lateMs === null ? NONE : significant(lateMs)) },
  { heading: 'Clock ± ms', cell: ({ clock }) => (clock === null ? NONE : significant(clock.errorMs)) },
  {
    heading: 'Drift ppm',
    cell: ({ clock }) => (clock?.driftPpm == null ? NONE : significant(clock.driftPpm))
  },
  {
    heading: 'Lost',
    align: 'l',
    cell: ({ lost }) => (lost === null ? 'no' : `after ${significant(lost.atMs / 1000)} s`)
  }
]

/**
 * agentLines is a table of the machines that held the workers of a run.
 *
 * @param {readonly AgentRow[]} [rows]
 * @param {(table: import('../kit/table.js').Table) => string} [write]
 * @returns {string} empty: workers were on this machine
 */
export const agentLines = (rows = [], write = asMarkdown) =>
  rows.length === 0 ? '' : write(tableFrom(COLUMNS, rows))
