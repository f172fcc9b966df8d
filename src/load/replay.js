import { deflateSync, inflateSync } from 'node:zlib'

/**
 * @typedef {object} Replay - when operations are due, as a file says
 * @property {number} count
 * @property {number} spanMs - from the start to the last of them
 * @property {string} gaps - µs from each to the next, the first from the start: variable-length numbers of 7 bits a byte, the
 *   lowest first, deflated, in base64
 *
 * @typedef {object} Reading
 * @property {'ms' | 's'} unit - of the numbers in the file
 * @property {string | null} column - of a CSV file; null: it has one column
 */

/** Above this many, a plan would be too large to write into every result. */
const MOST_ARRIVALS = 1_000_000
/** Later ones are points in time of a log rather than offsets. */
const LATEST_MS = 24 * 24 * 3_600_000

/** A gap of 24 days in µs has 41 bits, 7 in each byte. */
const MOST_GAP_BYTES = 6

const MICROS = { ms: 1000, s: 1_000_000 }

/** ReplayFileError says what is wrong in a file of arrivals, and where. */
export class ReplayFileError extends Error {
  name = 'ReplayFileError'

  /** @param {string} message @param {number} [line] - from 1 */
  constructor(message, line) {
    super(line === undefined ? message : `line ${line}: ${message}`)
  }
}

/**
 * parseReplay reads when operations are due: offsets from the start, one a line, never falling; or a column of a CSV file whose
 * first line has the names of the columns. `#` begins a comment.
 *
 * @param {string} text
 * @param {Reading} reading
 * @returns {Float64Array} µs
 * @throws {ReplayFileError} with the line
 */
export function parseReplay(text, { unit, column }) {
  const lines = text
    .split(/\r\n|\r|\n/)
    .map((line, i) => ({ number: i + 1, cells: line.replace(/#.*/, '').split(',').map(unquoted) }))
    .filter(({ cells }) => cells.some(cell => cell !== ''))
  const { place, rows } = columnIn(lines, column)
  if (rows.length === 0) throw new ReplayFileError('holds no arrivals')
  if (rows.length > MOST_ARRIVALS)
    throw new ReplayFileError(
      `holds ${rows.length} arrivals, above the ${MOST_ARRIVALS} that a plan can hold`
    )
  let before = 0
  return Float64Array.from(rows, ({ number, cells }) => {
    before = offsetAfter(before, cells[place] ?? '', { number, unit })
    return before
  })
}

/** @param {string} cell */
const unquoted = cell => cell.trim().replace(/^"(.*)"$/, '$1')

/** @param {string} cell */
const isNumber = cell => /^\d*\.?\d+(e[+-]?\d+)?$/i.test(cell)

/** @typedef {{ number: number, cells: string[] }} Line */

/**
 * @param {Line[]} lines
 * @param {string | null} column
 * @returns {{ place: number, rows: Line[] }}
 */
function columnIn(lines, column) {
  const [first, ...rest] = lines
  if (first === undefined) return { place: 0, rows: [] }
  if (column === null) {
    if (first.cells.length > 1)
      throw new ReplayFileError('has several columns: say which with column=<name>', first.number)
    return { place: 0, rows: isNumber(first.cells[0]) ? lines : rest }
  }
  const place = first.cells.indexOf(column)
  if (place < 0)
    throw new ReplayFileError(`has no column ${column}, only ${first.cells.join(', ')}`, first.number)
  return { place, rows: rest }
}

/**
 * @param {number} before - µs
 * @param {string} cell
 * @param {{ number: number, unit: 'ms' | 's' }} how
 */
function offsetAfter(before, cell, { number, unit }) {
  if (!isNumber(cell))
    throw new ReplayFileError(`"${cell.slice(0, 40)}" must be an offset in ${unit}, such as 12.5`, number)
  const micros = Math.round(Number(cell) * MICROS[unit])
  if (micros > LATEST_MS * 1000)
    throw new ReplayFileError(`${cell} ${unit} is more than 24 days after the start: give offsets`, number)
  if (micros < before)
    throw new ReplayFileError(`${cell} ${unit} is before the line above it: offsets must not fall`, number)
  return micros
}

/**
 * packReplay keeps arrivals in little room, at another speed where that is asked for.
 *
 * @param {Float64Array} offsets - µs, never falling
 * @param {number} [speed] - 2: twice as fast
 * @returns {Replay}
 */
export function packReplay(offsets, speed = 1) {
  /** @type {number[]} */
  const bytes = []
  let before = 0
  for (const offset of offsets) {
    const at = Math.round(offset / speed)
    let gap = at - before
    before = at
    // numbers above 2^31 too, so no shifts
    for (; gap >= 128; gap = Math.floor(gap / 128)) bytes.push(128 + (gap % 128))
    bytes.push(gap)
  }
  return {
    count: offsets.length,
    spanMs: before / 1000,
    gaps: deflateSync(Uint8Array.from(bytes)).toString('base64')
  }
}

/**
 * unpackReplay gives the offsets of packed arrivals.
 *
 * @param {Pick<Replay, 'gaps'>} replay
 * @returns {Generator<number>} ns from the start, and then no more
 */
export function* unpackReplay({ gaps }) {
  let [at, gap, weight] = [0, 0, 1]
  for (const byte of inflateSync(Buffer.from(gaps, 'base64'), {
    maxOutputLength: MOST_ARRIVALS * MOST_GAP_BYTES
  })) {
    gap += (byte % 128) * weight
    weight *= 128
    if (byte >= 128) continue
    at += gap
    yield at * 1000
    gap = 0
    weight = 1
  }
}

/**
 * isPackedReplay says whether arrivals can be unpacked, and are as many as they say.
 *
 * @param {Pick<Replay, 'gaps' | 'count'>} replay
 */
export function isPackedReplay({ gaps, count }) {
  try {
    let found = 0
    for (const _ of unpackReplay({ gaps })) found++
    return found === count
  } catch {
    return false
  }
}
