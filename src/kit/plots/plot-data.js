import { Html } from '../html.js'
import { isNines } from './axes.js'

/**
 * @typedef {import('./series-plot.js').Series} Series
 * @typedef {import('./theme.js').Spec} Spec
 *
 * @typedef {object} DataAxis
 * @property {string} title
 * @property {[number, number] | null} domain - null: as far as the values go, from zero
 * @property {boolean} [log]
 * @property {boolean} [nines] - shares, told by −log10 of what is left: 2 is 99 %
 * @property {readonly number[]} [values] - the numbers on it
 *
 * @typedef {object} DataSeries
 * @property {string} label
 * @property {string} colour
 * @property {readonly number[]} [dash] - none: the line is drawn through
 * @property {boolean} [filled]
 * @property {boolean} [points] - without a line
 * @property {boolean} [stepped] - each value holds until the next one
 * @property {boolean} [below] - the lower edge of an area, whose upper one is the series before it
 * @property {readonly (readonly [number, number | null])[]} values - by x; null: a gap begins
 *
 * @typedef {{ from: number, to: number, label: string, colour: string }} Stretch
 *
 * @typedef {object} PlotData - what the script of a page draws a plot from, for people to ask
 * @property {DataAxis} x
 * @property {DataAxis} y
 * @property {readonly DataSeries[]} series
 * @property {readonly Stretch[]} [stretches] - of x that are marked
 */

/** @type {Readonly<Partial<Record<Series['mark'], readonly number[]>>>} */
export const DASHES = { dashed: [6, 4], dotted: [2, 3] }

/** What else of values may be seen, and is not drawn by a script. */
const LEFT_OUT = new Set(['order', 'y2'])

/** @param {Spec} axis @returns {DataAxis | null} null: not one of amounts */
function axisOf({ type, scale = {}, axis }) {
  if (type !== 'quantitative') return null
  return {
    title: axis.title,
    domain: scale.domain ?? null,
    ...(scale.type === 'log' && { log: true }),
    ...(isNines({ axis }) && { nines: true }),
    ...(axis.values !== undefined && { values: axis.values })
  }
}

/** @param {readonly any[]} values @param {string} x @param {string} y @returns {[number, number][]} */
const pointsOf = (values, x, y) => values.map(value => [value[x], value[y]])

/** Bars as levels with gaps between them. @param {readonly any[]} values @param {Record<string, string>} fields @returns {[number, number | null][]} */
const levelsOf = (values, { x, x2, y }) =>
  values.flatMap(value => [
    [value[x], value[y]],
    [value[x2], value[y]],
    [value[x2], null]
  ])

/** @param {Series} series @param {DataAxis['domain']} domain - of x @returns {DataSeries['values'] | null} null: not one of points */
function valuesOf({ values, fields = { x: 'at', y: 'value' }, look, encoding = {} }, domain) {
  const seen = Object.keys(encoding).filter(channel => encoding[channel] !== null)
  if (seen.some(channel => !LEFT_OUT.has(channel)) || 'y2' in fields) return null
  if (fields.x !== undefined && fields.y !== undefined)
    return fields.x2 === undefined ? pointsOf(values, fields.x, fields.y) : levelsOf(values, fields)
  const [first] = /** @type {any[]} */ (values)
  if (fields.y === undefined || look?.type !== 'rule' || domain === null || first === undefined) return null
  return domain.map(at => /** @type {const} */ ([at, first[fields.y]]))
}

/** The line over bars says the same as they do. @param {Series} series */
const isRim = ({ fields, look }) => fields?.x2 !== undefined && look?.type === 'rule'

/** A part of x, all the way up. @param {Series} series */
const isStretch = ({ fields, look }) => look?.type === 'rect' && fields?.x2 !== undefined && !('y' in fields)

/** @param {Series} series @returns {Stretch[]} */
const stretchesOf = ({ values, fields = {}, label = '', colour }) =>
  values.map((/** @type {any} */ value) => ({
    ...{ from: value[fields.x], to: value[fields.x2] },
    ...{ label, colour }
  }))

/**
 * edgesOf gives the edges of an area between two values, the upper one first; one that begins at the ground has one.
 *
 * @param {Series} series
 * @returns {Series[]}
 */
function edgesOf(series) {
  const { y2, ...fields } = series.fields ?? {}
  if (y2 === undefined || series.mark !== 'area' || series.look?.type !== undefined) return [series]
  const [upper, lower] = [Math.max, Math.min].map(pick => ({
    ...series,
    values: series.values.map((/** @type {any} */ value) => ({
      [fields.x]: value[fields.x],
      edge: pick(value[fields.y], value[y2])
    })),
    fields: { ...fields, y: 'edge' }
  }))
  return lower.values.every(({ edge }) => edge === 0) ? [upper] : [upper, lower]
}

/** @param {Series} series @param {{ label: string, domain: DataAxis['domain'] }} of @returns {DataSeries[] | null} null: not of points */
function drawnOf(series, { label, domain }) {
  const { mark, colour, look } = series
  const dash = DASHES[mark]
  const edges = edgesOf(series)
  /** @type {DataSeries[]} */
  const drawn = []
  for (const edge of edges) {
    const values = valuesOf(edge, domain)
    if (values === null) return null
    if (values.length === 0) continue
    drawn.push({
      ...{ label, colour },
      ...(dash !== undefined && { dash }),
      ...(mark === 'area' && edges.length === 1 && { filled: true }),
      ...(!['line', 'dashed', 'dotted', 'area'].includes(mark) && { points: true }),
      ...(look?.interpolate === 'step-after' && { stepped: true }),
      ...(drawn.length === 1 && { below: true }),
      values
    })
  }
  return drawn
}

/**
 * plotDataOf are the values of series over one another.
 *
 * @param {{ x: Spec, y: Spec, series: readonly Series[] }} plot
 * @returns {PlotData | undefined} undefined: there is more to be seen than lines, points and areas
 */
export function plotDataOf({ x, y, series }) {
  const axes = { x: axisOf(x), y: axisOf(y) }
  if (axes.x === null || axes.y === null) return undefined
  /** @type {DataSeries[]} */
  const drawn = []
  for (const one of series.filter(each => !isRim(each) && !isStretch(each))) {
    const label = one.label ?? drawn.at(-1)?.label ?? axes.y.title
    const added = drawnOf(one, { label, domain: axes.x.domain })
    if (added === null) return undefined
    drawn.push(...added)
  }
  const stretches = series.filter(isStretch).flatMap(stretchesOf)
  if (drawn.length === 0) return undefined
  return { x: axes.x, y: axes.y, series: drawn, ...(stretches.length > 0 && { stretches }) }
}

/**
 * dataBlock puts what a script reads into a page. No browser runs it.
 *
 * @param {unknown} data
 * @param {string} [what] - it is; default: lines and points
 */
export const dataBlock = (data, what) =>
  new Html(
    `<script type="application/json"${what === undefined ? '' : ` class="${what}"`}>${JSON.stringify(data).replace(/</g, '\\u003c')}</script>\n`
  )
