// Tables or plots of nodes that left, returned or were replaced.
import { present } from '../../../kit/collections.js'
import { counted, grouped, significant, spell } from '../../../kit/numbers.js'
import { SETTLE_MS } from '../../../plan/churn.js'
import { facts, histogramPlot, table } from '../../../report/description.js'
import { lines, publishSeconds, rates, SINCE } from './plots.js'

/**
 * @typedef {import('../../../report/schema.js').DescribedTable} DescribedTable
 * @typedef {import('../../../report/schema.js').Plot} Plot
 * @typedef {import('../../../report/description.js').ColumnOf<ApartRow>[]} ApartColumns
 * @typedef {import('../outcome.js').GossipOutcome} GossipOutcome
 * @typedef {import('../outcome.js').Churned} Churned
 * @typedef {import('../outcome.js').ScriptResult} ScriptResult
 * @typedef {import('../../../load/churn.js').ChurnSpec} ChurnSpec
 * @typedef {{ plan: { churn: ChurnSpec | null }, outcome: GossipOutcome }} OfChurn
 * @typedef {[when: string, counts: { expected?: number, delivered: number }]} ApartRow
 */

/** Rows of a table, and spans of a plot. */
const MAX_SHOWN = 300

/** @type {ApartColumns} */
const APART = [
  ['Published', ([when]) => when, 'text'],
  ['Messages × nodes', ([, { expected }]) => expected, 'count'],
  ['Delivered', ([, { delivered }]) => delivered, 'count'],
  ['%', ([, { expected, delivered }]) => (expected ? (100 * delivered) / expected : null), 'percent']
]

/** @param {Churned} churn */
const churnFacts = churn =>
  facts('churn', 'Churn', [
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
function apartTable({ churn, script }, spec) {
  const settle = spell(spec?.settleMs ?? SETTLE_MS)
  /** @type {[string, ApartRow[1] | undefined][]} */
  const rows = [
    [`less than ${settle} after the receiver had started`, churn?.apart.joining],
    ['less than 1 s before the receiver left', churn?.apart.leaving],
    ['while the receiver was away', churn?.apart.away],
    ['before the receiver was started', churn?.apart.earlier],
    [`less than ${settle} after the receiver had subscribed`, script?.apart.subscribing],
    ['less than 1 s before the receiver unsubscribed', script?.apart.unsubscribing],
    ['while the receiver was not subscribed', script?.apart.unsubscribed]
  ]
  return table(
    'deliveries-apart',
    'Deliveries that are not expected',
    rows.flatMap(([when, counts]) =>
      counts === undefined ? [] : [/** @type {ApartRow} */ ([when, counts])]
    ),
    APART,
    { note: 'They are in no other figure.' }
  )
}

/** @param {ScriptResult} script */
const scriptTable = ({ steps }) =>
  table(
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
      note: `Done: by so many nodes at that time; a node that is away does it when it returns. Latest: after it was due.${steps.length > MAX_SHOWN ? ` The first ${MAX_SHOWN} steps; more are in result.json.` : ''}`
    }
  )

/** @param {NonNullable<Churned['lives']>} lives */
const livesTable = ({ listed }) => ({
  ...table('lives', 'Nodes that were replaced', listed.slice(0, MAX_SHOWN), [
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
  note: `Times since publishing began.${listed.length > MAX_SHOWN ? ` The first ${MAX_SHOWN} of ${grouped(listed.length)}; all are in result.json.` : ''}`
})

/**
 * churnTables describe nodes that left, returned, were replaced or followed a script, and their deliveries.
 *
 * @param {OfChurn} result
 * @returns {DescribedTable[]} empty: all nodes stayed
 */
export const churnTables = ({ plan, outcome: { churn, script } }) =>
  present([
    script && scriptTable(script),
    churn && churnFacts(churn),
    (churn || script) && apartTable({ churn, script }, plan.churn),
    churn?.lives && livesTable(churn.lives)
  ])

/**
 * churnTimes are rows of the table of response times.
 *
 * @param {GossipOutcome} outcome
 * @returns {[name: string, summary: import('../../../report/schema.js').Summary | undefined][]}
 */
export const churnTimes = ({ churn, script }) => [
  ['Start to connected', churn?.connect],
  ['Start to first delivery', churn?.firstDelivery],
  ['Subscribe to first delivery', script?.firstDelivery],
  ['Latency, with duplicates', churn?.latency?.withDuplicates],
  ['Latency, no duplicates', churn?.latency?.withoutDuplicates]
]

/** plannedChurn describes which nodes are to leave. @param {ChurnSpec} churn @param {number} nodes */
export function plannedChurn(churn, nodes) {
  const back = `${churn.asNew ? 'replaced' : 'back'} after ${spell(churn.awayMs)}`
  if ('share' in churn)
    return `${significant(100 * churn.share)} % of the nodes leave in ${spell(churn.perMs)}, each ${back}`
  const every = `${churn.atRandom ? 'on average ' : ''}every ${spell(churn.everyMs)}`
  return `${grouped(nodes - churn.peers)} nodes stay; of ${grouped(churn.peers)} others one is killed ${every} and ${back}`
}

/** churnWords describe which nodes left, as the end of a sentence. @param {Churned} churn */
export const churnWords = ({ lives, departures, returns }) =>
  lives
    ? `while ${departures === 1 ? '1 node was' : `${grouped(departures)} nodes were`} killed and ${grouped(returns)} started in their places`
    : `while ${counted(departures, 'node')} left and ${grouped(returns)} returned`

/**
 * gaps finds the times in which the slot of a node was empty, from a kill to the next start, and then until the new node received a message.
 *
 * @param {NonNullable<Churned['lives']>} lives
 * @param {number} endMs
 * @returns {NonNullable<Plot['spans']>}
 */
function gaps({ listed }, endMs) {
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
 * churnPlots draw a network while nodes leave, and return or are replaced.
 *
 * @param {OfChurn} result
 * @returns {Plot[]}
 */
export function churnPlots({ outcome }) {
  const { churn, timeline } = outcome
  if (!churn) return []
  const { lives, peers = [], deliveriesPerMinute = null, firstDeliveryHistogram, firstDelivery } = churn
  const spans = lives && { spans: gaps(lives, 1000 * publishSeconds(outcome)) }
  const perMinute = deliveriesPerMinute === null || timeline.length < 2 ? [] : rates(outcome, 'delivered', 60)
  return [
    ...lines({
      id: 'deliveries-per-minute',
      title: `Deliveries per minute while nodes ${lives ? 'are replaced' : 'leave and return'}`,
      note: 'Expected deliveries, by the time they arrived. Fewer are expected while a node is missing, and until it, or a new one, has settled.',
      x: SINCE,
      y: 'Deliveries per minute',
      ...spans,
      series: [{ label: 'deliveries', style: 'steps', values: perMinute }]
    }),
    ...lines({
      id: 'peers',
      title: 'Connected peers of a node',
      note: 'The average of each group, between the fewest and the most. A node that has just started has none.',
      x: SINCE,
      y: 'Peers',
      ...spans,
      series: GROUPS.map(group => ({
        label: `${group} nodes`,
        values: peers.flatMap(({ atMs, [group]: spread }) =>
          spread === null ? [] : [[atMs / 1000, Number(spread.avg.toFixed(2)), spread.min, spread.max]]
        )
      }))
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
    ...(firstDeliveryHistogram === undefined || firstDelivery === undefined
      ? []
      : histogramPlot(firstDeliveryHistogram, {
          id: 'first-delivery',
          title: 'Time from the start of a node to its first delivery',
          note: `Of ${counted(firstDelivery.count - (firstDelivery.never ?? 0), 'new node')} that received a message. The wait for the next publication is part of it.`,
          x: 'Start to first delivery, ms',
          y: 'Nodes',
          compared: true
        }))
  ]
}
