import { byGroup } from '../kit/lists.js'
import { counted } from '../kit/numbers.js'
import { column, facts, table } from '../report/description/tables.js'
import { slug } from '../report/description/values.js'
import { SPECIFICATION } from './specification.js'
import { VERDICTS } from './verdict.js'

/**
 * @typedef {import('../report/description/description.js').Description} Description
 * @typedef {import('./examine.js').Outcome} Outcome
 *
 * @typedef {object} Document - an examination
 * @property {string} address - of the server
 * @property {string} version - of this tool
 * @property {string} startedAt - ISO 8601
 * @property {Outcome[]} outcomes
 * @property {number | null} left - registrations that were left behind; null: not known
 */

/** @param {readonly Outcome[]} outcomes @param {string} verdict */
const countOf = (outcomes, verdict) => outcomes.filter(outcome => outcome.verdict === verdict).length

/** What verdicts are called. */
const NAMES = /** @type {const} */ ({
  pass: 'Passed',
  fail: 'Failed',
  differs: 'Differs',
  'not tested': 'Not tested'
})

const NOTE =
  'Failed: against the specification, or the server stopped answering. Differs: allowed, but other than recommended or usual. Beyond: no sentence of the specification.'

/**
 * describeConformance describes which checks of the specification a rendezvous server passed.
 *
 * @param {Document} document
 * @returns {Description}
 */
export function describeConformance({ address, version, startedAt, outcomes, left }) {
  const verdicts = Object.keys(VERDICTS)
  return {
    title: `Conformance of ${address}`,
    headline: headline(outcomes),
    tiles: verdicts.map(verdict => [
      NAMES[/** @type {keyof typeof NAMES} */ (verdict)],
      countOf(outcomes, verdict),
      'count'
    ]),
    tables: [
      {
        ...table('verdicts', 'Checks', byGroup(outcomes), [
          ['Group', ([group]) => group, 'text'],
          ...verdicts.map(verdict =>
            column(
              NAMES[/** @type {keyof typeof NAMES} */ (verdict)],
              (/** @type {[string, Outcome[]]} */ [, own]) => countOf(own, verdict),
              'count'
            )
          )
        ]),
        note: NOTE
      },
      ...byGroup(outcomes).map(([group, own]) => checks(group, own)),
      facts('examination', 'Examination', [
        ['Server', address, 'text'],
        ['Specification', `${SPECIFICATION.title}, ${SPECIFICATION.url}`, 'text'],
        ['libp2p-loadtest', version, 'text'],
        ['Started', startedAt, 'text'],
        ['Registrations left behind', left ?? 'not known', 'count']
      ])
    ].filter(({ rows }) => rows.length > 0),
    plots: [],
    warnings: [...failed(outcomes), ...leftBehind(left)]
  }
}

/** @param {readonly Outcome[]} outcomes */
function headline(outcomes) {
  const [pass, fail, differs, untested] = Object.keys(VERDICTS).map(verdict => countOf(outcomes, verdict))
  const others = [
    [fail, 'failed'],
    [differs, 'differ from what is recommended or usual'],
    [untested, 'could not be tested']
  ].flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`]))
  return `${pass} of ${counted(outcomes.length, 'check')} passed${others.length === 0 ? '' : `; ${others.join(', ')}`}.`
}

/** @param {string} group @param {readonly Outcome[]} outcomes */
const checks = (group, outcomes) =>
  table(`checks-${slug(group)}`, group, outcomes, [
    ['Verdict', ({ verdict }) => verdict, 'text'],
    ['Check', ({ title }) => title, 'text'],
    ['Found', ({ found }) => found || null, 'text'],
    ['Specification', ({ sentence }) => sentence ?? 'beyond', 'text'],
    ['Id', ({ id }) => id, 'text'],
    ['Took ms', ({ ms }) => ms, 'ms']
  ])

/** @param {readonly Outcome[]} outcomes @returns {Description['warnings']} */
const failed = outcomes =>
  outcomes
    .filter(({ verdict }) => verdict === 'fail')
    .map(({ title, found, sentence }) => ({
      code: 'CHECK_FAILED',
      text: `Failed: ${title}: ${found}.${sentence === null ? '' : ` The specification says: ${sentence}`}`
    }))

/** @param {number | null} left @returns {Description['warnings']} */
function leftBehind(left) {
  if (left === 0) return []
  const text =
    left === null
      ? 'It is not known whether registrations were left behind. They expire within 72 hours.'
      : `${counted(left, 'registration')} could not be removed. They expire within 72 hours.`
  return [{ code: 'REGISTRATIONS_LEFT', text }]
}
