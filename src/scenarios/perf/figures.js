import { chosen, none, readTime } from '../../measure/figure.js'
import { routerFigures } from '../namespaces/router-figures.js'
import { medianOf } from './measure/handshakes.js'

/**
 * @typedef {import('../../measure/figure.js').Figure<any>} Figure
 * @typedef {import('./perf-plan.js').PerfOutcome} PerfOutcome
 */

/** firstWay is the one that figures are of: the first over libp2p. @param {PerfOutcome} outcome */
export const firstWay = ({ ways }) => ways?.[0]?.name

/** bestRow is that of the number of streams that moved most. @param {PerfOutcome} outcome @param {string} direction */
export const bestRow = (outcome, direction) =>
  (outcome.rows ?? [])
    .filter(row => row.way === firstWay(outcome) && row.direction === direction)
    .reduce(
      (best, row) =>
        best === undefined || row.bytesPerSecond.median > best.bytesPerSecond.median ? row : best,
      /** @type {PerfOutcome['rows'][number] | undefined} */ (undefined)
    )

const NOTHING = none('nothing of it was measured')

const OF_HANDSHAKES = {
  nothing: 'nothing of it was measured',
  atLeast: 'at least this: handshakes that failed reach into it'
}

/** Of the first way over libp2p. @param {PerfOutcome} outcome */
const handshakesOf = outcome => outcome.handshakes?.find(({ way }) => way === firstWay(outcome))

/** @param {number | null | undefined} value @param {number} samples */
const reading = (value, samples) => (value == null ? NOTHING : { value, samples })

/** @param {string} measure @returns {(plan: any) => string | null} */
const ofMeasure =
  measure =>
  ({ measures }) =>
    measures.includes(measure) ? null : `${measure} among --measures`

/** @param {'upload' | 'download'} direction @returns {Figure[]} */
const ofTransfers = direction => {
  const title = direction === 'upload' ? 'Upload' : 'Download'
  return [
    {
      name: `${direction}.rate`,
      title: `${title} in a second`,
      quantity: 'memory',
      better: 'higher',
      live: 0,
      lacks: ofMeasure(direction),
      read(outcome) {
        const row = bestRow(outcome, direction)
        return row === undefined ? NOTHING : reading(row.bytesPerSecond.median / 1e6, row.transfers)
      }
    },
    {
      name: `${direction}.overhead`,
      title: `${title}, times as long as by TCP`,
      quantity: 'number',
      better: 'lower',
      live: 0,
      lacks: (/** @type {any} */ plan) =>
        ofMeasure(direction)(plan) ?? (plan.baselines.includes('tcp') ? null : 'tcp among --baselines'),
      read(outcome) {
        const row = bestRow(outcome, direction)
        return reading(row?.overhead.find(({ to }) => to === 'TCP')?.median, row?.transfers ?? 0)
      }
    }
  ]
}

/** PERF_FIGURES are of the first way over libp2p, with the number of streams that moved most. @type {readonly Figure[]} */
export const PERF_FIGURES = [
  ...ofTransfers('upload'),
  ...ofTransfers('download'),
  {
    name: 'latency.median',
    title: 'A stream and a byte there and back',
    quantity: 'time',
    better: 'lower',
    live: 0,
    lacks: ofMeasure('latency'),
    read: (/** @type {PerfOutcome} */ outcome) => {
      const row = outcome.latency?.find(({ way }) => way === firstWay(outcome))
      return reading(row?.both.median, row?.both.count ?? 0)
    }
  },
  {
    name: 'handshakes.rate',
    title: 'Handshakes',
    quantity: 'rate',
    better: 'higher',
    live: 0,
    lacks: ofMeasure('handshakes'),
    read: (/** @type {PerfOutcome} */ outcome) => {
      const row = handshakesOf(outcome)
      return reading(row?.perSecond?.median, row?.due ?? 0)
    }
  },
  {
    name: 'handshakes.median',
    title: 'A handshake',
    quantity: 'time',
    better: 'lower',
    live: 0,
    lacks: ofMeasure('handshakes'),
    read: (/** @type {PerfOutcome} */ outcome) => {
      const times = handshakesOf(outcome)?.times ?? null
      const summary = times && { count: times.count, p50: medianOf(times) }
      return readTime(/** @type {any} */ (summary), 'p50', OF_HANDSHAKES)
    }
  },
  {
    name: 'handshakes.failed',
    title: 'Handshakes that failed',
    quantity: 'number',
    better: 'lower',
    live: 0,
    lacks: ofMeasure('handshakes'),
    read: (/** @type {PerfOutcome} */ outcome) => {
      const row = handshakesOf(outcome)
      return reading(row?.failed, row?.due ?? 0)
    }
  },
  ...routerFigures(({ namespaces }) => [namespaces])
]

/** PERF_COMPARED is what comparisons of such runs go by. @type {import('../../measure/figure.js').Comparable<any>} */
export const PERF_COMPARED = {
  figures: chosen(PERF_FIGURES, ['upload.rate', 'download.rate', 'latency.median', 'handshakes.median']),
  same: { measures: ({ measures }) => measures },
  example: '"download.rate < -5%" or "latency.median > +10%"',
  commands: [
    ['does a fixed window of 16 MiB pay?', "ab perf '' '--window 16MiB' --measures download --latency 20ms"]
  ]
}
