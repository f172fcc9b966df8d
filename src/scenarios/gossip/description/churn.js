// Makes the tables, plots and sentences that show churn in a gossip result: nodes that left, returned or were replaced.
import { omitMissing } from '../../../kit/collections.js'
import { formatCount, formatDuration, formatSignificant, formatWhole } from '../../../kit/numbers.js'
import { SETTLE_MS } from '../../../plan/churn.js'
import { makeFactsTable, makeHistogramPlot, makeTable } from '../../../report/description.js'
import { computeRates, makeLinePlots, readPublishSeconds, TIME_AXIS_TITLE } from './plots.js'

/**
 * @typedef {import('../../../report/schema.js').DescribedTable} DescribedTable
 * @typedef {import('../../../report/schema.js').Plot} Plot
 * @typedef {import('../../../report/description.js').ColumnOf<UnexpectedRow>[]} UnexpectedColumns
 * @typedef {import('../outcome.js').GossipOutcome} GossipOutcome
 * @typedef {import('../outcome.js').ChurnResult} ChurnResult
 * @typedef {import('../outcome.js').ScriptResult} ScriptResult
 * @typedef {import('../../../load/churn.js').ChurnSpec} ChurnSpec
 * @typedef {{ plan: { churn: ChurnSpec | null }, outcome: GossipOutcome }} ChurnedResult
 * @typedef {[when: string, counts: { expected?: number, delivered: number }]} UnexpectedRow
 */

/** Rows of a table, and spans of a plot. */
const MAX_SHOWN = 300

/** @type {UnexpectedColumns} */
const UNEXPECTED_COLUMNS = [
  ['Published', ([when]) => when, 'text'],
  ['Messages × nodes', ([, { expected }]) => expected, 'count'],
  ['Delivered', ([, { delivered }]) => delivered, 'count'],
  ['%', ([, { expected, delivered }]) => (expected ? (100 * delivered) / expected : null), 'percent']
]

/** @param {ChurnResult} churn */
const churnFacts = churn =>
  makeFactsTable('churn', 'Churn', [
    ['Departures', churn.departures, 'count'],
    [churn.lives ? 'Nodes started in their places' : 'Returns', churn.returns, 'count'],
    ['Starts that led to no connection', churn.lives?.failed, 'count'],
    ['Latest kill or start after it was due', churn.lives?.latestMs, 'ms'],
    ['New nodes that never connected', churn.connect?.never, 'count'],
    ['New nodes that never received a message', churn.firstDelivery?.never, 'count'],
    ['Deliveries per minute', churn.deliveriesPerMinute],
    ['Receipts', churn.receipts, 'count'],
    ['Duplicates in the place of a replaced node', churn.lives && churn.afterRestart, 'count'],
    ['Duplicates at the same node', churn.again, 'count'],
    ['Receipts too old to attribute', churn.tooLongAgo, 'count']
  ])

/** @param {Pick<GossipOutcome, 'churn' | 'script'>} outcome @param {ChurnSpec | null} spec */
function makeUnexpectedTable({ churn, script }, spec) {
  const settle = formatDuration(spec?.settleMs ?? SETTLE_MS)
  /** @type {[string, UnexpectedRow[1] | undefined][]} */
  const rows = [
    [`less than ${settle} after the receiver had started`, churn?.apart.joining],
    ['less than 1 s before the receiver left', churn?.apart.leaving],
    ['while the receiver was away', churn?.apart.away],
    ['before the receiver was started', churn?.apart.earlier],
    [`less than ${settle} after the receiver had subscribed`, script?.apart.subscribing],
    ['less than 1 s before the receiver unsubscribed', script?.apart.unsubscribing],
    ['while the receiver was not subscribed', script?.apart.unsubscribed]
  ]
  return makeTable(
    'deliveries-apart',
    'Deliveries that are not expected',
    rows.flatMap(([when, counts]) =>
      counts === undefined ? [] : [/** @type {UnexpectedRow} */ ([when, counts])]
    ),
    UNEXPECTED_COLUMNS,
    { note: 'They are in no other figure.' }
  )
}

/** @param {ScriptResult} script */
const scriptTable = ({ steps }) =>
  makeTable(
    'script',
    'Script',
    steps.slice(0, MAX_SHOWN),
    [
      ['At, s', ({ atMs }) => atMs / 1000, 'number'],
      ['Action', ({ action }) => action, 'text'],
      ['Topic', ({ topic }) => topic, 'text'],
      ['Nodes', ({ nodes }) => nodes, 'count'],
      ['For, s', ({ forMs }) => (forMs === null ? null : forMs / 1000), 'number'],
      ['Done', ({ done }) => done, 'count'],
      ['Failed', ({ failed }) => failed, 'count'],
      ['Latest ms', ({ latestMs }) => latestMs, 'ms']
    ],
    {
      note: `Done: number of nodes; a node that is away acts when it returns. Latest: largest delay after the due time.${steps.length > MAX_SHOWN ? ` The first ${MAX_SHOWN} steps; more are in result.json.` : ''}`
    }
  )

/** @param {NonNullable<ChurnResult['lives']>} lives */
const livesTable = ({ listed }) => ({
  ...makeTable('lives', 'Nodes that were replaced', listed.slice(0, MAX_SHOWN), [
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
  note: `Times since publishing began.${listed.length > MAX_SHOWN ? ` The first ${MAX_SHOWN} of ${formatWhole(listed.length)}; all are in result.json.` : ''}`
})

/**
 * makeChurnTables describe nodes that left, returned, were replaced or followed a script, and their deliveries.
 *
 * @param {ChurnedResult} result
 * @returns {DescribedTable[]} empty: all nodes stayed
 */
export const makeChurnTables = ({ plan, outcome: { churn, script } }) =>
  omitMissing([
    script && scriptTable(script),
    churn && churnFacts(churn),
    (churn || script) && makeUnexpectedTable({ churn, script }, plan.churn),
    churn?.lives && livesTable(churn.lives)
  ])

/**
 * listChurnTimes are rows of the table of response times.
 *
 * @param {GossipOutcome} outcome
 * @returns {[name: string, summary: import('../../../report/schema.js').Summary | undefined][]}
 */
export const listChurnTimes = ({ churn, script }) => [
  ['Start to connected', churn?.connect],
  ['Start to first delivery', churn?.firstDelivery],
  ['Subscribe to first delivery', script?.firstDelivery],
  ['Latency, with duplicates', churn?.latency?.withDuplicates],
  ['Latency, no duplicates', churn?.latency?.withoutDuplicates]
]

/** describeChurnPlan describes which nodes are to leave. @param {ChurnSpec} churn @param {number} nodes */
export function describeChurnPlan(churn, nodes) {
  const back = `${churn.asNew ? 'replaced' : 'back'} after ${formatDuration(churn.awayMs)}`
  if ('share' in churn)
    return `${formatSignificant(100 * churn.share)} % of the nodes leave in ${formatDuration(churn.perMs)}, each ${back}`
  const every = `${churn.atRandom ? 'on average ' : ''}every ${formatDuration(churn.everyMs)}`
  return `${formatWhole(nodes - churn.peers)} nodes stay; of ${formatWhole(churn.peers)} others one is killed ${every} and ${back}`
}

/** describeChurn describe which nodes left, as the end of a sentence. @param {ChurnResult} churn */
export const describeChurn = ({ lives, departures, returns }) =>
  lives
    ? `while ${departures === 1 ? '1 node was' : `${formatWhole(departures)} nodes were`} killed and ${formatWhole(returns)} started in their places`
    : `while ${formatCount(departures, 'node')} left and ${formatWhole(returns)} returned`

/**
 * findSlotGaps finds the times in which the slot of a node was empty, from a kill to the next start, and then until the new node received a message.
 *
 * @param {NonNullable<ChurnResult['lives']>} lives
 * @param {number} endMs
 * @returns {NonNullable<Plot['spans']>}
 */
function findSlotGaps({ listed }, endMs) {
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

/**
 * makeChurnPlots draw a network while nodes leave, and return or are replaced.
 *
 * @param {ChurnedResult} result
 * @returns {Plot[]}
 */
export function makeChurnPlots({ outcome }) {
  const { churn, timeline } = outcome
  if (!churn) return []
  const { lives, peers = [], deliveriesPerMinute = null, firstDeliveryHistogram, firstDelivery } = churn
  const spans = lives && { spans: findSlotGaps(lives, 1000 * readPublishSeconds(outcome)) }
  const perMinute =
    deliveriesPerMinute === null || timeline.length < 2 ? [] : computeRates(outcome, 'delivered', 60)
  return [
    ...makeLinePlots({
      id: 'deliveries-per-minute',
      title: `Deliveries per minute while nodes ${lives ? 'are replaced' : 'leave and return'}`,
      note: 'Expected deliveries, by the time they arrived. Fewer are expected while a node is missing, and until it, or a new one, has settled.',
      x: TIME_AXIS_TITLE,
      y: 'Deliveries per minute',
      ...spans,
      series: [{ label: 'deliveries', style: 'steps', values: perMinute }]
    }),
    ...makeLinePlots({
      id: 'peers',
      title: 'Connected peers of a node',
      note: 'The average of each group, between the fewest and the most. A node that has just started has none.',
      x: TIME_AXIS_TITLE,
      y: 'Peers',
      ...spans,
      series: GROUPS.map(group => ({
        label: `${group} nodes`,
        values: peers.flatMap(({ atMs, [group]: spread }) =>
          spread === null ? [] : [[atMs / 1000, Number(spread.avg.toFixed(2)), spread.min, spread.max]]
        )
      }))
    }),
    ...makeLinePlots({
      id: 'nodes-up',
      title: 'Nodes that were up',
      x: TIME_AXIS_TITLE,
      y: 'Nodes',
      series: GROUPS.map(group => ({
        label: `${group} nodes`,
        style: 'steps',
        values: peers.map(({ atMs, [group]: spread }) => [atMs / 1000, spread?.nodes ?? 0])
      }))
    }),
    ...(firstDeliveryHistogram === undefined || firstDelivery === undefined
      ? []
      : makeHistogramPlot(firstDeliveryHistogram, {
          id: 'first-delivery',
          title: 'Time from the start of a node to its first delivery',
          note: `Of ${formatCount(firstDelivery.count - (firstDelivery.never ?? 0), 'new node')} that received a message. The wait for the next publication is part of it.`,
          x: 'Start to first delivery, ms',
          y: 'Nodes',
          compared: true
        }))
  ]
}
