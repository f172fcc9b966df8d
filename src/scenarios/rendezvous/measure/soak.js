import { Histogram } from '../../../measure/histogram.js'
import { stretchMs, trendOf } from '../../../measure/trend.js'

/**
 * @typedef {import('../../../result/types.js').Result} Result
 * @typedef {import('../../../result/types.js').Soak} Soak
 * @typedef {import('../../../result/types.js').OperationType} OperationType
 * @typedef {import('../../../measure/trend.js').Reading} Reading
 *
 * @typedef {object} LongRun - times in ms since the measurement began
 * @property {number} durationMs - of the measurement
 * @property {readonly Reading[]} serverMemory - bytes
 * @property {ReadonlyMap<string, { resident: readonly Reading[], inUse: readonly Reading[] }>} ownMemory - bytes, of our own processes
 *   by name; `inUse`: read just after full garbage collections
 * @property {Result['outcome']['perSecond']} perSecond
 * @property {number} secondsPerPoint - that each of them covers
 */

/** A shorter run is no soak: what changes in it is how it began. */
const LEAST_MS = 300_000

/** Until then a process fills its caches: what it takes meanwhile is no growth. */
const SETTLED = 1 / 3

/**
 * A collection may come while a result is written, which takes memory for a moment: what is always needed is the least of so many
 * stretches, in which there are other collections too.
 */
const IN_USE_STRETCHES = 3
const IN_USE = { lowest: true, material: 0.1 }

/** @typedef {Omit<Result['outcome']['perSecond'][number], 'second'> & { atMs: number }} Ended - about then, in the middle of its point */

/** An operation's median of fewer says nothing. */
const LEAST_OPERATIONS = 20

/**
 * soakOf tells what changed over a long run.
 *
 * @param {LongRun} run
 * @returns {Soak | null} null: it was not long
 */
export function soakOf({ durationMs, serverMemory, ownMemory, perSecond, secondsPerPoint }) {
  if (durationMs < LEAST_MS) return null
  const stretch = stretchMs(durationMs)
  const whole = { fromMs: 0, toMs: durationMs, stretch }
  const settled = { ...whole, fromMs: durationMs * SETTLED }
  const types = /** @type {OperationType[]} */ ([...new Set(perSecond.map(({ type }) => type))])
  const ended = perSecond.map(({ second, ...entry }) => ({
    ...entry,
    atMs: (second + secondsPerPoint / 2) * 1000
  }))
  return {
    stretchMs: stretch,
    serverBytes: trendOf(serverMemory, settled),
    ownBytes: [...ownMemory].map(([name, { resident, inUse }]) => ({
      process: name,
      trend: trendOf(resident, settled),
      inUse: trendOf(inUse, { ...settled, stretch: IN_USE_STRETCHES * stretch }, IN_USE)
    })),
    p50Ms: types.map(type => ({ type, trend: trendOf(medians(ended, type, stretch), whole) })),
    errors: errorsByThird(ended, durationMs)
  }
}

/**
 * The median of the successes of each stretch.
 *
 * @param {readonly Ended[]} ended
 * @param {OperationType} type
 * @param {number} stretch - ms
 * @returns {Reading[]} ms
 */
function medians(ended, type, stretch) {
  /** @type {Map<number, Histogram>} */
  const stretches = new Map()
  for (const entry of ended) {
    if (entry.type !== type || entry.outcome !== 'OK') continue
    const place = Math.floor(entry.atMs / stretch)
    const times = stretches.get(place) ?? new Histogram()
    times.addPairs(entry.histogram)
    stretches.set(place, times)
  }
  return [...stretches]
    .filter(([, { count }]) => count >= LEAST_OPERATIONS)
    .map(([place, times]) => ({ atMs: (place + 0.5) * stretch, value: times.bucketAt(0.5) / 1000 }))
}

/** @param {readonly Ended[]} ended @param {number} durationMs @returns {Soak['errors']} */
function errorsByThird(ended, durationMs) {
  const thirds = [0, 1, 2].map(() => ({ operations: 0, errors: 0 }))
  for (const { atMs, type, outcome, histogram } of ended) {
    if (type === 'CONNECT') continue
    const third = thirds[Math.min(2, Math.floor((3 * atMs) / durationMs))]
    const count = histogram.reduce((sum, [, n]) => sum + n, 0)
    third.operations += count
    if (outcome !== 'OK') third.errors += count
  }
  return thirds
}
