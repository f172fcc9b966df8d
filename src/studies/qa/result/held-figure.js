import { sumOf } from '../../../kit/lists.js'
import { noWorse } from '../../statistics/no-worse.js'

/**
 * @typedef {import('./held-parts.js').QaVerdict} QaVerdict
 *
 * @typedef {object} Readings - of a figure, one of each run
 * @property {readonly number[]} values - none: not measured
 * @property {boolean} isBound - true ones may be larger
 *
 * @typedef {object} HeldFigure
 * @property {string} title
 * @property {number} before - mean over runs, of what is no share the geometric one
 * @property {number | null} now - null: not measured
 * @property {('before' | 'now')[]} [bounds] - which of them the true one may be above
 * @property {QaVerdict} verdict
 * @property {number | null} ratio
 * @property {{ low: number, high: number } | null} interval - 90 %, of the ratio
 */

/** MOST_WORSE is the ratio up to which a figure is no worse than it was. */
export const MOST_WORSE = 1.1
/** SHARE_POINTS are the points by which a share may be worse: one of which less is better, and one of which more is. */
export const SHARE_POINTS = { lower: 5, higher: 1 }

/** @param {readonly number[]} values */
const mean = values => sumOf(values) / values.length

/** @param {readonly number[]} values */
const typical = values => Math.exp(mean(values.map(Math.log)))

/** @param {readonly number[]} values @param {(values: readonly number[]) => number} of */
const ifAny = (values, of) => (values.length === 0 ? null : of(values))

/** What is a lower bound now may be worse; what was one then may have been. @param {QaVerdict} verdict @param {Readings} before @param {Readings} now */
const known = (verdict, before, now) =>
  (verdict === 'PASS' && now.isBound) || (verdict === 'FAIL' && before.isBound) ? 'UNDECIDED' : verdict

/**
 * heldFigure holds what is less the better against what it was. What is not measured any more is left open.
 *
 * @param {string} title
 * @param {Readings} before
 * @param {Readings} now
 * @param {Parameters<typeof noWorse>[2]['scatter']} [scatter] - of runs; default: of these
 * @returns {HeldFigure[]} none: it was not measured then
 */
export function heldFigure(title, before, now, scatter) {
  if (before.values.length === 0) return []
  const held = noWorse(before.values, now.values, {
    most: MOST_WORSE,
    ...(scatter !== undefined && { scatter })
  })
  const bounds = [...(before.isBound ? ['before'] : []), ...(now.isBound ? ['now'] : [])]
  return [
    {
      title,
      ...{ before: typical(before.values), now: ifAny(now.values, typical) },
      ...(bounds.length > 0 && { bounds: /** @type {HeldFigure['bounds']} */ (bounds) }),
      ...held,
      verdict: known(held.verdict, before, now)
    }
  ]
}

/**
 * heldShare holds a share against what it was: it may be worse by so many points.
 *
 * @param {string} title
 * @param {Readings} before - in %
 * @param {Readings} now
 * @param {{ better: 'higher' | 'lower', points?: number }} how
 * @returns {HeldFigure[]} none: it was not measured then
 */
export function heldShare(title, before, now, { better, points = SHARE_POINTS[better] }) {
  if (before.values.length === 0) return []
  const [old, value] = [mean(before.values), ifAny(now.values, mean)]
  const worse = value === null ? null : better === 'higher' ? old - value : value - old
  const verdict = worse === null ? 'UNDECIDED' : worse <= points ? 'PASS' : 'FAIL'
  return [{ title, before: old, now: value, verdict, ratio: null, interval: null }]
}
