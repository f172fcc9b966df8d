// The report of a conformance examination: its tables for reports, its lines on the terminal, its checks for CI servers.
import { groupBy } from '../kit/collections.js'
import { formatCount } from '../kit/numbers.js'
import { END_CHECK_NAME } from '../report/checks.js'
import { makeColumn, makeFactsTable, makeSlug, makeTable } from '../report/description.js'
import { SPECIFICATION, VERDICT_SIGNS } from './checks/verdict.js'

/**
 * @typedef {import('../report/schema.js').Description} Description
 * @typedef {import('./examination.js').CheckOutcome} CheckOutcome
 *
 * @typedef {object} ConformanceDocument - an examination
 * @property {string} address - of the server
 * @property {string} version - of this tool
 * @property {string} startedAt - ISO 8601
 * @property {CheckOutcome[]} outcomes
 * @property {number | null} left - registrations that were left behind; null: not known
 */

/** @typedef {keyof typeof VERDICT_SIGNS} VerdictName */

/** @param {readonly CheckOutcome[]} outcomes @param {string} verdict */
const countOf = (outcomes, verdict) => outcomes.filter(outcome => outcome.verdict === verdict).length

/** What verdicts are called in headings. @type {Readonly<Record<VerdictName, string>>} */
const NAMES = { pass: 'Passed', fail: 'Failed', differs: 'Differs', 'not tested': 'Not tested' }

const NOTE =
  'Failed: against the specification, or the server stopped answering. Differs: allowed, but other than recommended or usual. Beyond: no sentence of the specification.'

/**
 * describeConformance describes which checks of the specification a rendezvous server passed.
 *
 * @param {ConformanceDocument} document
 * @returns {Description}
 */
export function describeConformance({ address, version, startedAt, outcomes, left }) {
  const verdicts = /** @type {VerdictName[]} */ (Object.keys(VERDICT_SIGNS))
  const groups = groupBy(outcomes, ({ group }) => group)
  return {
    title: `Conformance of ${address}`,
    headline: headline(outcomes),
    tiles: verdicts.map(verdict => [NAMES[verdict], countOf(outcomes, verdict), 'count']),
    tables: [
      {
        ...makeTable('verdicts', 'Checks', groups, [
          ['Group', ([group]) => group, 'text'],
          ...verdicts.map(verdict =>
            makeColumn(
              NAMES[verdict],
              (/** @type {[string, CheckOutcome[]]} */ [, own]) => countOf(own, verdict),
              'count'
            )
          )
        ]),
        note: NOTE
      },
      ...groups.map(([group, own]) =>
        makeTable(`checks-${makeSlug(group)}`, group, own, [
          ['Verdict', ({ verdict }) => verdict, 'text'],
          ['Check', ({ title }) => title, 'text'],
          ['Found', ({ found }) => found || null, 'text'],
          ['Specification', ({ sentence }) => sentence ?? 'beyond', 'text'],
          ['Id', ({ id }) => id, 'text'],
          ['Took ms', ({ ms }) => ms, 'ms']
        ])
      ),
      makeFactsTable('examination', 'Examination', [
        ['Server', address, 'text'],
        ['Specification', `${SPECIFICATION.title}, ${SPECIFICATION.url}`, 'text'],
        ['libp2p-loadtest', version, 'text'],
        ['Started', startedAt, 'text'],
        ['Registrations left behind', left ?? 'not known', 'count']
      ])
    ].filter(({ rows }) => rows.length > 0),
    plots: [],
    warnings: [
      ...outcomes
        .filter(({ verdict }) => verdict === 'fail')
        .map(({ title, found, sentence }) => ({
          code: 'CHECK_FAILED',
          text: `Failed: ${title}: ${found}.${sentence === null ? '' : ` The specification says: ${sentence}`}`
        })),
      ...(left === 0 ? [] : [{ code: 'REGISTRATIONS_LEFT', text: leftText(left) }])
    ]
  }
}

/** @param {readonly CheckOutcome[]} outcomes */
function headline(outcomes) {
  const [pass, fail, differs, untested] = Object.keys(VERDICT_SIGNS).map(verdict =>
    countOf(outcomes, verdict)
  )
  const others = [
    [fail, 'failed'],
    [differs, 'differ from what is recommended or usual'],
    [untested, 'could not be tested']
  ].flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`]))
  return `${pass} of ${formatCount(outcomes.length, 'check')} passed${others.length === 0 ? '' : `; ${others.join(', ')}`}.`
}

/** @param {number | null} left - registrations */
const leftText = left =>
  left === null
    ? 'It is not known whether registrations were left behind. They expire within 72 hours.'
    : `${formatCount(left, 'registration')} could not be removed. They expire within 72 hours.`

/** BEYOND marks checks that stand for no sentence of the specification. */
const BEYOND = 'beyond'

/** formatConformanceHeading is what the terminal begins with. @param {string} address @param {string} version - of this tool */
export const formatConformanceHeading = (address, version) =>
  `libp2p-loadtest ${version} · conform · ${address}\n${SPECIFICATION.title} · ${SPECIFICATION.url}\n(${BEYOND}): in no sentence of it\n`

/** formatCheckOutcome is a check on the terminal. @param {CheckOutcome} outcome */
export function formatCheckOutcome({ id, title, sentence, verdict, found }) {
  const mark = sentence === null ? ` (${BEYOND})` : ''
  const head = `  ${VERDICT_SIGNS[/** @type {VerdictName} */ (verdict)]} ${title}${mark}\n`
  if (verdict === 'pass') return head
  const why = verdict === 'fail' && sentence !== null ? `      ${sentence}\n` : ''
  return `${head}      ${verdict}, ${id}: ${found}\n${why}`
}

/**
 * @typedef {import('../report/checks.js').ReportCheck} ReportCheck
 * @typedef {import('../report/checks.js').CheckReport} CheckReport
 *
 * @typedef {Pick<ConformanceDocument, 'address' | 'startedAt'>} About
 */

/** A difference that the specification allows passes. @type {Readonly<Record<string, ReportCheck['verdict']>>} */
const CHECK_VERDICTS = { pass: 'pass', fail: 'fail', differs: 'pass', 'not tested': 'not tested' }

/**
 * makeConformanceChecks are the checks of an examination as CI servers get them.
 *
 * @param {About & { outcomes?: readonly CheckOutcome[] }} about - `outcomes`: none where the target could not be reached
 * @param {unknown} [error] - why the examination did not end
 * @returns {CheckReport}
 */
export function makeConformanceChecks({ address, startedAt, outcomes = [] }, error) {
  /** @type {ReportCheck[]} */
  const checks = outcomes.map(({ id, group, title, verdict, found, sentence, ms }) => ({
    group,
    name: `${id}: ${title}`,
    verdict: CHECK_VERDICTS[verdict],
    observed: verdict === 'differs' ? `differs: ${found}` : found,
    because: sentence ?? 'beyond the specification',
    ms
  }))
  if (error !== undefined) {
    const observed = error instanceof Error ? error.message : String(error)
    checks.push({ group: 'target', name: END_CHECK_NAME, verdict: 'error', observed })
  }
  return { kind: 'conform', name: address, startedAt, checks }
}
