import { counted, significant } from '../../kit/numbers.js'
import { sizeText } from '../../kit/units.js'
import { limitNames } from '../../measure/limited-by.js'
import { FEWEST_FOR_INTERVAL } from '../../measure/median-interval.js'
import { limitedTransfer } from '../../measure/transfer-limit.js'
import { settingsTable } from '../../report/description/settings.js'
import { table } from '../../report/description/tables.js'
import { megabytes } from '../../report/description/values.js'
import { namespaceTables } from '../namespaces/namespace-tables.js'
import { roundsOf } from './plan/rounds.js'
import { network, roundId, transferPlots } from './transfer-plots.js'

/**
 * @typedef {import('../../report/description/description.js').Description} Description
 * @typedef {import('../../report/description/description.js').DescribedTable} DescribedTable
 * @typedef {import('./transfer-plan.js').TransferPlan} TransferPlan
 * @typedef {import('./transfer-plan.js').FilesResult} FilesResult
 * @typedef {import('./transfer-plan.js').FilesOutcome} FilesOutcome
 * @typedef {import('./transfer-plan.js').Case} Case
 * @typedef {{ way: string, latencyMs: number, bytesPerSecond: number | null }} WayInRound
 */

/** FILES describes plans and results of files: how long each protocol took to transfer them, on each network. */
export const FILES = {
  /** @param {TransferPlan} plan @returns {import('../../report/description/description.js').PlanDescription} */
  plan: plan => ({
    what: [work(plan), ...setting(plan)].join(' · '),
    phases: {
      setup: ['starting provider and requestors', 'provider and requestors ready'],
      files: ['making files', 'files made'],
      warmup: ['warming up', 'warm-up'],
      measure: ['transferring files', 'files transferred'],
      cooldown: ['reading the limits of the provider', 'limits read'],
      teardown: ['cleaning up', 'cleaned up']
    },
    columns: PROTOCOL_COLUMNS.map(([heading]) => heading),
    rateUnit: 'repeats/s',
    measured: 'provider'
  }),

  /** @param {FilesResult} result @returns {Description} */
  result(result) {
    const { outcome } = result
    const round = lastRound(outcome.cases)
    return {
      title: result.id,
      headline: headline(result, round),
      tiles: round
        .slice(0, 4)
        .map(({ way, seconds }) => [`${way}, median`, isTimed(result) ? inMs(seconds.median) : null, 'ms']),
      // the first table is that of the run: without it there is none
      tables: outcome.cases.length === 0 ? [] : tables(result),
      plots: transferPlots(outcome, isTimed(result)),
      warnings: failures(outcome)
    }
  }
}

/** @param {TransferPlan} plan */
function work(plan) {
  const { concurrency, sizeBytes, ways, repeats } = plan
  const rounds = roundsOf(plan).length
  return `${counted(concurrency, 'file')} of ${sizeText(sizeBytes)} by ${ways.join(', ')} · ${counted(rounds, 'network')}, ${counted(repeats, 'repeat')} each`
}

const STORES = { memory: 'in memory', car: 'in a CAR file', disk: 'on disk' }

/** @param {TransferPlan} plan */
function setting({ requestors, security, transport, store, leftOut }) {
  return [
    `1 provider, ${counted(requestors, 'requestor')}, a process each`,
    transport === 'quic' ? 'libp2p over QUIC' : `libp2p over ${transport} with ${security}`,
    `blocks ${STORES[store]}`,
    ...leftOut.map(({ why }) => `left out: ${why}`)
  ]
}

/** @param {FilesResult} result */
function tables(result) {
  const { outcome } = result
  return [
    protocolsTable(result),
    detailsTable(result),
    limitsTable(outcome),
    filesTable(outcome),
    leftOutTable(outcome),
    transfersTable(outcome),
    blocksTable(outcome),
    memoryTable(outcome),
    ...networkTables(outcome),
    settingsTable(outcome.settings)
  ].filter(({ rows }) => rows.length > 0)
}

/** networkTables are of what joined the sides in each round. @param {Pick<FilesOutcome, 'namespaces'>} outcome */
export const networkTables = ({ namespaces = [] }) =>
  namespaceTables(
    namespaces.map(figures => ({
      label: network(/** @type {any} */ (figures)),
      figures: /** @type {any} */ (figures)
    }))
  )

/** NOT_TCP is said where the network is a line behind sockets. */
export const NOT_TCP =
  'The network is emulated at the socket: TCP below it sees loopback, without slow start or a window.'

/** @param {number | null} seconds */
const inMs = seconds => (seconds === null ? null : 1000 * seconds)

/** Full garbage collections between readings of memory leave no times. @param {FilesResult} result */
const isTimed = ({ plan }) => plan.memorySnapshots !== 'detailed'

/** The last round is the hardest. @param {readonly Case[]} cases */
const lastRound = cases => {
  const last = cases.at(-1)
  return cases.filter(each => last !== undefined && roundId(each) === roundId(last))
}

/** @param {number} seconds */
const time = seconds => (seconds < 1 ? `${significant(1000 * seconds)} ms` : `${significant(seconds)} s`)

/** @param {FilesResult} result @param {readonly Case[]} round */
function headline(result, round) {
  const { concurrency, sizeBytes, repeats } = result.plan
  if (round.length === 0) return 'Nothing was transferred.'
  const files = `${counted(concurrency, 'file')} of ${sizeText(sizeBytes)}`
  if (!isTimed(result))
    return `${files}, ${counted(repeats, 'repeat')}: memory was read, and no times (--memorySnapshots detailed).`
  const times = round.map(({ way, seconds: { median } }) =>
    median === null ? `${way} failed` : `${way} ${time(median)}`
  )
  const { latencyMs, bytesPerSecond } = round[0]
  const over = latencyMs === 0 && bytesPerSecond === null ? '' : ` over ${network(round[0])}`
  const made = Math.max(...round.map(({ batches }) => batches))
  return `${files}${over}: ${times.join(', ')} (medians of ${counted(made, 'repeat')}).`
}

/** @param {FilesOutcome} outcome @returns {Description['warnings']} */
function failures({ transfers }) {
  const failed = transfers.filter(({ outcome }) => outcome !== 'OK')
  if (failed.length === 0) return []
  const [{ way, requestor, error }] = failed
  return [
    {
      code: 'TRANSFERS_FAILED',
      text: `${failed.length} of ${counted(transfers.length, 'transfer')} failed. The first: ${way}, requestor ${requestor}: ${error}`
    }
  ]
}

/** @typedef {import('../../report/description/tables.js').ColumnOf<WayInRound>} RoundColumn */

/** In the tables of each transfer and reading. @type {readonly RoundColumn[]} */
const ROUND = [
  ['Latency ms', ({ latencyMs }) => latencyMs, 'ms'],
  ['Bandwidth MB/s', ({ bytesPerSecond }) => megabytes(bytesPerSecond), 'number'],
  ['Protocol', ({ way }) => way, 'text']
]

/** @param {Case} of */
const limitText = ({ limitedBy, verdict }) => limitNames(limitedBy ?? limitIn(verdict.limit))

/** Older results have the verdict alone. @param {string} limit */
function limitIn(limit) {
  const [, side = null] = /^CPU of the (\w+)$/.exec(limit) ?? []
  const verdict = { limit: side === null ? limit : 'CPU', side, reached: null }
  return limitedTransfer(verdict, { server: null, client: null })
}

/** @typedef {Case & { isTimed: boolean, sizeBytes: number }} Row - of the first table */

/** @template T @param {(of: Row) => T} value @returns {(of: Row) => T | null} */
const timed = value => of => (of.isTimed ? value(of) : null)

/** Of the first table. @type {readonly import('../../report/description/tables.js').ColumnOf<Row>[]} */
const PROTOCOL_COLUMNS = [
  ['Network', network, 'text'],
  ['Protocol', ({ way }) => way, 'text'],
  ['Time ms', timed(({ seconds }) => inMs(seconds.median)), 'ms'],
  ['MB/s', timed(({ goodput }) => megabytes(goodput.median)), 'number'],
  ['× http', timed(({ factorToHttp }) => factorToHttp?.median), 'number'],
  ['File MB', ({ sizeBytes }) => megabytes(sizeBytes), 'MB', 'wide'],
  ['Latency ms', ({ latencyMs }) => latencyMs, 'ms', 'wide'],
  ['Bandwidth MB/s', ({ bytesPerSecond }) => megabytes(bytesPerSecond), 'number', 'wide'],
  ['Time ms low', timed(({ seconds }) => inMs(seconds.low)), 'ms', 'wide'],
  ['Time ms high', timed(({ seconds }) => inMs(seconds.high)), 'ms', 'wide'],
  ['Slowest ms', timed(({ seconds }) => inMs(seconds.slowest)), 'ms', 'wide'],
  ['First byte ms', timed(({ firstByteMs }) => firstByteMs.median), 'ms', 'wide'],
  ['Wait ms', timed(({ waitMs }) => waitMs.median), 'ms', 'wide'],
  ['MB/s low', timed(({ goodput }) => megabytes(goodput.low)), 'number', 'wide'],
  ['MB/s high', timed(({ goodput }) => megabytes(goodput.high)), 'number', 'wide'],
  ['Model MB/s', ({ model }) => megabytes(model.bytesPerSecond), 'number', 'wide'],
  ['× http low', timed(({ factorToHttp }) => factorToHttp?.low), 'number', 'wide'],
  ['× http high', timed(({ factorToHttp }) => factorToHttp?.high), 'number', 'wide'],
  ['Wire/byte', ({ wirePerByte }) => wirePerByte, 'number', 'wide'],
  ['Provider CPU s/GB', timed(({ cpuSecondsPerGB }) => cpuSecondsPerGB.provider), 'number', 'wide'],
  ['Requestor CPU s/GB', timed(({ cpuSecondsPerGB }) => cpuSecondsPerGB.requestors), 'number', 'wide'],
  ['Provider peak MB', ({ peakBytes }) => megabytes(peakBytes.provider), 'MB', 'wide'],
  ['Requestor peak MB', ({ peakBytes }) => megabytes(peakBytes.requestor), 'MB', 'wide'],
  ['Limited by', timed(limitText), 'text']
]

/** @param {FilesResult} result */
const protocolsTable = result =>
  table(
    'protocols',
    'Protocols compared',
    result.outcome.cases.map(each => ({
      ...each,
      isTimed: isTimed(result),
      sizeBytes: result.plan.sizeBytes
    })),
    PROTOCOL_COLUMNS,
    { note: notes(result).join(' '), allColumns: true }
  )

/** How figures are to be read. @param {FilesResult} result */
function notes(result) {
  const { plan, outcome } = result
  if (!isTimed(result)) return ['No times: full garbage collections ran between the readings of memory.']
  const enough = plan.ways.length * Math.ceil(FEWEST_FOR_INTERVAL / plan.ways.length)
  return [
    'Time: median over repeats, from the request until the slowest requestor has stored and checked every block, on open connections.',
    ...(outcome.cases.some(({ seconds }) => seconds.low !== null)
      ? ['low and high: 95 % interval of the median.']
      : plan.repeats < FEWEST_FOR_INTERVAL
        ? [`--repeats ${enough} gives 95 % intervals.`]
        : []),
    ...(outcome.namespaces === undefined ? [NOT_TCP] : [])
  ]
}

/** @param {FilesResult} result */
const detailsTable = result => ({
  ...table('details', 'Limits and connections of each protocol', result.outcome.cases, [
    ...ROUND,
    ['Repeats', ({ batches }) => batches, 'count'],
    ['Transfers', ({ transfers }) => transfers, 'count'],
    ['Failed', ({ failed }) => failed, 'count'],
    ['Blocks', ({ blocks }) => blocks, 'count'],
    ['Limit', ({ verdict }) => (isTimed(result) ? verdict.text : null), 'text'],
    ['Model limit', ({ model }) => model.limit, 'text'],
    ['Window MB', ({ windowBytes }) => megabytes(windowBytes), 'MB'],
    ['Round trip ms', ({ roundTripMs }) => roundTripMs, 'ms'],
    ['Connect ms', ({ connectMs }) => connectMs, 'ms'],
    ['Slowest first byte ms', ({ firstByteMs }) => firstByteMs.slowest, 'ms'],
    ['Slowest wait ms', ({ waitMs }) => waitMs.slowest, 'ms'],
    ['Fairness', ({ fairness }) => fairness, 'number']
  ]),
  note: 'Model: min(bandwidth, window ÷ round trip). Connect: not part of the times. Wait: for a turn at the provider. Fairness: Jain’s index of throughput over requestors.'
})

/** @param {FilesOutcome} outcome */
function limitsTable({ limits }) {
  /** @type {{ name: string, limit: number | null, most: number }[]} */
  const rows =
    limits === null
      ? []
      : [
          { name: 'Requests in progress', ...limits.inProgressRequests },
          { name: 'Requests waiting', limit: null, most: limits.waitingRequests },
          ...[
            { name: 'Memory for one requestor, MB', ...limits.memoryPerPeerBytes },
            { name: 'Memory for all requestors, MB', ...limits.memoryTotalBytes }
          ].map(({ name, limit, most }) => ({ name, limit: limit / 1e6, most: most / 1e6 }))
        ]
  return table('limits', 'Limits of the provider', rows, [
    ['Limit', ({ name }) => name, 'text'],
    ['Allowed', ({ limit }) => limit, 'number'],
    ['Reached', ({ most }) => most, 'number']
  ])
}

/** @param {FilesOutcome} outcome */
const filesTable = ({ files }) =>
  table('files', 'Files', files, [
    ['Root', ({ root }) => root, 'text'],
    ['Blocks', ({ blocks }) => blocks, 'count'],
    ['MB', ({ sizeBytes }) => megabytes(sizeBytes), 'MB'],
    ['MB of all blocks', ({ treeBytes }) => megabytes(treeBytes), 'MB']
  ])

/** @param {FilesOutcome} outcome */
const leftOutTable = ({ leftOut }) =>
  table('left-out', 'Protocols left out', leftOut, [
    ['Protocol', ({ way }) => way, 'text'],
    ['Why', ({ why }) => why, 'text']
  ])

/** @param {FilesOutcome} outcome */
const blocksTable = ({ blockTimes }) =>
  table('block-times', 'Times of blocks', blockTimes ?? [], [
    ...ROUND,
    ['Transfer', ({ transfer }) => transfer, 'text'],
    ['CID', ({ cid }) => cid, 'text'],
    ['Queued ms', ({ queuedMs }) => queuedMs, 'ms'],
    ['Sent ms', ({ sentMs }) => sentMs, 'ms'],
    ['Received ms', ({ receivedMs }) => receivedMs, 'ms'],
    ['Stored ms', ({ storedMs }) => storedMs, 'ms']
  ])

/** @param {FilesOutcome} outcome */
const transfersTable = ({ transfers }) =>
  table('transfers', 'Every transfer', transfers, [
    ...ROUND,
    ['Repeat', ({ repeat }) => repeat, 'count'],
    ['Requestor', ({ requestor }) => requestor, 'count'],
    ['File', ({ file }) => file, 'count'],
    ['Outcome', ({ outcome }) => outcome, 'text'],
    ['Error', ({ error }) => error, 'text'],
    ['Wait ms', ({ waitMs }) => waitMs, 'ms'],
    ['First byte ms', ({ firstByteMs }) => firstByteMs, 'ms'],
    ['Total ms', ({ totalMs }) => totalMs, 'ms'],
    ['MB/s', ({ goodput }) => megabytes(goodput), 'number'],
    ['Wire/byte', ({ wirePerByte }) => wirePerByte, 'number'],
    ['Blocks', ({ blocks }) => blocks, 'count']
  ])

/** @param {FilesOutcome} outcome */
const memoryTable = ({ memory }) => ({
  ...table('memory', 'Memory before and after a full garbage collection', memory ?? [], [
    ...ROUND,
    ['Repeat', ({ repeat }) => repeat, 'count'],
    ['Side', ({ side }) => side, 'text'],
    ['Blocks stored', ({ blocks }) => blocks, 'count'],
    ['RSS MB before', ({ before }) => megabytes(before.residentBytes), 'MB'],
    ['RSS MB after', ({ after }) => megabytes(after.residentBytes), 'MB'],
    ['Heap MB before', ({ before }) => megabytes(before.heapBytes), 'MB'],
    ['Heap MB after', ({ after }) => megabytes(after.heapBytes), 'MB'],
    ['External MB before', ({ before }) => megabytes(before.externalBytes), 'MB'],
    ['External MB after', ({ after }) => megabytes(after.externalBytes), 'MB']
  ]),
  note: 'No number of blocks: the end of the repeat.'
})
