/**
 * @typedef {Record<string, any>} Spec - a Vega-Lite specification
 *
 * @typedef {object} Plot - a picture of figures, and what to say about it to who cannot see it
 * @property {string} id - unique on a page
 * @property {string} title
 * @property {string} caption - how to read it
 * @property {string} description - what is in it, in words
 * @property {LegendEntry[]} legend - stands beside the plot, where it has room to wrap
 * @property {Spec} spec - without a legend
 * @property {import('./plot-data.js').PlotData} [data] - of a plot that people can ask
 * @property {import('./asked-marks.js').Marks} [marks] - that people can ask, where there is more to be seen than lines and points
 *
 * @typedef {object} LegendEntry
 * @property {string} label
 * @property {string} colour
 * @property {'line' | 'dashed' | 'dotted' | 'area' | 'failed' | Shape} mark
 *
 * @typedef {'circle' | 'square' | 'triangle-up' | 'diamond' | 'triangle-down' | 'cross'} Shape
 */

/**
 * Colours stand in the pages' style sheet, once for light and once for dark. A plot on its own takes those for light.
 *
 * @param {string} name
 * @param {string} light
 */
const colour = (name, light) => `var(--${name}, ${light})`

export const INK = colour('ink', '#1c1e21')
export const PAPER = colour('paper', '#ffffff')
export const QUIET = colour('quiet', '#5c6470')
export const GRID = colour('grid', '#e3e6ea')
export const FAILED = colour('failed', '#a8123a')

/** SERIES are colours that people with any colour vision can tell apart, also by their lightness. */
export const SERIES = [
  colour('series-1', '#0b65a3'),
  colour('series-2', '#c77700'),
  colour('series-3', '#0a7d5c'),
  colour('series-4', '#9c4a8b'),
  colour('series-5', '#7a6a00'),
  colour('series-6', '#5c6470')
]

/** SHAPES go with SERIES. @type {readonly Shape[]} */
export const SHAPES = ['circle', 'square', 'triangle-up', 'diamond', 'triangle-down', 'cross']

/** HEAT is one hue from few to many. */
export const HEAT = [
  colour('heat-1', '#d6e6f4'),
  colour('heat-2', '#abcfe6'),
  colour('heat-3', '#72b0d7'),
  colour('heat-4', '#3e8dc4'),
  colour('heat-5', '#1865ac'),
  colour('heat-6', '#08306b')
]

/** LOOKS are the sizes a plot is drawn in, so that its letters are readable where there is little room. */
export const LOOKS = {
  wide: { width: 540, height: 260 },
  narrow: { width: 340, height: 230 }
}

/** What all plots share. */
const CONFIG = {
  background: null,
  padding: 2,
  aria: false,
  view: { stroke: null },
  axis: {
    aria: false,
    domainColor: QUIET,
    tickColor: QUIET,
    gridColor: GRID,
    labelColor: QUIET,
    titleColor: QUIET,
    labelFontSize: 11,
    titleFontSize: 11,
    titleFontWeight: 'normal',
    titlePadding: 8,
    tickSize: 4,
    labelOverlap: 'greedy',
    labelSeparation: 4
  },
  // plots under each other begin at the same place
  axisY: {
    domain: false,
    ticks: false,
    minExtent: 38,
    maxExtent: 38,
    titleAngle: 0,
    titleAlign: 'left',
    titleAnchor: 'start',
    titleBaseline: 'bottom',
    titleX: -44,
    titleY: -10
  },
  axisX: { grid: false, titleAnchor: 'end', titleAlign: 'right' },
  line: { strokeWidth: 1.75, strokeJoin: 'round' },
  rule: { color: QUIET }
}

/**
 * dressed gives a plot's specification its size and what all plots share.
 *
 * @param {Spec} spec
 * @param {{ width: number, height: number }} look
 * @returns {Spec}
 */
export const dressed = (spec, { width, height }) => ({
  $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
  width,
  height,
  autosize: { type: 'fit', contains: 'padding' },
  config: CONFIG,
  ...spec
})
