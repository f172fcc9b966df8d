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

/**
 * @param {string} name
 * @param {string} title
 * @param {(row: CaseRow) => number | null} of
 * @param {Parameters<typeof worst>[2] & Partial<Figure>} more
 * @returns {Figure}
 */
const figure = (name, title, of, { missing, atLeast, ...more }) => ({
  ...{ name, title, quantity: 'number', better: 'lower', live: 0 },
  read: (/** @type {AbuseOutcome} */ outcome) => worst(outcome, of, { missing, atLeast }),
  ...more
})

const TIMES = 'Honest response time, times as long under abuse'

/** ABUSE_FIGURES are of the kind of abuse that did worst. @type {readonly Figure[]} */
export const ABUSE_FIGURES = [
  .../** @type {const} */ (['p50', 'p99']).map(key =>
    figure(`ratio.${key}`, `${TIMES} ${key}`, row => row[key]?.ratio ?? null, {
      missing: TOO_FEW,
      atLeast: notAnswered(key)
    })
  ),
  figure('ratio.p99.high', 'Upper end of the 95 % interval of that of p99', ({ p99 }) => p99?.high ?? null, {
    missing: NO_INTERVAL,
    atLeast: notAnswered('p99')
  }),
  figure('errors.abused', 'Honest requests that failed under abuse', ({ failed }) => failed.abused, {
    missing: 'nothing was measured',
    grows: true
  }),
  figure('recovery', 'Time until honest clients are served as before', ({ recoveryMs }) => recoveryMs, {
    missing: NOT_BACK,
    quantity: 'time'
  }),
  figure(
    'longestTurn',
    'Longest turn of the server’s event loop under abuse',
    ({ longestTurnMs }) => longestTurnMs.abused,
    { missing: NOT_TOLD, quantity: 'time', grows: true }
  ),
  figure(
    'memory.added',
    'Resident memory of the server under abuse, above that without',
    ({ rssBytes: { quiet, abused } }) =>
      quiet === null || abused === null ? null : Math.max(0, (abused - quiet) / 1e6),
    { missing: NOT_TOLD, quantity: 'memory' }
  )
]

/** ABUSE_COMPARED is what comparisons of such runs go by. @type {import('../../measure/figure.js').Comparable<any>} */
export const ABUSE_COMPARED = {
  figures: chosen(ABUSE_FIGURES, ['ratio.p50', 'ratio.p99', 'longestTurn']),
  same: { kinds: ({ kinds }) => kinds },
  example: '"ratio.p99 > +10%"',
  commands: []
}
