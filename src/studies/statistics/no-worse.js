import { sumOf } from '../../kit/lists.js'
import { studentT } from './student-t.js'

/**
 * @typedef {'PASS' | 'FAIL' | 'UNDECIDED'} NoWorse
 *
 * @typedef {object} Held - what is less the better, held against what it was
 * @property {NoWorse} verdict
 * @property {number | null} ratio - geometric mean, now ÷ before; null: one of them is 0
 * @property {{ low: number, high: number } | null} interval - 90 %, of the ratio; null: too few runs to tell
 */

/** Its ends are limits of two one-sided tests at 5 % (D. J. Schuirmann, J. Pharmacokinet. Biopharm. 15 (1987) 657–680). */
const CONFIDENCE = 0.9

/** @param {readonly number[]} values */
const mean = values => sumOf(values) / values.length

/** @param {readonly number[]} values */
function squares(values) {
  const centre = mean(values)
  return sumOf(values, value => (value - centre) ** 2)
}

/**
 * scatterOf is how far runs of the same thing lie apart: the standard deviation of logarithms within groups of them.
 *
 * @param {readonly (readonly number[])[]} groups - of values above 0
 * @returns {{ deviation: number, freedom: number } | null} null: no group has two
 */
export function scatterOf(groups) {
  const freedom = sumOf(groups, group => Math.max(0, group.length - 1))
  if (freedom === 0) return null
  const all = sumOf(groups, group => (group.length === 0 ? 0 : squares(group.map(Math.log))))
  return { deviation: Math.sqrt(all / freedom), freedom }
}

/**
 * noWorse decides whether something has not become worse, by runs of then and now that took no turns: it has where the whole 90 %
 * interval of their ratio (Student's, of logarithms) lies above the margin, it has not where the interval lies below it.
 *
 * @param {readonly number[]} before - a figure of each run; less is better
 * @param {readonly number[]} now
 * @param {object} how
 * @param {number} how.most - ratio that is no worse yet: 1.1
 * @param {{ deviation: number, freedom: number } | null} [how.scatter] - of runs; default: that of these
 * @returns {Held}
 */
export function noWorse(before, now, { most, scatter = scatterOf([before, now]) }) {
  const known = before.length > 0 && now.length > 0 && [...before, ...now].every(value => value > 0)
  if (!known) return { verdict: 'UNDECIDED', ratio: null, interval: null }
  const centre = mean(now.map(Math.log)) - mean(before.map(Math.log))
  const ratio = Math.exp(centre)
  if (scatter === null) return { verdict: 'UNDECIDED', ratio, interval: null }
  const width =
    studentT(scatter.freedom, CONFIDENCE) * scatter.deviation * Math.sqrt(1 / before.length + 1 / now.length)
  const interval = { low: Math.exp(centre - width), high: Math.exp(centre + width) }
  const verdict = interval.low > most ? 'FAIL' : interval.high <= most ? 'PASS' : 'UNDECIDED'
  return { verdict, ratio, interval }
}
