import { largestOf, sumOf } from '../../../../kit/lists.js'
import { significant } from '../../../../kit/numbers.js'
import { amount } from '../../../../kit/plots/axes.js'
import { seriesPlot, steps } from '../../../../kit/plots/series-plot.js'
import { FAILED, QUIET } from '../../../../kit/plots/theme.js'
import { rateShapeOf } from '../../../../load/rate-shape.js'
import { measuredSeconds, secondsAxis, timeColumns } from '../../../../report/description/measured-time.js'
import { operationsOf } from '../../../../report/table.js'
import { typeColour } from './type-colours.js'

/**
 * @typedef {import('../../../../result/types.js').Result} Result
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 * @typedef {import('../../../../kit/plots/series-plot.js').Series} Series
 *
 * @typedef {{ from: number, to: number, perSecond: number, series: string }} Stretch - of time, s
 */

const FAILURES = 'without success'

/**
 * secondRates are the successes per second of each type, and the other operations together, over time. A stretch in which
 * nothing ended is there with 0.
 *
 * @param {Result} result
 * @returns {Stretch[]}
 */
export function secondRates(result) {
  const columns = timeColumns(result)
  const operations = operationsOf(result)
  const failed = operations.some(([, { errors }]) => errors > 0)
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const { second, type, outcome, histogram } of result.outcome.perSecond) {
    const key = `${outcome === 'OK' ? type : FAILURES} ${columns.of(second)}`
    counts.set(key, (counts.get(key) ?? 0) + sumOf(histogram, ([, count]) => count))
  }
  return [...operations.map(([type]) => type), ...(failed ? [FAILURES] : [])].flatMap(series =>
    Array.from({ length: columns.count }, (_, column) => {
      const { from, to } = columns.stretch(column)
      return { from, to, perSecond: (counts.get(`${series} ${column}`) ?? 0) / (to - from), series }
    })
  )
}

/** @param {string} series */
const colourOf = series => (series === FAILURES ? FAILED : typeColour(series))

/**
 * A line that stays level from the beginning to the end of each stretch.
 *
 * @param {Stretch[]} stretches
 * @param {string} name
 * @param {boolean} alone
 * @returns {Series}
 */
const lineOf = (stretches, name, alone) => ({
  label: alone ? undefined : name,
  colour: colourOf(name),
  mark: name === FAILURES ? 'dashed' : 'line',
  values: steps(
    stretches
      .filter(({ series }) => series === name)
      .map(({ from, to, perSecond }) => ({ from, to, value: perSecond }))
  )
})

/** A curve looks smooth with so many points. */
const DUE_POINTS = 200

/**
 * What was due over time; level where the rate is constant.
 *
 * @param {Result} result
 * @returns {Series[]} none where nothing was
 */
function dueSeries(result) {
  const { arrivals, ratePerSecond, durationMs } = result.plan
  if (ratePerSecond === null) return []
  const due = { label: 'due, of all types', colour: QUIET, mark: /** @type {const} */ ('dotted') }
  if (typeof arrivals === 'string')
    return [{ ...due, values: [{ rate: ratePerSecond }], fields: { y: 'rate' }, look: { type: 'rule' } }]
  const shape = rateShapeOf({ arrivals, ratePerSecond, durationMs })
  if (shape === null) return []
  const end = Math.min(measuredSeconds(result), (durationMs ?? 0) / 1000)
  const values = Array.from({ length: DUE_POINTS + 1 }, (_, i) => {
    // just before the end, where the last step still goes on
    const at = (Math.min(i, DUE_POINTS - 0.001) * end) / DUE_POINTS
    return { at: Number(at.toFixed(3)), value: Number(shape.rateAt(at).toPrecision(4)) }
  })
  return [{ ...due, values, look: { strokeWidth: 1 } }]
}

/**
 * throughputPlot draws operations per second over time, and what was due.
 *
 * @param {Result} result
 * @returns {Plot[]}
 */
export function throughputPlot(result) {
  if (operationsOf(result).length === 0 || result.outcome.perSecond.length === 0) return []
  const stretches = secondRates(result)
  const names = [...new Set(stretches.map(({ series }) => series))]
  const most = largestOf(stretches, ({ perSecond }) => perSecond)
  return [
    seriesPlot({
      id: 'throughput',
      title: 'Throughput over time',
      caption: 'Operations by when they ended.',
      description: `Operations per second over time, ${significant(most)} at most.`,
      x: secondsAxis(result),
      y: amount('Operations per second'),
      series: [...names.map(name => lineOf(stretches, name, names.length === 1)), ...dueSeries(result)]
    })
  ]
}
