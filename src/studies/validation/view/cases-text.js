import { MISSING } from '../../../kit/numbers.js'
import { PROGRAM } from '../../../kit/program.js'
import { asMarkdown } from '../../../kit/table.js'
import { caseVerdict, decided } from '../result/case-verdict.js'
import { mostRuns, named } from './validation-sentences.js'
import { conditionTitle, moreRuns } from './validation-tables.js'

/**
 * @typedef {import('../result/cases-document.js').CasesDocument} CasesDocument
 * @typedef {import('../result/cases-document.js').CaseRecord} CaseRecord
 * @typedef {import('../result/validation-document.js').ValidationVerdict} ValidationVerdict
 */

/** @param {CaseRecord} record */
function answer({ verdict, status, reason }) {
  if (status === 'failed') return `failed: ${reason?.message ?? 'no result'}`
  if (verdict === null) return status === 'complete' ? 'too few runs' : 'broken off'
  return caseVerdict(verdict)
}

/** @param {ValidationVerdict} verdict @param {'differs' | 'undecided'} which */
const measuresOf = ({ measures }, which) => measures.filter(({ verdict }) => verdict === which)

/** @param {ValidationVerdict | null} verdict */
function open(verdict) {
  const open = verdict === null ? [] : measuresOf(verdict, 'undecided')
  return open.length === 0 ? MISSING : `${named(open)}: ${moreRuns(mostRuns(open))}`
}

/** @param {ValidationVerdict | null} verdict */
function apart(verdict) {
  const apart = verdict === null ? [] : measuresOf(verdict, 'differs')
  return apart.length === 0
    ? MISSING
    : apart.map(measure => `${named([measure])} ${measure.ratio?.toFixed(2) ?? ''}`.trim()).join(', ')
}

/** @param {ValidationVerdict | null} verdict */
function unmet(verdict) {
  const unmet = verdict === null ? [] : verdict.conditions.filter(({ met }) => !met)
  return unmet.length === 0 ? MISSING : unmet.map(({ name }) => conditionTitle(name)).join(', ')
}

/** @param {ValidationVerdict | null} verdict */
function noticed(verdict) {
  if (verdict === null) return MISSING
  const blind = verdict.counter.filter(({ verdict }) => verdict !== 'differs')
  return blind.length === 0 ? 'noticed' : `${blind.map(({ what }) => what).join(', ')} not noticed`
}

/** @param {readonly CaseRecord[]} cases */
const table = cases => ({
  headings: [
    'Case',
    'Runs of each',
    'Verdict',
    'Differs in (simulated to real)',
    'Undecided in',
    'Counter-checks',
    'Conditions not met'
  ],
  align: /** @type {('l' | 'r')[]} */ (['l', 'r', 'l', 'l', 'l', 'l', 'l']),
  rows: cases.map(record => [
    record.name,
    `${record.runs} of ${record.seeds}`,
    answer(record),
    apart(record.verdict),
    open(record.verdict),
    noticed(record.verdict),
    unmet(record.verdict)
  ])
})

/** casesSentence says in a line what became of cases. @param {CasesDocument} document */
export function casesSentence({ cases }) {
  const verdicts = decided(cases)
  const count = (/** @type {string} */ which) => verdicts.filter(verdict => verdict === which).length
  const left = cases.length - verdicts.length
  const words = ['agrees', 'differs', 'undecided'].map(which => `${count(which)} ${which}`).join(', ')
  return `${cases.length} cases, real on TCP and simulated: ${words}${left > 0 ? `, ${left} without a verdict` : ''}.`
}

/** @param {CaseRecord} record */
const isLeft = ({ status, runs }) => status === 'pending' && runs === 0

/** What is left would be most of a table of which a few cases were asked for. @param {readonly CaseRecord[]} cases */
function leftSentence(cases) {
  const left = cases.filter(isLeft).length
  return left === 0
    ? []
    : [
        `- Not run: ${left} of ${cases.length}; ${PROGRAM} gossip --validate --resume goes on with what is left.`
      ]
}

/** @param {readonly CaseRecord[]} begun */
const tableOf = begun => (begun.length === 0 ? [] : [asMarkdown(table(begun))])

/**
 * casesText is what a person reads of a list of validations.
 *
 * @param {CasesDocument} document
 * @returns {string} markdown
 */
export const casesText = document =>
  [
    casesSentence(document),
    ...tableOf(document.cases.filter(record => !isLeft(record))),
    [
      ...leftSentence(document.cases),
      '- A case differs when a measure does, agrees when all do, and is undecided else; a ratio is of simulated to real, the geometric mean over seeds. The measures of each stand in its folder, validation.md.',
      '- A condition that is not met says that the machine, too, is in the figures of the real runs; counter-checks that are not noticed, that nothing is shown.'
    ].join('\n')
  ].join('\n\n')

/** casesCommandLine makes them again. @param {CasesDocument} document */
export const casesCommandLine = ({ list }) => `${PROGRAM} gossip --validate --cases ${list}`
