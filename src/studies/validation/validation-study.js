import { settingInLine } from '../../scenarios/gossip/view/in-line.js'
import { REPORT_PAGE } from '../study-document.js'
import { markdownReport, readableText } from '../study-door.js'
import { readSideResults } from './result/judge-validation.js'
import { SIDES, VALIDATION_DOCUMENT } from './result/validation-document.js'
import { runValidation } from './run-validation.js'
import { validationChecks } from './view/validation-checks.js'
import { validationCommandLine } from './view/validation-command-line.js'
import { validationAnswer } from './view/validation-sentences.js'
import { validationText } from './view/validation-text.js'

/** @typedef {import('./result/validation-document.js').ValidationDocument} ValidationDocument */

/** @type {readonly import('../study-door.js').StudyView<ValidationDocument, Awaited<ReturnType<typeof readSideResults>>>[]} */
const VIEWS = [
  {
    file: REPORT_PAGE,
    async render(document, results, { links }) {
      // with it comes what draws its plots
      const { validationPage } = await import('./view/page/validation-page.js')
      return validationPage(document, { results, links })
    }
  },
  {
    file: 'validation.md',
    render: document =>
      markdownReport(document, validationText(document), {
        docs: 'docs/simulation.md',
        command: validationCommandLine(document)
      })
  }
]

const FILES = [...VIEWS.map(({ file }) => file), VALIDATION_DOCUMENT.file]

/** VALIDATION_STUDY holds the simulated network against the real one. @type {import('../study-door.js').StudyDoor<ValidationDocument, Awaited<ReturnType<typeof readSideResults>>>} */
export const VALIDATION_STUDY = {
  document: VALIDATION_DOCUMENT,
  run: runValidation,
  shown: ({ runs }) => runs.real.map(({ plan }) => plan),
  runs: ({ runs }) => SIDES.flatMap(side => runs[side].flatMap(({ run }) => run ?? [])),
  load: readSideResults,
  views: () => VIEWS,
  text: (document, _, folder) => readableText(validationText(document), folder, FILES),
  verdict: ({ verdict }) => ({ notMet: verdict?.passed !== true }),
  checks: ({ verdict }) => validationChecks(verdict),
  inLine: document => [
    `validate: ${settingInLine({ plan: document.runs.real[0].plan })}`,
    validationAnswer(document)
  ]
}
