import { counted, grouped, significant } from '../../../kit/numbers.js'
import { spanText } from '../../../kit/span-text.js'
import { figureColumns } from '../../../report/figure-cell.js'
import { share } from '../../../report/share.js'
import { figure } from '../../../report/table.js'
import { GOSSIP_FIGURES, MATRIX_SHOWN } from '../figures.js'
import { NODE_FIGURES } from '../node-figures.js'
import { isApart } from '../plan/conditions.js'
import { topologyText } from '../plan/topology-text.js'
import { GOSSIP_NOTES } from './gossip-notes.js'
import { growthLine, growths } from './growth.js'
import { figuresInLine } from './in-line.js'
import { isSimulated } from './is-simulated.js'
import { amountText, conditionsText, ifMeasured, nodesText, planOf, rateCell } from './matrix-case.js'
import { gossipSetting } from './matrix-setting.js'
import { withPublished } from './published-columns.js'
import { peaksTable, seriesSheet } from './series.js'

/**
 * @typedef {import('../gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../../../studies/matrix/matrix-folder.js').RowRecord} RowRecord
 * @typedef {import('../../../studies/matrix/plan/matrix-file.js').GossipFigures} GossipFigures
 * @typedef {import('../../../report/scenario-matrix.js').Column<import('../gossip-types.js').GossipResult>} Column
 * @typedef {import('../../../report/scenario-matrix.js').Line<import('../gossip-types.js').GossipResult>} Line
 */

/** @type {Column[]} */
const CASE = [
  { heading: 'Nodes', cell: ({ row }) => nodesText(planOf(row)) },
  { heading: 'Topology', align: 'l', cell: ({ row }) => topologyText(planOf(row).topology) },
  { heading: 'Network', align: 'l', cell: ({ row }) => conditionsText(row) },
  { heading: 'Msg/s', cell: ({ row }) => rateCell(row) },
  { heading: 'For', cell: ({ row }) => amountText(row) }
]

/** Only where rows differ in it. @type {Column} */
const PARAMETERS = { heading: 'Parameters', align: 'l', cell: ({ row }) => planOf(row).preset }

/** @param {RowRecord[]} rows */
const caseColumns = rows =>
  new Set(rows.map(row => planOf(row).preset)).size > 1 ? [...CASE, PARAMETERS] : CASE

/** @param {[number, number] | undefined} pair */
const ofAll = pair => (pair === undefined ? undefined : `${grouped(pair[0])} of ${grouped(pair[1])}`)

/** @type {import('./published-columns.js').Published<GossipFigures>[]} */
const BESIDE = [
  {
    heading: 'MDR %',
    said: published => `received ${published}`,
    measured: ({ outcome: { delivery } }) => share(delivery.delivered, delivery.expected),
    published: ({ received }) => ofAll(received)
  },
  {
    heading: 'Lost',
    said: published => `lost ${published}`,
    measured: ({ outcome: { delivery } }) =>
      `${grouped(delivery.expectedMessages - delivery.completeMessages)} of ${grouped(delivery.expectedMessages)}`,
    published: ({ lost }) => ofAll(lost)
  },
  {
    heading: 'Dissemination avg ms',
    said: published => `dissemination ${published} ms on average`,
    measured: ({ outcome }) => figure(outcome.dissemination.all.avg),
    published: ({ disseminationMs }) =>
      disseminationMs === undefined ? undefined : significant(disseminationMs)
  }
]

/** @param {readonly string[]} names - of figures @returns {Column[]} */
const measured = names =>
  figureColumns(GOSSIP_FIGURES, names).map(({ heading, cell }) => ({
    heading,
    cell: line => ifMeasured(line, cell)
  }))

const publishedColumns = withPublished(
  BESIDE,
  {
    heading: 'Published, at its own rate',
    when: ({ ratePerSecond }) => ` at ${significant(ratePerSecond ?? 0)} msg/s`
  },
  measured(MATRIX_SHOWN)
)

/** What nodes used, where they have it to themselves. */
const OF_NODES = measured(NODE_FIGURES.map(({ name }) => name))

/** @param {RowRecord[]} rows */
const columns = rows => [
  ...caseColumns(rows),
  ...publishedColumns(rows),
  ...(rows.some(row => isApart(planOf(row))) ? OF_NODES : [])
]

const READING =
  'Times in ms. Dissemination: publish call to the last delivery, of every message. Latency: publish call to the first receipt, of every delivery. MDR: deliveries of all expected. Lost: messages that did not reach every subscriber. Duplicates, and CPU of the worker processes, are per delivery.'

/** @param {GossipResult[]} results */
function lead(results) {
  const plans = results.map(({ plan }) => plan)
  const nodes = spanText(plans.map(plan => plan.nodes))
  const rates = plans.flatMap(({ ratePerSecond }) => ratePerSecond ?? [])
  const pace = rates.length === 0 ? '' : ` at ${spanText(rates)} messages/s`
  const simulated = plans.filter(isSimulated).length
  const how = simulated === 0 ? '' : simulated === plans.length ? ', simulated' : ', some simulated'
  return `Gossip among ${nodes} nodes${pace}${how}: ${counted(results.length, 'case')} measured.`
}

/** @param {RowRecord} row @param {GossipResult | undefined} result @returns {Line[]} */
export const gossipLines = (row, result) => [{ row, result }]

/** GOSSIP_MATRIX is what a matrix of the gossip scenario shows. @type {import('../../../report/scenario-matrix.js').ScenarioMatrix<import('../gossip-types.js').GossipResult>} */
export const GOSSIP_MATRIX = {
  columns,
  namesFirst: true,
  lines: gossipLines,
  signs: GOSSIP_NOTES.signs,
  setting: results => [...gossipSetting(results), `- ${READING}`],
  words: { work: 'messages', members: 'nodes' },
  lead,
  remarks: (table, results) => growths(table, results).map(growthLine),
  series: peaksTable,
  sheet: seriesSheet,
  withoutPlots: 'No plots: nothing was delivered.',
  inLine: figuresInLine
}
