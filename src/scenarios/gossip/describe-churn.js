import { counted, grouped } from '../../kit/numbers.js'
import { histogramPlot } from '../../report/description/series.js'
import { facts, table } from '../../report/description/tables.js'
import { lines, publishSeconds, rates, SINCE } from './describe-plots.js'

/**
 * What becomes of nodes that leave and return, or are replaced, and of what they receive.
 *
 * @typedef {import('../../report/description/description.js').DescribedTable} DescribedTable
 * @typedef {import('../../report/description/description.js').Plot} Plot
 * @typedef {import('../../report/description/tables.js').ColumnOf<ApartRow>[]} ApartColumns
 * @typedef {import('./gossip-types.js').GossipOutcome} GossipOutcome
 * @typedef {import('./gossip-types.js').Churned} Churned
 * @typedef {import('../rotate-gossip/rotate-gossip-types.js').RotateGossip} Rotation
 * @typedef {GossipOutcome & { rotation?: Rotation | null }} ChurnedOutcome - `rotation`: of nodes that are replaced
 * @typedef {[when: string, counts: { expected?: number, delivered: number }]} ApartRow
 */

/** Rows of a table, and stretches of a plot. */
const MAX_SHOWN = 300

/** @type {ApartColumns} */
const APART = [
  ['Published', ([when]) => when, 'text'],
  ['Messages × nodes', ([, { expected }]) => expected, 'count'],
  ['Delivered', ([, { delivered }]) => delivered, 'count'],
  ['%', ([, { expected, delivered }]) => (expected ? (100 * delivered) / expected : null), 'percent']
]

/** @param {ApartRow[]} rows */
const apartTable = rows =>
  table('deliveries-apart', 'Deliveries that are not expected', rows, APART, {
    note: 'They are in no other figure.'
  })

/** @param {Churned} churn */
const departures = ({ departures, returns, apart, again, tooLongAgo }) => [
  facts('churn', 'Churn', [
    ['Departures', departures, 'count'],
    ['Returns', returns, 'count'],
    ['Second receipts, after a return', again, 'count'],
    ['Receipts too old to attribute', tooLongAgo, 'count']
  ]),
  apartTable([
    ['less than 5 s after the return of the receiver', apart.joining],
    ['less than 1 s before the receiver left', apart.leaving],
    ['while the receiver was away', apart.away]
  ])
]

/** @param {Rotation} rotation */
const replacements = ({
  lives,
  connect,
  firstDelivery,
  deliveriesPerMinute,
  duplicates,
  apart: { joining, leaving, earlier, gone }
}) => [
  facts('rotation', 'Rotation', [
    ['Nodes killed', lives.killed, 'count'],
    ['Nodes started in their places', lives.started, 'count'],
    ['Starts that led to no connection', lives.failed, 'count'],
    ['Latest kill or start after it was due', lives.latestMs, 'ms'],
    ['New nodes that never connected', connect.never, 'count'],
    ['New nodes that never received a message', firstDelivery.never, 'count'],
    ['Deliveries per minute', deliveriesPerMinute],
    ['Receipts', duplicates.observations, 'count'],
    ['Duplicates in the place of a replaced node', duplicates.afterRestart, 'count'],
    ['Duplicates at the same node', duplicates.again, 'count'],
    ['Receipts too old to attribute', duplicates.tooLongAgo, 'count']
  ]),
  apartTable([
    ['while the receiver was starting', joining],
    ['just before the receiver was killed', leaving],
    ['before the receiver was started', earlier],
    ['after the receiver was due to be killed', gone]
  ]),
  {
    ...table('lives', 'Nodes that were replaced', lives.listed.slice(0, MAX_SHOWN), [
      ['Node', ({ node }) => node, 'count'],
      ['Place of node', ({ slot }) => slot, 'count'],
      ['Start due ms', ({ startDueMs }) => startDueMs, 'ms'],
      ['Started ms', ({ startedMs }) => startedMs, 'ms'],
      ['Connected ms', ({ connectedMs }) => connectedMs, 'ms'],
      ['First delivery ms', ({ firstDeliveryMs }) => firstDeliveryMs, 'ms'],
      ['Kill due ms', ({ killDueMs }) => killDueMs, 'ms'],
      ['Killed ms', ({ killedMs }) => killedMs, 'ms'],
      ['Failed dials', ({ dialsFailed }) => dialsFailed, 'count'],
      ['Error', ({ error }) => error, 'text']
    ]),
    note: `Times since publishing began.${lives.listed.length > MAX_SHOWN ? ` The first ${MAX_SHOWN} of ${grouped(lives.listed.length)}; all are in result.json.` : ''}`
  }
]

/**
 * churnTables say which nodes left, returned or were replaced, and what they received meanwhile.
 *
 * @param {{ outcome: ChurnedOutcome }} result
 * @returns {DescribedTable[]} none: all nodes stayed
 */
export const churnTables = ({ outcome: { churn, rotation } }) => [
  ...(churn ? departures(churn) : []),
  ...(rotation ? replacements(rotation) : [])
]

/**
 * churnTimes are rows of the response times.
 *
 * @param {ChurnedOutcome} outcome
 * @returns {[name: string, summary: import('../../result/types.js').Summary][]}
 */
export const churnTimes = ({ rotation }) =>
  rotation
    ? [
        ['Start to connected', rotation.connect],
        ['Start to first delivery', rotation.firstDelivery],
        ['Latency, with duplicates', rotation.duplicates.latency.withDuplicates],
        ['Latency, no duplicates', rotation.duplicates.latency.withoutDuplicates]
      ]
    : []

/** churnWords say which nodes were replaced, after a comma. @param {Rotation['lives']} lives */
export const churnWords = ({ killed, started }) =>
  `while ${killed === 1 ? '1 node was' : `${grouped(killed)} nodes were`} killed and ${grouped(started)} started in their places`

/**
 * The times in which the place of a node was empty, from its kill to the start of the next one, and then until that one received a message.
 *
 * @param {Rotation} rotation
 * @param {number} endMs
 * @returns {NonNullable<Plot['spans']>}
 */
function gaps({ lives: { listed } }, endMs) {
  const empty = listed.flatMap(({ slot, killedMs }) => {
    if (killedMs === null) return []
    const next = listed.find(
      life => life.slot === slot && life.startedMs !== null && life.startedMs > killedMs
    )
    return [{ from: killedMs / 1000, to: (next?.startedMs ?? endMs) / 1000, label: 'a node is missing' }]
  })
  const catchingUp = listed.flatMap(({ startDueMs, startedMs, firstDeliveryMs, killedMs }) =>
    startDueMs === null || startedMs === null
      ? []
      : [
          {
            from: startedMs / 1000,
            to: (firstDeliveryMs ?? killedMs ?? endMs) / 1000,
            label: 'a new node has received nothing'
          }
        ]
  )
  return [...empty, ...catchingUp].sort((a, b) => a.from - b.from).slice(0, MAX_SHOWN)
}

const GROUPS = /** @type {const} */ (['stable', 'ephemeral'])

/** @param {Rotation['peers']} peers @returns {Pick<Plot, 'series'> & { series: import('../../report/description/description.js').Series[] }} */
const peerSeries = peers => ({
  series: GROUPS.map(group => ({
    label: `${group} nodes`,
    values: peers.flatMap(({ atMs, [group]: spread }) =>
      spread === null ? [] : [[atMs / 1000, Number(spread.avg.toFixed(2)), spread.min, spread.max]]
    )
  }))
})

/**
 * churnPlots draw what happened while nodes were replaced.
 *
 * @param {{ outcome: ChurnedOutcome }} result
 * @returns {Plot[]}
 */
export function churnPlots({ outcome }) {
  const { rotation, timeline } = outcome
  if (!rotation) return []
  const { peers, deliveriesPerMinute, firstDeliveryHistogram, firstDelivery } = rotation
  const spans = gaps(rotation, 1000 * publishSeconds(outcome))
  const perMinute = deliveriesPerMinute === null || timeline.length < 2 ? [] : rates(outcome, 'delivered', 60)
  return [
    ...lines({
      id: 'deliveries-per-minute',
      title: 'Deliveries per minute while nodes are replaced',
      note: 'Expected deliveries, by the time they arrived. Fewer are expected while a node is missing, and until a new one has settled.',
      x: SINCE,
      y: 'Deliveries per minute',
      spans,
      series: [{ label: 'deliveries', style: 'steps', values: perMinute }]
    }),
    ...lines({
      id: 'peers',
      title: 'Connected peers of a node',
      note: 'The average of each group, between the fewest and the most. A node that has just started has none.',
      x: SINCE,
      y: 'Peers',
      spans,
      ...peerSeries(peers)
    }),
    ...lines({
      id: 'nodes-up',
      title: 'Nodes that were up',
      x: SINCE,
      y: 'Nodes',
      series: GROUPS.map(group => ({
        label: `${group} nodes`,
        style: 'steps',
        values: peers.map(({ atMs, [group]: spread }) => [atMs / 1000, spread?.nodes ?? 0])
      }))
    }),
    ...histogramPlot(firstDeliveryHistogram, {
      id: 'first-delivery',
      title: 'Time from the start of a node to its first delivery',
      note: `Of ${counted(firstDelivery.count - (firstDelivery.never ?? 0), 'new node')} that received a message. The wait for the next publication is part of it.`,
      x: 'Start to first delivery, ms',
      y: 'Nodes',
      compared: true
    })
  ]
}
