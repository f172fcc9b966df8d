// The report of an examination.
import { byGroup } from '../kit/collections.js'
import { counted } from '../kit/numbers.js'
import { ENDED } from '../report/checks.js'
import { column, facts, slug, table } from '../report/description.js'
import { SPECIFICATION, VERDICTS } from './checks/verdict.js'

/**
 * @typedef {import('../report/schema.js').Description} Description
 * @typedef {import('./examination.js').Outcome} Outcome
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

/** @param {string} verdict */
const signOf = verdict => VERDICTS[/** @type {keyof typeof VERDICTS} */ (verdict)]

/** BEYOND marks checks that stand for no sentence. */
const BEYOND = 'beyond'

/** heading is what the terminal begins with. @param {string} address @param {string} version - of this tool */
export const heading = (address, version) =>
  `libp2p-loadtest ${version} · conform · ${address}\n${SPECIFICATION.title} · ${SPECIFICATION.url}\n(${BEYOND}): in no sentence of it\n`

/** outcomeText is a check on the terminal. @param {Outcome} outcome */
export function outcomeText({ id, title, sentence, verdict, found }) {
  const mark = sentence === null ? ` (${BEYOND})` : ''
  const head = `  ${signOf(verdict)} ${title}${mark}\n`
  if (verdict === 'pass') return head
  const why = verdict === 'fail' && sentence !== null ? `      ${sentence}\n` : ''
  return `${head}      ${verdict}, ${id}: ${found}\n${why}`
}

/**
 * @typedef {import('../report/checks.js').Check} Check
 * @typedef {import('../report/checks.js').Checked} Checked
 *
 * @typedef {Pick<Document, 'address' | 'startedAt'>} About
 */

/** What is allowed to differ passes, and is said all the same. @type {Readonly<Record<string, Check['verdict']>>} */
const CHECK_VERDICTS = { pass: 'pass', fail: 'fail', differs: 'pass', 'not tested': 'not tested' }

/** @param {Outcome} outcome @returns {Check} */
const checkOf = ({ id, group, title, verdict, found, sentence, ms }) => ({
  group,
  name: `${id}: ${title}`,
  verdict: CHECK_VERDICTS[verdict],
  found: verdict === 'differs' ? `differs: ${found}` : found,
  because: sentence ?? 'beyond the specification',
  ms
})

/** @param {About} about @param {Check[]} checks @returns {Checked} */
const checked = ({ address, startedAt }, checks) => ({ kind: 'conform', name: address, startedAt, checks })

/** @param {unknown} error @returns {Check} */
const brokenOff = error => ({
  group: 'target',
  name: ENDED,
  verdict: 'error',
  found: error instanceof Error ? error.message : String(error)
})

/**
 * conformChecks are those of an examination, as CI servers are told them.
 *
 * @param {About & { outcomes?: readonly Outcome[] }} about - `outcomes`: none where the target could not be reached
 * @param {unknown} [error] - why it came to no end
 */
export const conformChecks = ({ outcomes = [], ...about }, error) =>
  checked(about, [...outcomes.map(checkOf), ...(error === undefined ? [] : [brokenOff(error)])])
