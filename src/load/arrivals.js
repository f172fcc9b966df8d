// When operations are due in the open load model: at constant, random, shaped or replayed times.
import { deflateSync, inflateSync } from 'node:zlib'

/**
 * makeArrivals gives when operations of a plan are due.
 *
 * @param {OfferedLoad} plan
 * @param {() => number} random - uniform in [0, 1)
 * @returns {Iterable<number>} offsets from the start in ns; for ever, but for those replayed from a file
 */
export function makeArrivals(plan, random) {
  const { arrivals, ratePerSecond } = plan
  if (arrivals === 'constant') return makeConstantArrivals(ratePerSecond)
  if (arrivals === 'poisson') return makePoissonArrivals(ratePerSecond, random)
  if (arrivals.shape === 'replay') return unpackReplay(arrivals)
  const { timeOf } = /** @type {RateShape} */ (makeRateShape(plan))
  return makeShapedArrivals(timeOf, arrivals.spacing === 'poisson' ? random : null)
}

/**
 * makeSteadyArrivals gives when operations are due where only the rate counts, as in the warm-up: as many in each second.
 *
 * @param {OfferedLoad} plan
 * @param {() => number} random - uniform in [0, 1)
 * @returns {Iterable<number>} offsets from the start in ns, for ever
 */
export const makeSteadyArrivals = ({ arrivals, ratePerSecond }, random) =>
  arrivals === 'poisson' ? makePoissonArrivals(ratePerSecond, random) : makeConstantArrivals(ratePerSecond)

/**
 * countDueOperations is how many operations of a plan are due in its duration.
 *
 * @param {OfferedLoad} plan - with a duration
 * @returns {number} a whole number; of Poisson arrivals the expected one
 */
export function countDueOperations(plan) {
  const seconds = (plan.durationMs ?? 0) / 1000
  const shape = makeRateShape(plan)
  if (shape !== null) return Math.round(shape.dueBy(seconds))
  let due = 0
  for (const offset of makeArrivals(plan, () => 0)) if (offset < seconds * 1e9) due++
  return due
}

/**
 * @typedef {object} Arrival - one of several schedules
 * @property {number} offset - from the start, ns
 * @property {number} of - which schedule, from 0
 * @property {number} nth - of its arrivals, from 0
 */

/**
 * makeConstantArrivals gives when operations are due at an even pace.
 *
 * @param {number} ratePerSecond - > 0
 * @returns {Generator<number>} offsets from the start in ns, for ever
 */
export function* makeConstantArrivals(ratePerSecond) {
  for (let index = 0; ; index++) yield Math.round((index * 1e9) / ratePerSecond)
}

/**
 * makePoissonArrivals gives when operations are due that know nothing of each other: gaps are exponential with mean 1 / rate.
 *
 * @param {number} ratePerSecond - > 0
 * @param {() => number} random - uniform in [0, 1)
 * @returns {Generator<number>} offsets from the start in ns, for ever
 */
export function* makePoissonArrivals(ratePerSecond, random) {
  let offset = 0
  while (true) {
    offset += (-Math.log(1 - random()) * 1e9) / ratePerSecond
    yield Math.round(offset)
  }
}

/**
 * makeShapedArrivals gives when operations are due whose rate changes over time: a schedule of rate 1 is stretched so that as many
 * are due by each time as the rate says. Stretching keeps what is independent independent (time change of a Poisson process).
 *
 * @param {(due: number) => number} timeOf - s, when so many are due
 * @param {(() => number) | null} random - uniform in [0, 1), for Poisson arrivals; null: evenly spaced
 * @returns {Generator<number>} offsets from the start in ns, for ever
 */
export function* makeShapedArrivals(timeOf, random) {
  let due = 0
  for (;;) {
    if (random !== null) due -= Math.log(1 - random())
    yield Math.round(timeOf(due) * 1e9)
    if (random === null) due++
  }
}

/**
 * limitArrivals ends a schedule after a number of operations or at an offset, whichever comes first.
 *
 * @param {Iterable<number>} arrivals
 * @param {{ count?: number, durationNs?: number }} bounds
 * @returns {Generator<number>}
 */
export function* limitArrivals(arrivals, { count = Infinity, durationNs = Infinity }) {
  if (count === 0) return
  let yielded = 0
  for (const offset of arrivals) {
    if (offset >= durationNs) return
    yield offset
    if (++yielded >= count) return
  }
}

/**
 * mergeArrivals puts schedules into one, in the order in which arrivals are due; of those that are due at once the first schedule's comes first.
 *
 * @param {readonly Iterable<number>[]} schedules - offsets in ns
 * @returns {Generator<Arrival>}
 */
export function* mergeArrivals(schedules) {
  const all = schedules.map((schedule, of) => ({ of, nth: 0, rest: schedule[Symbol.iterator]() }))
  let left = all.map(one => ({ ...one, head: one.rest.next() })).filter(({ head }) => !head.done)
  while (left.length > 0) {
    const first = left.reduce((one, other) => (other.head.value < one.head.value ? other : one))
    yield { offset: first.head.value, of: first.of, nth: first.nth++ }
    first.head = first.rest.next()
    if (first.head.done) left = left.filter(one => one !== first)
  }
}

/**
 * takeWorkerShare deals a schedule out in turn, so that together workers keep its pace and each its evenness. It is dealt to hands, and those
 * to workers: an operation is of the same hand however many workers there are, and arrival i of worker i mod workers where these
 * divide the hands.
 *
 * @param {Iterable<number>} arrivals
 * @param {object} who
 * @param {number} who.index - which worker, from 0
 * @param {number} who.workers
 * @param {number} [who.hands] - clients of all of them; default: one each
 * @returns {Generator<number>}
 */
export function* takeWorkerShare(arrivals, { index, workers, hands = workers }) {
  let arrival = 0
  for (const offset of arrivals) {
    if ((arrival++ % hands) % workers === index) yield offset
  }
}

/**
 * @typedef {import('../plan/arrivals.js').Arrivals} Arrivals
 *
 * @typedef {object} RateShape - a rate that changes over time; times in s since the start
 * @property {(at: number) => number} rateAt - per second
 * @property {(at: number) => number} dueBy - how many are due by then: the integral of the rate
 * @property {(due: number) => number} timeOf - its inverse: when so many are due
 *
 * @typedef {object} OfferedLoad - the part of a plan that says how much is due
 * @property {Arrivals} arrivals
 * @property {number} ratePerSecond - of a ramp at its beginning, of a sine on average
 * @property {number | null} durationMs - not null for a rate that changes
 */

/**
 * makeRampRate changes evenly from one rate to another, and then stays.
 *
 * @param {number} from - per second, > 0
 * @param {number} to - per second, > 0
 * @param {number} seconds - that the change takes, > 0
 * @returns {RateShape}
 */
export function makeRampRate(from, to, seconds) {
  const slope = (to - from) / seconds
  const inRamp = ((from + to) / 2) * seconds
  return {
    rateAt: at => (at < seconds ? from + slope * at : to),
    dueBy: at => (at < seconds ? from * at + (slope * at * at) / 2 : inRamp + to * (at - seconds)),
    // the root of the quadratic in the form that does not lose digits where the slope is small
    timeOf: due =>
      due < inRamp
        ? (2 * due) / (from + Math.sqrt(from * from + 2 * slope * due))
        : seconds + (due - inRamp) / to
  }
}

/**
 * makeStepRates are rates that follow each other, each for as long; the last one above 0 stays.
 *
 * @param {readonly number[]} rates - per second, not all 0
 * @param {number} seconds - of all of them together, > 0
 * @returns {RateShape}
 */
export function makeStepRates(rates, seconds) {
  const length = seconds / rates.length
  const last = rates.findLast(rate => rate > 0) ?? 0
  const before = [0]
  for (const rate of rates) before.push(before[before.length - 1] + rate * length)
  const all = before[rates.length]
  const stepAt = (/** @type {number} */ at) => Math.min(rates.length - 1, Math.floor(at / length))
  return {
    rateAt: at => (at < seconds ? rates[stepAt(at)] : last),
    dueBy: at =>
      at < seconds
        ? before[stepAt(at)] + rates[stepAt(at)] * (at - stepAt(at) * length)
        : all + last * (at - seconds),
    timeOf: due => {
      if (due >= all) return seconds + (due - all) / last
      const step = before.findIndex((_, i) => before[i + 1] > due)
      return step * length + (due - before[step]) / rates[step]
    }
  }
}

/** The nearest time that a float can tell is found before. */
const HALVINGS = 60

/**
 * makeSineRate swings about a mean, beginning at it and rising, as the load of a day does.
 *
 * @param {number} mean - per second, > 0
 * @param {number} amplitude - share of the mean, 0 to 1
 * @param {number} period - s, > 0
 * @returns {RateShape}
 */
export function makeSineRate(mean, amplitude, period) {
  const turn = (2 * Math.PI) / period
  const dueBy = (/** @type {number} */ at) => mean * (at + (amplitude / turn) * (1 - Math.cos(turn * at)))
  return {
    rateAt: at => mean * (1 + amplitude * Math.sin(turn * at)),
    dueBy,
    timeOf: due => {
      // dueBy is never below the mean's line, nor further above it than by the cosine's range
      let latest = due / mean
      let earliest = Math.max(0, latest - (2 * amplitude) / turn)
      for (let i = 0; i < HALVINGS && earliest < latest; i++) {
        const middle = (earliest + latest) / 2
        if (dueBy(middle) < due) earliest = middle
        else latest = middle
      }
      return latest
    }
  }
}

/**
 * makeRateShape is how the rate of a plan changes.
 *
 * @param {OfferedLoad} plan
 * @returns {RateShape | null} null: it is replayed from a file, and no function of time
 */
export function makeRateShape({ arrivals, ratePerSecond, durationMs }) {
  if (typeof arrivals === 'string')
    return {
      rateAt: () => ratePerSecond,
      dueBy: at => ratePerSecond * at,
      timeOf: due => due / ratePerSecond
    }
  const seconds = /** @type {number} */ (durationMs) / 1000
  if (arrivals.shape === 'ramp') return makeRampRate(ratePerSecond, arrivals.toPerSecond, seconds)
  if (arrivals.shape === 'steps') return makeStepRates(arrivals.ratesPerSecond, seconds)
  if (arrivals.shape === 'sine')
    return makeSineRate(ratePerSecond, arrivals.amplitude, (arrivals.periodMs ?? seconds * 1000) / 1000)
  return null
}

/**
 * @typedef {object} Replay - when operations are due, as a file says
 * @property {number} count
 * @property {number} spanMs - from the start to the last of them
 * @property {string} gaps - µs from each to the next, the first from the start: variable-length numbers of 7 bits a byte, the
 *   lowest first, deflated, in base64
 *
 * @typedef {object} ReplayReading
 * @property {'ms' | 's'} unit - of the numbers in the file
 * @property {string | null} column - of a CSV file; null: it has one column
 */

/** Above this many, a plan would be too large to write into every result. */
const MAX_ARRIVALS = 1_000_000
/** Later ones are points in time of a log rather than offsets. */
const LATEST_MS = 24 * 24 * 3_600_000

/** A gap of 24 days in µs has 41 bits, 7 in each byte. */
const MAX_GAP_BYTES = 6

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
 * @param {ReplayReading} reading
 * @returns {Float64Array} µs
 * @throws {ReplayFileError} with the line
 */
export function parseReplay(text, { unit, column }) {
  const lines = text
    .split(/\r\n|\r|\n/)
    .map((line, i) => ({ number: i + 1, cells: line.replace(/#.*/, '').split(',').map(unquoted) }))
    .filter(({ cells }) => cells.some(cell => cell !== ''))
  const { place, rows } = columnIn(lines, column)
  if (rows.length === 0) throw new ReplayFileError('contains no arrivals')
  if (rows.length > MAX_ARRIVALS)
    throw new ReplayFileError(`contains ${rows.length} arrivals, more than the maximum of ${MAX_ARRIVALS}`)
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
    maxOutputLength: MAX_ARRIVALS * MAX_GAP_BYTES
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
    let unpacked = 0
    for (const _ of unpackReplay({ gaps })) unpacked++
    return unpacked === count
  } catch {
    return false
  }
}
