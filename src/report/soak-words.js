import { grouped, significant, spell } from './numbers.js'

/**
 * @typedef {import('../result/types.js').Result} Result
 * @typedef {import('../result/types.js').Soak} Soak
 * @typedef {import('../result/types.js').Trend} Trend
 */

/** @param {number} x */
const signed = x => (x < 0 ? `−${significant(-x)}` : significant(x))

/**
 * trendInWords says what became of a figure over a run.
 *
 * @param {Trend | null} trend
 * @param {{ unit: string, per?: number }} how - `per`: of its units in one of this unit
 */
export function trendInWords(trend, { unit, per = 1 }) {
  if (trend === null) return 'too few readings to tell'
  const [slope, low, high] = [trend.perHour, trend.low, trend.high].map(x => signed(x / per))
  // a rise that is sure and small is a rise
  const verdict = trend.verdict === 'not shown to grow' && trend.low > 0 ? 'growing slightly' : trend.verdict
  return `${verdict}: ${slope} ${unit} an hour (95 % interval ${low} to ${high})`
}

/** MB and MS are the units of trends. */
export const MB = Object.freeze({ unit: 'MB', per: 1e6 })
export const MS = Object.freeze({ unit: 'ms' })

/**
 * errorsInWords says how many operations failed in each third of a run.
 *
 * @param {Soak['errors']} thirds
 */
export const errorsInWords = thirds =>
  thirds.map(({ operations, errors }) => `${grouped(errors)} of ${grouped(operations)}`).join(', ')

/** @param {Soak['ownBytes'][number]} own */
const ownInWords = ({ process, trend, inUse }) =>
  `${process} ${trendInWords(trend, MB)}, in use ${trendInWords(inUse, MB)}`

/**
 * soakNotes say what changed over a long run.
 *
 * @param {Result} result
 * @returns {string[]}
 */
export function soakNotes({ outcome: { soak } }) {
  if (soak == null) return []
  return [
    `Over the run, in stretches of ${spell(soak.stretchMs)}, memory after the first third. Server memory ${trendInWords(soak.serverBytes, MB)}.`,
    ...soak.p50Ms.map(({ type, trend }) => `${type} p50 ${trendInWords(trend, MS)}.`),
    `Memory of our own processes: ${soak.ownBytes.map(ownInWords).join('; ')}.`,
    `Operations without success in the thirds of the run: ${errorsInWords(soak.errors)}.`
  ]
}
