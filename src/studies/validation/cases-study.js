import { markdownReport, readableText } from '../study-door.js'
import { CASES_DOCUMENT } from './result/cases-document.js'
import { runCases } from './run-cases.js'
import { casesCommandLine, casesSentence, casesText } from './view/cases-text.js'
import { caseChecks } from './view/validation-checks.js'

/** @typedef {import('./result/cases-document.js').CasesDocument} CasesDocument */

const TEXT = 'cases.md'
const FILES = [TEXT, CASES_DOCUMENT.file]

/** @type {readonly import('../study-door.js').StudyView<CasesDocument, CasesDocument>[]} */
const VIEWS = [
  {
    file: TEXT,
    render: document =>
      markdownReport(document, casesText(document), {
        docs: 'docs/simulation.md',
        command: casesCommandLine(document)
      })
  }
]

/** CASES_STUDY is a list of validations, each a study in a folder of its own. @type {import('../study-door.js').StudyDoor<CasesDocument, CasesDocument>} */
export const CASES_STUDY = {
  document: CASES_DOCUMENT,
  run: runCases,
  shown: () => [{ scenario: 'gossip' }],
  // those of a case are its own
  runs: () => [],
  load: async (_, document) => document,
  views: () => VIEWS,
  text: (document, _, folder) => readableText(casesText(document), folder, FILES),
  verdict: ({ cases }) => ({
    notMet: cases.some(({ verdict }) => verdict !== null && verdict.passed !== true),
    undecided: cases.some(({ verdict }) => verdict === null)
  }),
  checks: ({ cases }) => caseChecks(cases),
  inLine: document => [`validate: ${document.list}`, casesSentence(document)]
}
