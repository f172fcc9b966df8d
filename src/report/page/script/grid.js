import { drawingOf, made, tableOf } from './dom.js'
import { heatLegend, shadeOf } from './heat.js'
import { textOf, within } from './values.js'

/** With more columns, cells are too narrow for a text. */
const MAX_TEXT_COLUMNS = 14

/**
 * grid draws a value for each row and column: numbers in shades, other values in colours of their own.
 *
 * @param {import('./figure.js').Room} room
 * @param {import('../../description/description.js').Plot} plot
 * @returns {import('./figure.js').Drawing}
 */
export function grid({ element }, { x = '', grid = { columns: [], rows: [], values: [] } }) {
  const { columns, rows } = grid
  const values = grid.values.flat()
  const numbers = values.filter(value => typeof value === 'number')
  const ends = [Math.min(...numbers), Math.max(...numbers)]
  const words = [...new Set(values.filter(value => typeof value === 'string'))]
  const isShort = columns.length > MAX_TEXT_COLUMNS
  const lookOf = (/** @type {string | number | null} */ value) => {
    if (value === null) return ''
    return typeof value === 'string' ? `w${(words.indexOf(value) % 6) + 1}` : `h${shadeOf(value, ends)}`
  }
  const cells = values.map(value => made('td', { class: lookOf(value) }, isShort ? [] : [textOf(value)]))
  const table = tableOf(
    [x, ...columns.map(column => (isShort ? '' : column))],
    rows.map((row, i) => [
      made('th', { scope: 'row' }, [row]),
      ...cells.slice(i * columns.length, (i + 1) * columns.length)
    ])
  )
  table.className = isShort ? 'cells short' : 'cells'
  element.append(made('div', { class: 'scroll' }, [table]))
  const at = (/** @type {number} */ place) => [Math.floor(place / columns.length), place % columns.length]
  return {
    legend: numbers.length === 0 ? [] : [heatLegend(ends)],
    ...drawingOf(element, cells, place => {
      const [row, column] = at(place)
      return [[`${rows[row]}, ${columns[column]}`], [textOf(values[place])]]
    }),
    step(place, right, up) {
      if (place === null) return 0
      const [row, column] = at(place)
      return within(row - up, rows.length) * columns.length + within(column + right, columns.length)
    }
  }
}
