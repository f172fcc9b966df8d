import { counted, grouped, MISSING, significant } from '../../../kit/numbers.js'
import { spanText } from '../../../kit/span-text.js'
import { figureColumns } from '../../../report/figure-cell.js'
import { share } from '../../../report/share.js'
import { GOSSIP_FIGURES } from '../../gossip/figures.js'
import { topologyText } from '../../gossip/plan/topology-text.js'
import { GOSSIP_MATRIX } from '../../gossip/view/matrix.js'
import {
  amountText,
  ifMeasured,
  intervalText,
  nodesText,
  planOf,
  rateCell
} from '../../gossip/view/matrix-case.js'
import { gossipSetting } from '../../gossip/view/matrix-setting.js'
import { withPublished } from '../../gossip/view/published-columns.js'

/**
 * @typedef {import('../../gossip/gossip-types.js').GossipResult} GossipResult
 * @typedef {import('../profile-types.js').ProfileResult} ProfileResult
 * @typedef {import('../../../studies/matrix/matrix-folder.js').RowRecord} RowRecord
 * @typedef {import('../../../studies/matrix/plan/matrix-file.js').ProfileFigures} ProfileFigures
 * @typedef {import('../../../report/scenario-matrix.js').Column<import('../../gossip/gossip-types.js').NetworkResult>} Column
 */

/** So many categories of what the CPU was busy with stand in the table. */
const CATEGORIES = 3

/** @type {Column[]} */
const CASE = [
  { heading: 'Nodes', cell: ({ row }) => nodesText(planOf(row)) },
  { heading: 'Topology', align: 'l', cell: ({ row }) => topologyText(planOf(row).topology) },
  { heading: 'Bytes', cell: ({ row }) => bytesText(planOf(row).messageBytes) },
  { heading: 'Muxer', align: 'l', cell: ({ row }) => planOf(row).muxer },
  { heading: 'Signed', align: 'l', cell: ({ row }) => (planOf(row).signing ? 'yes' : 'no') },
  { heading: 'Pace', cell: ({ row }) => rateCell(row) },
  { heading: 'For', cell: ({ row }) => amountText(row) }
]

/** @param {{ min: number, max: number }} range */
const bytesText = ({ min, max }) => (min === max ? grouped(min) : `${grouped(min)}–${grouped(max)}`)

/** @param {GossipResult} result - seconds in which something was published, as a length */
const publishSeconds = ({ outcome: { timeline, secondsPerPoint = 1, interArrival, messages } }) => {
  const published = timeline.filter(entry => entry.published > 0)
  if (published.length > 0)
    return published[published.length - 1].second - published[0].second + secondsPerPoint
  // a compact result has no timeline
  return ((interArrival.actual.summary.avg?.ms ?? 0) * messages.published) / 1000
}

/** @param {'published' | 'received' | 'seconds'} key - of what was published */
const theirs = key => ({
  said: (/** @type {string} */ figure) => `${figure} ${key}`,
  published: (/** @type {ProfileFigures} */ { [key]: figure }) =>
    figure === undefined ? undefined : grouped(figure)
})

/**
 * Counts of runs of other lengths on other machines stand beside each other without a ratio.
 *
 * @type {import('../../gossip/view/published-columns.js').Published<ProfileFigures>[]}
 */
const BESIDE = [
  {
    heading: 'Published messages',
    measured: ({ outcome }) => grouped(outcome.messages.published),
    ...theirs('published')
  },
  {
    heading: 'Received',
    measured: ({ outcome }) => grouped(outcome.delivery.delivered),
    ...theirs('received')
  },
  { heading: 'Seconds', measured: result => significant(publishSeconds(result)), ...theirs('seconds') }
]

/** @param {string} heading @param {(result: any) => string} cell @param {'l'} [align] @returns {Column} */
const measuredColumn = (heading, cell, align) => ({
  heading,
  align,
  cell: line => ifMeasured(line, cell)
})

/** @param {ProfileResult} result - what took most CPU */
function hottest({ outcome: { profile } }) {
  const categories = profile?.hotSpots.categories ?? []
  return categories.length === 0
    ? MISSING
    : categories
        .slice(0, CATEGORIES)
        .map(({ category, selfShare }) => `${category} ${significant(100 * selfShare)} %`)
        .join(', ')
}

/** @type {Column[]} */
const OURS = [
  measuredColumn('MDR %', ({ outcome: { delivery } }) => share(delivery.delivered, delivery.expected)),
  ...figureColumns(GOSSIP_FIGURES, ['latency.p50', 'latency.p99', 'cpuPerDelivery']).map(
    ({ heading, cell }) => measuredColumn(heading, cell)
  ),
  measuredColumn('Most CPU', hottest, 'l')
]

const publishedColumns = withPublished(
  BESIDE,
  {
    heading: 'From the profiling study, at its own pace',
    when: ({ intervalMs }) => `, each ${intervalText(intervalMs)}`
  },
  OURS
)

/** @param {RowRecord[]} rows */
const columns = rows => [...CASE, ...publishedColumns(rows)]

const READING =
  'Received: deliveries, all nodes together. Latency: publish call to the first receipt. CPU of the worker processes is per delivery. Most CPU: the categories with the most self time while messages were published, as shares of the time that was not idle. Nodes publish again when their last publish has returned and their backlog is small, so the counts say what the machine carries.'

/** @param {ProfileResult[]} results */
const lead = results =>
  `Profiles of ${spanText(results.map(({ plan }) => plan.nodes))} nodes that publish as fast as they can: ${counted(results.length, 'case')} measured.`

/** PROFILE_MATRIX is what a matrix of the profile scenario shows. @type {import('../../../report/scenario-matrix.js').ScenarioMatrix<import('../../gossip/gossip-types.js').NetworkResult>} */
export const PROFILE_MATRIX = {
  ...GOSSIP_MATRIX,
  columns,
  setting: results => [...gossipSetting(results), `- ${READING}`],
  lead,
  remarks: undefined
}
