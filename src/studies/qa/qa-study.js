import { join } from 'node:path'
import { readResult } from '../../result/read-result.js'
import { runErrors } from '../run-errors.js'
import { SATURATED } from '../saturation/saturated.js'
import { REPORT_PAGE } from '../study-document.js'
import { markdownReport, readableText } from '../study-door.js'
import { QA_DOCUMENT, trialsOf } from './result/qa-document.js'
import { plansAhead, runQa } from './run-qa.js'
import { qaCommandLine } from './view/qa-command-line.js'
import { qaSentences } from './view/qa-sentences.js'
import { qaText } from './view/qa-text.js'

/**
 * @typedef {import('./result/qa-document.js').QaDocument} QaDocument
 * @typedef {ReadonlyMap<string, import('../../result/types.js').AnyResult>} Results - by folder
 */

/** @type {readonly import('../study-door.js').StudyView<QaDocument, Results>[]} */
const VIEWS = [
  {
    file: REPORT_PAGE,
    async render(document, results, { links, viewOf }) {
      // with it comes what draws its plots
      const { qaPage } = await import('./view/page/qa-page.js')
      return qaPage(document, { results, links, view: viewOf(document), viewOf })
    }
  },
  {
    file: 'qa.md',
    render: document =>
      markdownReport(document, qaText(document), { docs: 'docs/qa.md', command: qaCommandLine(document) })
  }
]

const FILES = [...VIEWS.map(({ file }) => file), QA_DOCUMENT.file]

/** @param {QaDocument} document */
const runsOf = document => [
  ...trialsOf(document).flatMap(({ run }) => run ?? []),
  ...(document.rotation.run === null ? [] : [document.rotation.run])
]

/** QA_STUDY is a quality report: what is carried, how it goes at that, for long, and while some come and go. @type {import('../study-door.js').StudyDoor<QaDocument, Results>} */
export const QA_STUDY = {
  document: QA_DOCUMENT,
  run: runQa,
  shown: document => [document, { scenario: SATURATED[document.scenario].qa.rotates }],
  plans: plansAhead,
  grows: ({ growth }) => growth !== null,
  runs: runsOf,
  /** One that cannot be read is left out: its figures stand in the document. */
  async load(folder, document, find) {
    /** @type {Map<string, import('../../result/types.js').AnyResult>} */
    const results = new Map()
    for (const run of runsOf(document)) {
      const result = await readResult(join(folder, run), find).catch(() => null)
      if (result !== null) results.set(run, result)
    }
    return results
  },
  views: () => VIEWS,
  text: (document, _, folder) => readableText(qaText(document), folder, FILES),
  verdict: (document, results) => ({
    doubtful: document.examined.trials.some(({ point }) => point?.doubtful === true),
    ...runErrors(results ?? [], { trial: true }),
    notMet: document.held?.verdict === 'FAIL',
    undecided: document.held?.verdict === 'UNDECIDED'
  }),
  inLine: document => [
    `qa ${document.scenario}${document.quick ? ', quick' : ''}`,
    document.held === null
      ? qaSentences(document)[0]
      : `${document.held.verdict} against ${document.held.baseline.id}`
  ]
}
