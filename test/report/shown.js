import { loadViews } from '../../src/report/load-views.js'
import * as notes from '../../src/report/notes.js'
import * as page from '../../src/report/page/index.js'
import * as progress from '../../src/report/progress-words.js'
import * as repeat from '../../src/report/repeat.js'
import * as table from '../../src/report/result-table.js'
import * as report from '../../src/report/run-report.js'
import { findScenario } from '../../src/scenarios/index.js'
import { SCENARIOS } from '../scenarios.js'

/**
 * @typedef {import('../../src/result/gossip-types.js').AnyResult} AnyResult
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
