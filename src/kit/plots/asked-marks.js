import { dataBlock } from './plot-data.js'

/**
 * @typedef {string | number | null} Cell
 *
 * @typedef {object} Marks - what people ask of marks that Vega drew: of each a row, in the order in which they are drawn
 * @property {readonly string[]} headings
 * @property {readonly (readonly Cell[])[]} rows
 */

/**
 * askedName is the name of a layer whose marks people can ask.
 *
 * @param {number} [place] - where several layers have such marks: each has a name of its own
 */
export const askedName = (place = 0) => `asked${place}`

/** How Vega writes it. */
const CLASS = / class="mark-(\w+) role-mark asked\d+_marks"/g

/** keptNames keeps, of all that Vega names, what a script looks for. @param {string} svg */
export const keptNames = svg => svg.replace(CLASS, ' class="$1 asked"')

/**
 * askedMarks says what each mark stands for.
 *
 * @template T
 * @param {readonly T[]} values - of the marks, as they are drawn
 * @param {Readonly<Record<string, (value: T) => Cell>>} columns
 * @returns {Marks}
 */
export const askedMarks = (values, columns) => ({
  headings: Object.keys(columns),
  rows: values.map(value => Object.values(columns).map(read => read(value)))
})

/** askedBlocks are what a script reads of a plot. @param {Pick<import('./theme.js').Plot, 'data' | 'marks'>} plot */
export const askedBlocks = ({ data, marks }) => [
  data === undefined ? null : dataBlock(data),
  marks === undefined ? null : dataBlock(marks, 'marks')
]
