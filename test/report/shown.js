import * as living from '../../src/report/live-progress.js'
import { loadViews } from '../../src/report/load-views.js'
import * as notes from '../../src/report/notes.js'
import * as output from '../../src/report/output-file.js'
import * as page from '../../src/report/page/run-page.js'
import * as verdict from '../../src/report/page/verdict.js'
import * as plain from '../../src/report/plain-progress.js'
import * as progress from '../../src/report/progress-words.js'
import * as repeat from '../../src/report/repeat.js'
import * as table from '../../src/report/result-table.js'
import * as views from '../../src/report/result-view.js'
import * as prometheus from '../../src/report/run-metrics.js'
import * as report from '../../src/report/run-report.js'
import * as terminal from '../../src/report/terminal.js'
import * as files from '../../src/report/views.js'
import { findScenario } from '../../src/scenarios/index.js'
import * as matrixPages from '../../src/studies/matrix/view/matrix-page.js'
import * as summary from '../../src/studies/matrix/view/matrix-summary.js'
import * as matrixTables from '../../src/studies/matrix/view/matrix-table.js'
import * as matrixHtml from '../../src/studies/matrix/view/page/matrix-page.js'
import * as lists from '../../src/studies/run-list.js'
import * as studyProgressOf from '../../src/studies/study-progress.js'
import { SCENARIOS } from '../scenarios.js'

/**
 * @typedef {import('../../src/result/types.js').AnyResult} AnyResult
 * @typedef {import('../../src/plan/plan.js').AnyPlan} AnyPlan
 */

/** viewOf is how plans and results of any scenario are shown. */
export const viewOf = await loadViews(
  SCENARIOS.map(scenario => ({ scenario })),
  findScenario
)

/** PAGES are what pages have of each scenario. */
const PAGES = new Map(
  await Promise.all(
    SCENARIOS.map(async scenario => /** @type {const} */ ([scenario, await viewOf({ scenario }).page()]))
  )
)

/** pageOf is what the page of a result has of its scenario. @param {{ scenario: string }} result */
export const pageOf = ({ scenario }) =>
  /** @type {import('../../src/report/view.js').PageParts} */ (PAGES.get(scenario))

/** resultCells are the cells of the table of a result. @param {AnyResult} result */
export const resultCells = result => viewOf(result).cells(result)

/** resultTable is its table. @param {AnyResult} result */
export const resultTable = result => table.resultTable(result, viewOf(result))

/** resultNotes are the lines under it. @param {AnyResult} result */
export const resultNotes = result => notes.resultNotes(result, viewOf(result))

/** runReport is its markdown page. @param {AnyResult} result @param {{ folder: string }} where */
export const runReport = (result, { folder }) => report.runReport(result, { folder, view: viewOf(result) })

/** reportPage is its page. @param {AnyResult} result @param {{ folder?: string }} [where] */
export const reportPage = (result, where = {}) => page.reportPage(result, { ...where, view: viewOf(result) })

/** planCommandLine runs a plan again. @param {AnyPlan} plan */
export const planCommandLine = plan => repeat.planCommandLine(plan, viewOf(plan).scenario)

/** headLines tell what is going to happen. @param {Parameters<typeof progress.headLines>[0]} start @param {string} version */
export const headLines = (start, version) => progress.headLines(start, version, viewOf(start.plan))

const VIEWS = SCENARIOS.map(scenario => viewOf({ scenario }))

/** RENDEZVOUS is how operations are shown. */
export const RENDEZVOUS = viewOf({ scenario: 'rendezvous' })

/** changedSettings are what was set other than the defaults. @param {AnyResult} result */
export function changedSettings(result) {
  const { path, read } = viewOf(result).settings
  return { path, settings: read(result) }
}

/** MATRIX_SCENARIOS are what scenarios add to the views of matrices. */
export const MATRIX_SCENARIOS = Object.fromEntries(
  VIEWS.map(({ scenario, matrix }) => [scenario.name, matrix])
)

/** SECTIONS are the parts of pages, by scenario. */
export const SECTIONS = Object.fromEntries(
  SCENARIOS.map(scenario => [scenario, pageOf({ scenario }).sections])
)

/** leadSentences say a result as a person would. @param {AnyResult} result */
export const leadSentences = result => pageOf(result).lead(result)

/** verdictOf says what a result is worth. @param {AnyResult} result */
export const verdictOf = result => verdict.verdictOf(result, { page: pageOf(result), view: viewOf(result) })

/** @typedef {import('../../src/studies/matrix/matrix-folder.js').TableRecord} TableRecord */
/** @typedef {ReadonlyMap<string, any>} Results */

/** matrixPlots draw a table. @param {TableRecord} drawn @param {Results} results */
export const matrixPlots = (drawn, results) => pageOf(drawn).matrixPlots(drawn, results)

/** matrixTable is the table of a matrix file. @param {TableRecord} shown @param {Results} results */
export const matrixTable = (shown, results) => matrixTables.matrixTable(shown, results, viewOf(shown))

/**
 * matrixPage is the markdown file of one table.
 *
 * @param {TableRecord} shown
 * @param {Results} results
 * @param {import('../../src/plan/scale.js').Scales} [scales]
 */
export const matrixPage = (shown, results, scales = {}) =>
  matrixPages.matrixPage(shown, results, scales, viewOf(shown))

/**
 * matrixHtmlPage is the page of a matrix.
 *
 * @param {import('../../src/studies/matrix/matrix-folder.js').MatrixDocument} document
 * @param {Results} results
 * @param {ReadonlyMap<string, string>} [links]
 */
export const matrixHtmlPage = (document, results, links) =>
  matrixHtml.matrixPage(document, results, { viewOf, links })

/** matrixList names rows. @param {import('../../src/studies/matrix/matrix-folder.js').MatrixDocument} document */
export const matrixList = document => summary.matrixList(document, viewOf)

/** matrixProgress shows how a matrix goes on. @param {Omit<Parameters<typeof studyProgressOf.studyProgress>[0], 'viewOf'>} components */
export const matrixProgress = components => studyProgressOf.studyProgress({ ...components, viewOf })

/** runList is the table of a folder. @param {Parameters<typeof lists.listed>[0][]} entries */
export const runList = entries =>
  lists.runList(
    entries.map(entry => lists.listed(entry, viewOf)),
    300
  )

/** runMetrics keeps the metrics of a run of any scenario. */
export const runMetrics = () => prometheus.runMetrics(VIEWS)

/** resultView is what a person reads of a result. @param {AnyResult} result @param {string | null} folder */
export const resultView = (result, folder) => views.resultView(result, folder, viewOf(result))

/** appendix is appended to an output file. @param {string} content @param {AnyResult} result */
export const appendix = (content, result) => output.appendix(content, result, viewOf(result))

/** outputFile appends results of operations. @param {string} path */
export const outputFile = path => output.outputFile(path, RENDEZVOUS)

/** writeViews writes the views of a result. @param {AnyResult} result @param {string} folder @param {{ csv: boolean }} which */
export const writeViews = (result, folder, which) => files.writeViews(result, folder, which, viewOf(result))

/** viewsOfRun writes those of a run of operations. @param {string} folder @param {{ csv: boolean, quiet?: boolean }} which @param {(text: string) => void} warn */
export const viewsOfRun = (folder, which, warn) => files.viewsOfRun(folder, which, warn, RENDEZVOUS)

/** phaseWords names a phase. @param {string} name @param {AnyPlan} plan */
export const phaseWords = (name, plan) => progress.phaseWords(name, plan, viewOf(plan))

/**
 * progressLine tells how far a phase has come.
 *
 * @param {string} title
 * @param {Parameters<typeof progress.progressLine>[1]} record
 * @param {{ withBar: boolean, scenario?: string }} look
 */
export const progressLine = (title, record, { withBar, scenario = 'rendezvous' }) =>
  progress.progressLine(title, record, { withBar, view: viewOf({ scenario }) })

/** @template {{ view: import('../../src/report/view.js').View }} T @typedef {Omit<T, 'view'> & { scenario?: string }} OfScenario */

/** plainProgress shows a run in lines. @param {OfScenario<Parameters<typeof plain.plainProgress>[0]>} components */
export const plainProgress = ({ scenario = 'rendezvous', ...components }) =>
  plain.plainProgress({ ...components, view: viewOf({ scenario }) })

/** liveProgress shows a run on a terminal. @param {OfScenario<Parameters<typeof living.liveProgress>[0]>} components */
export const liveProgress = ({ scenario = 'rendezvous', ...components }) =>
  living.liveProgress({ ...components, view: viewOf({ scenario }) })

/** terminalReport shows a run and its result. @param {OfScenario<Parameters<typeof terminal.terminalReport>[0]>} components */
export const terminalReport = ({ scenario = 'rendezvous', ...components }) =>
  terminal.terminalReport({ ...components, view: viewOf({ scenario }) })
