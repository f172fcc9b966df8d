import { join } from 'node:path'
import { describeRun } from '../../report/description/describe-run.js'
import { readResult } from '../../result/read-result.js'
import { runErrors } from '../run-errors.js'
import { describeGrid } from '../saturation/describe-grid.js'
import { faceOf } from '../saturation/saturated.js'
import { aboutRuns } from '../study-door.js'
import { describeQa, qaHeadline } from './describe.js'
import { qaCommandLine } from './qa-command-line.js'
import { churnFigures, QA_DOCUMENT, trialsOf } from './result/qa-document.js'
import { plansAhead, runQa } from './run-qa.js'

/**
 * @typedef {import('./result/qa-document.js').QaDocument} QaDocument
 * @typedef {ReadonlyMap<string, import('../../result/types.js').AnyResult>} Results - by folder
 */

/** @param {QaDocument} document */
const runsOf = document => [
  ...trialsOf(document).flatMap(({ run }) => run ?? []),
  ...(document.rotation.run === null ? [] : [document.rotation.run])
]

/** QA_STUDY is a quality report: what is carried, how it goes at that, for long, and while some come and go. @type {import('../study-door.js').StudyDoor<QaDocument, Results>} */
export const QA_STUDY = {
  document: QA_DOCUMENT,
  run: runQa,
  shown: document => [document],
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
  describe: (document, results, viewOf) =>
    describeQa(document, {
      grid: describeGrid(document.grid, faceOf(document), document),
      runs: new Map([...results].map(([run, result]) => [run, describeRun(result, viewOf(result))])),
      results,
      rotating: churnFigures(document)
    }),
  about: (_, results) => aboutRuns([...results.values()][0]),
  command: qaCommandLine,
  verdict: (document, results) => ({
    generatorLimited: document.examined.trials.some(({ point }) => point?.generatorLimited === true),
    ...runErrors(results ?? [], { trial: true }),
    notMet: document.held?.verdict === 'FAIL',
    undecided: document.held?.verdict === 'UNDECIDED'
  }),
  inLine: document => [
    `qa ${document.scenario}${document.quick ? ', quick' : ''}`,
    document.held === null
      ? qaHeadline(document)
      : `${document.held.verdict} against ${document.held.baseline.id}`
  ]
}
