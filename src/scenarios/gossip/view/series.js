import { significant } from '../../../kit/numbers.js'
import { tableFrom } from '../../../kit/table.js'
import { asCsv } from '../../../report/csv.js'
import { figure } from '../../../report/table.js'
import { hopFigures } from '../measure/hop-figures.js'
import { topologyText } from '../plan/topology-text.js'
import { deliveriesCells } from './csv.js'
import { disseminationPeaks } from './dissemination-peaks.js'
import { conditionsText, planOf } from './matrix-case.js'

/**
 * @typedef {import('../gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../../../studies/matrix/matrix-folder.js').TableRecord} TableRecord
 * @typedef {import('../../../studies/matrix/matrix-folder.js').RowRecord} RowRecord
 *
 * @typedef {{ table: TableRecord, row: RowRecord, result: GossipResult }} Measured - a row of one of several series
 */

/**
 * measuredRows are those of all series.
 *
 * @param {readonly TableRecord[]} tables
 * @param {ReadonlyMap<string, GossipResult>} results - by row id
 * @returns {Measured[]}
 */
export const measuredRows = (tables, results) =>
  tables.flatMap(table =>
    table.rows.flatMap(row => {
      const result = results.get(row.id)
      return result === undefined ? [] : [{ table, row, result }]
    })
  )

/** @typedef {{ row: RowRecord, result: GossipResult } & ReturnType<typeof disseminationPeaks>} WithPeaks */

/** @type {import('../../../kit/table.js').Column<WithPeaks>[]} */
const PEAK_COLUMNS = [
  { heading: 'Row', align: 'l', cell: ({ row }) => row.name },
  { heading: 'Topology', align: 'l', cell: ({ result }) => topologyText(result.plan.topology) },
  { heading: 'Network', align: 'l', cell: ({ row }) => conditionsText(row) },
  { heading: 'Parameters', align: 'l', cell: ({ row }) => planOf(row).preset },
  { heading: 'Average ms', cell: ({ result }) => figure(result.outcome.dissemination.all.avg) },
  { heading: 'Peaks', cell: ({ peaks }) => String(peaks.length) },
  {
    heading: 'At ms (share of messages)',
    align: 'l',
    cell: ({ peaks, beyond }) =>
      [
        ...peaks.map(({ ms, share, highest }) => {
          const text = `${significant(ms)} (${(100 * share).toFixed(0)} %)`
          return highest && peaks.length > 1 ? `${text}, the highest` : text
        }),
        ...(beyond === 0 ? [] : [`${significant(100 * beyond)} % beyond the plot`])
      ].join('; ')
  }
]

/**
 * peaksTable names the peaks of the dissemination times of each row of all series.
 *
 * @param {readonly TableRecord[]} tables
 * @param {ReadonlyMap<string, GossipResult>} results - by row id
 */
export const peaksTable = (tables, results) => ({
  title: 'Peaks of the dissemination times',
  note: 'In the bins of each row’s own plot, smoothed by 1-2-1. A peak rises above the valleys beside it by a tenth of the highest one and by four standard deviations of its count; its share are the messages between these valleys.',
  table: tableFrom(
    PEAK_COLUMNS,
    measuredRows(tables, results)
      .map(({ row, result }) => ({ row, result, ...disseminationPeaks(result) }))
      .filter(({ peaks }) => peaks.length > 0)
  )
})

/** @param {Measured} measured @returns {Record<string, import('../../../report/csv.js').Cell>} */
function sheetRow({ table, row, result }) {
  const { plan, outcome } = result
  const { peaks } = disseminationPeaks(result)
  const last = outcome.hops.last
  return {
    series: table.id,
    row: row.name,
    preset: plan.preset,
    topologyText: topologyText(plan.topology),
    conditions: conditionsText(row),
    ratePerSecond: plan.ratePerSecond,
    seed: plan.seed,
    doubtful: row.doubtful,
    'published.disseminationMs': row.reference?.disseminationMs,
    'published.lost': row.reference?.lost?.[0],
    'degree.avg': outcome.topology.measures?.degrees.avg,
    ...deliveriesCells(result),
    'hops.last.sd': hopFigures(last)?.sd,
    'peaks.count': peaks.length,
    'peaks.ms': peaks.map(({ ms }) => significant(ms)).join(' '),
    'peaks.highest.ms': peaks.find(({ highest }) => highest)?.ms
  }
}

/**
 * seriesSheet has a row with every figure for each measured row of all series.
 *
 * @param {readonly TableRecord[]} tables
 * @param {ReadonlyMap<string, GossipResult>} results - by row id
 * @returns {string} CSV
 */
export function seriesSheet(tables, results) {
  const rows = measuredRows(tables, results).map(sheetRow)
  const headings = [...new Set(rows.flatMap(row => Object.keys(row)))]
  return asCsv([headings, ...rows.map(row => headings.map(heading => row[heading]))])
}
