/**
 * @typedef {object} GridCell - a rate over a size
 * @property {number} ratePerSecond - of each connection; or of a whole gossip network
 * @property {number} size - connections, or nodes
 *
 * @typedef {object} CellFigures - what was measured in a cell
 * @property {number} expected - operations, rate × connections × duration; or messages
 * @property {number} achieved - operations that succeeded within the duration; or messages that reached everyone in time
 * @property {number | null} avgMs - of their response time, or dissemination
 * @property {number} load - what cells are put in order by, per second: operations of all connections, or deliveries
 *
 * @typedef {GridCell & CellFigures & { beyond: boolean }} MeasuredCell - `beyond`: it does not meet the objective, and lies beyond the saturation
 *   diagonal of the source
 */

/**
 * gridCells lists the cells of a grid, size by size, of each the least load first: what was started for a size serves all its rates.
 *
 * @template S
 * @param {readonly number[]} rates - per second
 * @param {readonly S[]} sizes
 * @returns {{ ratePerSecond: number, size: S }[]}
 */
export const gridCells = (rates, sizes) =>
  sizes.flatMap(size => rates.map(ratePerSecond => ({ ratePerSecond, size })))

/**
 * chosenCell is the one to study a system at: the largest load below the saturation diagonal, of several with that load the one
 * with the lowest average time, then the one with the least size.
 *
 * @template {MeasuredCell} C
 * @param {readonly C[]} cells
 * @returns {C | null} null: none lies below
 */
export function chosenCell(cells) {
  const below = cells.filter(({ beyond }) => !beyond)
  const latency = (/** @type {C} */ { avgMs }) => avgMs ?? Infinity
  const [best = null] = below.sort(
    (a, b) => b.load - a.load || compare(latency(a), latency(b)) || a.size - b.size
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
  const beyond = cells.filter(cell => cell.beyond)
  const below = cells.filter(cell => !cell.beyond)
  const least = Math.min(...beyond.map(({ load }) => load))
  const most = Math.max(...below.map(({ load }) => load))
  return {
    below: below.filter(({ load }) => load === most),
    beyond: beyond.filter(({ load }) => load === least)
  }
}
