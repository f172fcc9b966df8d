import '../src/node-shim.js'
import * as planning from '../src/plan/plan.js'
import * as flags from '../src/plan/plan-flags.js'
import * as scaling from '../src/plan/scale.js'
import * as threshold from '../src/plan/threshold.js'
import * as reading from '../src/result/read-result.js'
import { resultSchema } from '../src/result/schema.js'
import { allScenarios, findScenario } from '../src/scenarios/index.js'

/**
 * @typedef {import('../src/plan/plan.js').AnyPlan} AnyPlan
 * @typedef {import('../src/scenarios/scenario.js').Scenario} Scenario
 */

/** ALL are the doors of all scenarios. */
export const ALL = await allScenarios()

/** SCENARIOS are their names. */
export const SCENARIOS = ALL.map(({ name }) => name)

/** @type {ReadonlyMap<string, Scenario>} */
const BY_NAME = new Map(ALL.map(scenario => [scenario.name, scenario]))

/** scenarioNamed is the door of a scenario. @param {string} name */
export const scenarioNamed = name => /** @type {Scenario} */ (BY_NAME.get(name))

/** METRICS are what thresholds can be set on, of all scenarios. @type {import('../src/result/thresholds/metrics.js').Metrics} */
export const METRICS = Object.assign({}, ...ALL.map(({ metrics }) => metrics))

/** SCHEMAS describe plans and outcomes, by scenario. */
export const SCHEMAS = Object.fromEntries(
  await Promise.all(ALL.map(async ({ name, schemas }) => /** @type {const} */ ([name, await schemas()])))
)

/** RESULT_SCHEMAS describe results, by scenario. */
export const RESULT_SCHEMAS = Object.fromEntries(
  await Promise.all(
    ALL.map(async scenario => /** @type {const} */ ([scenario.name, await resultSchema(scenario)]))
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
 * makePlan makes the plan of operations at a rendezvous server.
 *
 * @param {Record<string, unknown>} options
 * @param {Parameters<typeof planning.makePlan>[2]} [more]
 */
export const makePlan = (options, more) =>
  /** @type {planning.Planned | planning.Refused} */ (makePlanOf('rendezvous', options, more))

/** planFlags are the flags of a plan. @param {AnyPlan} plan */
export const planFlags = plan => flags.planFlags(scenarioNamed(plan.scenario), plan)

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
  threshold.readThreshold(raw, scenarioNamed(name).metrics)

/** readResult reads a result of any scenario. @param {string} path */
export const readResult = path => reading.readResult(path, findScenario)

/** resultFromText does so from its text. @param {string} text @param {string} file */
export const resultFromText = (text, file) => reading.resultFromText(text, file, findScenario)
