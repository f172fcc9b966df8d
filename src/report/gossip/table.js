import { grouped, MISSING, significant } from '../numbers.js'
import { figure } from '../table.js'
import { hopFigures } from './hop-figures.js'
import { isSimulated } from './is-simulated.js'
import { share } from './share.js'
import { topologyText } from './topology-text.js'

/**
 * @typedef {import('../../result/gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../../result/types.js').Summary} Summary
 * @typedef {import('../table.js').Table} Table
 */

/** TIMES are the figures of a distribution in the table of a gossip run: key in a Summary and name. */
export const TIMES = Object.freeze(
  /** @type {const} */ ([
    ['avg', 'avg'],
    ['p50', 'p50'],
    ['p90', 'p90'],
    ['p99', 'p99'],
    ['max', 'max']
  ])
)

const TIME_NAMES = TIMES.map(([, name]) => name).join('/')

/** @param {Summary} summary */
const times = summary => TIMES.map(([key]) => figure(summary[key])).join(' / ')

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

/** @param {number | null} value */
const perDelivery = value => (value === null ? MISSING : significant(value))

/** @type {readonly { heading: string, align?: 'l', cell: (result: GossipResult) => string }[]} */
const COLUMNS = Object.freeze([
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
  },
  { heading: `Latency ${TIME_NAMES} ms`, cell: ({ outcome }) => times(outcome.latency.all) },
  { heading: `Dissemination ${TIME_NAMES} ms`, cell: ({ outcome }) => times(outcome.dissemination.all) },
  { heading: 'Last hop avg/max', cell: lastHop },
  { heading: 'Duplicates', cell: ({ outcome: { cost } }) => perDelivery(cost.duplicatesPerDelivery) },
  {
    heading: 'CPU ms',
    cell: ({ outcome: { cost } }) =>
      perDelivery(cost.cpuMicrosPerDelivery === null ? null : cost.cpuMicrosPerDelivery / 1000)
  },
  { heading: 'Bytes', cell: ({ outcome: { cost } }) => perDelivery(cost.bytesPerDelivery) }
])

/**
 * gossipCells are the cells of the table of one result of the gossip scenario: a single row.
 *
 * @param {GossipResult} result
 * @returns {Table} without rows when nothing was to be published
 */
export function gossipCells(result) {
  const { published, skipped, failed } = result.outcome.messages
  return {
    headings: COLUMNS.map(({ heading }) => heading),
    align: COLUMNS.map(({ align = /** @type {const} */ ('r') }) => align),
    rows: published + skipped + failed === 0 ? [] : [COLUMNS.map(({ cell }) => cell(result))]
  }
}
