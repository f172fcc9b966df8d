// The description of transferred files.
import { grouping, present, spread } from '../../../kit/collections.js'
import { counted, rateWords, significant, sizeText } from '../../../kit/numbers.js'
import { limitedTransfer, limitNames, modelGoodput } from '../../../measure/limited-by.js'
import { MIN_FOR_INTERVAL } from '../../../measure/statistics.js'
import { four, megabytes, settingsTable, table } from '../../../report/description.js'
import { namespaceTables } from '../../namespace-tables.js'
import { roundsOf } from '../plan/transfer-plan.js'

/**
 * @typedef {import('../../../report/schema.js').Plot} Plot
 * @typedef {import('../../../report/schema.js').Series} Series
 * @typedef {import('../plan/transfer-plan.js').FilesOutcome} FilesOutcome
 * @typedef {import('../plan/transfer-plan.js').Case} Case
 * @typedef {import('../plan/transfer-plan.js').Round} Round
 */

/** More points of a line are not visible. */
const MAX_POINTS = 100
/** Lines of more transfers hide one another. */
const MAX_CURVES = 8
/** Networks with plots of their own. The others are in result.json. */
const MAX_ROUNDS = 4
/** Protocols, on all networks together, with plots of their own. */
const MAX_BLOCK_PLOTS = 10

/** @param {number} bytesPerSecond */
const bandwidth = bytesPerSecond =>
  bytesPerSecond < 1e6 ? `${rateWords(bytesPerSecond / 1e3)} kB/s` : `${rateWords(bytesPerSecond / 1e6)} MB/s`

/** network describes the network between the sides. @param {Round} round */
export const network = ({ latencyMs, bytesPerSecond }) =>
  present([
    latencyMs > 0 && `${rateWords(latencyMs)} ms`,
    bytesPerSecond !== null && bandwidth(bytesPerSecond)
  ]).join(', ') || 'unlimited'

/** roundId is the part of an id that names a round. @param {Round} round */
export const roundId = ({ latencyMs, bytesPerSecond }) =>
  `${latencyMs}ms-${bytesPerSecond ?? 'unlimited'}`.replaceAll('.', '-')

/**
 * transferPlots draws the time and throughput of each protocol, and its first repeat.
 *
 * @param {FilesOutcome} outcome
 * @param {boolean} isTimed - its times are valid
 * @returns {Plot[]}
 */
function transferPlots(outcome, isTimed) {
  const plots = [
    ...(isTimed ? [...timeByLatency(outcome), ...throughputByRoundTrip(outcome)] : []),
    ...bytesOverTime(outcome),
    ...requests(outcome, 'waiting', 'Requests waiting', 1),
    ...requests(outcome, 'in-progress', 'Requests in progress', 2),
    ...blockTimes(outcome)
  ]
  // the last plot of its kind shows the slowest network
  const [first] = plots
  const main = plots.findLast(({ kind, y }) => kind === first.kind && y === first.y)
  return plots.map(plot => (plot === main ? { ...plot, main: true } : plot))
}

/**
 * @template T
 * @param {readonly T[]} rows
 * @param {(row: T) => string} keyOf
 * @returns {T[][]} in the order of their first
 */
function grouped(rows, keyOf) {
  /** @type {Map<string, T[]>} */
  const groups = new Map()
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row])
  return [...groups.values()]
}

/** Selects the groups that have plots: among them the last one, of the slowest network. @template T @param {readonly T[]} groups @param {number} [most] */
const chosen = (groups, most = MAX_ROUNDS) => spread(groups.toReversed(), most).toReversed()

/** A plot for each bandwidth with several latencies. @param {FilesOutcome} outcome @returns {Plot[]} */
const timeByLatency = ({ cases }) =>
  chosen(grouped(cases, ({ bytesPerSecond }) => String(bytesPerSecond))).flatMap(ofOneBandwidth => {
    if (new Set(ofOneBandwidth.map(({ latencyMs }) => latencyMs)).size < 2) return []
    const [{ bytesPerSecond }] = ofOneBandwidth
    return [
      {
        id: `time-by-latency-${bytesPerSecond ?? 'unlimited'}`,
        title: `Time by latency: ${bytesPerSecond === null ? 'unlimited bandwidth' : bandwidth(bytesPerSecond)}`,
        kind: /** @type {const} */ ('lines'),
        note: 'Median over repeats, with its 95 % interval where there is one.',
        x: 'One-way latency, ms',
        y: 'Time, ms',
        compared: true,
        series: grouped(ofOneBandwidth, ({ way }) => way).map(ofOneProtocol => ({
          label: ofOneProtocol[0].way,
          values: ofOneProtocol
            .toSorted((a, b) => a.latencyMs - b.latencyMs)
            .map(({ latencyMs, seconds: { median, low, high } }) => [
              latencyMs,
              ...(low === null || high === null ? [median] : [median, low, high]).map(seconds =>
                four(seconds === null ? null : 1000 * seconds)
              )
            ])
        }))
      }
    ]
  })

/** Rounds without latency are left out: their round trip only shows how busy the two processes are. @param {FilesOutcome} outcome @returns {Plot[]} */
function throughputByRoundTrip({ cases }) {
  const far = cases.filter(
    ({ latencyMs, roundTripMs, goodput }) => latencyMs > 0 && roundTripMs !== null && goodput.median !== null
  )
  if (far.length === 0) return []
  return [
    {
      id: 'throughput-by-round-trip',
      title: 'Throughput by round trip',
      kind: 'lines',
      note: 'A point for each protocol and network: the median over repeats. Dotted: min(bandwidth, window ÷ round trip).',
      x: 'Round trip, ms',
      y: 'MB/s',
      logX: true,
      logY: true,
      compared: true,
      series: [
        ...grouped(far, ({ way }) => way).map(ofOneProtocol => ({
          label: ofOneProtocol[0].way,
          style: /** @type {const} */ ('points'),
          values: ofOneProtocol
            .map(({ roundTripMs, goodput }) => [four(roundTripMs), four(megabytes(goodput.median))])
            .toSorted(([a], [b]) => Number(a) - Number(b))
        })),
        ...models(far)
      ]
    }
  ]
}

const MODEL_POINTS = 40

/** A curve for each pair of a bandwidth and a window. @param {readonly Case[]} cases @returns {Series[]} */
function models(cases) {
  const trips = cases.map(({ roundTripMs }) => Number(roundTripMs))
  const [from, to] = [Math.min(...trips) / 1.5, Math.max(...trips) * 1.5]
  const most = Math.max(...cases.map(({ goodput }) => Number(goodput.median)))
  return grouped(cases, ({ bytesPerSecond, windowBytes }) => `${bytesPerSecond} ${windowBytes}`).flatMap(
    ([{ bytesPerSecond, windowBytes }]) => {
      const label = present([
        bytesPerSecond !== null && bandwidth(bytesPerSecond),
        windowBytes !== null && `window of ${rateWords(windowBytes / 2 ** 20)} MiB`
      ]).join(', ')
      if (label === '') return []
      const values = Array.from({ length: MODEL_POINTS + 1 }, (_, i) => {
        const roundTripMs = from * (to / from) ** (i / MODEL_POINTS)
        const model = modelGoodput({ roundTripMs, windowBytes, lineBytesPerSecond: bytesPerSecond })
        return [four(roundTripMs), four(megabytes(model.bytesPerSecond))]
      })
      // the model is not drawn far above the measured values
      return [
        {
          label: `model: ${label}`,
          style: /** @type {const} */ ('dotted'),
          values: values.filter(([, rate]) => Number(rate) <= (20 * most) / 1e6)
        }
      ]
    }
  )
}

/** A plot for each network, with the first transfers of each protocol. @param {FilesOutcome} outcome @returns {Plot[]} */
function bytesOverTime({ transfers, cases }) {
  const protocols = cases.map(({ way }) => way)
  const drawn = transfers
    .filter(({ repeat, requestor, file }) => repeat === 0 && requestor === 0 && file < MAX_CURVES)
    .filter(({ curve = [] }) => curve.length > 0)
  return chosen(grouped(drawn, roundId)).map(ofOneRound => ({
    id: `bytes-${roundId(ofOneRound[0])}`,
    title: `Bytes stored over time: ${network(ofOneRound[0])}`,
    kind: 'lines',
    note: 'In the first repeat. The slope is the throughput.',
    x: 'Time since the request, ms',
    y: 'Stored, MB',
    compared: true,
    series: ofOneRound
      .toSorted((a, b) => protocols.indexOf(a.way) - protocols.indexOf(b.way))
      .map(({ way, file, curve = [] }) => ({
        label: file === 0 ? way : `${way}, file ${file + 1}`,
        style: /** @type {const} */ ('steps'),
        values: [[0, 0], ...thinned(curve).map(([ms, bytes]) => [four(ms), four(bytes / 1e6)])]
      }))
  }))
}

/** Thins out points, but keeps the last one. @template T @param {readonly T[]} points @returns {readonly T[]} */
const thinned = points => {
  const shown = spread(points, MAX_POINTS)
  return shown.at(-1) === points.at(-1) ? shown : [...shown, ...points.slice(-1)]
}

/**
 * A plot for each network, with a line for each protocol.
 *
 * @param {FilesOutcome} outcome
 * @param {string} name - part of its id
 * @param {string} title
 * @param {1 | 2} column
 * @returns {Plot[]}
 */
const requests = ({ waiting }, name, title, column) =>
  chosen(
    grouped(
      waiting.filter(({ points }) => points.length > 0),
      roundId
    )
  ).map(ofOneRound => ({
    id: `${name}-${roundId(ofOneRound[0])}`,
    title: `${title}: ${network(ofOneRound[0])}`,
    kind: 'lines',
    note: 'At the provider, in the first repeat.',
    x: 'Time, ms',
    y: 'Requests',
    series: ofOneRound.map(({ way, points }) => ({
      label: way,
      style: /** @type {const} */ ('steps'),
      values: grouping(points, MAX_POINTS)
        .map(group => group.reduce((most, point) => (point[column] > most[column] ? point : most)))
        .map(point => [four(point[0]), point[column]])
    }))
  }))

/** A plot for each protocol on each network, with a line for each event in the life of a block. @param {FilesOutcome} outcome @returns {Plot[]} */
const blockTimes = ({ blockTimes }) =>
  chosen(
    grouped(blockTimes ?? [], block => `${block.way}-${roundId(block)}`),
    MAX_BLOCK_PLOTS
  ).map(blocks => {
    const [first] = blocks
    const every = Math.ceil(blocks.length / MAX_POINTS)
    const drawn = blocks.flatMap((block, i) => (i % every === 0 ? [{ ...block, place: i + 1 }] : []))
    return {
      id: `blocks-${first.way}-${roundId(first)}`,
      title: `Blocks: ${first.way}, ${network(first)}`,
      kind: 'lines',
      note: `When each block was queued, sent, received and stored, in the first repeat.${every === 1 ? '' : ` One of ${every} blocks is drawn.`}`,
      x: 'Block, in the order in which the provider queued it',
      y: 'Time, ms',
      series: /** @type {const} */ (['queued', 'sent', 'received', 'stored']).map(label => ({
        label,
        values: drawn.map(({ place, [/** @type {const} */ (`${label}Ms`)]: ms }) => [place, four(ms)])
      }))
    }
  })

/**
 * @typedef {import('../../../report/schema.js').Description} Description
 * @typedef {import('../../../report/schema.js').DescribedTable} DescribedTable
 * @typedef {import('../plan/transfer-plan.js').TransferPlan} TransferPlan
 * @typedef {import('../plan/transfer-plan.js').FilesResult} FilesResult
 * @typedef {{ way: string, latencyMs: number, bytesPerSecond: number | null }} WayInRound
 */

/** FILES describes plans and results of files. */
export const FILES = {
  /** @param {TransferPlan} plan @returns {import('../../../report/schema.js').PlanDescription} */
  plan: plan => ({
    what: work(plan),
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
      // the first table is the table of the run: without it there are no others
      tables: outcome.cases.length === 0 ? [] : tables(result),
      plots: transferPlots(outcome, isTimed(result)),
      warnings: failures(outcome)
    }
  }
}

const STORES = { memory: 'in memory', car: 'in a CAR file', disk: 'on disk' }

/** @param {TransferPlan} plan */
function work(plan) {
  const { concurrency, sizeBytes, ways, repeats } = plan
  const { requestors, security, transport, store, leftOut } = plan
  const rounds = roundsOf(plan).length
  return [
    `${counted(concurrency, 'file')} of ${sizeText(sizeBytes)} by ${ways.join(', ')}`,
    `${counted(rounds, 'network')}, ${counted(repeats, 'repeat')} each`,
    `1 provider, ${counted(requestors, 'requestor')}, a process each`,
    transport === 'quic' ? 'libp2p over QUIC' : `libp2p over ${transport} with ${security}`,
    `blocks ${STORES[store]}`,
    ...leftOut.map(({ why }) => `left out: ${why}`)
  ].join(' · ')
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

/** networkTables shows the links between the sides in each round. @param {Pick<FilesOutcome, 'namespaces'>} outcome */
export const networkTables = ({ namespaces = [] }) =>
  namespaceTables(/** @type {any[]} */ (namespaces).map(figures => ({ label: network(figures), figures })))

/** NOT_TCP is a note to results whose network is a line behind sockets. */
export const NOT_TCP =
  'The network is emulated at the socket: TCP below it sees loopback, without slow start or a window.'

/** @param {number | null} seconds */
const inMs = seconds => (seconds === null ? null : 1000 * seconds)

/** With full garbage collections between readings of memory, times are not valid. @param {Pick<FilesResult, 'plan'>} result */
const isTimed = ({ plan }) => plan.memorySnapshots !== 'detailed'

/** The cases of the last round, which has the slowest network. @param {readonly Case[]} cases */
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

/** @typedef {import('../../../report/description.js').ColumnOf<WayInRound>} RoundColumn */

/** Columns of the tables with a row for each transfer or reading. @type {readonly RoundColumn[]} */
const ROUND = [
  ['Latency ms', ({ latencyMs }) => latencyMs, 'ms'],
  ['Bandwidth MB/s', ({ bytesPerSecond }) => megabytes(bytesPerSecond), 'number'],
  ['Protocol', ({ way }) => way, 'text']
]

/** Results of earlier releases have the verdict alone. @param {Case} of */
function limitText({ limitedBy, verdict: { limit } }) {
  const [, side = null] = /^CPU of the (\w+)$/.exec(limit) ?? []
  const verdict = { limit: side === null ? limit : 'CPU', side, reached: null }
  return limitNames(limitedBy ?? limitedTransfer(verdict, { server: null, client: null }))
}

/** @typedef {Case & { isTimed: boolean, sizeBytes: number }} Row - of the first table */

/** @template T @param {(of: Row) => T} value @returns {(of: Row) => T | null} */
const timed = value => of => (of.isTimed ? value(of) : null)

/** Columns of the first table. @type {readonly import('../../../report/description.js').ColumnOf<Row>[]} */
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
const protocolsTable = ({ plan, outcome }) =>
  table(
    'protocols',
    'Protocols compared',
    outcome.cases.map(each => ({ ...each, isTimed: isTimed({ plan }), sizeBytes: plan.sizeBytes })),
    PROTOCOL_COLUMNS,
    { note: notes({ plan, outcome }).join(' '), allColumns: true }
  )

/** @param {Pick<FilesResult, 'plan' | 'outcome'>} result */
function notes({ plan, outcome }) {
  if (!isTimed({ plan })) return ['No times: full garbage collections ran between the readings of memory.']
  const enough = plan.ways.length * Math.ceil(MIN_FOR_INTERVAL / plan.ways.length)
  return [
    'Time: median over repeats, from the request until the slowest requestor has stored and checked every block, on open connections.',
    ...(outcome.cases.some(({ seconds }) => seconds.low !== null)
      ? ['low and high: 95 % interval of the median.']
      : plan.repeats < MIN_FOR_INTERVAL
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
