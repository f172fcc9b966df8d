// Reads a file with the latencies between regions or nodes, as a matrix.
import { parseDecimal } from '../kit/numbers.js'
import { describeUnknownKey } from '../kit/option-problems.js'

/**
 * @typedef {import('./link-properties.js').LatencyMatrix} LatencyMatrix
 */

/** Above it no link is, one way. */
const MAX_MS = 10_000
const MAX_ROWS = 10_000

/** LatencyMatrixError says what is wrong with a matrix, and where. */
export class LatencyMatrixError extends Error {
  name = 'LatencyMatrixError'
  code = 'LATENCY_MATRIX'
}

/** @typedef {{ ms: unknown, weights?: any, names?: any }} UncheckedMatrix - unchecked */

/** @param {string} line */
function cellsOf(line) {
  const cells = /[,;\t]/.test(line) ? line.split(/[,;]/.test(line) ? /[,;]/ : '\t') : line.trim().split(/\s+/)
  return cells.map(cell => cell.trim().replace(/^"(.*)"$/, '$1'))
}

/** @param {string} cell @returns {number | string} a string is no number, and refused with its place */
const cellValue = cell => (Number.isNaN(parseDecimal(cell)) ? cell : parseDecimal(cell))

/** @param {string} cell */
const isWord = cell => cell !== '' && typeof cellValue(cell) === 'string'

/** @param {string} text @returns {UncheckedMatrix} */
function parseMatrixText(text) {
  const lines = text.split(/\r\n|\r|\n/).map(line => line.replace(/#.*/, ''))
  const rows = lines.filter(line => line.trim() !== '').map(cellsOf)
  const [[corner = '', ...header] = [], ...below] = rows
  // a symmetric table without its corner would pass for one with numbers as names, unless they are 0, 1, 2 …
  const isNumbered =
    below.length === header.length && header.every((name, i) => name === String(i) && below[i][0] === name)
  const isNamed =
    (corner === '' || isWord(corner)) &&
    header.length > 0 &&
    (header.every(isWord) ||
      (isWord(corner) && header.every((name, i) => below[i]?.[0] === name)) ||
      isNumbered)
  if (!isNamed) return { ms: rows.map(row => row.map(cellValue)) }
  const wrong = below.findIndex(([name], index) => name !== header[index])
  if (wrong !== -1) {
    throw new LatencyMatrixError(
      `row ${wrong + 1} is named "${below[wrong][0]}", and column ${wrong + 1} "${header[wrong] ?? ''}": rows and columns must have the same names in the same order`
    )
  }
  return { ms: below.map(([, ...cells]) => cells.map(cellValue)), names: header }
}

/** @param {string} text @returns {UncheckedMatrix} */
function parseMatrixJson(text) {
  let value
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new LatencyMatrixError(`it begins like JSON and is none: ${/** @type {Error} */ (error).message}`)
  }
  if (Array.isArray(value)) return { ms: value }
  const unknown = describeUnknownKey(value, ['latencyMs', 'weights', 'names'])
  if (unknown !== null) throw new LatencyMatrixError(`it ${unknown}`)
  return { ms: value.latencyMs, weights: value.weights, names: value.names }
}

/** @param {unknown} ms @returns {number[][]} */
function checkRows(ms) {
  if (!Array.isArray(ms) || ms.length === 0) throw new LatencyMatrixError('it has no rows')
  if (ms.length > MAX_ROWS) throw new LatencyMatrixError(`it has ${ms.length} rows, more than ${MAX_ROWS}`)
  for (const [index, row] of ms.entries()) {
    const cells = Array.isArray(row) ? row : []
    const wrong = cells.findIndex(cell => !(typeof cell === 'number' && cell >= 0 && cell <= MAX_MS))
    if (wrong !== -1) {
      const what = cells[wrong] === '' ? 'empty' : JSON.stringify(cells[wrong])
      throw new LatencyMatrixError(
        `row ${index + 1}, column ${wrong + 1} is ${what}, and no latency from 0 to ${MAX_MS} ms`
      )
    }
    if (cells.length !== ms.length) {
      throw new LatencyMatrixError(
        `row ${index + 1} has ${cells.length} columns, and there are ${ms.length} rows: they must be as many`
      )
    }
  }
  return ms
}

/**
 * parseLatencyMatrix reads latencies between regions, or between nodes: lines of milliseconds with commas, semicolons, tabs or spaces
 * between them and `#` before comments; names of the regions can stand in a line above and in a column before them. Or JSON: rows, or
 * `{ "latencyMs": rows, "weights": [3, 1], "names": ["eu", "us"] }`.
 *
 * @param {string} text
 * @returns {LatencyMatrix}
 * @throws {LatencyMatrixError} when it is none
 */
export function parseLatencyMatrix(text) {
  const { ms, weights, names } = /^\s*[[{]/.test(text) ? parseMatrixJson(text) : parseMatrixText(text)
  const rows = checkRows(ms)
  const isList = (/** @type {unknown} */ values, /** @type {(value: any) => boolean} */ isGood) =>
    values === undefined || (Array.isArray(values) && values.length === rows.length && values.every(isGood))
  const areWeights = isList(weights, weight => typeof weight === 'number' && weight >= 0 && weight < Infinity)
  if (!areWeights || (weights !== undefined && !weights.some((/** @type {number} */ weight) => weight > 0)))
    throw new LatencyMatrixError(`its weights must be ${rows.length} numbers of at least 0, not all 0`)
  const areNames = isList(names, name => typeof name === 'string' && name !== '')
  if (!areNames || (names !== undefined && new Set(names).size !== rows.length))
    throw new LatencyMatrixError(`its names must be ${rows.length} different texts`)
  return { kind: 'matrix', ms: rows, ...(weights && { weights }), ...(names && { names }) }
}
