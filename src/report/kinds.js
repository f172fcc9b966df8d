// Formats a value by its kind, such as ms, bytes or percent, as text. The script of report.html includes this file.
import { formatSignificant, formatWhole, MISSING_TEXT } from '../kit/numbers.js'

/**
 * @typedef {import('./schema.js').Kind} Kind
 * @typedef {import('./schema.js').Cell} Cell
 * @typedef {import('./schema.js').Scalar} Scalar
 * @typedef {import('./schema.js').LowerBound} LowerBound
 */

/** Below zero too, such as a growth. @param {(size: number) => string} write */
const signed = write => (/** @type {number} */ x) => (x < 0 ? `-${write(-x)}` : write(x))

/** A share reads 100 only where nothing is missing: `99.99` where rounding would hide what was lost. @param {number} x */
const share = x => (x >= 99.95 && x < 100 ? (Math.floor(100 * x) / 100).toFixed(2) : formatSignificant(x))

/** How numbers are written for people, and the unit that stands behind one where no heading names it. @type {Readonly<Record<Kind, { write: (value: number) => string, unit: string }>>} */
const KINDS = {
  text: { write: String, unit: '' },
  count: { write: signed(formatWhole), unit: '' },
  number: { write: signed(formatSignificant), unit: '' },
  ms: { write: signed(formatSignificant), unit: ' ms' },
  s: { write: signed(formatSignificant), unit: ' s' },
  percent: { write: signed(share), unit: ' %' },
  MB: { write: signed(formatSignificant), unit: ' MB' },
  perSecond: { write: signed(formatSignificant), unit: '/s' }
}

/** @param {Cell} cell @param {Kind} kind @returns {{ value: Scalar | LowerBound, kind: Kind, own: boolean }} */
const resolved = (cell, kind) =>
  cell !== null && typeof cell === 'object' && 'kind' in cell
    ? { value: cell.value, kind: cell.kind, own: true }
    : { value: cell, kind, own: false }

/**
 * formatCell writes a cell for people: grouped, three significant digits, `> 12` for a lower bound, `–` for what was not measured.
 *
 * @param {Cell} cell
 * @param {Kind} kind - of its column
 * @param {{ withUnit?: boolean }} [how] - `withUnit`: no heading names it
 */
export function formatCell(cell, kind, { withUnit = false } = {}) {
  const { value, kind: own, own: unnamed } = resolved(cell, kind)
  if (value === null || value === undefined || value === '' || Number.isNaN(value)) return MISSING_TEXT
  if (typeof value === 'string') return value
  const unit = withUnit || unnamed ? KINDS[own].unit : ''
  return typeof value === 'number'
    ? `${KINDS[own].write(value)}${unit}`
    : `> ${KINDS[own].write(value.atLeast)}${unit}`
}

/**
 * readCell is what a file holds of a cell: a number that any parser reads, or a text.
 *
 * @param {Cell} cell
 * @returns {Scalar} null: not measured
 */
export function readCell(cell) {
  const { value } = resolved(cell, 'text')
  if (value === null || typeof value === 'string') return value
  const number = typeof value === 'number' ? value : value.atLeast
  return Number.isFinite(number) ? Number(number.toPrecision(12)) : null
}

/**
 * formatPlainCell writes a cell so that any parser reads it: no grouping, no marks, four significant digits; `–` for what was not measured. Its
 * unit stands behind it only where no heading names it.
 *
 * @param {Cell} cell
 * @param {Kind} kind - of its column
 */
export function formatPlainCell(cell, kind) {
  const value = readCell(cell)
  if (value === null || value === '') return MISSING_TEXT
  if (typeof value === 'string') return value
  const { kind: own, own: unnamed } = resolved(cell, kind)
  const whole = own === 'count' || Math.abs(value) >= 1000
  const number = whole ? Math.round(value) : Number(value.toPrecision(4))
  return `${number}${unnamed ? KINDS[own].unit : ''}`
}

/** @param {Kind} kind */
export const getColumnSide = kind => (kind === 'text' ? 'l' : 'r')
