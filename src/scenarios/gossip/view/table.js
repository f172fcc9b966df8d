import { grouped, MISSING, significant } from '../../../kit/numbers.js'
import { tableFrom } from '../../../kit/table.js'
import { figureColumns } from '../../../report/figure-cell.js'
import { plusMinus } from '../../../report/plus-minus.js'
import { share } from '../../../report/share.js'
import { figure } from '../../../report/table.js'
import { COSTS_SHOWN, GOSSIP_FIGURES } from '../figures.js'
import { hopFigures } from '../measure/hop-figures.js'
import { topologyText } from '../plan/topology-text.js'
import { isSimulated } from './is-simulated.js'
import { TIMES } from './times.js'

/**
 * @typedef {import('../gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../../../result/types.js').Summary} Summary
 * @typedef {import('../../../kit/table.js').Table} Table
 */

/** @param {Summary} summary */
const times = summary => TIMES.map(([key]) => figure(summary[key]))

/** @param {GossipResult} result */
function messages({ outcome: { messages } }) {
  const planned = messages.planned === null ? '' : ` / ${grouped(messages.planned)}`
  return `${grouped(messages.published)}${planned}`
}

/** @param {GossipResult} result */
function lastHop({ outcome: { hops } }) {
  const figures = hopFigures(hops.last)
  return figures === null ? MISSING : `${significant(figures.avg)} / ${figures.max}`
}

/**
 * @typedef {object} Column
 * @property {string} heading
 * @property {'l'} [align]
 * @property {(result: GossipResult) => string} cell
 *
 * @typedef {object} TimesColumn
 * @property {string} name
 * @property {(result: GossipResult) => Summary} summary
 */

/** @type {readonly Column[]} */
const DELIVERIES = [
  {
    heading: 'Nodes',
    cell: ({ plan }) => `${grouped(plan.nodes)}${isSimulated(plan) ? ' simulated' : ''}`
  },
  { heading: 'Topology', align: 'l', cell: ({ plan }) => topologyText(plan.topology) },
  { heading: 'Messages', cell: messages },
  { heading: 'MDR %', cell: ({ outcome: { delivery } }) => share(delivery.delivered, delivery.expected) },
  {
    heading: 'To all %',
    cell: ({ outcome: { delivery } }) => share(delivery.completeMessages, delivery.expectedMessages)
  }
]

/** @type {readonly TimesColumn[]} */
const TIME_COLUMNS = [
  { name: 'Latency', summary: ({ outcome }) => outcome.latency.all },
  { name: 'Dissemination', summary: ({ outcome }) => outcome.dissemination.all }
]

/** @type {readonly Column[]} */
const COSTS = [{ heading: 'Last hop avg/max', cell: lastHop }, ...figureColumns(GOSSIP_FIGURES, COSTS_SHOWN)]

/** @type {readonly Column[]} */
const COLUMNS = [
  ...DELIVERIES,
  ...TIME_COLUMNS.map(({ name, summary }) => ({
    heading: `${name} ${TIMES.map(([, title]) => title).join('/')} ms`,
    cell: (/** @type {GossipResult} */ result) =>
      `${times(summary(result)).join(' / ')}${plusMinus(result.run)}`
  })),
  ...COSTS
]

/** @param {GossipResult} result */
function isEmpty({ outcome: { messages } }) {
  return messages.published + messages.skipped + messages.failed === 0
}

/** @param {readonly Column[]} columns @param {GossipResult} result @returns {Table} */
const oneRow = (columns, result) => tableFrom(columns, isEmpty(result) ? [] : [result])

/**
 * gossipCells are the cells of the table of one result of the gossip scenario: a single row.
 *
 * @param {GossipResult} result
 * @returns {Table} without rows when nothing was to be published
 */
export const gossipCells = result => oneRow(COLUMNS, result)

/** gossipHeadings are those of its columns. */
export const gossipHeadings = () => COLUMNS.map(({ heading }) => heading)

/**
 * gossipTables are the same cells, where there is room below but not beside: the times in a table of their own.
 *
 * @param {GossipResult} result
 * @returns {{ deliveries: Table, times: Table }} without rows when nothing was to be published
 */
export const gossipTables = result => ({
  deliveries: oneRow([...DELIVERIES, ...COSTS], result),
  times: {
    headings: ['Times, ms', ...TIMES.map(([, title]) => title)],
    rows: isEmpty(result)
      ? []
      : TIME_COLUMNS.map(({ name, summary }) => [
          `${name}${plusMinus(result.run)}`,
          ...times(summary(result))
        ])
  }
})
