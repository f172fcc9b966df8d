import * as living from '../../src/cli/progress.js'
import * as plain from '../../src/cli/terminal.js'
import { describeRun } from '../../src/report/describe-run.js'
import * as prometheus from '../../src/report/prometheus.js'
import * as output from '../../src/report/run-report.js'
import { loadViews } from '../../src/report/run-report.js'
import * as progress from '../../src/report/text.js'
import { loadScenario } from '../../src/scenarios/index.js'
import { makePlan, SCENARIOS } from '../scenarios.js'

/**
 * @typedef {import('../../src/scenarios/index.js').AnyResult} AnyResult
 * @typedef {import('../../src/scenarios/index.js').AnyPlan} AnyPlan
 */

/** viewOf is how plans and results of any scenario are described. */
export const viewOf = await loadViews(
  SCENARIOS.map(scenario => ({ scenario })),
  loadScenario
)

/** RENDEZVOUS is how operations are described. */
export const RENDEZVOUS = viewOf({ scenario: 'rendezvous' })

/** described is the description of a result of any scenario. @param {AnyResult} result */
export const described = result => describeRun(result, viewOf(result))

/** warningsOf are the texts of its warnings. @param {AnyResult} result */
export const warningsOf = result => described(result).warnings.map(({ text }) => text)

/** planCommandLine runs a plan again. @param {AnyPlan} plan */
export const planCommandLine = plan => output.makePlanCommandLine(plan, viewOf(plan).scenario)

/** runMetrics keeps the metrics of a run of any scenario. */
export const runMetrics = () => prometheus.makeRunMetrics(SCENARIOS.map(scenario => viewOf({ scenario })))

/** appendix is appended to an output file. @param {string} content @param {AnyResult} result */
export const appendix = (content, result) => output.makeAppendedRows(content, result, viewOf(result))

/** outputFile appends results of operations. @param {string} path */
export const outputFile = path => output.makeOutputFileWriter(path, RENDEZVOUS)

/** writeViews writes the views of a result. @param {AnyResult} result @param {string} folder @param {{ csv: boolean }} which */
export const writeViews = (result, folder, which) => output.writeViews(result, folder, which, viewOf(result))

/** viewsOfRun writes those of a run of operations. @param {string} folder @param {{ csv: boolean }} which @param {(text: string) => void} say */
export const viewsOfRun = (folder, which, say) => output.makeViewWriter(folder, which, say, RENDEZVOUS)

/** @template {{ view: import('../../src/report/run-report.js').View }} T @typedef {Omit<T, 'view' | 'env'> & { scenario?: string }} OfScenario */

const plan = /** @type {AnyPlan} */ (makePlan({}).plan)

/** progressLine tells how far a phase has come. @param {string} title @param {Parameters<typeof progress.formatProgress>[1]} record @param {{ withBar: boolean }} look */
export const progressLine = (title, record, look) =>
  progress.formatProgress(title, record, { ...look, view: RENDEZVOUS, plan })

/** plainProgress shows a run in lines. @param {OfScenario<Parameters<typeof plain.makePlainProgress>[0]>} components */
export const plainProgress = ({ scenario = 'rendezvous', ...components }) =>
  plain.makePlainProgress({ ...components, view: viewOf({ scenario }) })

/** liveProgress shows a run on a terminal. @param {OfScenario<Parameters<typeof living.makeLiveProgress>[0]>} components */
export const liveProgress = ({ scenario = 'rendezvous', ...components }) =>
  living.makeLiveProgress({ ...components, view: viewOf({ scenario }) })

/** terminalReport shows a run and its result. @param {OfScenario<Parameters<typeof plain.makeTerminalReport>[0]>} components */
export const terminalReport = ({ scenario = 'rendezvous', ...components }) =>
  plain.makeTerminalReport({ ...components, env: {}, view: viewOf({ scenario }) })
