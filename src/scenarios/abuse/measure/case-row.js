import { present } from '../../../kit/lists.js'
import { hodgesLehmann } from '../../../measure/hodges-lehmann.js'
import { signFlip } from '../../../measure/sign-flip.js'
import { KINDS } from '../../rendezvous/plan/hostile-kinds.js'

/**
 * @typedef {import('../abuse-types.js').CaseRow} CaseRow
 * @typedef {import('../abuse-types.js').Pair} Pair
 * @typedef {import('../abuse-types.js').Stretch} Stretch
 * @typedef {import('../abuse-types.js').RatioRow} RatioRow
 */

/**
 * ratioOf is how many times as long honest requests take under abuse, by pairs of stretches that took turns.
 *
 * @param {readonly Pick<Pair, 'quiet' | 'abused'>[]} pairs
 * @param {'p50' | 'p99'} which
 * @returns {RatioRow | null} null: one of them is not known, or without abuse it is only known to be longer
 */
export function ratioOf(pairs, which) {
  const times = pairs.map(({ quiet, abused }) => [quiet, abused].map(side => side[`${which}Ms`]))
  const known = times.every(([quiet, abused]) => quiet !== null && quiet > 0 && abused !== null && abused > 0)
  if (pairs.length === 0 || !known || pairs.some(({ quiet }) => quiet.censored[which])) return null
  const both = /** @type {[number, number][]} */ (times)
  const logs = both.map(([quiet, abused]) => Math.log(abused / quiet))
  const { low, high } = signFlip(logs).interval
  const bounded = Number.isFinite(low + high)
  return {
    quietMs: hodgesLehmann(both.map(([quiet]) => quiet)),
    abusedMs: hodgesLehmann(both.map(([, abused]) => abused)),
    ratio: Math.exp(hodgesLehmann(logs)),
    low: bounded ? Math.exp(low) : null,
    high: bounded ? Math.exp(high) : null,
    atLeast: pairs.some(({ abused }) => abused.censored[which])
  }
}

/** @param {readonly number[]} values @returns {number | null} null: there are none */
const most = values => (values.length === 0 ? null : Math.max(...values))

/** @param {readonly number[]} values @returns {number | null} null: there are none */
const centre = values => (values.length === 0 ? null : hodgesLehmann(values))

/**
 * @template {number | null} T
 * @param {readonly Pair[]} pairs
 * @param {(stretch: Stretch) => number | null} read
 * @param {(values: readonly number[]) => T} join
 */
const bothSides = (pairs, read, join) => ({
  quiet: join(present(pairs.map(({ quiet }) => read(quiet)))),
  abused: join(present(pairs.map(({ abused }) => read(abused))))
})

/** @param {readonly number[]} values */
const sum = values => values.reduce((total, value) => total + value, 0)

/**
 * caseRow is what one kind of abuse did, at one rate.
 *
 * @param {import('../plan/cases.js').Case} which
 * @param {readonly Pair[]} pairs
 * @returns {CaseRow}
 */
export function caseRow({ name, kind, times }, pairs) {
  const recoveries = pairs.map(({ abused }) => abused.recoveryMs)
  return {
    name,
    kind,
    times,
    what: KINDS[kind].what,
    pairs: [...pairs],
    p50: ratioOf(pairs, 'p50'),
    p99: ratioOf(pairs, 'p99'),
    asked: bothSides(pairs, ({ asked }) => asked, sum),
    failed: bothSides(pairs, ({ failed }) => failed, sum),
    longestTurnMs: bothSides(pairs, ({ longestTurnMs }) => longestTurnMs, most),
    rssBytes: bothSides(pairs, ({ rssBytes }) => rssBytes, most),
    cpuPercent: bothSides(pairs, ({ cpuPercent }) => cpuPercent, centre),
    recoveryMs: recoveries.includes(null) ? null : most(present(recoveries)),
    notSent: most(pairs.map(({ abused }) => abused.notSent)) ?? 0
  }
}
