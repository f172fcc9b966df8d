import { askedMarks, askedName } from './asked-marks.js'
import { DASHES, plotDataOf } from './plot-data.js'
import { HEAT } from './theme.js'

/**
 * @typedef {import('./theme.js').Plot} Plot
 * @typedef {import('./theme.js').Spec} Spec
 * @typedef {import('./theme.js').LegendEntry} LegendEntry
 *
 * @typedef {object} Series - what is drawn alike
 * @property {string} [label] - in the legend; none: it has no entry
 * @property {string} colour
 * @property {LegendEntry['mark']} mark
 * @property {readonly object[]} values
 * @property {Record<string, string>} [fields] - of the values, by where they go: x, x2, y, y2; default: `at` and `value`
 * @property {Spec} [look] - how it departs from its mark, as properties of a Vega-Lite mark
 * @property {Spec} [encoding] - what else of the values is seen
 */

/** @type {Partial<Record<LegendEntry['mark'], Spec>>} */
const MARKS = {
  line: { type: 'line' },
  dashed: { type: 'line', strokeDash: DASHES.dashed },
  dotted: { type: 'line', strokeDash: DASHES.dotted },
  area: { type: 'area', opacity: 0.2 }
}

/** @param {LegendEntry['mark']} mark @returns {Spec} */
const markOf = mark => MARKS[mark] ?? { type: 'point', shape: mark, filled: true, opacity: 1 }

/** quantity is a field whose size is seen. @param {string} field @param {Spec} [rest] */
export const quantity = (field, rest) => ({ field, type: 'quantitative', ...rest })

/**
 * category is a field whose values have a sign each; the legend stands beside the plot.
 *
 * @param {string} field
 * @param {readonly string[]} domain
 * @param {readonly unknown[]} range
 */
export const category = (field, domain, range) => ({
  field,
  type: 'nominal',
  scale: { domain, range },
  legend: null
})

/** shades are the colours of a field in steps: few steps take the stronger ones. @param {readonly number[]} steps */
export const shades = steps => HEAT.slice(HEAT.length - steps.length)

/**
 * heat is a field that is told by how strong a colour is.
 *
 * @param {string} field
 * @param {readonly number[]} steps - the least values of the shades
 */
export const heat = (field, steps) => ({
  field,
  type: 'quantitative',
  scale: { type: 'threshold', domain: steps.slice(1), range: shades(steps) },
  legend: null
})

/** seriesLayer draws one series. @param {Series} series @returns {Spec} */
export const seriesLayer = ({ colour, mark, values, fields = { x: 'at', y: 'value' }, look, encoding }) => ({
  data: { values },
  mark: { ...markOf(mark), color: colour, ...look },
  encoding: {
    ...Object.fromEntries(
      Object.entries(fields).map(([channel, field]) => [
        channel,
        channel.endsWith('2') ? { field } : quantity(field)
      ])
    ),
    ...encoding
  }
})

/** legendOf are the signs of series. @param {readonly Series[]} series @returns {LegendEntry[]} */
export const legendOf = series =>
  series.flatMap(({ label, colour, mark }) => (label === undefined ? [] : [{ label, colour, mark }]))

/**
 * seriesPlot draws series over one another, the first at the bottom.
 *
 * @param {Pick<Plot, 'id' | 'title' | 'caption' | 'description'> & {
 *   x: Spec, y: Spec, series: readonly Series[], columns?: Readonly<Record<string, (value: any) => import('./asked-marks.js').Cell>>
 * }} plot - `columns`: of a plot with more to be seen than lines, points and areas, whose values are asked one by one
 * @returns {Plot}
 */
export const seriesPlot = ({ x, y, series, columns, ...texts }) => ({
  ...texts,
  legend: legendOf(series),
  spec: {
    layer: series.map((one, place) => ({ ...seriesLayer(one), ...(columns && { name: askedName(place) }) })),
    encoding: { x, y }
  },
  ...(columns === undefined
    ? { data: plotDataOf({ x, y, series }) }
    : {
        marks: askedMarks(
          series.flatMap(({ values }) => values),
          columns
        )
      })
})

/**
 * steps are the corners of levels that each hold for a stretch.
 *
 * @param {readonly { from: number, to: number, value: number }[]} stretches
 */
export const steps = stretches =>
  stretches.flatMap(({ from, to, value }) => {
    const y = Number(value.toPrecision(4))
    return [
      { at: Number(from.toFixed(3)), value: y },
      { at: Number(to.toFixed(3)), value: y }
    ]
  })
