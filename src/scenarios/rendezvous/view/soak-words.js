import { grouped, significant, spell } from '../../../kit/numbers.js'

/**
 * @typedef {import('../../../result/types.js').Result} Result
 * @typedef {import('../../../result/types.js').Soak} Soak
 * @typedef {import('../../../result/types.js').Trend} Trend
 */

/** @param {number} x */
const signed = x => (x < 0 ? `−${significant(-x)}` : significant(x))

/**
 * trendInWords says what became of a figure over a run.
 *
 * @param {Trend | null} trend
 * @param {{ unit: string, per?: number, readings?: string }} how - `per`: of its units in one of this unit; `readings`: what there must be
 *   enough of
 */
export function trendInWords(trend, { unit, per = 1, readings = 'readings' }) {
  if (trend === null) return `too few ${readings} to tell`
  const [slope, low, high] = [trend.perHour, trend.low, trend.high].map(x => signed(x / per))
  // a rise that is sure and small is a rise
  const verdict = trend.verdict === 'not shown to grow' && trend.low > 0 ? 'growing slightly' : trend.verdict
  return `${verdict}: ${slope} ${unit} an hour (95 % interval ${low} to ${high})`
}

/** MB, MB_IN_USE and MS are the units of trends. */
export const MB = { unit: 'MB', per: 1e6 }
export const MB_IN_USE = { ...MB, readings: 'garbage collections' }
export const MS = { unit: 'ms' }

/**
 * errorsInWords says how many operations failed in each third of a run.
 *
 * @param {Soak['errors']} thirds
 */
export const errorsInWords = thirds =>
  thirds.map(({ operations, errors }) => `${grouped(errors)} of ${grouped(operations)}`).join(', ')

/**
 * pointsInWords says how wide the points are that a long run is kept in.
 *
 * @param {Pick<Result['outcome'], 'secondsPerPoint'>} outcome
 * @returns {string} empty: they are of a second
 */
export const pointsInWords = ({ secondsPerPoint }) =>
  secondsPerPoint > 1
    ? ` Of so long a run, figures over time are kept in points of ${spell(1000 * secondsPerPoint)}.`
    : ''

/** @param {Soak['ownBytes'][number]} own */
const ownInWords = ({ process, trend, inUse }) =>
  `${process} ${trendInWords(trend, MB)}, in use ${trendInWords(inUse, MB_IN_USE)}`

/**
 * soakNotes say what changed over a long run.
 *
 * @param {Result} result
 * @returns {string[]}
 */
export function soakNotes({ outcome }) {
  const { soak } = outcome
  if (soak == null) return []
  return [
    `Over the run, in stretches of ${spell(soak.stretchMs)}, memory after the first third. Server memory ${trendInWords(soak.serverBytes, MB)}.${pointsInWords(outcome)}`,
    ...soak.p50Ms.map(({ type, trend }) => `${type} p50 ${trendInWords(trend, MS)}.`),
    `Memory of our own processes: ${soak.ownBytes.map(ownInWords).join('; ')}.`,
    `Operations without success in the thirds of the run: ${errorsInWords(soak.errors)}.`
  ]
}
