import { chosen, none, readTime } from '../../measure/figure.js'
import { routerFigures } from '../namespaces/router-figures.js'
import { medianOf } from './measure/handshakes.js'
import { FILE_PROTOCOLS, movesFiles, PROTOCOLS } from './plan/ways.js'

/**
 * @typedef {import('../../measure/figure.js').Figure<any>} Figure
 * @typedef {import('../../measure/figure.js').Reading} Reading
 * @typedef {import('./plan/ways.js').Protocol} Protocol
 * @typedef {import('./transfer-plan.js').Case} Case
 * @typedef {import('./transfer-plan.js').FilesOutcome} FilesOutcome
 * @typedef {import('./transfer-plan.js').ZerosOutcome} ZerosOutcome
 * @typedef {import('./transfer-plan.js').Round} Round
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
const isIn = (one, other) => one.latencyMs === other.latencyMs && one.bytesPerSecond === other.bytesPerSecond

/**
 * lastOf are rows of zeros in the last round there are some of, which is the hardest.
 *
 * @template {{ round: Round }} R
 * @param {readonly R[] | undefined} rows
 * @returns {R[]}
 */
export const lastOf = (rows = []) => rows.filter(({ round }) => isIn(round, rows[rows.length - 1].round))

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
