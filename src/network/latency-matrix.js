// A file with the latency of each link, as a matrix of nodes or regions.
import { decimal } from '../kit/numbers.js'
import { unknownKey } from '../kit/option-problems.js'

/**
 * @typedef {import('./link-properties.js').LatencyMatrix} LatencyMatrix
 */

/** Above it no link is, one way. */
const MOST_MS = 10_000
const MOST_ROWS = 10_000

/** LatencyMatrixError says what is wrong with a matrix, and where. */
export class LatencyMatrixError extends Error {
  name = 'LatencyMatrixError'
  code = 'LATENCY_MATRIX'
}

/** @typedef {{ ms: unknown, weights?: unknown, names?: unknown }} Given - unchecked */

/** @param {string} line */
function cellsOf(line) {
  const cells = /[,;\t]/.test(line) ? line.split(/[,;]/.test(line) ? /[,;]/ : '\t') : line.trim().split(/\s+/)
  return cells.map(cell => cell.trim().replace(/^"(.*)"$/, '$1'))
}

/** @param {string} cell @returns {number | string} a string is no number, and refused with its place */
const cellValue = cell => (Number.isNaN(decimal(cell)) ? cell : decimal(cell))

/** @param {string} cell */
const isWord = cell => cell !== '' && typeof cellValue(cell) === 'string'

/** @param {string} text @returns {Given} */
function fromText(text) {
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

/** @type {readonly string[]} */
const KEYS = ['latencyMs', 'weights', 'names']

/** @param {string} text @returns {Given} */
function fromJson(text) {
  const value = parsedJson(text)
  if (Array.isArray(value)) return { ms: value }
  const stranger = unknownKey(value, KEYS)
  if (stranger !== null) throw new LatencyMatrixError(`it ${stranger}`)
  return { ms: value.latencyMs, weights: value.weights, names: value.names }
}

/** @param {string} text */
function parsedJson(text) {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new LatencyMatrixError(`it begins like JSON and is none: ${/** @type {Error} */ (error).message}`)
  }
}

/** @param {unknown} ms @returns {number[][]} */
function checkedRows(ms) {
  if (!Array.isArray(ms) || ms.length === 0) throw new LatencyMatrixError('it has no rows')
  if (ms.length > MOST_ROWS) throw new LatencyMatrixError(`it has ${ms.length} rows, more than ${MOST_ROWS}`)
  for (const [index, row] of ms.entries()) {
    const cells = Array.isArray(row) ? row : []
    const wrong = cells.findIndex(cell => !(typeof cell === 'number' && cell >= 0 && cell <= MOST_MS))
    if (wrong !== -1) {
      const what = cells[wrong] === '' ? 'empty' : JSON.stringify(cells[wrong])
      throw new LatencyMatrixError(
        `row ${index + 1}, column ${wrong + 1} is ${what}, and no latency from 0 to ${MOST_MS} ms`
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

/** @param {unknown} names @param {number} rows @returns {string[]} */
function checkedNames(names, rows) {
  const good =
    Array.isArray(names) &&
    names.length === rows &&
    names.every(name => typeof name === 'string' && name !== '') &&
    new Set(names).size === rows
  if (!good) throw new LatencyMatrixError(`its names must be ${rows} different texts`)
  return names
}

/** @param {unknown} weights @param {number} rows @returns {number[]} */
function checkedWeights(weights, rows) {
  const good =
    Array.isArray(weights) &&
    weights.length === rows &&
    weights.every(weight => typeof weight === 'number' && weight >= 0 && weight < Infinity) &&
    weights.some(weight => weight > 0)
  if (!good) throw new LatencyMatrixError(`its weights must be ${rows} numbers of at least 0, not all 0`)
  return weights
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
  const { ms, weights, names } = /^\s*[[{]/.test(text) ? fromJson(text) : fromText(text)
  const rows = checkedRows(ms)
  return {
    kind: 'matrix',
    ms: rows,
    ...(weights !== undefined && { weights: checkedWeights(weights, rows.length) }),
    ...(names !== undefined && { names: checkedNames(names, rows.length) })
  }
}
