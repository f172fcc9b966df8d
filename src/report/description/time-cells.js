/**
 * @typedef {import('./measured-time.js').Columns} Columns
 *
 * @typedef {object} Entry - times of one second
 * @property {number} second
 * @property {[number, number][]} histogram - value in µs and count
 * @property {boolean} [failed]
 *
 * @typedef {object} Cell - operations of one stretch of time and one range of response times
 * @property {number} from - s since the measurement began
 * @property {number} to
 * @property {number} leastMs
 * @property {number} mostMs
 * @property {number} count
 *
 * @typedef {object} Dot - the slowest of the few operations in a cell
 * @property {number} at - s, the middle of its stretch of time
 * @property {number} ms
 * @property {number} count - operations it stands for
 * @property {boolean} failed
 */

/** Rows of a plot for a tenfold response time. */
const ROWS_PER_DECADE = 12

/** Fewer operations in a cell are hard to see as an area. */
const FEW = 3

/** @param {number} ms */
const rowOf = ms => Math.floor(Math.log10(Math.max(ms, 0.001)) * ROWS_PER_DECADE + 1e-9)

/** @param {number} row */
const edge = row => 10 ** (row / ROWS_PER_DECADE)

/**
 * @typedef {Cell & { column: number, row: number, slowest: number }} Counted
 *
 * @param {readonly Entry[]} entries
 * @param {Columns} columns
 * @returns {Counted[]}
 */
function cellsOf(entries, columns) {
  /** @type {Map<string, Counted>} */
  const cells = new Map()
  for (const { second, histogram } of entries) {
    const column = columns.of(second)
    for (const [us, count] of histogram) {
      const [ms, row] = [us / 1000, rowOf(us / 1000)]
      const key = `${column} ${row}`
      const cell = cells.get(key) ?? {
        ...{ column, row, count: 0, slowest: 0 },
        ...{ ...columns.stretch(column), leastMs: edge(row), mostMs: edge(row + 1) }
      }
      cell.count += count
      cell.slowest = Math.max(cell.slowest, ms)
      cells.set(key, cell)
    }
  }
  return [...cells.values()]
}

/**
 * The row that each column's middle operation is in.
 *
 * @param {Counted[]} cells
 * @returns {Map<number, number>} by column
 */
function medianRows(cells) {
  const columns = new Map()
  for (const cell of cells) columns.set(cell.column, [...(columns.get(cell.column) ?? []), cell])
  return new Map(
    [...columns].map(([column, own]) => {
      const ascending = /** @type {Counted[]} */ (own).sort((a, b) => a.row - b.row)
      let left = ascending.reduce((sum, { count }) => sum + count, 0) / 2
      const middle = ascending.find(({ count }) => {
        left -= count
        return left <= 0
      })
      return [column, middle?.row ?? 0]
    })
  )
}

/** @param {Counted} cell @param {boolean} failed @returns {Dot} */
const dot = ({ from, to, slowest, count }, failed) => ({ at: (from + to) / 2, ms: slowest, count, failed })

/** @param {Counted} counted @returns {Cell} */
const area = ({ from, to, leastMs, mostMs, count }) => ({ from, to, leastMs, mostMs, count })

/**
 * timeCells counts times by when they ended and how long they were. Where only one or two of the slower ones fall into a cell,
 * they become a dot at the slowest, so that no outlier is lost; those that failed always do.
 *
 * @param {readonly Entry[]} entries
 * @param {Columns} columns
 * @returns {{ cells: Cell[], dots: Dot[] }}
 */
export function timeCells(entries, columns) {
  const ok = cellsOf(
    entries.filter(entry => !entry.failed),
    columns
  )
  const failed = cellsOf(
    entries.filter(entry => entry.failed),
    columns
  )
  const medians = medianRows(ok)
  /** @param {Counted} cell */
  const isOutlier = ({ column, row, count }) => count < FEW && row > (medians.get(column) ?? 0)
  return {
    cells: ok.filter(cell => !isOutlier(cell)).map(area),
    dots: [...ok.filter(isOutlier).map(cell => dot(cell, false)), ...failed.map(cell => dot(cell, true))]
  }
}
