/**
 * @typedef {object} GridCell - a rate per connection over a number of connections; the load is their product
 * @property {number} ratePerSecond - of each connection
 * @property {number} connections
 *
 * @typedef {object} CellFigures - what was measured in a cell
 * @property {number} expected - operations, rate × connections × duration
 * @property {number} achieved - operations that succeeded within the duration
 * @property {number | null} avgMs - of their response time
 *
 * @typedef {GridCell & CellFigures} MeasuredCell
 */

/**
 * DIAGONAL_SHARE is the share of the expected operations below which a cell lies beyond the saturation diagonal. The rule of the
 * source is "noticeably less": a twentieth is more than what is under way when the time is over, and than any scatter of a
 * schedule.
 */
export const DIAGONAL_SHARE = 0.95

/**
 * gridCells lists the cells of a grid, the least load of each number of connections first.
 *
 * @param {readonly number[]} rates - of each connection, per second
 * @param {readonly number[]} connections
 * @returns {GridCell[]}
 */
export const gridCells = (rates, connections) =>
  rates.flatMap(ratePerSecond => connections.map(count => ({ ratePerSecond, connections: count })))

/** loadOf is the rate of all connections together, per second. @param {GridCell} cell */
export const loadOf = ({ ratePerSecond, connections }) => ratePerSecond * connections

/** isBeyond says whether a cell lies beyond the saturation diagonal. @param {CellFigures} cell */
export const isBeyond = ({ achieved, expected }) => achieved < DIAGONAL_SHARE * expected

/**
 * chosenCell is the one to study a server at: the largest load below the saturation diagonal, of several with that load the one
 * with the lowest average response time, then the one with the fewest connections.
 *
 * @template {MeasuredCell} C
 * @param {readonly C[]} cells
 * @returns {C | null} null: none lies below
 */
export function chosenCell(cells) {
  const below = cells.filter(cell => !isBeyond(cell))
  const latency = (/** @type {C} */ { avgMs }) => avgMs ?? Number.POSITIVE_INFINITY
  const [best = null] = below.sort(
    (a, b) => loadOf(b) - loadOf(a) || compare(latency(a), latency(b)) || a.connections - b.connections
  )
  return best
}

/** Infinity − Infinity is no number. @param {number} a @param {number} b */
const compare = (a, b) => (a === b ? 0 : a < b ? -1 : 1)

/**
 * saturationDiagonal tells between which loads the diagonal runs.
 *
 * @template {MeasuredCell} C
 * @param {readonly C[]} cells
 * @returns {{ below: C[], beyond: C[] }} the cells of the largest load below it, and those of the least load beyond it
 */
export function saturationDiagonal(cells) {
  const beyond = cells.filter(isBeyond)
  const below = cells.filter(cell => !isBeyond(cell))
  const least = Math.min(...beyond.map(loadOf))
  const most = Math.max(...below.map(loadOf))
  return {
    below: below.filter(cell => loadOf(cell) === most),
    beyond: beyond.filter(cell => loadOf(cell) === least)
  }
}
