// The figures of a transfer: how they are named, how they are computed from what was measured.
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
 * quantile is the value below which a share of sorted ones lies, between two neighbours in proportion.
 *
 * @param {readonly number[]} sorted - ascending, at least one
 * @param {number} share - 0 to 1
 */
function quantile(sorted, share) {
  const at = share * (sorted.length - 1)
  const below = Math.floor(at)
  return sorted[below] + (at - below) * ((sorted[below + 1] ?? sorted[below]) - sorted[below])
}

/**
 * quartiles sum up samples, as box plots show them.
 *
 * @param {readonly number[]} values
 * @returns {{ count: number, min: number, q1: number, median: number, q3: number, max: number } | null} null: there are none
 */
export function quartiles(values) {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  const at = (/** @type {number} */ share) => quantile(sorted, share)
  return { count: values.length, min: at(0), q1: at(0.25), median: at(0.5), q3: at(0.75), max: at(1) }
}

/**
 * @typedef {[ms: number, lateMs: number, done: boolean]} Shaken - a handshake: from when it was due until it was done or had failed, and how
 *   late it began
 * @typedef {NonNullable<import('./plan/transfer-plan.js').HandshakeRow['times']>} HandshakeTimes
 */

/** Timers come as late as this: it says nothing of how busy the client was. */
const TIMER_SLACK_MS = 1.5

/** @param {readonly Shaken[]} shaken @param {(one: Shaken) => number} ms */
const medianBy = (shaken, ms) => Number(quartiles(shaken.map(ms))?.median)

/**
 * handshakeTimes sum up handshakes. One that failed counts with the time until it did, for it would have taken longer; a median that would
 * change if it had taken for ever is a lower bound. Its client overhead is how late the handshakes around it began.
 *
 * @param {readonly Shaken[]} shaken
 * @returns {HandshakeTimes | null} ms; null: none was done
 */
export function handshakeTimes(shaken) {
  if (!shaken.some(([, , done]) => done)) return null
  const times = /** @type {NonNullable<ReturnType<typeof quartiles>>} */ (quartiles(shaken.map(([ms]) => ms)))
  const ifNeverDone = medianBy(shaken, ([ms, , done]) => (done ? ms : Number.MAX_VALUE))
  const overheads = new Overheads()
  for (const [ms, lateMs] of shaken)
    overheads.record(1000 * ms, 1000 * Math.min(ms, Math.max(0, lateMs - TIMER_SLACK_MS)))
  return {
    ...times,
    censored: ifNeverDone > times.median * (1 + CENSORED_TOLERANCE),
    overheadMs: Number(overheads.near(1000 * times.median)) / 1000
  }
}

/**
 * medianOf is the median of handshakes as other times have a percentile. In results from before failed ones counted none is a lower bound.
 *
 * @param {HandshakeTimes} times
 */
export const medianOf = ({ median: ms, censored = false, overheadMs }) => ({
  ms,
  censored,
  ...(overheadMs !== undefined && { overheadMs })
})

/**
 * handshakeWarnings say where the client had too large a part in handshakes.
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

/** Below this a round trip is the work of both ends rather than a way. */
const MIN_ROUND_TRIP_MS = 5

/** @param {number} sum @param {number} count */
const each = (sum, count) => (count === 0 ? null : sum / 1000 / count)

/**
 * handshakeRow are the figures of the handshakes of a way.
 *
 * @param {string} way
 * @param {readonly HandshakesTold[]} told
 * @param {Pick<import('./plan/transfer-plan.js').TransferPlan, 'clients' | 'handshakeRatePerSecond' | 'handshakeForMs'>} plan
 * @param {number} [roundTripMs]
 */
export function handshakeRow(
  way,
  told,
  { clients, handshakeRatePerSecond, handshakeForMs },
  roundTripMs = 0
) {
  const sum = (/** @type {(one: HandshakesTold) => number} */ of) => sumOf(told, of)
  const times = handshakeTimes(told.flatMap(one => one.times))
  const completed = sum(one => one.completed)
  const serverKnown = told.every(({ serverCpuMicros }) => serverCpuMicros !== null)
  return {
    way,
    duePerSecond: clients * handshakeRatePerSecond,
    due: sum(({ due }) => due),
    failed: sum(({ failed }) => failed),
    failure: told.find(({ failure }) => failure !== null)?.failure ?? null,
    perSecond:
      completed === 0
        ? null
        : medianInterval(told.map(one => (1000 * one.completed) / Math.max(one.elapsedMs, handshakeForMs))),
    times,
    // of a lower bound it is not known
    roundTrips:
      times === null || times.censored || roundTripMs < MIN_ROUND_TRIP_MS ? null : times.median / roundTripMs,
    utilization: sum(({ activeMs }) => activeMs) / sum(({ elapsedMs }) => elapsedMs),
    cpuMsEach: {
      client: each(
        sum(({ cpuMicros }) => cpuMicros),
        completed
      ),
      server: serverKnown
        ? each(
            sum(({ serverCpuMicros }) => serverCpuMicros ?? 0),
            completed
          )
        : null
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
 * wayKey is what a way is called in the names of figures.
 *
 * @param {Protocol} way
 */
export const wayKey = way => way.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())

/** @param {Protocol} way @param {(of: Case) => number | null} value @param {(...values: number[]) => number} worst @returns {Figure['read']} */
const worstOf =
  (way, value, worst) =>
  (/** @type {FilesOutcome} */ { cases = [] }) => {
    const own = cases.filter(each => each.way === way)
    const values = own.flatMap(each => value(each) ?? [])
    if (own.length === 0) return none(`${way} was not measured`)
    return values.length === 0
      ? none(`there is none of ${way}`)
      : { value: worst(...values), samples: values.length }
  }

/**
 * @typedef {object} OfWay - a figure that each way has
 * @property {string} name
 * @property {string} title
 * @property {Figure['quantity']} quantity
 * @property {string} [unit]
 * @property {Figure['better']} better
 * @property {(of: Case) => number | null} value - in a round
 * @property {Protocol} [never] - the way that has none
 * @property {(plan: any, way: Protocol) => string | null} [lacks] - what a plan with the way lacks; default: nothing
 */

/** @type {readonly OfWay[]} */
const OF_WAYS = [
  {
    name: 'total',
    title: 'Time, median',
    quantity: 'time',
    better: 'lower',
    value: ({ seconds }) => inMs(seconds.median)
  },
  {
    name: 'slowest',
    title: 'Time, slowest',
    quantity: 'time',
    better: 'lower',
    value: ({ seconds }) => inMs(seconds.slowest)
  },
  {
    name: 'firstByte',
    title: 'First byte, median',
    quantity: 'time',
    better: 'lower',
    value: ({ firstByteMs }) => firstByteMs.median
  },
  {
    name: 'wait',
    title: 'Wait for a turn, slowest',
    quantity: 'time',
    better: 'lower',
    value: ({ waitMs }) => waitMs.slowest
  },
  {
    name: 'goodput',
    title: 'Goodput',
    quantity: 'number',
    unit: 'MB/s',
    better: 'higher',
    value: ({ goodput }) => (goodput.median === null ? null : goodput.median / 1e6)
  },
  {
    name: 'factorToHttp',
    title: 'Time as a multiple of that of http',
    quantity: 'number',
    better: 'lower',
    value: ({ factorToHttp }) => factorToHttp?.median ?? null,
    never: 'http',
    lacks: ({ ways }) => (ways.includes('http') ? null : 'http among --protocols')
  },
  {
    name: 'wirePerByte',
    title: 'Bytes on the wire per byte',
    quantity: 'number',
    better: 'lower',
    value: ({ wirePerByte }) => wirePerByte,
    lacks: ({ transport }, way) =>
      transport === 'quic' && PROTOCOLS[way].libp2p ? 'another --transport than quic' : null
  },
  {
    name: 'providerCpu',
    title: 'CPU of the provider, s/GB',
    quantity: 'number',
    unit: 's/GB',
    better: 'lower',
    value: ({ cpuSecondsPerGB }) => cpuSecondsPerGB.provider
  },
  {
    name: 'requestorCpu',
    title: 'CPU of the requestors, s/GB',
    quantity: 'number',
    unit: 's/GB',
    better: 'lower',
    value: ({ cpuSecondsPerGB }) => cpuSecondsPerGB.requestors
  },
  {
    name: 'fairness',
    title: 'Fairness to requestors (Jain)',
    quantity: 'number',
    better: 'higher',
    value: ({ fairness }) => fairness,
    lacks: ({ requestors }) => (requestors > 1 ? null : '--requestors above 1')
  }
]

/** @param {number | null} seconds */
const inMs = seconds => (seconds === null ? null : seconds * 1000)

/** @param {OfWay} figure @returns {Figure[]} */
const ofEachWay = ({ name, title, value, better, never, lacks = () => null, ...figure }) =>
  FILE_PROTOCOLS.filter(way => way !== never).map(way => ({
    ...figure,
    better,
    name: `${name}.${wayKey(way)}`,
    title: `${title}, of ${way} in its worst round`,
    live: 0,
    lacks: (/** @type {any} */ plan) =>
      lacksFiles(plan) ?? (plan.ways.includes(way) ? lacks(plan, way) : `${way} among --protocols`),
    read: worstOf(way, value, better === 'higher' ? Math.min : Math.max)
  }))

/** @param {any} plan */
const lacksFiles = plan => (movesFiles(plan) ? null : 'files among --measures')

const NOTHING = none('nothing of it was measured')

const OF_HANDSHAKES = {
  nothing: 'nothing of it was measured',
  atLeast: 'at least this: handshakes that failed reach into it'
}

/** firstWay is the one that figures of zeros are of: the first over libp2p. @param {ZerosOutcome} outcome */
export const firstWay = ({ ways }) => ways?.[0]?.name

/** @param {Round} one @param {Round} other */
const isSameRound = (one, other) =>
  one.latencyMs === other.latencyMs && one.bytesPerSecond === other.bytesPerSecond

/**
 * lastOf are rows of zeros in the last round there are some of, which is the hardest.
 *
 * @template {{ round: Round }} R
 * @param {readonly R[] | undefined} rows
 * @returns {R[]}
 */
const lastOf = (rows = []) => rows.filter(({ round }) => isSameRound(round, rows[rows.length - 1].round))

/** bestRow is that of the number of streams that moved most. @param {ZerosOutcome} outcome @param {string} direction */
export const bestRow = (outcome, direction) =>
  lastOf(outcome.rows)
    .filter(row => row.way === firstWay(outcome) && row.direction === direction)
    .reduce(
      (best, row) =>
        best === undefined || row.bytesPerSecond.median > best.bytesPerSecond.median ? row : best,
      /** @type {ZerosOutcome['rows'][number] | undefined} */ (undefined)
    )

/** @template {{ way: string, round: Round }} R @param {ZerosOutcome} outcome @param {readonly R[] | undefined} rows */
export const ofFirstWay = (outcome, rows) => lastOf(rows).find(({ way }) => way === firstWay(outcome))

/** @param {number | null | undefined} value @param {number} [samples] @returns {Reading} */
const reading = (value, samples = 0) => (value == null ? NOTHING : { value, samples })

/**
 * @typedef {object} OfMeasure - a figure of zeros: of the first way over libp2p in the hardest round, with the number of streams that moved
 *   most
 * @property {string} name
 * @property {string} title
 * @property {Figure['quantity']} quantity
 * @property {Figure['better']} better
 * @property {(outcome: ZerosOutcome) => Reading} read
 * @property {(plan: any) => string | null} [lacks]
 */

/** @param {string} measure @param {OfMeasure} figure @returns {Figure} */
const ofMeasure = (measure, { lacks = () => null, ...figure }) => ({
  ...figure,
  live: 0,
  lacks: (/** @type {any} */ plan) =>
    plan.measures.includes(measure) ? lacks(plan) : `${measure} among --measures`
})

/** @type {readonly Figure[]} */
const OF_ZEROS = [
  .../** @type {const} */ (['upload', 'download']).flatMap(direction => {
    const title = direction === 'upload' ? 'Upload' : 'Download'
    return [
      ofMeasure(direction, {
        name: `${direction}.rate`,
        title: `${title} in a second`,
        ...{ quantity: 'memory', better: 'higher' },
        read(outcome) {
          const row = bestRow(outcome, direction)
          return reading(row && row.bytesPerSecond.median / 1e6, row?.transfers)
        }
      }),
      ofMeasure(direction, {
        name: `${direction}.overhead`,
        title: `${title}, times as long as by TCP`,
        ...{ quantity: 'number', better: 'lower' },
        lacks: ({ ways }) => (ways.includes('tcp') ? null : 'tcp among --protocols'),
        read(outcome) {
          const row = bestRow(outcome, direction)
          return reading(row?.overhead.find(({ to }) => to === 'TCP')?.median, row?.transfers)
        }
      })
    ]
  }),
  ofMeasure('latency', {
    name: 'latency.median',
    title: 'A stream and a byte there and back',
    ...{ quantity: 'time', better: 'lower' },
    read(outcome) {
      const row = ofFirstWay(outcome, outcome.latency)
      return reading(row?.both.median, row?.both.count)
    }
  }),
  ofMeasure('handshakes', {
    name: 'handshakes.rate',
    title: 'Handshakes',
    ...{ quantity: 'rate', better: 'higher' },
    read(outcome) {
      const row = ofFirstWay(outcome, outcome.handshakes)
      return reading(row?.perSecond?.median, row?.due)
    }
  }),
  ofMeasure('handshakes', {
    name: 'handshakes.median',
    title: 'A handshake',
    ...{ quantity: 'time', better: 'lower' },
    read(outcome) {
      const times = ofFirstWay(outcome, outcome.handshakes)?.times ?? null
      const summary = times && { count: times.count, p50: medianOf(times) }
      return readTime(/** @type {any} */ (summary), 'p50', OF_HANDSHAKES)
    }
  }),
  ofMeasure('handshakes', {
    name: 'handshakes.failed',
    title: 'Handshakes that failed',
    ...{ quantity: 'number', better: 'lower' },
    read(outcome) {
      const row = ofFirstWay(outcome, outcome.handshakes)
      return reading(row?.failed, row?.due)
    }
  })
]

/** TRANSFER_FIGURES are all that is measured of transfers: of files those of each way in the round where it does worst. @type {readonly Figure[]} */
export const TRANSFER_FIGURES = [
  {
    name: 'failedTransfers',
    title: 'Failed transfers',
    quantity: /** @type {const} */ ('number'),
    better: /** @type {const} */ ('lower'),
    live: 0,
    grows: true,
    lacks: lacksFiles,
    read: (/** @type {FilesOutcome} */ { cases, transfers }) =>
      cases === undefined || transfers.length === 0
        ? none('nothing was transferred')
        : { value: transfers.filter(({ outcome }) => outcome !== 'OK').length, samples: transfers.length }
  },
  ...OF_WAYS.flatMap(ofEachWay),
  ...OF_ZEROS,
  ...routerFigures(({ namespaces = [] }) => namespaces)
]

/** TRANSFER_COMPARED is what comparisons of transfers go by. @type {import('../../measure/figure.js').Comparable<any>} */
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

/** Windows of Yamux's streams, of both generations: what they begin with, and what they grow to (@libp2p/yamux 8, constants.js). */
const WINDOW = Object.freeze({ first: 256 << 10, largest: 16 << 20 })
/** Of HTTP/2 of Node: of a stream and of a session alike. */
const HTTP2_BYTES = 65_535

/**
 * @typedef {Partial<Pick<import('./plan/transfer-plan.js').TransferPlan, 'transport' | 'windowBytes' | 'connections' | 'target'>>} Windowed
 * @typedef {{ windowBytes: number | null, beginsBytes: number | null }} Window - null: no window of its own, or not known; `beginsBytes`: where
 *   it grows
 */

/**
 * windowOf is what may be under way over a protocol, in all its streams together.
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

/** @typedef {{ underWay: number, window: Window, cores: ReturnType<typeof busyOf>, firstByteMs: number | null }} Words */

/** A round trip of loopback says nothing about a window, which grows within it. @param {Measured} measured */
const tripOf = ({ latencyMs, roundTripMs }) => (latencyMs === 0 ? null : roundTripMs)

/** @param {readonly { cpuMs: number, wallMs: number }[]} usages - of a side, in each repeat @returns {number} of a core, while it was watched */
function coresOf(usages) {
  const wallMs = usages.reduce((sum, usage) => sum + usage.wallMs, 0)
  return wallMs === 0 ? 0 : usages.reduce((sum, usage) => sum + usage.cpuMs, 0) / wallMs
}

/** @param {readonly Batch[]} batches */
const busyOf = batches => ({
  provider: coresOf(batches.map(({ provider }) => provider)),
  requestor: Math.max(
    ...batches[0].requestors.map((_, i) => coresOf(batches.map(({ requestors }) => requestors[i])))
  )
})

/** @param {readonly Transfer[]} transfers @returns {number | null} until the first byte of all came, in the middle one of the repeats */
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

/** @param {Limited} limited @param {Words} of @returns {string} */
function inWords({ limit, side, reached }, { underWay, window, cores, firstByteMs }) {
  const busy = `provider ${percent(cores.provider)}, requestor ${percent(cores.requestor)} of a core`
  if (limit === 'line') return `the line: ${percent(reached)} of it`
  if (limit === 'round trips')
    return `round trips: it took ${significant(reached ?? 0)} of them${firstByteMs === null ? '' : `, the first byte came after ${significant(firstByteMs)} ms`}`
  if (limit === 'CPU') return `the CPU of the ${side}: ${busy}`
  if (limit === 'waiting')
    return `waiting: nothing was full, and ${busy} were used: for the other side, for timers, or for a core that others use`
  if (limit === 'TCP') return `TCP: slow start, its window, or what it sent again; ${busy} were used`
  const of = `${mb(underWay)} were under way, and the windows of its streams begin with ${mb(window.beginsBytes ?? 0)} and grow to ${mb(window.windowBytes ?? 0)}, together`
  return limit === 'window' ? `the window: ${of}` : `the window, while it grew: ${of}`
}

/**
 * caseVerdict says what limited a way in a round, see transferLimit.
 *
 * @param {Measured} measured
 * @param {{ batches: readonly Batch[], transfers: readonly Transfer[], transport: TransferPlan['transport'], network?: string }} of - the way in the round
 * @returns {Pick<Case, 'windowBytes' | 'model' | 'verdict' | 'limitedBy'>}
 */
export function caseVerdict(measured, { batches, transfers, transport, network }) {
  const { way, bytesPerSecond, goodput, seconds } = measured
  // what the provider can send is for all requestors
  const requestors = batches[0]?.requestors.length ?? 1
  const lineBytesPerSecond = bytesPerSecond === null ? null : bytesPerSecond / requestors
  const streams = Math.max(1, transfers.length / (batches.length * requestors))
  const window = windowOf({ protocol: way }, { transport }, streams)
  const { windowBytes } = window
  const roundTripMs = tripOf(measured)
  const model = modelGoodput({ roundTripMs, windowBytes, lineBytesPerSecond })
  if (goodput.median === null || seconds.median === null)
    return { windowBytes, model, verdict: { limit: 'nothing', text: 'nothing arrived whole' } }
  const [cores, firstByteMs] = [busyOf(batches), firstByteOf(transfers)]
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
  const underWay = (goodput.median * (roundTripMs ?? 0)) / 1000
  const limit = limited.limit === 'CPU' ? `CPU of the ${limited.side}` : limited.limit
  return {
    windowBytes,
    model,
    verdict: { limit, text: inWords(limited, { underWay, window, cores, firstByteMs }) },
    limitedBy: limitedTransfer(limited, { server: cores.provider, client: cores.requestor })
  }
}

/**
 * @typedef {import('./plan/transfer-plan.js').TransferPlan} TransferPlan
 */

const GB = 1e9

/** @param {readonly (number | null)[]} values @returns {number[]} */
const known = values => values.filter(value => value !== null && Number.isFinite(value)).map(Number)

/** middleOf is the median of what is known. @param {readonly (number | null)[]} values */
const middleOf = values => (known(values).length === 0 ? null : median(known(values)))

/** largestOf is the largest of what is known. @param {readonly (number | null)[]} values */
const largestOf = values => (known(values).length === 0 ? null : Math.max(...known(values)))

/** @param {readonly (number | null)[]} values */
const spread = values => ({ median: middleOf(values), slowest: largestOf(values) })

/**
 * secondsOf is how long a repeat of a way took: until its slowest requestor had everything.
 *
 * @param {Batch} batch
 * @returns {number | null} null: it did not
 */
const secondsOf = ({ requestors }) => {
  const spans = requestors.map(({ spanMs }) => spanMs)
  return spans.every(ms => ms !== null) ? Math.max(...known(spans)) / 1000 : null
}

/** @param {Batch} batch */
const goodputsOf = ({ requestors, payloadBytes }) =>
  requestors.map(({ spanMs }) => (spanMs === null ? null : payloadBytes / (spanMs / 1000)))

/** @param {Batch[]} batches @param {Batch[]} http - of the same round */
function factorTo(batches, http) {
  const ratios = batches.map(batch => {
    const beside = http.find(({ repeat }) => repeat === batch.repeat)
    const [own, other] = [secondsOf(batch), beside === undefined ? null : secondsOf(beside)]
    return own === null || other === null ? null : own / other
  })
  return known(ratios).length === 0 ? null : medianInterval(known(ratios))
}

/** @param {Batch[]} batches */
function costsOf(batches) {
  const gigabytes =
    sumOf(batches.map(({ payloadBytes, requestors }) => payloadBytes * requestors.length)) / GB
  const provider = sumOf(batches.map(({ provider }) => provider.cpuMs)) / 1000
  const requestors = sumOf(batches.flatMap(batch => batch.requestors.map(({ cpuMs }) => cpuMs))) / 1000
  return {
    cpuSecondsPerGB: { provider: provider / gigabytes, requestors: requestors / gigabytes },
    peakBytes: {
      provider: largestOf(batches.map(({ provider }) => provider.peakBytes)),
      requestor: largestOf(batches.flatMap(batch => batch.requestors.map(({ peakBytes }) => peakBytes)))
    }
  }
}

/** @param {Batch[]} batches @returns {number | null} of goodput over requestors */
const fairnessOf = batches =>
  batches.some(({ requestors }) => requestors.length > 1)
    ? middleOf(batches.map(batch => jainIndex(known(goodputsOf(batch)))))
    : null

/** @param {Pick<Round, 'latencyMs' | 'bytesPerSecond'>} round @returns {(of: Round) => boolean} */
const isOfRound = round => of =>
  of.latencyMs === round.latencyMs && of.bytesPerSecond === round.bytesPerSecond

/**
 * caseOf puts the repeats of a way in a round together.
 *
 * @param {{ way: Protocol, round: Round, transport: TransferPlan['transport'], network?: TransferPlan['network'] }} of
 * @param {{ batches: readonly Batch[], transfers: readonly Transfer[] }} measured - of the whole run
 * @returns {Case}
 */
function caseOf({ way, round, transport, network }, measured) {
  const here = measured.batches.filter(isOfRound(round))
  const batches = here.filter(batch => batch.way === way)
  const transfers = measured.transfers.filter(each => each.way === way && isOfRound(round)(each))
  const seconds = known(batches.map(secondsOf))
  const sides = batches.flatMap(({ requestors }) => requestors)
  const base = {
    way,
    ...round,
    batches: batches.length,
    transfers: transfers.length,
    failed: transfers.filter(({ outcome }) => outcome !== 'OK').length,
    seconds: { ...medianInterval(seconds), slowest: largestOf(seconds) },
    goodput: medianInterval(known(batches.map(batch => middleOf(goodputsOf(batch))))),
    firstByteMs: spread(transfers.map(({ firstByteMs }) => firstByteMs)),
    waitMs: spread(transfers.map(({ waitMs }) => waitMs)),
    connectMs: middleOf(sides.map(({ connectMs }) => connectMs)),
    roundTripMs: middleOf(sides.map(({ roundTripMs }) => roundTripMs)),
    factorToHttp:
      way === 'http'
        ? null
        : factorTo(
            batches,
            here.filter(batch => batch.way === 'http')
          ),
    wirePerByte: middleOf(transfers.map(({ wirePerByte }) => wirePerByte)),
    blocks: middleOf(transfers.map(({ blocks }) => blocks)),
    ...costsOf(batches),
    fairness: fairnessOf(batches)
  }
  return { ...base, ...caseVerdict(base, { batches, transfers, transport, network }) }
}

/**
 * casesOf puts together what was measured of each way in each round, those without a repeat left out.
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
 * @typedef {object} InRound - what was measured in a round
 * @property {import('./plan/transfer-plan.js').Round} round
 * @property {readonly ZerosTransfer[]} transfers
 * @property {Readonly<Record<string, number>>} roundTrips - ms, by way
 */

/** A stream is a connection, and has a line of its own. */
const EACH_HAS_A_LINE = new Set(['tcp', 'tls', 'http', 'https'])

/** @param {Way} way @param {TransferPlan} plan @param {{ streams: number, bytesPerSecond: number | null }} of */
function lineBytesPerSecond({ protocol }, plan, { streams, bytesPerSecond }) {
  // between namespaces all go over one link
  if (bytesPerSecond === null || plan.network === 'namespaces') return bytesPerSecond
  return bytesPerSecond * plan.connections * (EACH_HAS_A_LINE.has(protocol) ? streams : 1)
}

/** @param {readonly number[]} values - at least one @returns {{ median: number, low: number | null, high: number | null }} */
const centre = values => ({ ...medianInterval(values), median: Number(medianInterval(values).median) })

/** @param {ZerosTransfer} transfer - steady, where that is known */
const steadyRate = ({ steadyBytesPerSecond, bytesPerSecond }) => steadyBytesPerSecond ?? bytesPerSecond

/** How much longer the same bytes take than by each baseline, in the same repeats. @param {readonly ZerosTransfer[]} own @param {readonly ZerosTransfer[]} all @param {TransferPlan} plan @returns {ZerosRow['overhead']} */
function overheads(own, all, plan) {
  return waysOf(plan)
    .filter(({ protocol }) => protocol !== 'perf')
    .flatMap(({ name }) => {
      const ratios = own.flatMap(({ repeat, direction, streams, totalMs }) =>
        all
          .filter(
            other =>
              other.way === name &&
              other.repeat === repeat &&
              other.direction === direction &&
              other.streams === streams
          )
          .map(other => totalMs / other.totalMs)
      )
      return ratios.length === 0 ? [] : [{ to: name, ...centre(ratios) }]
    })
}

/**
 * zerosRows are the figures of each way, direction and number of streams in a round.
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
  const steady = Number(middleOf(own.map(steadyRate)))
  const gigabytes = (/** @type {ZerosTransfer} */ { bytes }) => bytes / 1e9
  const cores = (/** @type {'clientCpuMs' | 'serverCpuMs'} */ side) =>
    middleOf(own.map(each => (each[side] === null ? null : each[side] / each.totalMs)))
  const perGigabyte = (/** @type {'clientCpuMs' | 'serverCpuMs'} */ side) =>
    middleOf(own.map(each => (each[side] === null ? null : each[side] / 1000 / gigabytes(each))))
  const usedCores = { client: cores('clientCpuMs'), server: cores('serverCpuMs') }
  const verdict = transferLimit({
    ...limits,
    bytesPerSecond: steady,
    firstWindowBytes: beginsBytes ?? undefined,
    tookMs: middleOf(own.map(({ totalMs }) => totalMs)),
    kernelTcp: plan.network === 'namespaces',
    cores: usedCores
  })
  return {
    round,
    way: way.name,
    direction,
    streams,
    transfers: own.length,
    bytesPerSecond: centre(own.map(each => each.bytesPerSecond)),
    slowestBytesPerSecond: Math.min(...own.map(each => each.bytesPerSecond)),
    steadyBytesPerSecond: steady,
    overhead: overheads(own, transfers, plan),
    roundTripMs: limits.roundTripMs,
    windowBytes,
    modelBytesPerSecond: modelGoodput(limits).bytesPerSecond,
    verdict,
    limitedBy: limitedTransfer(verdict, usedCores),
    cpuSecondsPerGB: { client: perGigabyte('clientCpuMs'), server: perGigabyte('serverCpuMs') },
    cores: usedCores,
    rssBytes: {
      client: largestOf(own.map(each => each.clientRssBytes)),
      server: largestOf(own.map(each => each.serverRssBytes))
    }
  }
}
