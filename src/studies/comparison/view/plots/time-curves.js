import { around, logAxis, ninesAxis } from '../../../../kit/plots/axes.js'
import { seriesPlot } from '../../../../kit/plots/series-plot.js'
import { SERIES } from '../../../../kit/plots/theme.js'
import { pooledPoints } from '../../../../report/plots/percentile-points.js'
import { letterOf } from '../../comparison-document.js'

/**
 * @typedef {import('../../../../kit/plots/theme.js').Plot} Plot
 *
 * @typedef {object} Curve - times of a side
 * @property {string} label
 * @property {number} place - of the side: colours tell sides
 * @property {import('../../../../kit/plots/theme.js').Shape} [shape] - of each point; none: only the line is drawn
 * @property {{ at: number, ms: number }[]} points - in the order of the line
 */

/** @param {number} value */
const rounded = value => Number(value.toPrecision(4))

/**
 * curvesPlot draws the times of sides over one another.
 *
 * @param {readonly Curve[]} curves
 * @param {Pick<Plot, 'id' | 'title' | 'caption' | 'description'> & { x: (most: number) => import('../../../../kit/plots/theme.js').Spec, y: string }} plot
 * @returns {Plot[]} none where there are no times
 */
export function curvesPlot(curves, { x, y, ...texts }) {
  const all = curves.flatMap(({ points }) => points)
  if (all.length === 0) return []
  const series = curves.flatMap(({ label, place, shape, points }) => {
    const values = points.map(({ at, ms }, order) => ({ at: rounded(at), value: rounded(ms), order }))
    const line = { colour: SERIES[place % SERIES.length], values }
    const encoding = { order: { field: 'order', type: 'quantitative' } }
    return [
      { ...line, mark: /** @type {const} */ ('line'), encoding, ...(shape === undefined && { label }) },
      ...(shape === undefined ? [] : [{ ...line, label, mark: shape, look: { size: 50 } }])
    ]
  })
  return [
    seriesPlot({
      ...texts,
      x: x(Math.max(...all.map(({ at }) => at))),
      y: logAxis(around(all.map(({ ms }) => ms)), y),
      series
    })
  ]
}

/**
 * timeCurves draw how the times of each side are distributed, those of all its runs together.
 *
 * @param {readonly import('../../comparison.js').Side[]} sides
 * @returns {Plot[]} none where results hold no times
 */
export function timeCurves(sides) {
  const { times } = sides[0].scenario.compared
  if (times === undefined) return []
  const curves = sides.map(({ label, results }, place) => ({
    ...{ label: `${letterOf(place)} ${label}`, place },
    points: pooledPoints(results.flatMap(({ outcome }) => times.of(outcome))).map(({ nines, ms }) => ({
      at: nines,
      ms
    }))
  }))
  return curvesPlot(curves, {
    id: 'times-by-percentile',
    title: `${times.title} by percentile`,
    caption: 'All runs of a side together. Each step to the right leaves a tenth: read p99 above 99.',
    description: `${times.title} of ${sides.length} sides by the share that took no longer.`,
    x: most => ninesAxis(Math.max(1, most), `${times.what} that took no longer, %`),
    y: `${times.title}, ms`
  })
}
