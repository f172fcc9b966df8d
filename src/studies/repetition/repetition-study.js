import { join } from 'node:path'
import { baselineLine } from '../../report/baseline-lines.js'
import { thresholdChecks } from '../../report/ci/threshold-checks.js'
import { isDoubtful } from '../../result/doubtful.js'
import { failedThresholds } from '../../result/thresholds/judge.js'
import { baselineChecks } from '../comparison/comparison-checks.js'
import { readSide } from '../comparison/sides.js'
import { runErrors } from '../run-errors.js'
import { REPORT_PAGE } from '../study-document.js'
import { markdownReport, readableText } from '../study-door.js'
import { REPETITION_DOCUMENT, RUNS_FOLDER } from './repetition-document.js'
import { runRepetition } from './run-repetition.js'
import { repetitionCommandLine, repetitionSentence, repetitionText } from './view/repetition-text.js'

/**
 * @typedef {import('./repetition-document.js').RepetitionDocument} RepetitionDocument
 * @typedef {import('../comparison/comparison.js').Side} Side
 */

/** @type {readonly import('../study-door.js').StudyView<RepetitionDocument, Side>[]} */
const VIEWS = [
  {
    file: REPORT_PAGE,
    async render(document, side, { links, viewOf }) {
      const { repetitionPage } = await import('./view/repetition-page.js')
      return repetitionPage(document, side, { links, view: viewOf(document.plan) })
    }
  },
  {
    file: 'runs.md',
    render: (document, side) =>
      markdownReport(document, repetitionText(document, side), {
        docs: 'docs/comparison.md',
        command: repetitionCommandLine(document, side.scenario)
      })
  }
]

const FILES = [...VIEWS.map(({ file }) => file), REPETITION_DOCUMENT.file]

/** REPETITION_STUDY runs a plan several times. @type {import('../study-door.js').StudyDoor<RepetitionDocument, Side>} */
export const REPETITION_STUDY = {
  document: REPETITION_DOCUMENT,
  run: runRepetition,
  shown: ({ plan }) => [plan],
  plans: ({ plan }) => [plan],
  runs: ({ runs }) => runs.flatMap(run => run ?? []),
  load: (folder, _, find) => readSide(join(folder, RUNS_FOLDER), find),
  views: () => VIEWS,
  text: (document, side, folder) => readableText(repetitionText(document, side), folder, FILES),
  verdict: ({ reason, held }, side) => {
    const results = side?.results ?? []
    return {
      // a run that a threshold broke off did what was asked for
      brokenOff: reason?.code === 'THRESHOLD_FAILED',
      ...runErrors(results.map(result => [result.id, result])),
      notMet: held?.verdict === 'FAIL' || results.some(result => failedThresholds(result).length > 0),
      undecided: held?.verdict === 'UNDECIDED',
      doubtful: results.some(isDoubtful)
    }
  },
  checks: ({ held }, side) => [
    ...(side?.results ?? []).flatMap((result, i) => thresholdChecks(`run ${i + 1}`, result)),
    ...baselineChecks(held)
  ],
  inLine: document => [
    `runs of ${document.plan.scenario}`,
    document.held === null ? repetitionSentence(document) : baselineLine(document.held)
  ]
}
