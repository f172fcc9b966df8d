// Computes the result rows of a transfer from its measurements, with what limited each protocol. Defines its figures for
// thresholds and comparisons.
import { computeSum, findLargest, median } from '../../kit/collections.js'
import { formatSignificant } from '../../kit/numbers.js'
import { Overheads } from '../../measure/client-overhead.js'
import { makeMissingReading, readTime, selectFigures } from '../../measure/figure.js'
import { CENSORED_TOLERANCE } from '../../measure/histogram.js'
import { computeModelGoodput, describeTransferLimit, findTransferLimit } from '../../measure/limited-by.js'
import { computeJainIndex, computeMedianInterval } from '../../measure/statistics.js'
import { findGeneratorLimit } from '../../report/warnings.js'
import { makeRouterFigures } from '../router-figures.js'
import { FILE_PROTOCOLS, listProtocols, movesFiles, PROTOCOLS } from './plan/transfer-plan.js'

/**
 * computeQuartiles summarizes samples as box plots do. Between two neighbours it interpolates.
 *
 * @param {readonly number[]} values
 * @returns {{ count: number, min: number, q1: number, median: number, q3: number, max: number } | null} null: there are none
 */
export function computeQuartiles(values) {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const at = (/** @type {number} */ share) => {
    const place = share * (sorted.length - 1)
    const below = Math.floor(place)
    return sorted[below] + (place - below) * ((sorted[below + 1] ?? sorted[below]) - sorted[below])
  }
  return { count: values.length, min: at(0), q1: at(0.25), median: at(0.5), q3: at(0.75), max: at(1) }
}

/**
 * @typedef {[ms: number, lateMs: number, done: boolean]} HandshakeTime - a handshake: the time from when it was due until it succeeded or failed,
 *   how late it began, whether it succeeded
 * @typedef {NonNullable<import('./plan/transfer-plan.js').HandshakeRow['times']>} HandshakeTimes
 */

/** A timer may be this late on an idle client. */
const TIMER_SLACK_MS = 1.5

/**
 * summarizeHandshakes summarizes the times of handshakes. A failed handshake counts with the time until it failed, which is less than it would
 * have taken. So the median is a lower bound if it would change with endless failed handshakes. The client overhead at the median is how
 * late the handshakes around it began.
 *
 * @param {readonly HandshakeTime[]} shaken
 * @returns {HandshakeTimes | null} ms; null: no handshake succeeded
 */
export function summarizeHandshakes(shaken) {
  const times = computeQuartiles(shaken.map(([ms]) => ms))
  if (times === null || !shaken.some(([, , done]) => done)) return null
  const endless = computeQuartiles(shaken.map(([ms, , done]) => (done ? ms : Number.MAX_VALUE)))
  const overheads = new Overheads()
  for (const [ms, lateMs] of shaken)
    overheads.record(1000 * ms, 1000 * Math.min(ms, Math.max(0, lateMs - TIMER_SLACK_MS)))
  return {
    ...times,
    censored: Number(endless?.median) > times.median * (1 + CENSORED_TOLERANCE),
    overheadMs: Number(overheads.near(1000 * times.median)) / 1000
  }
}

/**
 * readHandshakeMedian gives the median of handshakes in the form of a percentile. Results of earlier releases left failed handshakes out: their
 * median is no lower bound.
 *
 * @param {HandshakeTimes} times
 */
export const readHandshakeMedian = ({ median: ms, censored = false, overheadMs }) => ({
  ms,
  censored,
  ...(overheadMs !== undefined && { overheadMs })
})

/**
 * makeHandshakeWarnings warns where the client took too large a part of the handshake times.
 *
 * @param {readonly import('./plan/transfer-plan.js').HandshakeRow[]} rows
 * @returns {import('../../report/schema.js').Warning[]}
 */
export const makeHandshakeWarnings = rows =>
  findGeneratorLimit({
    health: [{ worker: 0, utilization: findLargest(rows, ({ utilization = 0 }) => utilization) }],
    times: rows.flatMap(({ way, times }) =>
      times === null ? [] : [[`handshakes of ${way}`, { p50: readHandshakeMedian(times) }]]
    )
  })

/**
 * @typedef {import('./run/requestors.js').HandshakeSummary & { cpuMicros: number, serverCpuMicros: number | null }} HandshakeRepeat - `times`: of
 *   all, or of some of them; `cpuMicros`: of the clients' process; `serverCpuMicros`: null: not known
 */

/** A shorter round trip is mostly the work of the two ends. */
const MIN_ROUND_TRIP_MS = 5

/**
 * makeHandshakeRow computes the figures of the handshakes of a protocol in a round.
 *
 * @param {string} way
 * @param {readonly HandshakeRepeat[]} repeats
 * @param {Pick<import('./plan/transfer-plan.js').TransferPlan, 'clients' | 'handshakeRatePerSecond' | 'handshakeForMs'>} plan
 * @param {number} [roundTripMs]
 */
export function makeHandshakeRow(way, repeats, plan, roundTripMs = 0) {
  const sum = (/** @type {(repeat: HandshakeRepeat) => number} */ of) => computeSum(repeats, of)
  const times = summarizeHandshakes(repeats.flatMap(repeat => repeat.times))
  const completed = sum(repeat => repeat.completed)
  const msEach = (/** @type {number} */ micros) => (completed === 0 ? null : micros / 1000 / completed)
  return {
    way,
    duePerSecond: plan.clients * plan.handshakeRatePerSecond,
    due: sum(({ due }) => due),
    failed: sum(({ failed }) => failed),
    failure: repeats.find(({ failure }) => failure !== null)?.failure ?? null,
    perSecond:
      completed === 0
        ? null
        : computeMedianInterval(
            repeats.map(repeat => (1000 * repeat.completed) / Math.max(repeat.elapsedMs, plan.handshakeForMs))
          ),
    times,
    // the ratio of a lower bound is not known
    roundTrips:
      times === null || times.censored || roundTripMs < MIN_ROUND_TRIP_MS ? null : times.median / roundTripMs,
    utilization: sum(({ activeMs }) => activeMs) / sum(({ elapsedMs }) => elapsedMs),
    cpuMsEach: {
      client: msEach(sum(({ cpuMicros }) => cpuMicros)),
      server: repeats.some(({ serverCpuMicros }) => serverCpuMicros === null)
        ? null
        : msEach(sum(({ serverCpuMicros }) => serverCpuMicros ?? 0))
    }
  }
}

/**
 * @typedef {import('../../measure/figure.js').Figure<any>} Figure
 * @typedef {import('../../measure/figure.js').FigureReading} FigureReading
 * @typedef {import('./plan/transfer-plan.js').Protocol} Protocol
 * @typedef {import('./plan/transfer-plan.js').Case} Case
 * @typedef {import('./plan/transfer-plan.js').FilesOutcome} FilesOutcome
 * @typedef {import('./plan/transfer-plan.js').ZerosOutcome} ZerosOutcome
 * @typedef {import('./plan/transfer-plan.js').Round} Round
 */

/**
 * makeProtocolKey is the part of a figure's name that stands for a protocol.
 *
 * @param {Protocol} way
 */
export const makeProtocolKey = way => way.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())

/**
 * @typedef {object} ProtocolFigure - a figure that each protocol has
 * @property {string} name
 * @property {string} title
 * @property {Figure['quantity']} quantity
 * @property {string} [unit]
 * @property {Figure['better']} better
 * @property {(of: Case) => number | null} value - in a round
 * @property {Protocol} [never] - the protocol that has none
 * @property {(plan: any, way: Protocol) => string | null} [lacks] - what a plan with the protocol lacks; default: nothing
 */

const TIME = /** @type {const} */ ({ quantity: 'time', better: 'lower' })
const LOW_NUMBER = /** @type {const} */ ({ quantity: 'number', better: 'lower' })
const HIGH_NUMBER = /** @type {const} */ ({ quantity: 'number', better: 'higher' })
const CPU_COST = { ...LOW_NUMBER, unit: 's/GB' }

/** @type {readonly ProtocolFigure[]} */
const PROTOCOL_FIGURES = [
  { name: 'total', title: 'Time, median', ...TIME, value: ({ seconds }) => toMs(seconds.median) },
  { name: 'slowest', title: 'Time, slowest', ...TIME, value: ({ seconds }) => toMs(seconds.slowest) },
  { name: 'firstByte', title: 'First byte, median', ...TIME, value: ({ firstByteMs }) => firstByteMs.median },
  { name: 'wait', title: 'Wait for a turn, slowest', ...TIME, value: ({ waitMs }) => waitMs.slowest },
  {
    name: 'goodput',
    title: 'Goodput',
    ...HIGH_NUMBER,
    unit: 'MB/s',
    value: ({ goodput }) => (goodput.median === null ? null : goodput.median / 1e6)
  },
  {
    name: 'factorToHttp',
    title: 'Time as a multiple of that of http',
    ...LOW_NUMBER,
    value: ({ factorToHttp }) => factorToHttp?.median ?? null,
    never: 'http',
    lacks: ({ ways }) => (ways.includes('http') ? null : 'http among --protocols')
  },
  {
    name: 'wirePerByte',
    title: 'Bytes on the wire per byte',
    ...LOW_NUMBER,
    value: ({ wirePerByte }) => wirePerByte,
    lacks: ({ transport }, way) =>
      transport === 'quic' && PROTOCOLS[way].libp2p ? 'another --transport than quic' : null
  },
  {
    name: 'providerCpu',
    title: 'CPU of the provider, s/GB',
    ...CPU_COST,
    value: ({ cpuSecondsPerGB }) => cpuSecondsPerGB.provider
  },
  {
    name: 'requestorCpu',
    title: 'CPU of the requestors, s/GB',
    ...CPU_COST,
    value: ({ cpuSecondsPerGB }) => cpuSecondsPerGB.requestors
  },
  {
    name: 'fairness',
    title: 'Fairness to requestors (Jain)',
    ...HIGH_NUMBER,
    value: ({ fairness }) => fairness,
    lacks: ({ requestors }) => (requestors > 1 ? null : '--requestors above 1')
  }
]

/** @param {number | null} seconds */
const toMs = seconds => (seconds === null ? null : seconds * 1000)

/** @param {ProtocolFigure} figure @returns {Figure[]} */
const makeProtocolFigures = ({ name, title, value, never, lacks = () => null, ...figure }) =>
  FILE_PROTOCOLS.filter(way => way !== never).map(way => ({
    ...figure,
    name: `${name}.${makeProtocolKey(way)}`,
    title: `${title}, of ${way} in its worst round`,
    live: 0,
    lacks: (/** @type {any} */ plan) =>
      findMissingFiles(plan) ?? (plan.ways.includes(way) ? lacks(plan, way) : `${way} among --protocols`),
    read(/** @type {FilesOutcome} */ { cases = [] }) {
      const own = cases.filter(each => each.way === way)
      if (own.length === 0) return makeMissingReading(`${way} was not measured`)
      const values = own.flatMap(each => value(each) ?? [])
      if (values.length === 0) return makeMissingReading(`there is none of ${way}`)
      const worst = figure.better === 'higher' ? Math.min : Math.max
      return { value: worst(...values), samples: values.length }
    }
  }))

/** @param {any} plan */
const findMissingFiles = plan => (movesFiles(plan) ? null : 'files among --measures')

const NOT_MEASURED = 'nothing of it was measured'

/** findFirstProtocol names the first protocol over libp2p, from which figures of zeros are read. @param {ZerosOutcome} outcome */
export const findFirstProtocol = ({ ways }) => ways?.[0]?.name

/** @param {Round} one @param {Round} other */
const isSameRound = (one, other) =>
  one.latencyMs === other.latencyMs && one.bytesPerSecond === other.bytesPerSecond

/**
 * selectLastRound selects the rows of the last round, whose network is the slowest.
 *
 * @template {{ round: Round }} R
 * @param {readonly R[] | undefined} rows
 * @returns {R[]}
 */
const selectLastRound = (rows = []) =>
  rows.filter(({ round }) => isSameRound(round, rows[rows.length - 1].round))

/** findBestRow selects the row of the number of streams with the highest rate. @param {ZerosOutcome} outcome @param {string} direction */
export const findBestRow = (outcome, direction) =>
  selectLastRound(outcome.rows)
    .filter(row => row.way === findFirstProtocol(outcome) && row.direction === direction)
    .toSorted((a, b) => b.bytesPerSecond.median - a.bytesPerSecond.median)
    .at(0)

/** @template {{ way: string, round: Round }} R @param {ZerosOutcome} outcome @param {readonly R[] | undefined} rows */
export const findRowOfFirstProtocol = (outcome, rows) =>
  selectLastRound(rows).find(({ way }) => way === findFirstProtocol(outcome))

/** @param {number | null | undefined} value @param {number} [samples] @returns {FigureReading} */
const makeReading = (value, samples = 0) =>
  value == null ? makeMissingReading(NOT_MEASURED) : { value, samples }

/**
 * @typedef {object} ZerosFigure - a figure of zeros, of the first protocol over libp2p in the last round
 * @property {string} name - begins with the measure it belongs to
 * @property {string} title
 * @property {Figure['quantity']} quantity
 * @property {Figure['better']} better
 * @property {(outcome: ZerosOutcome) => FigureReading} read
 * @property {(plan: any) => string | null} [lacks]
 */

/** @type {readonly ZerosFigure[]} */
const ZEROS_FIGURES = [
  .../** @type {const} */ ([
    ['upload', 'Upload'],
    ['download', 'Download']
  ]).flatMap(([direction, title]) => [
    {
      name: `${direction}.rate`,
      title: `${title} in a second`,
      quantity: /** @type {const} */ ('memory'),
      better: /** @type {const} */ ('higher'),
      read(/** @type {ZerosOutcome} */ outcome) {
        const row = findBestRow(outcome, direction)
        return makeReading(row && row.bytesPerSecond.median / 1e6, row?.transfers)
      }
    },
    {
      name: `${direction}.overhead`,
      title: `${title}, times as long as by TCP`,
      ...LOW_NUMBER,
      lacks: (/** @type {any} */ { ways }) => (ways.includes('tcp') ? null : 'tcp among --protocols'),
      read(/** @type {ZerosOutcome} */ outcome) {
        const row = findBestRow(outcome, direction)
        return makeReading(row?.overhead.find(({ to }) => to === 'TCP')?.median, row?.transfers)
      }
    }
  ]),
  {
    name: 'latency.median',
    title: 'A stream and a byte there and back',
    ...TIME,
    read(outcome) {
      const row = findRowOfFirstProtocol(outcome, outcome.latency)
      return makeReading(row?.both.median, row?.both.count)
    }
  },
  {
    name: 'handshakes.rate',
    title: 'Handshakes',
    quantity: 'rate',
    better: 'higher',
    read(outcome) {
      const row = findRowOfFirstProtocol(outcome, outcome.handshakes)
      return makeReading(row?.perSecond?.median, row?.due)
    }
  },
  {
    name: 'handshakes.median',
    title: 'A handshake',
    ...TIME,
    read(outcome) {
      const times = findRowOfFirstProtocol(outcome, outcome.handshakes)?.times ?? null
      const summary = times && { count: times.count, p50: readHandshakeMedian(times) }
      return readTime(/** @type {any} */ (summary), 'p50', {
        nothing: NOT_MEASURED,
        atLeast: 'at least this: handshakes that failed reach into it'
      })
    }
  },
  {
    name: 'handshakes.failed',
    title: 'Handshakes that failed',
    ...LOW_NUMBER,
    read(outcome) {
      const row = findRowOfFirstProtocol(outcome, outcome.handshakes)
      return makeReading(row?.failed, row?.due)
    }
  }
]

/** @param {ZerosFigure} figure @returns {Figure} */
const makeZerosFigure = ({ lacks = () => null, ...figure }) => ({
  ...figure,
  live: 0,
  lacks(/** @type {any} */ plan) {
    const [measure] = figure.name.split('.')
    return plan.measures.includes(measure) ? lacks(plan) : `${measure} among --measures`
  }
})

/** TRANSFER_FIGURES are all figures of transfers. Of files, each protocol has its value of the round where it is worst. @type {readonly Figure[]} */
export const TRANSFER_FIGURES = [
  {
    name: 'failedTransfers',
    title: 'Failed transfers',
    ...LOW_NUMBER,
    live: 0,
    grows: true,
    lacks: findMissingFiles,
    read: (/** @type {FilesOutcome} */ { cases, transfers }) =>
      cases === undefined || transfers.length === 0
        ? makeMissingReading('nothing was transferred')
        : { value: transfers.filter(({ outcome }) => outcome !== 'OK').length, samples: transfers.length }
  },
  ...PROTOCOL_FIGURES.flatMap(makeProtocolFigures),
  ...ZEROS_FIGURES.map(makeZerosFigure),
  ...makeRouterFigures(({ namespaces = [] }) => namespaces)
]

/** TRANSFER_COMPARED says how transfers are compared. @type {import('../../measure/figure.js').Comparable<any>} */
export const TRANSFER_COMPARED = {
  figures: selectFigures(TRANSFER_FIGURES, [
    ...['goodput', 'firstByte'].flatMap(name => FILE_PROTOCOLS.map(way => `${name}.${makeProtocolKey(way)}`)),
    ...['upload.rate', 'download.rate', 'latency.median', 'handshakes.median']
  ]),
  same: {
    measures: ({ measures }) => measures,
    // zeros have figures of the first protocol alone
    protocols: plan => (movesFiles(plan) ? plan.ways : null)
  },
  example: '"goodput.blocks < -5%" or "latency.median > +10%"',
  commands: [
    [
      'does a larger chunk pay?',
      "ab transfer '--unixfs chunkSize=256kb' '--unixfs chunkSize=1mb' --size 8mb"
    ],
    ['does a fixed window of 16 MiB pay?', "ab perf '' '--window 16MiB' --measures download --latencies 20ms"]
  ]
}

/**
 * @typedef {import('./plan/transfer-plan.js').Batch} Batch
 * @typedef {import('./plan/transfer-plan.js').Transfer} Transfer
 * @typedef {import('../../measure/limited-by.js').TransferLimit} Limited
 * @typedef {Pick<Case, 'way' | 'latencyMs' | 'bytesPerSecond' | 'roundTripMs' | 'goodput' | 'seconds'>} Measured
 */

/** The window of a Yamux stream of both generations: its first size, its largest size (@libp2p/yamux 8, constants.js). */
const WINDOW = Object.freeze({ first: 256 << 10, largest: 16 << 20 })
/** The window of HTTP/2 in Node, the same for a stream and for a session. */
const HTTP2_BYTES = 65_535

/**
 * @typedef {Partial<Pick<import('./plan/transfer-plan.js').TransferPlan, 'transport' | 'windowBytes' | 'connections' | 'target'>>} WindowPlan
 * @typedef {{ windowBytes: number | null, beginsBytes: number | null }} Window - null: no window of its own, or not known; `beginsBytes`: the
 *   first size of a window that grows
 */

/**
 * computeWindow is how many bytes may be in flight over a protocol, in all its streams together.
 *
 * @param {Pick<import('./plan/transfer-plan.js').ProtocolSetup, 'protocol' | 'muxer'>} way
 * @param {WindowPlan} plan
 * @param {number} streams - on each connection
 * @returns {Window}
 */
export function computeWindow(
  { protocol, muxer = 'yamux' },
  { transport, windowBytes = null, connections = 1, target = null },
  streams
) {
  const all = streams * connections
  if (protocol === 'http2') return { windowBytes: HTTP2_BYTES * connections, beginsBytes: null }
  if (!PROTOCOLS[protocol].libp2p || transport === 'quic' || muxer !== 'yamux')
    return { windowBytes: null, beginsBytes: null }
  if (windowBytes !== null) return { windowBytes: windowBytes * all, beginsBytes: null }
  // how far the window of another implementation grows is not known
  return { windowBytes: target === null ? WINDOW.largest * all : null, beginsBytes: WINDOW.first * all }
}

/** The window grows within a round trip of loopback, which so says nothing about it. @param {Measured} measured */
const readNetworkRoundTrip = ({ latencyMs, roundTripMs }) => (latencyMs === 0 ? null : roundTripMs)

/** @param {readonly { cpuMs: number, wallMs: number }[]} usages - of a side, in each repeat @returns {number} of a core, while it was measured */
function computeCores(usages) {
  const wallMs = computeSum(usages, usage => usage.wallMs)
  return wallMs === 0 ? 0 : computeSum(usages, usage => usage.cpuMs) / wallMs
}

/** @param {readonly Transfer[]} transfers @returns {number | null} ms to the first byte of any transfer, median over repeats */
function computeFirstByte(transfers) {
  /** @type {Map<number, number>} */
  const earliest = new Map()
  for (const { repeat, firstByteMs } of transfers)
    if (firstByteMs !== null) earliest.set(repeat, Math.min(firstByteMs, earliest.get(repeat) ?? firstByteMs))
  return earliest.size === 0 ? null : median([...earliest.values()])
}

/** @param {number} bytes */
const writeMegabytes = bytes => `${formatSignificant(bytes / 1e6)} MB`

/** @param {number | null} share */
const writePercent = share => `${Math.round((share ?? 0) * 100)} %`

/**
 * @param {Limited} limited
 * @param {{ inFlight: number, window: Window, cores: { provider: number, requestor: number }, firstByteMs: number | null }} of
 * @returns {string}
 */
function describeLimit({ limit, side, reached }, { inFlight, window, cores, firstByteMs }) {
  const busy = `provider ${writePercent(cores.provider)}, requestor ${writePercent(cores.requestor)} of a core`
  const windows = `${writeMegabytes(inFlight)} were in flight, and the windows of its streams begin with ${writeMegabytes(window.beginsBytes ?? 0)} and grow to ${writeMegabytes(window.windowBytes ?? 0)}, together`
  switch (limit) {
    case 'line':
      return `the line: ${writePercent(reached)} of it`
    case 'round trips':
      return `round trips: it took ${formatSignificant(reached ?? 0)} of them${firstByteMs === null ? '' : `, the first byte came after ${formatSignificant(firstByteMs)} ms`}`
    case 'CPU':
      return `the CPU of the ${side}: ${busy}`
    case 'waiting':
      return `waiting for the other side, timers or a busy core: no limit was reached; ${busy} were used`
    case 'TCP':
      return `TCP: slow start, its window, or retransmissions; ${busy} were used`
    case 'window':
      return `the window: ${windows}`
    default:
      return `the window, while it grew: ${windows}`
  }
}

/**
 * judgeCase says what limited a protocol in a round, see findTransferLimit.
 *
 * @param {Measured} measured
 * @param {{ batches: readonly Batch[], transfers: readonly Transfer[], transport: TransferPlan['transport'], network?: string }} of - the
 *   protocol in the round
 * @returns {Pick<Case, 'windowBytes' | 'model' | 'verdict' | 'limitedBy'>}
 */
export function judgeCase(measured, { batches, transfers, transport, network }) {
  const { way, bytesPerSecond, goodput, seconds } = measured
  // the requestors share what the provider can send
  const requestors = batches[0]?.requestors.length ?? 1
  const lineBytesPerSecond = bytesPerSecond === null ? null : bytesPerSecond / requestors
  const streams = Math.max(1, transfers.length / (batches.length * requestors))
  const window = computeWindow({ protocol: way }, { transport }, streams)
  const { windowBytes } = window
  const roundTripMs = readNetworkRoundTrip(measured)
  const model = computeModelGoodput({ roundTripMs, windowBytes, lineBytesPerSecond })
  if (goodput.median === null || seconds.median === null)
    return { windowBytes, model, verdict: { limit: 'nothing', text: 'nothing arrived whole' } }
  const firstByteMs = computeFirstByte(transfers)
  const cores = {
    provider: computeCores(batches.map(({ provider }) => provider)),
    requestor: Math.max(
      ...batches[0].requestors.map((_, i) => computeCores(batches.map(({ requestors }) => requestors[i])))
    )
  }
  const limited = findTransferLimit({
    bytesPerSecond: goodput.median,
    roundTripMs,
    windowBytes,
    firstWindowBytes: window.beginsBytes ?? undefined,
    lineBytesPerSecond,
    tookMs: seconds.median * 1000,
    firstByteMs,
    kernelTcp: network === 'namespaces',
    cores
  })
  const inFlight = (goodput.median * (roundTripMs ?? 0)) / 1000
  return {
    windowBytes,
    model,
    verdict: {
      limit: limited.limit === 'CPU' ? `CPU of the ${limited.side}` : limited.limit,
      text: describeLimit(limited, { inFlight, window, cores, firstByteMs })
    },
    limitedBy: describeTransferLimit(limited, { server: cores.provider, client: cores.requestor })
  }
}

/**
 * @typedef {import('./plan/transfer-plan.js').TransferPlan} TransferPlan
 */

/** @param {readonly (number | null)[]} values @returns {number[]} */
const selectKnown = values => values.filter(value => value !== null && Number.isFinite(value)).map(Number)

/** @param {readonly (number | null)[]} values @returns {number | null} of those that are known */
const computeMedian = values => (selectKnown(values).length === 0 ? null : median(selectKnown(values)))

/** @param {readonly (number | null)[]} values @returns {number | null} of those that are known */
const computeMaximum = values => (selectKnown(values).length === 0 ? null : Math.max(...selectKnown(values)))

/** @param {readonly (number | null)[]} values */
const computeSpread = values => ({ median: computeMedian(values), slowest: computeMaximum(values) })

/**
 * computeSeconds is how long a repeat of a protocol took, until its slowest requestor had all files.
 *
 * @param {Batch} batch
 * @returns {number | null} null: a requestor did not get all files
 */
const computeSeconds = ({ requestors }) => {
  const spans = requestors.map(({ spanMs }) => spanMs)
  return spans.every(ms => ms !== null) ? Math.max(...selectKnown(spans)) / 1000 : null
}

/** @param {Batch} batch @returns {number[]} of each requestor that got all files */
const computeGoodputs = ({ requestors, payloadBytes }) =>
  selectKnown(requestors.map(({ spanMs }) => (spanMs === null ? null : payloadBytes / (spanMs / 1000))))

/** @param {Batch[]} batches @param {Batch[]} http - of the same round */
function computeFactorTo(batches, http) {
  const ratios = batches.flatMap(batch => {
    const baseline = http.find(({ repeat }) => repeat === batch.repeat)
    const [own, other] = [computeSeconds(batch), baseline === undefined ? null : computeSeconds(baseline)]
    return own === null || other === null ? [] : selectKnown([own / other])
  })
  return ratios.length === 0 ? null : computeMedianInterval(ratios)
}

/** @param {Batch[]} batches */
function computeCosts(batches) {
  const sides = batches.flatMap(({ requestors }) => requestors)
  const gigabytes =
    computeSum(batches, ({ payloadBytes, requestors }) => payloadBytes * requestors.length) / 1e9
  return {
    cpuSecondsPerGB: {
      provider: computeSum(batches, ({ provider }) => provider.cpuMs) / 1000 / gigabytes,
      requestors: computeSum(sides, ({ cpuMs }) => cpuMs) / 1000 / gigabytes
    },
    peakBytes: {
      provider: computeMaximum(batches.map(({ provider }) => provider.peakBytes)),
      requestor: computeMaximum(sides.map(({ peakBytes }) => peakBytes))
    }
  }
}

/**
 * makeCase merges the repeats of a protocol in a round.
 *
 * @param {{ way: Protocol, round: Round, transport: TransferPlan['transport'], network?: TransferPlan['network'] }} of
 * @param {{ batches: readonly Batch[], transfers: readonly Transfer[] }} measured - of the whole run
 * @returns {Case}
 */
function makeCase({ way, round, transport, network }, measured) {
  const inRound = measured.batches.filter(batch => isSameRound(batch, round))
  const batches = inRound.filter(batch => batch.way === way)
  const transfers = measured.transfers.filter(each => each.way === way && isSameRound(each, round))
  const seconds = selectKnown(batches.map(computeSeconds))
  const sides = batches.flatMap(({ requestors }) => requestors)
  const http = inRound.filter(batch => batch.way === 'http')
  const base = {
    way,
    ...round,
    batches: batches.length,
    transfers: transfers.length,
    failed: transfers.filter(({ outcome }) => outcome !== 'OK').length,
    seconds: { ...computeMedianInterval(seconds), slowest: computeMaximum(seconds) },
    goodput: computeMedianInterval(selectKnown(batches.map(batch => computeMedian(computeGoodputs(batch))))),
    firstByteMs: computeSpread(transfers.map(({ firstByteMs }) => firstByteMs)),
    waitMs: computeSpread(transfers.map(({ waitMs }) => waitMs)),
    connectMs: computeMedian(sides.map(({ connectMs }) => connectMs)),
    roundTripMs: computeMedian(sides.map(({ roundTripMs }) => roundTripMs)),
    factorToHttp: way === 'http' ? null : computeFactorTo(batches, http),
    wirePerByte: computeMedian(transfers.map(({ wirePerByte }) => wirePerByte)),
    blocks: computeMedian(transfers.map(({ blocks }) => blocks)),
    ...computeCosts(batches),
    // over requestors
    fairness: batches.some(({ requestors }) => requestors.length > 1)
      ? computeMedian(batches.map(batch => computeJainIndex(computeGoodputs(batch))))
      : null
  }
  return { ...base, ...judgeCase(base, { batches, transfers, transport, network }) }
}

/**
 * makeCases merges the repeats of each protocol in each round. Protocols without a repeat are left out.
 *
 * @param {{ rounds: readonly Round[] } & Pick<TransferPlan, 'ways' | 'transport'> & Partial<Pick<TransferPlan, 'network'>>} plan
 * @param {{ batches: readonly Batch[], transfers: readonly Transfer[] }} measured
 * @returns {Case[]}
 */
export const makeCases = ({ rounds, ways, transport, network }, measured) =>
  rounds
    .flatMap(round => ways.map(way => makeCase({ way, round, transport, network }, measured)))
    .filter(({ batches }) => batches > 0)

/**
 * @typedef {import('./plan/transfer-plan.js').ProtocolSetup} ProtocolSetup
 * @typedef {import('./plan/transfer-plan.js').ZerosTransfer} ZerosTransfer
 * @typedef {import('./plan/transfer-plan.js').ZerosRow} ZerosRow
 *
 * @typedef {object} RoundMeasurements - measurements of a round
 * @property {import('./plan/transfer-plan.js').Round} round
 * @property {readonly ZerosTransfer[]} transfers
 * @property {Readonly<Record<string, number>>} roundTrips - ms, by way
 */

/** Protocols whose streams are connections, each with a line of its own. */
const STREAMS_WITH_LINES = new Set(['tcp', 'tls', 'http', 'https'])

/** @param {ProtocolSetup} way @param {TransferPlan} plan @param {{ streams: number, bytesPerSecond: number | null }} of */
function computeLineRate({ protocol }, plan, { streams, bytesPerSecond }) {
  // between namespaces all go over one link
  if (bytesPerSecond === null || plan.network === 'namespaces') return bytesPerSecond
  return bytesPerSecond * plan.connections * (STREAMS_WITH_LINES.has(protocol) ? streams : 1)
}

/** @param {readonly number[]} values - at least one @returns {{ median: number, low: number | null, high: number | null }} */
const computeCentre = values => ({
  ...computeMedianInterval(values),
  median: Number(computeMedianInterval(values).median)
})

/** How much longer the same bytes take than by each baseline, in the same repeats. @param {readonly ZerosTransfer[]} own @param {readonly ZerosTransfer[]} all @param {TransferPlan} plan @returns {ZerosRow['overhead']} */
function computeOverheads(own, all, plan) {
  const baselines = listProtocols(plan).filter(({ protocol }) => protocol !== 'perf')
  return baselines.flatMap(({ name }) => {
    const ratios = own.flatMap(({ repeat, direction, streams, totalMs }) =>
      all
        .filter(other => other.way === name && other.repeat === repeat)
        .filter(other => other.direction === direction && other.streams === streams)
        .map(other => totalMs / other.totalMs)
    )
    return ratios.length === 0 ? [] : [{ to: name, ...computeCentre(ratios) }]
  })
}

/**
 * makeZerosRows computes the figures of each protocol, direction and number of streams in a round.
 *
 * @param {TransferPlan} plan
 * @param {RoundMeasurements} measured
 * @returns {ZerosRow[]}
 */
export const makeZerosRows = (plan, measured) =>
  /** @type {const} */ (['upload', 'download']).flatMap(direction =>
    (plan.streams ?? []).flatMap(streams =>
      listProtocols(plan).flatMap(way => {
        const own = measured.transfers.filter(
          each => each.way === way.name && each.direction === direction && each.streams === streams
        )
        return own.length === 0 ? [] : [makeZerosRow(own, { way, direction, streams }, { plan, ...measured })]
      })
    )
  )

/**
 * @param {readonly ZerosTransfer[]} own
 * @param {{ way: ProtocolSetup, direction: 'upload' | 'download', streams: number }} which
 * @param {RoundMeasurements & { plan: TransferPlan }} of
 * @returns {ZerosRow}
 */
function makeZerosRow(own, { way, direction, streams }, { plan, round, transfers, roundTrips }) {
  const { windowBytes, beginsBytes } = computeWindow(way, plan, streams)
  const limits = {
    roundTripMs: roundTrips[way.name] ?? null,
    windowBytes,
    lineBytesPerSecond: computeLineRate(way, plan, { streams, ...round })
  }
  /** @param {(cpuMs: number, transfer: ZerosTransfer) => number} of */
  const ofCpu = of => {
    const side = (/** @type {'clientCpuMs' | 'serverCpuMs'} */ key) =>
      computeMedian(own.map(each => (each[key] === null ? null : of(each[key], each))))
    return { client: side('clientCpuMs'), server: side('serverCpuMs') }
  }
  const cores = ofCpu((cpuMs, { totalMs }) => cpuMs / totalMs)
  const rates = own.map(({ bytesPerSecond }) => bytesPerSecond)
  const steady = Number(computeMedian(own.map(each => each.steadyBytesPerSecond ?? each.bytesPerSecond)))
  const verdict = findTransferLimit({
    ...limits,
    bytesPerSecond: steady,
    firstWindowBytes: beginsBytes ?? undefined,
    tookMs: computeMedian(own.map(({ totalMs }) => totalMs)),
    kernelTcp: plan.network === 'namespaces',
    cores
  })
  return {
    round,
    way: way.name,
    direction,
    streams,
    transfers: own.length,
    bytesPerSecond: computeCentre(rates),
    slowestBytesPerSecond: Math.min(...rates),
    steadyBytesPerSecond: steady,
    overhead: computeOverheads(own, transfers, plan),
    roundTripMs: limits.roundTripMs,
    windowBytes,
    modelBytesPerSecond: computeModelGoodput(limits).bytesPerSecond,
    verdict,
    limitedBy: describeTransferLimit(verdict, cores),
    cpuSecondsPerGB: ofCpu((cpuMs, { bytes }) => cpuMs / 1000 / (bytes / 1e9)),
    cores,
    rssBytes: {
      client: computeMaximum(own.map(each => each.clientRssBytes)),
      server: computeMaximum(own.map(each => each.serverRssBytes))
    }
  }
}
