import { describeRun } from '../../src/report/description/describe-run.js'
import * as living from '../../src/report/live-progress.js'
import { loadViews } from '../../src/report/load-views.js'
import * as output from '../../src/report/output-file.js'
import * as progress from '../../src/report/progress-words.js'
import * as repeat from '../../src/report/repeat.js'
import * as prometheus from '../../src/report/run-metrics.js'
import * as plain from '../../src/report/terminal.js'
import * as terminal from '../../src/report/terminal.js'
import * as files from '../../src/report/views.js'
import { findScenario } from '../../src/scenarios/index.js'
import { makePlan, SCENARIOS } from '../scenarios.js'

/**
 * @typedef {import('../../src/result/types.js').AnyResult} AnyResult
 * @typedef {import('../../src/plan/plan.js').AnyPlan} AnyPlan
 */

/** viewOf is how plans and results of any scenario are described. */
export const viewOf = await loadViews(
  SCENARIOS.map(scenario => ({ scenario })),
  findScenario
)

/** RENDEZVOUS is how operations are described. */
export const RENDEZVOUS = viewOf({ scenario: 'rendezvous' })

/** described is the description of a result of any scenario. @param {AnyResult} result */
export const described = result => describeRun(result, viewOf(result))

/** warningsOf are the texts of its warnings. @param {AnyResult} result */
export const warningsOf = result => described(result).warnings.map(({ text }) => text)

/** planCommandLine runs a plan again. @param {AnyPlan} plan */
export const planCommandLine = plan => repeat.planCommandLine(plan, viewOf(plan).scenario)

/** runMetrics keeps the metrics of a run of any scenario. */
export const runMetrics = () => prometheus.runMetrics(SCENARIOS.map(scenario => viewOf({ scenario })))

/** appendix is appended to an output file. @param {string} content @param {AnyResult} result */
export const appendix = (content, result) => output.appendix(content, result, viewOf(result))

/** outputFile appends results of operations. @param {string} path */
export const outputFile = path => output.outputFile(path, RENDEZVOUS)

/** writeViews writes the views of a result. @param {AnyResult} result @param {string} folder @param {{ csv: boolean }} which */
export const writeViews = (result, folder, which) => files.writeViews(result, folder, which, viewOf(result))

/** viewsOfRun writes those of a run of operations. @param {string} folder @param {{ csv: boolean }} which @param {(text: string) => void} say */
export const viewsOfRun = (folder, which, say) => files.viewsOfRun(folder, which, say, RENDEZVOUS)

/** @template {{ view: import('../../src/report/view.js').View }} T @typedef {Omit<T, 'view' | 'env'> & { scenario?: string }} OfScenario */

const plan = /** @type {AnyPlan} */ (makePlan({}).plan)

/** progressLine tells how far a phase has come. @param {string} title @param {Parameters<typeof progress.progressLine>[1]} record @param {{ withBar: boolean }} look */
export const progressLine = (title, record, look) =>
  progress.progressLine(title, record, { ...look, view: RENDEZVOUS, plan })

/** plainProgress shows a run in lines. @param {OfScenario<Parameters<typeof plain.plainProgress>[0]>} components */
export const plainProgress = ({ scenario = 'rendezvous', ...components }) =>
  plain.plainProgress({ ...components, view: viewOf({ scenario }) })

/** liveProgress shows a run on a terminal. @param {OfScenario<Parameters<typeof living.liveProgress>[0]>} components */
export const liveProgress = ({ scenario = 'rendezvous', ...components }) =>
  living.liveProgress({ ...components, view: viewOf({ scenario }) })

/** terminalReport shows a run and its result. @param {OfScenario<Parameters<typeof terminal.terminalReport>[0]>} components */
export const terminalReport = ({ scenario = 'rendezvous', ...components }) =>
  terminal.terminalReport({ ...components, env: {}, view: viewOf({ scenario }) })
