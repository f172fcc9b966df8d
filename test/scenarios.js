import '../src/kit/runtime.js'
import * as flags from '../src/plan/command-line.js'
import * as scaling from '../src/plan/matrix-case.js'
import * as planning from '../src/plan/plan.js'
import * as threshold from '../src/plan/threshold.js'
import * as judging from '../src/report/checks.js'
import * as reading from '../src/report/read-result.js'
import * as schema from '../src/report/schema.js'
import { loadAllScenarios, loadScenario } from '../src/scenarios/index.js'
import { addPresets, readCommandWord } from '../src/scenarios/presets.js'
import * as matrix from '../src/studies/matrix/matrix-file.js'
import * as matrixFiles from '../src/studies/matrix/plan.js'

/**
 * @typedef {import('../src/scenarios/index.js').AnyPlan} AnyPlan
 * @typedef {import('../src/scenarios/index.js').Scenario} Scenario
 */

/** ALL are the doors of all scenarios. */
export const ALL = await loadAllScenarios()

/** SCENARIOS are their names. */
export const SCENARIOS = ALL.map(({ name }) => name)

/** All that have a word of their own. */
const CALLED = addPresets(ALL)

/** @type {ReadonlyMap<string, Scenario>} */
const BY_NAME = new Map([
  ...CALLED.map(scenario => /** @type {const} */ ([readCommandWord(scenario), scenario])),
  ...ALL.map(scenario => /** @type {const} */ ([scenario.name, scenario]))
])

/** scenarioNamed is a scenario, or that of a preset. @param {string} name */
export const scenarioNamed = name => /** @type {Scenario} */ (BY_NAME.get(name))

/** EVERY_FIGURE are those that thresholds can be set on, of all scenarios. */
export const EVERY_FIGURE = ALL.flatMap(({ figures }) => figures).filter(({ live }) => live !== undefined)

/** COMPARED is what comparisons of operations at a rendezvous server go by. */
export const COMPARED = /** @type {import('../src/measure/figure.js').Comparable} */ (ALL[0].compared)

/**
 * sideOf is a side of a comparison.
 *
 * @param {string} label
 * @param {any[]} results
 */
export const sideOf = (label, results) => ({
  label,
  results,
  scenario: /** @type {import('../src/scenarios/index.js').ComparableScenario} */ (
    scenarioNamed(results[0].scenario)
  )
})

/** SCHEMAS describe plans and outcomes, by scenario. */
export const SCHEMAS = Object.fromEntries(
  await Promise.all(ALL.map(async ({ name, schemas }) => /** @type {const} */ ([name, await schemas()])))
)

/** RESULT_SCHEMAS describe results, by scenario. */
export const RESULT_SCHEMAS = Object.fromEntries(
  await Promise.all(
    ALL.map(async scenario => /** @type {const} */ ([scenario.name, await schema.resultSchema(scenario)]))
  )
)

/**
 * makePlanOf makes the plan of a scenario by its name.
 *
 * @param {string} name
 * @param {Record<string, unknown>} options
 * @param {Parameters<typeof planning.makePlan>[2]} [more]
 */
export const makePlanOf = (name, options, more) => planning.makePlan(scenarioNamed(name), options, more)

/**
 * validPlanOf is the plan of options that are valid.
 *
 * @param {string} name
 * @param {Record<string, unknown>} options
 * @param {Parameters<typeof planning.makePlan>[2]} [more]
 * @returns {any}
 */
export function validPlanOf(name, options, more) {
  const { plan, problems } = makePlanOf(name, options, more)
  if (plan === undefined) throw new Error(JSON.stringify(problems))
  return plan
}

/**
 * makePlan makes the plan of operations at a rendezvous server.
 *
 * @param {Record<string, unknown>} options
 * @param {Parameters<typeof planning.makePlan>[2]} [more]
 */
export const makePlan = (options, more) =>
  /** @type {planning.Planned | planning.RefusedPlan} */ (makePlanOf('rendezvous', options, more))

/** planFlags are the flags of a plan. @param {AnyPlan} plan */
export const planFlags = plan => flags.makePlanFlags(scenarioNamed(plan.scenario), plan)

/** estimateMs is about how long a plan takes. @param {AnyPlan} plan */
export const estimateMs = plan => scenarioNamed(plan.scenario).estimateMs(plan)

/**
 * scalePlan scales a plan.
 *
 * @template {AnyPlan} P
 * @param {Readonly<P>} plan
 * @param {scaling.Scales} scales
 * @param {Set<string>} [kept]
 */
export const scalePlan = (plan, scales, kept) =>
  scaling.scalePlan(scenarioNamed(plan.scenario), plan, scales, kept)

/**
 * readThreshold reads a threshold of a scenario.
 *
 * @param {unknown} raw
 * @param {string} [name]
 */
export const readThreshold = (raw, name = 'rendezvous') =>
  threshold.parseThreshold(raw, scenarioNamed(name).figures)

/** readResult reads a result of any scenario. @param {string} path */
export const readResult = path => reading.readResultFile(path, loadScenario)

/** resultFromText does so from its text. @param {string} text @param {string} file */
export const resultFromText = (text, file) => reading.parseResult(text, file, loadScenario)

/** PLAN_SCHEMA is that of plans of the rendezvous scenario. */
export const PLAN_SCHEMA = SCHEMAS.rendezvous.plan

/** GOSSIP_PLAN_SCHEMA is that of plans of the gossip scenario. */
export const GOSSIP_PLAN_SCHEMA = SCHEMAS.gossip.plan

/** RESULT_SCHEMA is that of results of the rendezvous scenario. */
export const RESULT_SCHEMA = RESULT_SCHEMAS.rendezvous

/** jsonSchemas are what is published of all scenarios. */
export const jsonSchemas = () => schema.jsonSchemas(ALL)

/** metricNames are what thresholds of a scenario can be set on. @param {string} name */
export const metricNames = name =>
  scenarioNamed(name).figures.flatMap(({ name, live }) => (live === undefined ? [] : name))

/**
 * judge holds a metric against its threshold.
 *
 * @param {threshold.Threshold} asked
 * @param {any} figures
 * @param {typeof EVERY_FIGURE} [rows] - of one scenario
 */
export const judge = (asked, figures, rows = EVERY_FIGURE) => judging.judgeThreshold(asked, figures, rows)

/**
 * judgeAll judges the thresholds of a run.
 *
 * @param {readonly threshold.Threshold[]} thresholds
 * @param {any} figures
 * @param {import('../src/report/schema.js').ThresholdResult | null} [brokeOff]
 */
export const judgeAll = (thresholds, figures, brokeOff) =>
  judging.judgeThresholds(thresholds, figures, EVERY_FIGURE, brokeOff)

/** LiveThresholds judges while a run goes on. */
export class LiveThresholds extends judging.LiveThresholds {
  /** @param {readonly threshold.Threshold[]} thresholds @param {typeof EVERY_FIGURE} [rows] - of one scenario */
  constructor(thresholds, rows = EVERY_FIGURE) {
    super(thresholds, rows)
  }
}

/** readMatrixFile checks a matrix file. @param {string} file @param {unknown} document */
export const readMatrixFile = (file, document) => matrix.readMatrixFile(file, document, CALLED)

/** loadMatrices reads matrix files. @param {string[]} paths */
export const loadMatrices = paths => matrixFiles.loadMatrices(paths, CALLED)

/**
 * expandMatrices makes the plans of matrix files.
 *
 * @param {matrix.NamedMatrix[]} named
 * @param {Omit<matrix.CommandLine, 'scenarios'>} line
 */
export const expandMatrices = (named, line) => matrix.expandMatrices(named, { ...line, scenarios: CALLED })
