import { made } from './dom.js'
import { heatLegend } from './heat.js'
import { shortNumber } from './values.js'

/** With more columns, cells are too narrow for a text. */
const MAX_TEXT_COLUMNS = 14

/**
 * grid draws a value for each row and column: numbers in shades, other values in colours of their own.
 *
 * @param {import('./figure.js').Room} room
 * @param {import('../../description/description.js').Plot} plot
 * @returns {import('./figure.js').Drawing}
 */
export function grid({ element }, plot) {
  const { columns, rows, values } = plot.grid ?? { columns: [], rows: [], values: [] }
  const numbers = values.flat().filter(value => typeof value === 'number')
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)]
  const words = [...new Set(values.flat().filter(value => typeof value === 'string'))]
  const isShort = columns.length > MAX_TEXT_COLUMNS
  const lookOf = (/** @type {string | number | null} */ value) => {
    if (value === null) return ''
    if (typeof value === 'string') return `w${(words.indexOf(value) % 6) + 1}`
    return `h${most > least ? 1 + Math.round((5 * (value - least)) / (most - least)) : 3}`
  }
  const textOf = (/** @type {string | number | null} */ value) =>
    value === null ? '–' : typeof value === 'number' ? shortNumber(value) : value
  const cells = values.flatMap(row =>
    row.map(value => made('td', { class: lookOf(value) }, isShort ? [] : [textOf(value)]))
  )
  const head = columns.map(column => made('th', { scope: 'col' }, isShort ? [] : [column]))
  const table = made('table', { class: isShort ? 'cells short' : 'cells' }, [
    made('thead', {}, [made('tr', {}, [made('td', {}, [plot.x ?? '']), ...head])]),
    made(
      'tbody',
      {},
      rows.map((row, i) =>
        made('tr', {}, [
          made('th', { scope: 'row' }, [row]),
          ...cells.slice(i * columns.length, (i + 1) * columns.length)
        ])
      )
    )
  ])
  element.append(made('div', { class: 'scroll' }, [table]))
  /** @type {HTMLElement | undefined} */
  let marked
  const size = { right: columns.length, down: rows.length }
  return {
    legend: numbers.length === 0 ? [] : [heatLegend(least, most)],
    find(left, top) {
      const box = element.getBoundingClientRect()
      const place = cells.findIndex(cell => {
        const { left: from, right, top: above, bottom } = cell.getBoundingClientRect()
        return (
          left + box.left >= from &&
          left + box.left < right &&
          top + box.top >= above &&
          top + box.top < bottom
        )
      })
      return place < 0 ? null : place
    },
    step(place, right, up) {
      if (place === null) return 0
      const clamp = (/** @type {number} */ at, /** @type {number} */ count) =>
        Math.max(0, Math.min(count - 1, at))
      const [column, row] = [
        clamp((place % size.right) + right, size.right),
        clamp(Math.floor(place / size.right) - up, size.down)
      ]
      return row * size.right + column
    },
    point(place) {
      marked?.classList.remove('marked')
      if (place === null) return null
      const cell = cells[place]
      marked = cell
      cell.classList.add('marked')
      const [row, column] = [Math.floor(place / size.right), place % size.right]
      const [box, own] = [element.getBoundingClientRect(), cell.getBoundingClientRect()]
      return {
        ...{ left: own.left - box.left + own.width / 2, top: own.top - box.top },
        lines: [[`${rows[row]}, ${columns[column]}`], [textOf(values[row][column])]]
      }
    },
    // its colours are those of the style sheet
    redraw() {}
  }
}
