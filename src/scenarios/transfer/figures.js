import { chosen, none } from '../../measure/figure.js'
import { routerFigures } from '../namespaces/router-figures.js'
import { WAY_NAMES, WAYS } from './plan/ways.js'

/**
 * @typedef {import('../../measure/figure.js').Figure<any>} Figure
 * @typedef {import('../../measure/figure.js').Reading} Reading
 * @typedef {import('./plan/ways.js').Way} Way
 * @typedef {import('./transfer-plan.js').Case} Case
 * @typedef {import('./transfer-plan.js').TransferOutcome} TransferOutcome
 */

/**
 * wayKey is what a way is called in the names of figures.
 *
 * @param {Way} way
 */
export const wayKey = way => way.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())

/** @param {Way} way @param {(of: Case) => number | null} value @param {(...values: number[]) => number} worst @returns {Figure['read']} */
const worstOf =
  (way, value, worst) =>
  (/** @type {TransferOutcome} */ { cases }) => {
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
 * @property {Way} [never] - the way that has none
 * @property {(plan: any, way: Way) => string | null} [lacks] - what a plan with the way lacks; default: nothing
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
    lacks: ({ ways }) => (ways.includes('http') ? null : 'http among --ways')
  },
  {
    name: 'wirePerByte',
    title: 'Bytes on the wire per byte',
    quantity: 'number',
    better: 'lower',
    value: ({ wirePerByte }) => wirePerByte,
    lacks: ({ transport }, way) =>
      transport === 'quic' && WAYS[way].libp2p ? 'another --transport than quic' : null
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
  WAY_NAMES.filter(way => way !== never).map(way => ({
    ...figure,
    better,
    name: `${name}.${wayKey(way)}`,
    title: `${title}, of ${way} in its worst round`,
    live: 0,
    lacks: (/** @type {any} */ plan) => (plan.ways.includes(way) ? lacks(plan, way) : `${way} among --ways`),
    read: worstOf(way, value, better === 'higher' ? Math.min : Math.max)
  }))

/** TRANSFER_FIGURES are all that is measured of transfers: of each way those of the round where it does worst. @type {readonly Figure[]} */
export const TRANSFER_FIGURES = [
  {
    name: 'failedTransfers',
    title: 'Failed transfers',
    quantity: /** @type {const} */ ('number'),
    better: /** @type {const} */ ('lower'),
    live: 0,
    grows: true,
    read: (/** @type {TransferOutcome} */ { transfers }) =>
      transfers.length === 0
        ? none('nothing was transferred')
        : { value: transfers.filter(({ outcome }) => outcome !== 'OK').length, samples: transfers.length }
  },
  ...OF_WAYS.flatMap(ofEachWay),
  ...routerFigures(({ namespaces = [] }) => namespaces)
]

/** TRANSFER_COMPARED is what comparisons of transfers go by. @type {import('../../measure/figure.js').Comparable<any>} */
export const TRANSFER_COMPARED = {
  figures: chosen(
    TRANSFER_FIGURES,
    ['goodput', 'firstByte'].flatMap(name => WAY_NAMES.map(way => `${name}.${wayKey(way)}`))
  ),
  same: { ways: ({ ways }) => ways },
  example: '"goodput.blocks < -5%" or "firstByte.http > +10%"',
  commands: [['does a larger block pay?', "ab transfer '--blockSize 256kb' '--blockSize 1mb' --size 8mb"]]
}
