import { chosen, none } from '../../measure/figure.js'

/**
 * @typedef {import('../../measure/figure.js').Figure<any>} Figure
 * @typedef {import('./abuse-types.js').AbuseOutcome} AbuseOutcome
 * @typedef {import('./abuse-types.js').CaseRow} CaseRow
 */

/**
 * The largest of all cases: it is what a threshold must hold for.
 *
 * @param {AbuseOutcome} outcome
 * @param {(row: CaseRow) => number | null} read - null: there is no such figure of this case
 * @param {{ missing: string, atLeast?: (row: CaseRow) => string | undefined }} words
 * @returns {import('../../measure/figure.js').Reading}
 */
function worst({ cases = [] }, read, { missing, atLeast = () => undefined }) {
  const rows = cases.map(row => ({ value: read(row), more: atLeast(row), samples: row.pairs.length }))
  const known = rows.flatMap(({ value, samples }) => (value === null ? [] : [{ value, samples }]))
  // what is not known of one of them may be the worst
  if (known.length === 0 || known.length < rows.length) return none(missing)
  const most = known.reduce((one, other) => (other.value > one.value ? other : one))
  const [more] = rows.flatMap(row => row.more ?? [])
  return { ...most, ...(more !== undefined && { atLeast: more }) }
}

const TOO_FEW = 'a stretch needs more requests for it: a longer --stretch, or more --rate'
const NO_INTERVAL = 'it needs 6 --pairs, and enough requests in each stretch'
const NOT_TOLD = 'the server does not tell'
const NOT_BACK = 'honest clients were not served as before within half a minute'

/** @param {'p50' | 'p99'} which @returns {(row: CaseRow) => string | undefined} */
const notAnswered = which => row =>
  row[which]?.atLeast ? 'requests that were not answered reach into it' : undefined

/** ABUSE_FIGURES are of the kind of abuse that did worst. @type {readonly Figure[]} */
export const ABUSE_FIGURES = [
  {
    name: 'ratio.p50',
    title: 'Honest response time, times as long under abuse p50',
    quantity: 'number',
    better: 'lower',
    live: 0,
    read: (/** @type {AbuseOutcome} */ outcome) =>
      worst(outcome, ({ p50 }) => p50?.ratio ?? null, { missing: TOO_FEW, atLeast: notAnswered('p50') })
  },
  {
    name: 'ratio.p99',
    title: 'Honest response time, times as long under abuse p99',
    quantity: 'number',
    better: 'lower',
    live: 0,
    read: (/** @type {AbuseOutcome} */ outcome) =>
      worst(outcome, ({ p99 }) => p99?.ratio ?? null, { missing: TOO_FEW, atLeast: notAnswered('p99') })
  },
  {
    name: 'ratio.p99.high',
    title: 'Upper end of the 95 % interval of that of p99',
    quantity: 'number',
    better: 'lower',
    live: 0,
    read: (/** @type {AbuseOutcome} */ outcome) =>
      worst(outcome, ({ p99 }) => p99?.high ?? null, { missing: NO_INTERVAL, atLeast: notAnswered('p99') })
  },
  {
    name: 'errors.abused',
    title: 'Honest requests that failed under abuse',
    quantity: 'number',
    better: 'lower',
    live: 0,
    grows: true,
    read: (/** @type {AbuseOutcome} */ outcome) =>
      worst(outcome, ({ failed }) => failed.abused, { missing: 'nothing was measured' })
  },
  {
    name: 'recovery',
    title: 'Time until honest clients are served as before',
    quantity: 'time',
    better: 'lower',
    live: 0,
    read: (/** @type {AbuseOutcome} */ outcome) =>
      worst(outcome, ({ recoveryMs }) => recoveryMs, { missing: NOT_BACK })
  },
  {
    name: 'longestTurn',
    title: 'Longest turn of the server’s event loop under abuse',
    quantity: 'time',
    better: 'lower',
    live: 0,
    grows: true,
    read: (/** @type {AbuseOutcome} */ outcome) =>
      worst(outcome, ({ longestTurnMs }) => longestTurnMs.abused, { missing: NOT_TOLD })
  },
  {
    name: 'memory.added',
    title: 'Resident memory of the server under abuse, above that without',
    quantity: 'memory',
    better: 'lower',
    live: 0,
    read: (/** @type {AbuseOutcome} */ outcome) =>
      worst(
        outcome,
        ({ rssBytes: { quiet, abused } }) =>
          quiet === null || abused === null ? null : Math.max(0, (abused - quiet) / 1e6),
        { missing: NOT_TOLD }
      )
  }
]

/** ABUSE_COMPARED is what comparisons of such runs go by. @type {import('../../measure/figure.js').Comparable<any>} */
export const ABUSE_COMPARED = {
  figures: chosen(ABUSE_FIGURES, ['ratio.p50', 'ratio.p99', 'longestTurn']),
  same: { kinds: ({ kinds }) => kinds },
  example: '"ratio.p99 > +10%"',
  commands: []
}
