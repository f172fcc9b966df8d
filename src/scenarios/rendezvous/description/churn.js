// Adds churn to the tables and plots of a rendezvous result: peers that leave and return, their registrations, stale
// replies.
import { computeSum, groupNeighbours } from '../../../kit/collections.js'
import { formatDuration, formatSignificant } from '../../../kit/numbers.js'
import { countStablePeers } from '../../../load/churn.js'
import { formatChurn } from '../../../plan/churn.js'
import {
  computeMeasuredSeconds,
  makeFactsTable,
  makeHistogramPlot,
  makeTable,
  makeTimeCell,
  makeTimeSeries
} from '../../../report/description.js'
import { TIME_AXIS } from '../operation-description.js'

/**
 * @typedef {import('../../../report/schema.js').Result} Result
 * @typedef {import('../options.js').Plan} Plan
 * @typedef {import('../schema.js').Churned} Churned
 * @typedef {import('../schema.js').RecordCount} RecordCount
 * @typedef {import('../../../report/schema.js').Description} Description
 * @typedef {import('../../../report/schema.js').DescribedTable} DescribedTable
 * @typedef {import('../../../report/schema.js').Plot} Plot
 */

/**
 * describeClientChurn describes the churn of a plan.
 *
 * @param {Plan} plan
 */
export function describeClientChurn({ churn, nClients }) {
  if (churn == null) return ''
  const { awayMs, asNew } = churn
  const back = `${asNew ? 'replaced' : 'back'} after ${formatDuration(awayMs)}`
  if (!('peers' in churn))
    return `${formatSignificant(100 * churn.share)} % of clients killed per ${formatDuration(churn.perMs)}, ${back}`
  const often = `one killed ${churn.atRandom ? 'on average ' : ''}every ${formatDuration(churn.everyMs)}`
  return `${nClients - churn.peers} stable and ${churn.peers} ephemeral clients, ${often}, ${back}`
}

/**
 * listRegistrationTimes lists rows of the table of response times.
 *
 * @param {Churned | undefined} churn
 * @returns {Parameters<typeof import('../../../report/description.js').makeTimesTable>[0]}
 */
export function listRegistrationTimes(churn) {
  if (churn === undefined) return []
  const { connect, register, firstDiscovery, visible, left } = churn
  return [
    ['New peer: from its start until connected', connect],
    ['New peer: from its start until registered', register],
    ['New peer: from its start to its first discovery', firstDiscovery],
    ['Registration: until another peer discovered it', visible.delay.all],
    ['Registration: until discovered, of those that were', visible.delay.known],
    ['Registration: from the kill of its peer to its last sight', left.lastSeenAfterKill]
  ]
}

/**
 * addChurnDescription adds churn to a description of operations.
 *
 * @param {Result} result
 * @param {Description} described
 * @returns {Description}
 */
export function addChurnDescription(result, described) {
  const { churn } = result.outcome
  if (churn === undefined) return described
  const [operations, ...tables] = described.tables
  const { discovered, visible, firstDiscovery, left } = churn
  const note = `${operations.note} REGISTER and CONNECT count from when they were sent.`
  return {
    ...described,
    headline: `${staleText(result.plan, churn)} ${described.headline}`,
    tiles: [
      ['Stale records', staleShare(discovered.withDuplicates), 'percent'],
      ['p50 from registered to discovered', makeTimeCell(visible.delay.all.p50), 'ms'],
      ['p50 from start to first discovery', makeTimeCell(firstDiscovery.p50), 'ms'],
      ['p50 from kill to last sight', makeTimeCell(left.lastSeenAfterKill.p50), 'ms']
    ],
    tables: [
      { ...operations, note, ...withChurnColumns(operations, result, churn) },
      ...churnTables(result.plan, churn),
      ...tables
    ],
    plots: [...churnPlots(result, churn), ...described.plots.map(({ main, ...plot }) => plot)]
  }
}

/** Columns that churn adds to the table of operations. @type {readonly import('../../../report/description.js').ColumnOf<{ plan: Plan, churn: Churned }>[]} */
const CHURN_COLUMNS = [
  ['Stale %', ({ churn }) => staleShare(churn.discovered.withDuplicates), 'percent', 'wide'],
  [
    'Stale % without duplicates',
    ({ churn }) => staleShare(churn.discovered.withoutDuplicates),
    'percent',
    'wide'
  ],
  ['Overdue', ({ churn }) => churn.left.overdue, 'count', 'wide'],
  ['Avg until discovered ms', ({ churn }) => makeTimeCell(churn.visible.delay.all.avg), 'ms', 'wide'],
  ['Max until discovered ms', ({ churn }) => makeTimeCell(churn.visible.delay.all.max), 'ms', 'wide'],
  ['Avg first discovery ms', ({ churn }) => makeTimeCell(churn.firstDiscovery.avg), 'ms', 'wide'],
  ['Max first discovery ms', ({ churn }) => makeTimeCell(churn.firstDiscovery.max), 'ms', 'wide'],
  ['Killed', ({ churn }) => churn.lives.killed, 'count', 'wide'],
  ['Churn', ({ plan }) => plan.churn && formatChurn(plan.churn), 'text', 'wide'],
  ['TTL s', ({ plan }) => plan.ttlSeconds, 's', 'wide'],
  ['Renewed every s', ({ plan }) => Number(plan.refreshEveryMs) / 1000, 's', 'wide'],
  ['Cookies', ({ plan }) => (plan.cookies ? 'yes' : 'no'), 'text', 'wide']
]

/** CHURN_COLUMN_HEADINGS are the headings of the columns that churn adds to the table of operations. */
export const CHURN_COLUMN_HEADINGS = CHURN_COLUMNS.map(([heading]) => heading)

/** @param {DescribedTable} operations @param {Result} result @param {Churned} churn */
function withChurnColumns(operations, { plan }, churn) {
  const { columns, rows } = makeTable('added', '', [{ plan, churn }], CHURN_COLUMNS, { allColumns: true })
  return {
    columns: [...operations.columns, ...columns],
    rows: operations.rows.map(row => [...row, ...rows[0]])
  }
}

/** @param {RecordCount} count @returns {number | null} % */
const staleShare = ({ records, stale }) => (records === 0 ? null : (100 * stale) / records)

/** @param {Plan} plan @param {Churned} churn */
function staleText(plan, { discovered, lives }) {
  const share = staleShare(discovered.withDuplicates)
  const stale =
    share === null
      ? 'no record was discovered'
      : `${formatSignificant(share)} % of discovered records were stale`
  return `${describeClientChurn(plan)} (${lives.killed} killed in all): ${stale}.`
}

/** @param {Plan} plan @param {Churned} churn @returns {DescribedTable[]} */
function churnTables(plan, churn) {
  const { discovered } = churn
  const { duplicates } = discovered
  return [
    makeTable(
      'stale-records',
      'Discovered records',
      [
        { name: 'With duplicates', count: discovered.withDuplicates },
        { name: 'Without duplicates', count: discovered.withoutDuplicates }
      ],
      [
        ['Discovered records', ({ name }) => name, 'text'],
        ['Records', ({ count }) => count.records, 'count'],
        ['Stale', ({ count }) => count.stale, 'count'],
        ['Stale %', ({ count }) => staleShare(count), 'percent']
      ],
      { terminal: true, note: 'Stale: the peer had been killed before the reply came.' }
    ),
    churnFacts(plan, churn),
    makeFactsTable('duplicates', 'Duplicates among discovered records', [
      ['Given to the same discoverer again', duplicates.again, 'count'],
      ['Given again after a new registration', duplicates.renewed, 'count'],
      ['Twice in one reply', duplicates.inOneReply, 'count'],
      ['Replies to DISCOVER', discovered.replies, 'count'],
      ["The discoverer's own records, not counted", discovered.own, 'count'],
      ['Records of peers of no part in the run', discovered.unknown, 'count']
    ]),
    expiryTable(churn)
  ]
}

/** @param {Plan} plan @param {Churned} churn */
function churnFacts(plan, { lives, connect, register, firstDiscovery, visible, left, ...churn }) {
  return makeFactsTable('churn', 'Churn', [
    ['Stable clients', countStablePeers({ nodes: plan.nClients, churn: plan.churn }), 'count'],
    ['Churn', plan.churn && formatChurn(plan.churn), 'text'],
    ['Time to live of registrations, s', plan.ttlSeconds],
    ['Renewed every, s', Number(plan.refreshEveryMs) / 1000],
    ['DISCOVER with cookie', plan.cookies ? 'yes' : 'no', 'text'],
    ['Peers killed', lives.killed, 'count'],
    ['Peers started in their places', lives.started, 'count'],
    ['Of these without a connection', lives.failed, 'count'],
    ['A kill or start was late by at most, ms', lives.latestMs],
    ['New peers that never connected', connect.never, 'count'],
    ['New peers that never registered', register.never, 'count'],
    ['New peers without a first discovery', firstDiscovery.never, 'count'],
    ['REGISTER and DISCOVER per minute', churn.operationsPerMinute],
    ['Operations cut off by a kill, not counted', churn.cutOff, 'count'],
    ['New registrations', visible.registrations, 'count'],
    ['Of these discovered by another peer', visible.seen, 'count'],
    ['Before the reply to REGISTER', visible.beforeReply, 'count'],
    ['Not discovered before the kill', visible.killedUnseen, 'count'],
    ['Not discovered before the end', visible.endedUnseen, 'count'],
    ['Registrations left by killed peers', left.registrations, 'count'],
    ['Of these expired', left.expired, 'count'],
    ['Killed while they were renewed, not counted below', left.unsure, 'count'],
    ['Not in any reply after the kill', left.unseen, 'count'],
    ['Given to a DISCOVER sent after they expired', left.overdue, 'count']
  ])
}

/** @param {Churned} churn */
const expiryTable = ({ left: { expiryLag } }) => ({
  ...makeTable('expiry', 'Last sight of expired registrations', expiryLag === null ? [] : [expiryLag], [
    ['Registrations', ({ count }) => count, 'count'],
    ['Min ms', ({ min }) => min, 'ms'],
    ['Avg ms', ({ avg }) => avg, 'ms'],
    ['Median ms', ({ median }) => median, 'ms'],
    ['Max ms', ({ max }) => max, 'ms']
  ]),
  note: 'After the end of their time to live; negative: before it.'
})

/** A plot cannot show more points apart. */
const MAX_POINTS = 300

/** More spans would cover a plot. */
const MAX_SPANS = 100

/** Times without the peer of a place. @param {Result} result @param {Churned} churn @returns {Pick<Plot, 'spans'>} */
function gaps(result, { lives: { listed } }) {
  const end = computeMeasuredSeconds(/** @type {any} */ (result))
  const spans = listed.flatMap(({ slot, killedMs }) => {
    if (killedMs === null) return []
    const next = listed.find(life => life.slot === slot && Number(life.startedMs) > killedMs)
    return [{ from: killedMs / 1000, to: (next?.startedMs ?? 1000 * end) / 1000, label: 'a peer is missing' }]
  })
  return spans.length === 0 || spans.length > MAX_SPANS ? {} : { spans }
}

/** @param {Result} result @param {Churned} churn @returns {Plot[]} */
function churnPlots(result, churn) {
  const time = { x: TIME_AXIS, ...gaps(result, churn) }
  const { visible, left, firstDiscoveryHistogram } = churn
  return [
    ...overTimePlots(churn, time),
    ...peerPlots(result, churn),
    ...makeHistogramPlot(visible.histogram, {
      id: 'visible-delay',
      title: 'From registered to discovered',
      note: 'From the reply to REGISTER to the first reply to another peer that contains it.',
      x: 'Time, ms',
      y: 'Registrations'
    }),
    ...makeHistogramPlot(visible.censoredHistogram, {
      id: 'not-visible',
      title: 'Registrations that nobody discovered',
      note: 'How long they were there, until the kill of their peer or the end.',
      x: 'Time, ms',
      y: 'Registrations'
    }),
    ...makeHistogramPlot(firstDiscoveryHistogram, {
      id: 'first-discovery',
      title: 'From start to first discovery',
      note: 'Of new peers that discovered another living one.',
      x: 'Time, ms',
      y: 'Peers'
    }),
    ...makeHistogramPlot(left.lastSeenHistogram, {
      id: 'last-seen',
      title: 'From kill to last sight',
      note: 'Of registrations of killed peers that have expired.',
      x: 'Time, ms',
      y: 'Registrations'
    })
  ]
}

/** @param {Churned} churn @param {Pick<Plot, 'x' | 'spans'>} time @returns {Plot[]} */
function overTimePlots({ series }, time) {
  if (series.length < 2) return []
  // counts of registrations are those of the last point of a group
  const points = groupNeighbours(series, MAX_POINTS).map(group => ({
    ...group[group.length - 1],
    records: computeSum(group, ({ records }) => records),
    stale: computeSum(group, ({ stale }) => stale),
    replies: computeSum(group, ({ replies }) => replies) / group.length
  }))
  return [
    {
      id: 'stale-records-over-time',
      title: 'Stale records over time',
      kind: 'lines',
      main: true,
      compared: true,
      note: 'Share of discovered records whose peer had been killed, duplicates included.',
      ...time,
      y: 'Stale records, %',
      series: makeTimeSeries(points, { Stale: staleShare })
    },
    {
      id: 'registrations-over-time',
      title: 'Registrations over time',
      kind: 'lines',
      note: 'Of living and of killed peers: counted by the peers, and by the server.',
      ...time,
      y: 'Registrations',
      series: makeTimeSeries(points, {
        'of living peers': ({ living }) => living,
        'of all, with those of killed peers': ({ living, dead }) => living + dead,
        'counted by the server': ({ server }) => server
      }).map(each => ({ ...each, style: 'steps' }))
    },
    {
      id: 'replies-over-time',
      title: 'Replies to DISCOVER over time',
      kind: 'lines',
      ...time,
      y: 'Replies per point',
      series: makeTimeSeries(points, { Replies: ({ replies }) => replies })
    }
  ]
}

/** @param {Result} result @param {Churned} churn @returns {Plot[]} */
function peerPlots(result, { lives: { listed, listedAll } }) {
  const started = listed.filter(({ startDueMs, startedMs }) => startDueMs !== null && startedMs !== null)
  if (started.length === 0) return []
  const end = computeMeasuredSeconds(/** @type {any} */ (result))
  const { plan } = result
  const points = Array.from({ length: MAX_POINTS + 1 }, (_, i) => (i * end) / MAX_POINTS)
  /** @param {'connectedMs' | 'registeredMs' | 'firstDiscoveryMs'} key */
  const since = key =>
    started.flatMap(({ startedMs, [key]: at }) =>
      startedMs === null || at === null ? [] : [[startedMs / 1000, Math.max(0, Math.round(at - startedMs))]]
    )
  const living = (/** @type {number} */ at) =>
    countStablePeers({ nodes: plan.nClients, churn: plan.churn }) +
    listed.filter(
      ({ startDueMs, startedMs, killedMs, error }) =>
        error === null &&
        (startDueMs === null || Number(startedMs ?? Infinity) <= 1000 * at) &&
        (killedMs === null || killedMs > 1000 * at)
    ).length
  return [
    ...(listedAll
      ? [
          /** @type {Plot} */ ({
            id: 'peers-over-time',
            title: 'Living peers over time',
            kind: 'lines',
            x: TIME_AXIS,
            y: 'Peers',
            series: [
              {
                label: 'living',
                style: 'steps',
                values: points
                  .map(at => [Number(at.toFixed(2)), living(at)])
                  .filter(([, n], i, all) => i === 0 || i === all.length - 1 || n !== all[i - 1][1])
              }
            ]
          })
        ]
      : []),
    {
      id: 'catch-up',
      title: 'How long new peers took',
      kind: 'lines',
      note: 'Each point is a new peer, at the time of its start.',
      x: TIME_AXIS,
      y: 'Time since its start, ms',
      series: [
        { label: 'until connected', style: 'points', values: since('connectedMs') },
        { label: 'until registered', style: 'points', values: since('registeredMs') },
        { label: 'until its first discovery', style: 'points', values: since('firstDiscoveryMs') }
      ]
    }
  ]
}
