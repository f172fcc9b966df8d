// Makes the headline, tables, plots and warnings that reports show of a transfer of files.
import { groupNeighbours, omitMissing, pickEvenly } from '../../../kit/collections.js'
import { formatCount, formatRate, formatSignificant, formatSize } from '../../../kit/numbers.js'
import { computeModelGoodput, describeTransferLimit, formatLimitNames } from '../../../measure/limited-by.js'
import { MIN_FOR_INTERVAL } from '../../../measure/statistics.js'
import { makeSettingsTable, makeTable, roundToFourDigits, toMegabytes } from '../../../report/description.js'
import { makeNamespaceTables } from '../../namespace-tables.js'
import { listRounds } from '../plan/transfer-plan.js'

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
const writeBandwidth = bytesPerSecond =>
  bytesPerSecond < 1e6
    ? `${formatRate(bytesPerSecond / 1e3)} kB/s`
    : `${formatRate(bytesPerSecond / 1e6)} MB/s`

/** describeNetwork describes the network between the sides. @param {Round} round */
export const describeNetwork = ({ latencyMs, bytesPerSecond }) =>
  omitMissing([
    latencyMs > 0 && `${formatRate(latencyMs)} ms`,
    bytesPerSecond !== null && writeBandwidth(bytesPerSecond)
  ]).join(', ') || 'unlimited'

/** makeRoundId is the part of an id that names a round. @param {Round} round */
export const makeRoundId = ({ latencyMs, bytesPerSecond }) =>
  `${latencyMs}ms-${bytesPerSecond ?? 'unlimited'}`.replaceAll('.', '-')

/**
 * makePlots draws the time and throughput of each protocol, and its first repeat.
 *
 * @param {FilesOutcome} outcome
 * @param {boolean} isTimed - its times are valid
 * @returns {Plot[]}
 */
function makePlots(outcome, isTimed) {
  const plots = [
    ...(isTimed ? [...plotTimeByLatency(outcome), ...plotThroughputByRoundTrip(outcome)] : []),
    ...plotBytesOverTime(outcome),
    ...plotRequests(outcome, 'waiting', 'Requests waiting', 1),
    ...plotRequests(outcome, 'in-progress', 'Requests in progress', 2),
    ...plotBlockTimes(outcome)
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
function groupBy(rows, keyOf) {
  /** @type {Map<string, T[]>} */
  const groups = new Map()
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row])
  return [...groups.values()]
}

/** Selects the groups that have plots: among them the last one, of the slowest network. @template T @param {readonly T[]} groups @param {number} [most] */
const selectGroups = (groups, most = MAX_ROUNDS) => pickEvenly(groups.toReversed(), most).toReversed()

/** A plot for each bandwidth with several latencies. @param {FilesOutcome} outcome @returns {Plot[]} */
const plotTimeByLatency = ({ cases }) =>
  selectGroups(groupBy(cases, ({ bytesPerSecond }) => String(bytesPerSecond))).flatMap(ofOneBandwidth => {
    if (new Set(ofOneBandwidth.map(({ latencyMs }) => latencyMs)).size < 2) return []
    const [{ bytesPerSecond }] = ofOneBandwidth
    return [
      {
        id: `time-by-latency-${bytesPerSecond ?? 'unlimited'}`,
        title: `Time by latency: ${bytesPerSecond === null ? 'unlimited bandwidth' : writeBandwidth(bytesPerSecond)}`,
        kind: /** @type {const} */ ('lines'),
        note: 'Median over repeats, with its 95 % interval where there is one.',
        x: 'One-way latency, ms',
        y: 'Time, ms',
        compared: true,
        series: groupBy(ofOneBandwidth, ({ way }) => way).map(ofOneProtocol => ({
          label: ofOneProtocol[0].way,
          values: ofOneProtocol
            .toSorted((a, b) => a.latencyMs - b.latencyMs)
            .map(({ latencyMs, seconds: { median, low, high } }) => [
              latencyMs,
              ...(low === null || high === null ? [median] : [median, low, high]).map(seconds =>
                roundToFourDigits(seconds === null ? null : 1000 * seconds)
              )
            ])
        }))
      }
    ]
  })

/** Rounds without latency are left out: their round trip only shows how busy the two processes are. @param {FilesOutcome} outcome @returns {Plot[]} */
function plotThroughputByRoundTrip({ cases }) {
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
        ...groupBy(far, ({ way }) => way).map(ofOneProtocol => ({
          label: ofOneProtocol[0].way,
          style: /** @type {const} */ ('points'),
          values: ofOneProtocol
            .map(({ roundTripMs, goodput }) => [
              roundToFourDigits(roundTripMs),
              roundToFourDigits(toMegabytes(goodput.median))
            ])
            .toSorted(([a], [b]) => Number(a) - Number(b))
        })),
        ...makeModelSeries(far)
      ]
    }
  ]
}

const MODEL_POINTS = 40

/** A curve for each pair of a bandwidth and a window. @param {readonly Case[]} cases @returns {Series[]} */
function makeModelSeries(cases) {
  const trips = cases.map(({ roundTripMs }) => Number(roundTripMs))
  const [from, to] = [Math.min(...trips) / 1.5, Math.max(...trips) * 1.5]
  const most = Math.max(...cases.map(({ goodput }) => Number(goodput.median)))
  return groupBy(cases, ({ bytesPerSecond, windowBytes }) => `${bytesPerSecond} ${windowBytes}`).flatMap(
    ([{ bytesPerSecond, windowBytes }]) => {
      const label = omitMissing([
        bytesPerSecond !== null && writeBandwidth(bytesPerSecond),
        windowBytes !== null && `window of ${formatRate(windowBytes / 2 ** 20)} MiB`
      ]).join(', ')
      if (label === '') return []
      const values = Array.from({ length: MODEL_POINTS + 1 }, (_, i) => {
        const roundTripMs = from * (to / from) ** (i / MODEL_POINTS)
        const model = computeModelGoodput({ roundTripMs, windowBytes, lineBytesPerSecond: bytesPerSecond })
        return [roundToFourDigits(roundTripMs), roundToFourDigits(toMegabytes(model.bytesPerSecond))]
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
function plotBytesOverTime({ transfers, cases }) {
  const protocols = cases.map(({ way }) => way)
  const drawn = transfers
    .filter(({ repeat, requestor, file }) => repeat === 0 && requestor === 0 && file < MAX_CURVES)
    .filter(({ curve = [] }) => curve.length > 0)
  return selectGroups(groupBy(drawn, makeRoundId)).map(ofOneRound => ({
    id: `bytes-${makeRoundId(ofOneRound[0])}`,
    title: `Bytes stored over time: ${describeNetwork(ofOneRound[0])}`,
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
        values: [
          [0, 0],
          ...thinPoints(curve).map(([ms, bytes]) => [roundToFourDigits(ms), roundToFourDigits(bytes / 1e6)])
        ]
      }))
  }))
}

/** Thins out points, but keeps the last one. @template T @param {readonly T[]} points @returns {readonly T[]} */
const thinPoints = points => {
  const shown = pickEvenly(points, MAX_POINTS)
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
const plotRequests = ({ waiting }, name, title, column) =>
  selectGroups(
    groupBy(
      waiting.filter(({ points }) => points.length > 0),
      makeRoundId
    )
  ).map(ofOneRound => ({
    id: `${name}-${makeRoundId(ofOneRound[0])}`,
    title: `${title}: ${describeNetwork(ofOneRound[0])}`,
    kind: 'lines',
    note: 'At the provider, in the first repeat.',
    x: 'Time, ms',
    y: 'Requests',
    series: ofOneRound.map(({ way, points }) => ({
      label: way,
      style: /** @type {const} */ ('steps'),
      values: groupNeighbours(points, MAX_POINTS)
        .map(group => group.reduce((most, point) => (point[column] > most[column] ? point : most)))
        .map(point => [roundToFourDigits(point[0]), point[column]])
    }))
  }))

/** A plot for each protocol on each network, with a line for each event in the life of a block. @param {FilesOutcome} outcome @returns {Plot[]} */
const plotBlockTimes = ({ blockTimes }) =>
  selectGroups(
    groupBy(blockTimes ?? [], block => `${block.way}-${makeRoundId(block)}`),
    MAX_BLOCK_PLOTS
  ).map(blocks => {
    const [first] = blocks
    const every = Math.ceil(blocks.length / MAX_POINTS)
    const drawn = blocks.flatMap((block, i) => (i % every === 0 ? [{ ...block, place: i + 1 }] : []))
    return {
      id: `blocks-${first.way}-${makeRoundId(first)}`,
      title: `Blocks: ${first.way}, ${describeNetwork(first)}`,
      kind: 'lines',
      note: `When each block was queued, sent, received and stored, in the first repeat.${every === 1 ? '' : ` One of ${every} blocks is drawn.`}`,
      x: 'Block, in the order in which the provider queued it',
      y: 'Time, ms',
      series: /** @type {const} */ (['queued', 'sent', 'received', 'stored']).map(label => ({
        label,
        values: drawn.map(({ place, [/** @type {const} */ (`${label}Ms`)]: ms }) => [
          place,
          roundToFourDigits(ms)
        ])
      }))
    }
  })

/**
 * @typedef {import('../../../report/schema.js').Description} Description
 * @typedef {import('../plan/transfer-plan.js').TransferPlan} TransferPlan
 * @typedef {import('../plan/transfer-plan.js').FilesResult} FilesResult
 * @typedef {{ way: string, latencyMs: number, bytesPerSecond: number | null }} ProtocolInRound
 */

/** FILES_DESCRIBER describes plans and results of files. */
export const FILES_DESCRIBER = {
  /** @param {TransferPlan} plan @returns {import('../../../report/schema.js').PlanDescription} */
  plan: plan => ({
    what: describeWork(plan),
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
    const round = selectLastRound(outcome.cases)
    return {
      title: result.id,
      headline: writeHeadline(result, round),
      tiles: round
        .slice(0, 4)
        .map(({ way, seconds }) => [`${way}, median`, isTimed(result) ? toMs(seconds.median) : null, 'ms']),
      // the first table is the table of the run: without it there are no others
      tables: outcome.cases.length === 0 ? [] : makeTables(result),
      plots: makePlots(outcome, isTimed(result)),
      warnings: makeFailureWarnings(outcome)
    }
  }
}

const STORES = { memory: 'in memory', car: 'in a CAR file', disk: 'on disk' }

/** @param {TransferPlan} plan */
function describeWork(plan) {
  const { concurrency, sizeBytes, ways, repeats } = plan
  const { requestors, security, transport, store, leftOut } = plan
  const rounds = listRounds(plan).length
  return [
    `${formatCount(concurrency, 'file')} of ${formatSize(sizeBytes)} by ${ways.join(', ')}`,
    `${formatCount(rounds, 'network')}, ${formatCount(repeats, 'repeat')} each`,
    `1 provider, ${formatCount(requestors, 'requestor')}, a process each`,
    transport === 'quic' ? 'libp2p over QUIC' : `libp2p over ${transport} with ${security}`,
    `blocks ${STORES[store]}`,
    ...leftOut.map(({ why }) => `left out: ${why}`)
  ].join(' · ')
}

/** @param {FilesResult} result */
function makeTables(result) {
  const { outcome } = result
  return [
    makeProtocolsTable(result),
    makeDetailsTable(result),
    makeLimitsTable(outcome),
    makeFilesTable(outcome),
    makeLeftOutTable(outcome),
    makeTransfersTable(outcome),
    makeBlocksTable(outcome),
    makeMemoryTable(outcome),
    ...makeLinkTables(outcome),
    makeSettingsTable(outcome.settings)
  ].filter(({ rows }) => rows.length > 0)
}

/** makeLinkTables shows the links between the sides in each round. @param {Pick<FilesOutcome, 'namespaces'>} outcome */
export const makeLinkTables = ({ namespaces = [] }) =>
  makeNamespaceTables(
    /** @type {any[]} */ (namespaces).map(figures => ({ label: describeNetwork(figures), figures }))
  )

/** EMULATED_NETWORK_NOTE is a note to results whose network is a line behind sockets. */
export const EMULATED_NETWORK_NOTE =
  'The network is emulated at the socket: TCP below it sees loopback, without slow start or a window.'

/** @param {number | null} seconds */
const toMs = seconds => (seconds === null ? null : 1000 * seconds)

/** With full garbage collections between readings of memory, times are not valid. @param {Pick<FilesResult, 'plan'>} result */
const isTimed = ({ plan }) => plan.memorySnapshots !== 'detailed'

/** The cases of the last round, which has the slowest network. @param {readonly Case[]} cases */
const selectLastRound = cases => {
  const last = cases.at(-1)
  return cases.filter(each => last !== undefined && makeRoundId(each) === makeRoundId(last))
}

/** @param {number} seconds */
const writeSeconds = seconds =>
  seconds < 1 ? `${formatSignificant(1000 * seconds)} ms` : `${formatSignificant(seconds)} s`

/** @param {FilesResult} result @param {readonly Case[]} round */
function writeHeadline(result, round) {
  const { concurrency, sizeBytes, repeats } = result.plan
  if (round.length === 0) return 'Nothing was transferred.'
  const files = `${formatCount(concurrency, 'file')} of ${formatSize(sizeBytes)}`
  if (!isTimed(result))
    return `${files}, ${formatCount(repeats, 'repeat')}: memory was read, and no times (--diagnostics memory=detailed).`
  const times = round.map(({ way, seconds: { median } }) =>
    median === null ? `${way} failed` : `${way} ${writeSeconds(median)}`
  )
  const { latencyMs, bytesPerSecond } = round[0]
  const over = latencyMs === 0 && bytesPerSecond === null ? '' : ` over ${describeNetwork(round[0])}`
  const made = Math.max(...round.map(({ batches }) => batches))
  return `${files}${over}: ${times.join(', ')} (medians of ${formatCount(made, 'repeat')}).`
}

/** @param {FilesOutcome} outcome @returns {Description['warnings']} */
function makeFailureWarnings({ transfers }) {
  const failed = transfers.filter(({ outcome }) => outcome !== 'OK')
  if (failed.length === 0) return []
  const [{ way, requestor, error }] = failed
  return [
    {
      code: 'TRANSFERS_FAILED',
      text: `${failed.length} of ${formatCount(transfers.length, 'transfer')} failed. The first: ${way}, requestor ${requestor}: ${error}`
    }
  ]
}

/** @typedef {import('../../../report/description.js').ColumnOf<ProtocolInRound>} RoundColumn */

/** Columns of the tables with a row for each transfer or reading. @type {readonly RoundColumn[]} */
const ROUND_COLUMNS = [
  ['Latency ms', ({ latencyMs }) => latencyMs, 'ms'],
  ['Bandwidth MB/s', ({ bytesPerSecond }) => toMegabytes(bytesPerSecond), 'number'],
  ['Protocol', ({ way }) => way, 'text']
]

/** Results of earlier releases have the verdict alone. @param {Case} of */
function describeLimit({ limitedBy, verdict: { limit } }) {
  const [, side = null] = /^CPU of the (\w+)$/.exec(limit) ?? []
  const verdict = { limit: side === null ? limit : 'CPU', side, reached: null }
  return formatLimitNames(limitedBy ?? describeTransferLimit(verdict, { server: null, client: null }))
}

/** @typedef {Case & { isTimed: boolean, sizeBytes: number }} Row - of the first table */

/** @template T @param {(of: Row) => T} value @returns {(of: Row) => T | null} */
const ifTimed = value => of => (of.isTimed ? value(of) : null)

/** Columns of the first table. @type {readonly import('../../../report/description.js').ColumnOf<Row>[]} */
const PROTOCOL_COLUMNS = [
  ['Network', describeNetwork, 'text'],
  ['Protocol', ({ way }) => way, 'text'],
  ['Time ms', ifTimed(({ seconds }) => toMs(seconds.median)), 'ms'],
  ['MB/s', ifTimed(({ goodput }) => toMegabytes(goodput.median)), 'number'],
  ['× http', ifTimed(({ factorToHttp }) => factorToHttp?.median), 'number'],
  ['File MB', ({ sizeBytes }) => toMegabytes(sizeBytes), 'MB', 'wide'],
  ['Latency ms', ({ latencyMs }) => latencyMs, 'ms', 'wide'],
  ['Bandwidth MB/s', ({ bytesPerSecond }) => toMegabytes(bytesPerSecond), 'number', 'wide'],
  ['Time ms low', ifTimed(({ seconds }) => toMs(seconds.low)), 'ms', 'wide'],
  ['Time ms high', ifTimed(({ seconds }) => toMs(seconds.high)), 'ms', 'wide'],
  ['Slowest ms', ifTimed(({ seconds }) => toMs(seconds.slowest)), 'ms', 'wide'],
  ['First byte ms', ifTimed(({ firstByteMs }) => firstByteMs.median), 'ms', 'wide'],
  ['Wait ms', ifTimed(({ waitMs }) => waitMs.median), 'ms', 'wide'],
  ['MB/s low', ifTimed(({ goodput }) => toMegabytes(goodput.low)), 'number', 'wide'],
  ['MB/s high', ifTimed(({ goodput }) => toMegabytes(goodput.high)), 'number', 'wide'],
  ['Model MB/s', ({ model }) => toMegabytes(model.bytesPerSecond), 'number', 'wide'],
  ['× http low', ifTimed(({ factorToHttp }) => factorToHttp?.low), 'number', 'wide'],
  ['× http high', ifTimed(({ factorToHttp }) => factorToHttp?.high), 'number', 'wide'],
  ['Wire/byte', ({ wirePerByte }) => wirePerByte, 'number', 'wide'],
  ['Provider CPU s/GB', ifTimed(({ cpuSecondsPerGB }) => cpuSecondsPerGB.provider), 'number', 'wide'],
  ['Requestor CPU s/GB', ifTimed(({ cpuSecondsPerGB }) => cpuSecondsPerGB.requestors), 'number', 'wide'],
  ['Provider peak MB', ({ peakBytes }) => toMegabytes(peakBytes.provider), 'MB', 'wide'],
  ['Requestor peak MB', ({ peakBytes }) => toMegabytes(peakBytes.requestor), 'MB', 'wide'],
  ['Limited by', ifTimed(describeLimit), 'text']
]

/** @param {FilesResult} result */
const makeProtocolsTable = ({ plan, outcome }) =>
  makeTable(
    'protocols',
    'Protocols compared',
    outcome.cases.map(each => ({ ...each, isTimed: isTimed({ plan }), sizeBytes: plan.sizeBytes })),
    PROTOCOL_COLUMNS,
    { note: makeNotes({ plan, outcome }).join(' '), allColumns: true }
  )

/** @param {Pick<FilesResult, 'plan' | 'outcome'>} result */
function makeNotes({ plan, outcome }) {
  if (!isTimed({ plan })) return ['No times: full garbage collections ran between the readings of memory.']
  const enough = plan.ways.length * Math.ceil(MIN_FOR_INTERVAL / plan.ways.length)
  return [
    'Time: median over repeats, from the request until the slowest requestor has stored and checked every block, on open connections.',
    ...(outcome.cases.some(({ seconds }) => seconds.low !== null)
      ? ['low and high: 95 % interval of the median.']
      : plan.repeats < MIN_FOR_INTERVAL
        ? [`--repeats ${enough} gives 95 % intervals.`]
        : []),
    ...(outcome.namespaces === undefined ? [EMULATED_NETWORK_NOTE] : [])
  ]
}

/** @param {FilesResult} result */
const makeDetailsTable = result => ({
  ...makeTable('details', 'Limits and connections of each protocol', result.outcome.cases, [
    ...ROUND_COLUMNS,
    ['Repeats', ({ batches }) => batches, 'count'],
    ['Transfers', ({ transfers }) => transfers, 'count'],
    ['Failed', ({ failed }) => failed, 'count'],
    ['Blocks', ({ blocks }) => blocks, 'count'],
    ['Limit', ({ verdict }) => (isTimed(result) ? verdict.text : null), 'text'],
    ['Model limit', ({ model }) => model.limit, 'text'],
    ['Window MB', ({ windowBytes }) => toMegabytes(windowBytes), 'MB'],
    ['Round trip ms', ({ roundTripMs }) => roundTripMs, 'ms'],
    ['Connect ms', ({ connectMs }) => connectMs, 'ms'],
    ['Slowest first byte ms', ({ firstByteMs }) => firstByteMs.slowest, 'ms'],
    ['Slowest wait ms', ({ waitMs }) => waitMs.slowest, 'ms'],
    ['Fairness', ({ fairness }) => fairness, 'number']
  ]),
  note: 'Model: min(bandwidth, window ÷ round trip). Connect: not part of the times. Wait: for a turn at the provider. Fairness: Jain’s index of throughput over requestors.'
})

/** @param {FilesOutcome} outcome */
function makeLimitsTable({ limits }) {
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
  return makeTable('limits', 'Limits of the provider', rows, [
    ['Limit', ({ name }) => name, 'text'],
    ['Allowed', ({ limit }) => limit, 'number'],
    ['Reached', ({ most }) => most, 'number']
  ])
}

/** @param {FilesOutcome} outcome */
const makeFilesTable = ({ files }) =>
  makeTable('files', 'Files', files, [
    ['Root', ({ root }) => root, 'text'],
    ['Blocks', ({ blocks }) => blocks, 'count'],
    ['MB', ({ sizeBytes }) => toMegabytes(sizeBytes), 'MB'],
    ['MB of all blocks', ({ treeBytes }) => toMegabytes(treeBytes), 'MB']
  ])

/** @param {FilesOutcome} outcome */
const makeLeftOutTable = ({ leftOut }) =>
  makeTable('left-out', 'Protocols left out', leftOut, [
    ['Protocol', ({ way }) => way, 'text'],
    ['Why', ({ why }) => why, 'text']
  ])

/** @param {FilesOutcome} outcome */
const makeBlocksTable = ({ blockTimes }) =>
  makeTable('block-times', 'Times of blocks', blockTimes ?? [], [
    ...ROUND_COLUMNS,
    ['Transfer', ({ transfer }) => transfer, 'text'],
    ['CID', ({ cid }) => cid, 'text'],
    ['Queued ms', ({ queuedMs }) => queuedMs, 'ms'],
    ['Sent ms', ({ sentMs }) => sentMs, 'ms'],
    ['Received ms', ({ receivedMs }) => receivedMs, 'ms'],
    ['Stored ms', ({ storedMs }) => storedMs, 'ms']
  ])

/** @param {FilesOutcome} outcome */
const makeTransfersTable = ({ transfers }) =>
  makeTable('transfers', 'Every transfer', transfers, [
    ...ROUND_COLUMNS,
    ['Repeat', ({ repeat }) => repeat, 'count'],
    ['Requestor', ({ requestor }) => requestor, 'count'],
    ['File', ({ file }) => file, 'count'],
    ['Outcome', ({ outcome }) => outcome, 'text'],
    ['Error', ({ error }) => error, 'text'],
    ['Wait ms', ({ waitMs }) => waitMs, 'ms'],
    ['First byte ms', ({ firstByteMs }) => firstByteMs, 'ms'],
    ['Total ms', ({ totalMs }) => totalMs, 'ms'],
    ['MB/s', ({ goodput }) => toMegabytes(goodput), 'number'],
    ['Wire/byte', ({ wirePerByte }) => wirePerByte, 'number'],
    ['Blocks', ({ blocks }) => blocks, 'count']
  ])

/** @param {FilesOutcome} outcome */
const makeMemoryTable = ({ memory }) => ({
  ...makeTable('memory', 'Memory before and after a full garbage collection', memory ?? [], [
    ...ROUND_COLUMNS,
    ['Repeat', ({ repeat }) => repeat, 'count'],
    ['Side', ({ side }) => side, 'text'],
    ['Blocks stored', ({ blocks }) => blocks, 'count'],
    ['RSS MB before', ({ before }) => toMegabytes(before.residentBytes), 'MB'],
    ['RSS MB after', ({ after }) => toMegabytes(after.residentBytes), 'MB'],
    ['Heap MB before', ({ before }) => toMegabytes(before.heapBytes), 'MB'],
    ['Heap MB after', ({ after }) => toMegabytes(after.heapBytes), 'MB'],
    ['External MB before', ({ before }) => toMegabytes(before.externalBytes), 'MB'],
    ['External MB after', ({ after }) => toMegabytes(after.externalBytes), 'MB']
  ]),
  note: 'No number of blocks: the end of the repeat.'
})
