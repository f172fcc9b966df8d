// The figures of a transfer, computed from its measurements.
import { largestOf as maxOf, median, sumOf } from '../../kit/collections.js'
import { significant } from '../../kit/numbers.js'
import { Overheads } from '../../measure/client-overhead.js'
import { chosen, none, readTime } from '../../measure/figure.js'
import { CENSORED_TOLERANCE } from '../../measure/histogram.js'
import { limitedTransfer, modelGoodput, transferLimit } from '../../measure/limited-by.js'
import { jainIndex, medianInterval } from '../../measure/statistics.js'
import { generatorLimited } from '../../report/warnings.js'
import { routerFigures } from '../router-figures.js'
import { FILE_PROTOCOLS, movesFiles, PROTOCOLS, waysOf } from './plan/transfer-plan.js'

/**
 * quartiles summarizes samples as box plots do. Between two neighbours it interpolates.
 *
 * @param {readonly number[]} values
 * @returns {{ count: number, min: number, q1: number, median: number, q3: number, max: number } | null} null: there are none
 */
export function quartiles(values) {
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
 * @typedef {[ms: number, lateMs: number, done: boolean]} Shaken - a handshake: the time from when it was due until it succeeded or failed,
 *   how late it began, whether it succeeded
 * @typedef {NonNullable<import('./plan/transfer-plan.js').HandshakeRow['times']>} HandshakeTimes
 */

/** A timer may be this late on an idle client. */
const TIMER_SLACK_MS = 1.5

/**
 * handshakeTimes summarizes the times of handshakes. A failed handshake counts with the time until it failed, which is less than it would
 * have taken. So the median is a lower bound if it would change with endless failed handshakes. The client overhead at the median is how
 * late the handshakes around it began.
 *
 * @param {readonly Shaken[]} shaken
 * @returns {HandshakeTimes | null} ms; null: no handshake succeeded
 */
export function handshakeTimes(shaken) {
  const times = quartiles(shaken.map(([ms]) => ms))
  if (times === null || !shaken.some(([, , done]) => done)) return null
  const endless = quartiles(shaken.map(([ms, , done]) => (done ? ms : Number.MAX_VALUE)))
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
 * medianOf gives the median of handshakes in the form of a percentile. Results of earlier releases left failed handshakes out: their
 * median is no lower bound.
 *
 * @param {HandshakeTimes} times
 */
export const medianOf = ({ median: ms, censored = false, overheadMs }) => ({
  ms,
  censored,
  ...(overheadMs !== undefined && { overheadMs })
})

/**
 * handshakeWarnings warns where the client took too large a part of the handshake times.
 *
 * @param {readonly import('./plan/transfer-plan.js').HandshakeRow[]} rows
 * @returns {import('../../report/schema.js').Warning[]}
 */
export const handshakeWarnings = rows =>
  generatorLimited({
    health: [{ worker: 0, utilization: maxOf(rows, ({ utilization = 0 }) => utilization) }],
    times: rows.flatMap(({ way, times }) =>
      times === null ? [] : [[`handshakes of ${way}`, { p50: medianOf(times) }]]
    )
  })

/**
 * @typedef {object} HandshakesTold - of one repeat
 * @property {number} due
 * @property {number} failed
 * @property {string | null} failure
 * @property {number} completed
 * @property {readonly Shaken[]} times - of all, or of some of them
 * @property {number} elapsedMs
 * @property {number} activeMs - of that, the clients' event loop was busy
 * @property {number} cpuMicros - of the clients' process
 * @property {number | null} serverCpuMicros - null: not known
 */

/** A shorter round trip is mostly the work of the two ends. */
const MIN_ROUND_TRIP_MS = 5

/**
 * handshakeRow computes the figures of the handshakes of a protocol in a round.
 *
 * @param {string} way
 * @param {readonly HandshakesTold[]} repeats
 * @param {Pick<import('./plan/transfer-plan.js').TransferPlan, 'clients' | 'handshakeRatePerSecond' | 'handshakeForMs'>} plan
 * @param {number} [roundTripMs]
 */
export function handshakeRow(way, repeats, plan, roundTripMs = 0) {
  const sum = (/** @type {(repeat: HandshakesTold) => number} */ of) => sumOf(repeats, of)
  const times = handshakeTimes(repeats.flatMap(repeat => repeat.times))
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
        : medianInterval(
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
 * @typedef {import('../../measure/figure.js').Reading} Reading
 * @typedef {import('./plan/transfer-plan.js').Protocol} Protocol
 * @typedef {import('./plan/transfer-plan.js').Case} Case
 * @typedef {import('./plan/transfer-plan.js').FilesOutcome} FilesOutcome
 * @typedef {import('./plan/transfer-plan.js').ZerosOutcome} ZerosOutcome
 * @typedef {import('./plan/transfer-plan.js').Round} Round
 */

/**
 * wayKey is the part of a figure's name that stands for a protocol.
 *
 * @param {Protocol} way
 */
export const wayKey = way => way.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())

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
  { name: 'total', title: 'Time, median', ...TIME, value: ({ seconds }) => inMs(seconds.median) },
  { name: 'slowest', title: 'Time, slowest', ...TIME, value: ({ seconds }) => inMs(seconds.slowest) },
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
const inMs = seconds => (seconds === null ? null : seconds * 1000)

/** @param {ProtocolFigure} figure @returns {Figure[]} */
const figureOfEachProtocol = ({ name, title, value, never, lacks = () => null, ...figure }) =>
  FILE_PROTOCOLS.filter(way => way !== never).map(way => ({
    ...figure,
    name: `${name}.${wayKey(way)}`,
    title: `${title}, of ${way} in its worst round`,
    live: 0,
    lacks: (/** @type {any} */ plan) =>
      lacksFiles(plan) ?? (plan.ways.includes(way) ? lacks(plan, way) : `${way} among --protocols`),
    read(/** @type {FilesOutcome} */ { cases = [] }) {
      const own = cases.filter(each => each.way === way)
      if (own.length === 0) return none(`${way} was not measured`)
      const values = own.flatMap(each => value(each) ?? [])
      if (values.length === 0) return none(`there is none of ${way}`)
      const worst = figure.better === 'higher' ? Math.min : Math.max
      return { value: worst(...values), samples: values.length }
    }
  }))

/** @param {any} plan */
const lacksFiles = plan => (movesFiles(plan) ? null : 'files among --measures')

const NOT_MEASURED = 'nothing of it was measured'

/** firstWay names the first protocol over libp2p, from which figures of zeros are read. @param {ZerosOutcome} outcome */
export const firstWay = ({ ways }) => ways?.[0]?.name

/** @param {Round} one @param {Round} other */
const isSameRound = (one, other) =>
  one.latencyMs === other.latencyMs && one.bytesPerSecond === other.bytesPerSecond

/**
 * rowsOfLastRound selects the rows of the last round, whose network is the slowest.
 *
 * @template {{ round: Round }} R
 * @param {readonly R[] | undefined} rows
 * @returns {R[]}
 */
const rowsOfLastRound = (rows = []) =>
  rows.filter(({ round }) => isSameRound(round, rows[rows.length - 1].round))

/** bestRow selects the row of the number of streams with the highest rate. @param {ZerosOutcome} outcome @param {string} direction */
export const bestRow = (outcome, direction) =>
  rowsOfLastRound(outcome.rows)
    .filter(row => row.way === firstWay(outcome) && row.direction === direction)
    .toSorted((a, b) => b.bytesPerSecond.median - a.bytesPerSecond.median)
    .at(0)

/** @template {{ way: string, round: Round }} R @param {ZerosOutcome} outcome @param {readonly R[] | undefined} rows */
export const ofFirstWay = (outcome, rows) =>
  rowsOfLastRound(rows).find(({ way }) => way === firstWay(outcome))

/** @param {number | null | undefined} value @param {number} [samples] @returns {Reading} */
const reading = (value, samples = 0) => (value == null ? none(NOT_MEASURED) : { value, samples })

/**
 * @typedef {object} ZerosFigure - a figure of zeros, of the first protocol over libp2p in the last round
 * @property {string} name - begins with the measure it belongs to
 * @property {string} title
 * @property {Figure['quantity']} quantity
 * @property {Figure['better']} better
 * @property {(outcome: ZerosOutcome) => Reading} read
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
        const row = bestRow(outcome, direction)
        return reading(row && row.bytesPerSecond.median / 1e6, row?.transfers)
      }
    },
    {
      name: `${direction}.overhead`,
      title: `${title}, times as long as by TCP`,
      ...LOW_NUMBER,
      lacks: (/** @type {any} */ { ways }) => (ways.includes('tcp') ? null : 'tcp among --protocols'),
      read(/** @type {ZerosOutcome} */ outcome) {
        const row = bestRow(outcome, direction)
        return reading(row?.overhead.find(({ to }) => to === 'TCP')?.median, row?.transfers)
      }
    }
  ]),
  {
    name: 'latency.median',
    title: 'A stream and a byte there and back',
    ...TIME,
    read(outcome) {
      const row = ofFirstWay(outcome, outcome.latency)
      return reading(row?.both.median, row?.both.count)
    }
  },
  {
    name: 'handshakes.rate',
    title: 'Handshakes',
    quantity: 'rate',
    better: 'higher',
    read(outcome) {
      const row = ofFirstWay(outcome, outcome.handshakes)
      return reading(row?.perSecond?.median, row?.due)
    }
  },
  {
    name: 'handshakes.median',
    title: 'A handshake',
    ...TIME,
    read(outcome) {
      const times = ofFirstWay(outcome, outcome.handshakes)?.times ?? null
      const summary = times && { count: times.count, p50: medianOf(times) }
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
      const row = ofFirstWay(outcome, outcome.handshakes)
      return reading(row?.failed, row?.due)
    }
  }
]

/** @param {ZerosFigure} figure @returns {Figure} */
const figureOfZeros = ({ lacks = () => null, ...figure }) => ({
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
    lacks: lacksFiles,
    read: (/** @type {FilesOutcome} */ { cases, transfers }) =>
      cases === undefined || transfers.length === 0
        ? none('nothing was transferred')
        : { value: transfers.filter(({ outcome }) => outcome !== 'OK').length, samples: transfers.length }
  },
  ...PROTOCOL_FIGURES.flatMap(figureOfEachProtocol),
  ...ZEROS_FIGURES.map(figureOfZeros),
  ...routerFigures(({ namespaces = [] }) => namespaces)
]

/** TRANSFER_COMPARED says how transfers are compared. @type {import('../../measure/figure.js').Comparable<any>} */
export const TRANSFER_COMPARED = {
  figures: chosen(TRANSFER_FIGURES, [
    ...['goodput', 'firstByte'].flatMap(name => FILE_PROTOCOLS.map(way => `${name}.${wayKey(way)}`)),
    ...['upload.rate', 'download.rate', 'latency.median', 'handshakes.median']
  ]),
  same: {
    measures: ({ measures }) => measures,
    // zeros have figures of the first protocol alone
    protocols: plan => (movesFiles(plan) ? plan.ways : null)
  },
  example: '"goodput.blocks < -5%" or "latency.median > +10%"',
  commands: [
    ['does a larger chunk pay?', "ab transfer '--chunkSize 256kb' '--chunkSize 1mb' --size 8mb"],
    ['does a fixed window of 16 MiB pay?', "ab perf '' '--window 16MiB' --measures download --latencies 20ms"]
  ]
}

/**
 * @typedef {import('./plan/transfer-plan.js').Batch} Batch
 * @typedef {import('./plan/transfer-plan.js').Transfer} Transfer
 * @typedef {import('../../measure/limited-by.js').Verdict} Limited
 * @typedef {Pick<Case, 'way' | 'latencyMs' | 'bytesPerSecond' | 'roundTripMs' | 'goodput' | 'seconds'>} Measured
 */

/** The window of a Yamux stream of both generations: its first size, its largest size (@libp2p/yamux 8, constants.js). */
const WINDOW = Object.freeze({ first: 256 << 10, largest: 16 << 20 })
/** The window of HTTP/2 in Node, the same for a stream and for a session. */
const HTTP2_BYTES = 65_535

/**
 * @typedef {Partial<Pick<import('./plan/transfer-plan.js').TransferPlan, 'transport' | 'windowBytes' | 'connections' | 'target'>>} Windowed
 * @typedef {{ windowBytes: number | null, beginsBytes: number | null }} Window - null: no window of its own, or not known; `beginsBytes`: the
 *   first size of a window that grows
 */

/**
 * windowOf is how many bytes may be in flight over a protocol, in all its streams together.
 *
 * @param {Pick<import('./plan/transfer-plan.js').Way, 'protocol' | 'muxer'>} way
 * @param {Windowed} plan
 * @param {number} streams - on each connection
 * @returns {Window}
 */
export function windowOf(
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
const networkRoundTripMs = ({ latencyMs, roundTripMs }) => (latencyMs === 0 ? null : roundTripMs)

/** @param {readonly { cpuMs: number, wallMs: number }[]} usages - of a side, in each repeat @returns {number} of a core, while it was measured */
function coresOf(usages) {
  const wallMs = sumOf(usages, usage => usage.wallMs)
  return wallMs === 0 ? 0 : sumOf(usages, usage => usage.cpuMs) / wallMs
}

/** @param {readonly Transfer[]} transfers @returns {number | null} ms to the first byte of any transfer, median over repeats */
function firstByteOf(transfers) {
  /** @type {Map<number, number>} */
  const earliest = new Map()
  for (const { repeat, firstByteMs } of transfers)
    if (firstByteMs !== null) earliest.set(repeat, Math.min(firstByteMs, earliest.get(repeat) ?? firstByteMs))
  return earliest.size === 0 ? null : median([...earliest.values()])
}

/** @param {number} bytes */
const mb = bytes => `${significant(bytes / 1e6)} MB`

/** @param {number | null} share */
const percent = share => `${Math.round((share ?? 0) * 100)} %`

/**
 * @param {Limited} limited
 * @param {{ inFlight: number, window: Window, cores: { provider: number, requestor: number }, firstByteMs: number | null }} of
 * @returns {string}
 */
function limitSentence({ limit, side, reached }, { inFlight, window, cores, firstByteMs }) {
  const busy = `provider ${percent(cores.provider)}, requestor ${percent(cores.requestor)} of a core`
  const windows = `${mb(inFlight)} were under way, and the windows of its streams begin with ${mb(window.beginsBytes ?? 0)} and grow to ${mb(window.windowBytes ?? 0)}, together`
  switch (limit) {
    case 'line':
      return `the line: ${percent(reached)} of it`
    case 'round trips':
      return `round trips: it took ${significant(reached ?? 0)} of them${firstByteMs === null ? '' : `, the first byte came after ${significant(firstByteMs)} ms`}`
    case 'CPU':
      return `the CPU of the ${side}: ${busy}`
    case 'waiting':
      return `waiting: nothing was full, and ${busy} were used: for the other side, for timers, or for a core that others use`
    case 'TCP':
      return `TCP: slow start, its window, or what it sent again; ${busy} were used`
    case 'window':
      return `the window: ${windows}`
    default:
      return `the window, while it grew: ${windows}`
  }
}

/**
 * caseVerdict says what limited a protocol in a round, see transferLimit.
 *
 * @param {Measured} measured
 * @param {{ batches: readonly Batch[], transfers: readonly Transfer[], transport: TransferPlan['transport'], network?: string }} of - the
 *   protocol in the round
 * @returns {Pick<Case, 'windowBytes' | 'model' | 'verdict' | 'limitedBy'>}
 */
export function caseVerdict(measured, { batches, transfers, transport, network }) {
  const { way, bytesPerSecond, goodput, seconds } = measured
  // the requestors share what the provider can send
  const requestors = batches[0]?.requestors.length ?? 1
  const lineBytesPerSecond = bytesPerSecond === null ? null : bytesPerSecond / requestors
  const streams = Math.max(1, transfers.length / (batches.length * requestors))
  const window = windowOf({ protocol: way }, { transport }, streams)
  const { windowBytes } = window
  const roundTripMs = networkRoundTripMs(measured)
  const model = modelGoodput({ roundTripMs, windowBytes, lineBytesPerSecond })
  if (goodput.median === null || seconds.median === null)
    return { windowBytes, model, verdict: { limit: 'nothing', text: 'nothing arrived whole' } }
  const firstByteMs = firstByteOf(transfers)
  const cores = {
    provider: coresOf(batches.map(({ provider }) => provider)),
    requestor: Math.max(
      ...batches[0].requestors.map((_, i) => coresOf(batches.map(({ requestors }) => requestors[i])))
    )
  }
  const limited = transferLimit({
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
      text: limitSentence(limited, { inFlight, window, cores, firstByteMs })
    },
    limitedBy: limitedTransfer(limited, { server: cores.provider, client: cores.requestor })
  }
}

/**
 * @typedef {import('./plan/transfer-plan.js').TransferPlan} TransferPlan
 */

/** @param {readonly (number | null)[]} values @returns {number[]} */
const known = values => values.filter(value => value !== null && Number.isFinite(value)).map(Number)

/** @param {readonly (number | null)[]} values @returns {number | null} of those that are known */
const knownMedian = values => (known(values).length === 0 ? null : median(known(values)))

/** @param {readonly (number | null)[]} values @returns {number | null} of those that are known */
const knownMaximum = values => (known(values).length === 0 ? null : Math.max(...known(values)))

/** @param {readonly (number | null)[]} values */
const spread = values => ({ median: knownMedian(values), slowest: knownMaximum(values) })

/**
 * secondsOf is how long a repeat of a protocol took, until its slowest requestor had all files.
 *
 * @param {Batch} batch
 * @returns {number | null} null: a requestor did not get all files
 */
const secondsOf = ({ requestors }) => {
  const spans = requestors.map(({ spanMs }) => spanMs)
  return spans.every(ms => ms !== null) ? Math.max(...known(spans)) / 1000 : null
}

/** @param {Batch} batch @returns {number[]} of each requestor that got all files */
const goodputsOf = ({ requestors, payloadBytes }) =>
  known(requestors.map(({ spanMs }) => (spanMs === null ? null : payloadBytes / (spanMs / 1000))))

/** @param {Batch[]} batches @param {Batch[]} http - of the same round */
function factorTo(batches, http) {
  const ratios = batches.flatMap(batch => {
    const baseline = http.find(({ repeat }) => repeat === batch.repeat)
    const [own, other] = [secondsOf(batch), baseline === undefined ? null : secondsOf(baseline)]
    return own === null || other === null ? [] : known([own / other])
  })
  return ratios.length === 0 ? null : medianInterval(ratios)
}

/** @param {Batch[]} batches */
function costsOf(batches) {
  const sides = batches.flatMap(({ requestors }) => requestors)
  const gigabytes = sumOf(batches, ({ payloadBytes, requestors }) => payloadBytes * requestors.length) / 1e9
  return {
    cpuSecondsPerGB: {
      provider: sumOf(batches, ({ provider }) => provider.cpuMs) / 1000 / gigabytes,
      requestors: sumOf(sides, ({ cpuMs }) => cpuMs) / 1000 / gigabytes
    },
    peakBytes: {
      provider: knownMaximum(batches.map(({ provider }) => provider.peakBytes)),
      requestor: knownMaximum(sides.map(({ peakBytes }) => peakBytes))
    }
  }
}

/**
 * caseOf merges the repeats of a protocol in a round.
 *
 * @param {{ way: Protocol, round: Round, transport: TransferPlan['transport'], network?: TransferPlan['network'] }} of
 * @param {{ batches: readonly Batch[], transfers: readonly Transfer[] }} measured - of the whole run
 * @returns {Case}
 */
function caseOf({ way, round, transport, network }, measured) {
  const inRound = measured.batches.filter(batch => isSameRound(batch, round))
  const batches = inRound.filter(batch => batch.way === way)
  const transfers = measured.transfers.filter(each => each.way === way && isSameRound(each, round))
  const seconds = known(batches.map(secondsOf))
  const sides = batches.flatMap(({ requestors }) => requestors)
  const http = inRound.filter(batch => batch.way === 'http')
  const base = {
    way,
    ...round,
    batches: batches.length,
    transfers: transfers.length,
    failed: transfers.filter(({ outcome }) => outcome !== 'OK').length,
    seconds: { ...medianInterval(seconds), slowest: knownMaximum(seconds) },
    goodput: medianInterval(known(batches.map(batch => knownMedian(goodputsOf(batch))))),
    firstByteMs: spread(transfers.map(({ firstByteMs }) => firstByteMs)),
    waitMs: spread(transfers.map(({ waitMs }) => waitMs)),
    connectMs: knownMedian(sides.map(({ connectMs }) => connectMs)),
    roundTripMs: knownMedian(sides.map(({ roundTripMs }) => roundTripMs)),
    factorToHttp: way === 'http' ? null : factorTo(batches, http),
    wirePerByte: knownMedian(transfers.map(({ wirePerByte }) => wirePerByte)),
    blocks: knownMedian(transfers.map(({ blocks }) => blocks)),
    ...costsOf(batches),
    // over requestors
    fairness: batches.some(({ requestors }) => requestors.length > 1)
      ? knownMedian(batches.map(batch => jainIndex(goodputsOf(batch))))
      : null
  }
  return { ...base, ...caseVerdict(base, { batches, transfers, transport, network }) }
}

/**
 * casesOf merges the repeats of each protocol in each round. Protocols without a repeat are left out.
 *
 * @param {{ rounds: readonly Round[] } & Pick<TransferPlan, 'ways' | 'transport'> & Partial<Pick<TransferPlan, 'network'>>} plan
 * @param {{ batches: readonly Batch[], transfers: readonly Transfer[] }} measured
 * @returns {Case[]}
 */
export const casesOf = ({ rounds, ways, transport, network }, measured) =>
  rounds
    .flatMap(round => ways.map(way => caseOf({ way, round, transport, network }, measured)))
    .filter(({ batches }) => batches > 0)

/**
 * @typedef {import('./plan/transfer-plan.js').Way} Way
 * @typedef {import('./plan/transfer-plan.js').ZerosTransfer} ZerosTransfer
 * @typedef {import('./plan/transfer-plan.js').ZerosRow} ZerosRow
 *
 * @typedef {object} InRound - measurements of a round
 * @property {import('./plan/transfer-plan.js').Round} round
 * @property {readonly ZerosTransfer[]} transfers
 * @property {Readonly<Record<string, number>>} roundTrips - ms, by way
 */

/** Protocols whose streams are connections, each with a line of its own. */
const STREAMS_WITH_LINES = new Set(['tcp', 'tls', 'http', 'https'])

/** @param {Way} way @param {TransferPlan} plan @param {{ streams: number, bytesPerSecond: number | null }} of */
function lineBytesPerSecond({ protocol }, plan, { streams, bytesPerSecond }) {
  // between namespaces all go over one link
  if (bytesPerSecond === null || plan.network === 'namespaces') return bytesPerSecond
  return bytesPerSecond * plan.connections * (STREAMS_WITH_LINES.has(protocol) ? streams : 1)
}

/** @param {readonly number[]} values - at least one @returns {{ median: number, low: number | null, high: number | null }} */
const centre = values => ({ ...medianInterval(values), median: Number(medianInterval(values).median) })

/** How much longer the same bytes take than by each baseline, in the same repeats. @param {readonly ZerosTransfer[]} own @param {readonly ZerosTransfer[]} all @param {TransferPlan} plan @returns {ZerosRow['overhead']} */
function overheads(own, all, plan) {
  const baselines = waysOf(plan).filter(({ protocol }) => protocol !== 'perf')
  return baselines.flatMap(({ name }) => {
    const ratios = own.flatMap(({ repeat, direction, streams, totalMs }) =>
      all
        .filter(other => other.way === name && other.repeat === repeat)
        .filter(other => other.direction === direction && other.streams === streams)
        .map(other => totalMs / other.totalMs)
    )
    return ratios.length === 0 ? [] : [{ to: name, ...centre(ratios) }]
  })
}

/**
 * zerosRows computes the figures of each protocol, direction and number of streams in a round.
 *
 * @param {TransferPlan} plan
 * @param {InRound} measured
 * @returns {ZerosRow[]}
 */
export const zerosRows = (plan, measured) =>
  /** @type {const} */ (['upload', 'download']).flatMap(direction =>
    (plan.streams ?? []).flatMap(streams =>
      waysOf(plan).flatMap(way => {
        const own = measured.transfers.filter(
          each => each.way === way.name && each.direction === direction && each.streams === streams
        )
        return own.length === 0 ? [] : [rowOf(own, { way, direction, streams }, { plan, ...measured })]
      })
    )
  )

/**
 * @param {readonly ZerosTransfer[]} own
 * @param {{ way: Way, direction: 'upload' | 'download', streams: number }} which
 * @param {InRound & { plan: TransferPlan }} of
 * @returns {ZerosRow}
 */
function rowOf(own, { way, direction, streams }, { plan, round, transfers, roundTrips }) {
  const { windowBytes, beginsBytes } = windowOf(way, plan, streams)
  const limits = {
    roundTripMs: roundTrips[way.name] ?? null,
    windowBytes,
    lineBytesPerSecond: lineBytesPerSecond(way, plan, { streams, ...round })
  }
  /** @param {(cpuMs: number, transfer: ZerosTransfer) => number} of */
  const ofCpu = of => {
    const side = (/** @type {'clientCpuMs' | 'serverCpuMs'} */ key) =>
      knownMedian(own.map(each => (each[key] === null ? null : of(each[key], each))))
    return { client: side('clientCpuMs'), server: side('serverCpuMs') }
  }
  const cores = ofCpu((cpuMs, { totalMs }) => cpuMs / totalMs)
  const rates = own.map(({ bytesPerSecond }) => bytesPerSecond)
  const steady = Number(knownMedian(own.map(each => each.steadyBytesPerSecond ?? each.bytesPerSecond)))
  const verdict = transferLimit({
    ...limits,
    bytesPerSecond: steady,
    firstWindowBytes: beginsBytes ?? undefined,
    tookMs: knownMedian(own.map(({ totalMs }) => totalMs)),
    kernelTcp: plan.network === 'namespaces',
    cores
  })
  return {
    round,
    way: way.name,
    direction,
    streams,
    transfers: own.length,
    bytesPerSecond: centre(rates),
    slowestBytesPerSecond: Math.min(...rates),
    steadyBytesPerSecond: steady,
    overhead: overheads(own, transfers, plan),
    roundTripMs: limits.roundTripMs,
    windowBytes,
    modelBytesPerSecond: modelGoodput(limits).bytesPerSecond,
    verdict,
    limitedBy: limitedTransfer(verdict, cores),
    cpuSecondsPerGB: ofCpu((cpuMs, { bytes }) => cpuMs / 1000 / (bytes / 1e9)),
    cores,
    rssBytes: {
      client: knownMaximum(own.map(each => each.clientRssBytes)),
      server: knownMaximum(own.map(each => each.serverRssBytes))
    }
  }
}
