/**
 * @typedef {import('./link-latencies.js').LatencyMatrix} LatencyMatrix
 */

/** Above it no link is, one way. */
const MOST_MS = 10_000
const MOST_ROWS = 10_000

/** LatencyMatrixError says what is wrong with a matrix, and where. */
export class LatencyMatrixError extends Error {
  name = 'LatencyMatrixError'
  code = 'LATENCY_MATRIX'
}

/** @param {string} text @returns {{ ms: unknown[], weights?: unknown }} */
function fromText(text) {
  const lines = text.split(/\r?\n/).map(line => line.replace(/#.*/, '').trim())
  return {
    ms: lines.filter(line => line !== '').map(line => line.split(/\s*[,;\s]\s*/).map(cell => Number(cell)))
  }
}

/** @param {string} text @returns {{ ms: unknown, weights?: unknown }} */
function fromJson(text) {
  try {
    const value = JSON.parse(text)
    return Array.isArray(value) ? { ms: value } : { ms: value.latencyMs, weights: value.weights }
  } catch (error) {
    throw new LatencyMatrixError(`it begins like JSON and is none: ${/** @type {Error} */ (error).message}`)
  }
}

/** @param {unknown} ms @returns {number[][]} */
function checkedRows(ms) {
  if (!Array.isArray(ms) || ms.length === 0) throw new LatencyMatrixError('it has no rows')
  if (ms.length > MOST_ROWS) throw new LatencyMatrixError(`it has ${ms.length} rows, more than ${MOST_ROWS}`)
  for (const [index, row] of ms.entries()) {
    if (!Array.isArray(row) || row.length !== ms.length) {
      const length = Array.isArray(row) ? row.length : 0
      throw new LatencyMatrixError(
        `row ${index + 1} has ${length} columns, and there are ${ms.length} rows: they must be as many`
      )
    }
    const wrong = row.findIndex(cell => !(typeof cell === 'number' && cell >= 0 && cell <= MOST_MS))
    if (wrong !== -1) {
      const where = `row ${index + 1}, column ${wrong + 1}`
      throw new LatencyMatrixError(`${where} is no latency from 0 to ${MOST_MS} ms`)
    }
  }
  return ms
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
 * parseLatencyMatrix reads latencies between regions, or between nodes: lines of milliseconds with commas, semicolons or spaces between
 * them and `#` before comments, or JSON: rows, or `{ "latencyMs": rows, "weights": [3, 1] }`.
 *
 * @param {string} text
 * @returns {LatencyMatrix}
 * @throws {LatencyMatrixError} when it is none
 */
export function parseLatencyMatrix(text) {
  const { ms, weights } = /^\s*[[{]/.test(text) ? fromJson(text) : fromText(text)
  const rows = checkedRows(ms)
  return {
    kind: 'matrix',
    ms: rows,
    ...(weights !== undefined && { weights: checkedWeights(weights, rows.length) })
  }
}
