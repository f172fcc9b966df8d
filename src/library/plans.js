import * as planning from '../plan/plan.js'
import * as reading from '../result/read-result.js'
import { findScenario, SCENARIOS } from '../scenarios/index.js'
import { PRESETS, presetScenario } from '../scenarios/presets.js'
import * as comparison from '../studies/comparison/comparison.js'

/**
 * scenarioNamed opens the door of a scenario.
 *
 * @param {unknown} name
 * @returns {Promise<import('../scenarios/scenario.js').Scenario>}
 * @throws {TypeError} where there is none of that name
 */
export async function scenarioNamed(name) {
  const scenario = typeof name === 'string' ? await findScenario(name) : undefined
  const preset = PRESETS[/** @type {string} */ (name)]
  if (scenario !== undefined) return preset === undefined ? scenario : presetScenario(scenario, preset)
  const names = Object.keys({ ...SCENARIOS, ...PRESETS }).join(', ')
  throw new TypeError(`there is no scenario ${String(name)}: there are ${names}`)
}

/**
 * makePlan validates the options of a scenario and makes the plan of a run from them, or names every problem at once.
 *
 * @param {string} name - of the scenario, one of `SCENARIOS`, or a preset: `perf`, `profile`
 * @param {Record<string, unknown>} [options] - by flag name, values as typed or as in YAML
 * @param {Parameters<typeof planning.makePlan>[2]} [more]
 * @returns {Promise<ReturnType<typeof planning.makePlan>>}
 * @throws {TypeError} where there is no such scenario
 */
export async function makePlan(name, options = {}, more) {
  return planning.makePlan(await scenarioNamed(name), options, more)
}

/**
 * readResult reads the result of a run of any scenario.
 *
 * @param {string} path - of its folder, or of the document itself
 * @throws {reading.ResultFileError}
 */
export const readResult = path => reading.readResult(path, findScenario)

/**
 * compare holds the runs of a candidate against those of a base, in pairs.
 *
 * @param {Omit<comparison.Side, 'scenario'>} base - at least one run
 * @param {Omit<comparison.Side, 'scenario'>} candidate - at least one run
 * @param {{ alternated?: boolean }} [how]
 * @returns {Promise<comparison.Against>}
 * @throws {comparison.IncomparableError} also where runs of such a scenario cannot be compared
 */
export async function compare(base, candidate, how) {
  const { scenario: name } = base.results[0]
  const scenario = await findScenario(name)
  if (!scenario?.compared) throw new comparison.IncomparableError(`runs of ${name} cannot be compared`)
  const comparable = /** @type {comparison.Scenario} */ (scenario)
  return comparison.compare({ ...base, scenario: comparable }, { ...candidate, scenario: comparable }, how)
}
