import * as planning from './plan/plan.js'
import * as reading from './result/read-result.js'
import { findScenario } from './scenarios/index.js'
import { runScenario } from './scenarios/run-scenario.js'

/**
 * makePlan validates the options of a scenario and makes the plan of a run from them, or names every problem at once.
 *
 * @param {string} name - of the scenario: `rendezvous`, `gossip`, `profile`, `rotation`, `rotation-rendezvous`
 * @param {Record<string, unknown>} options - by flag name, values as typed or as in YAML
 * @param {Parameters<typeof planning.makePlan>[2]} [more]
 * @returns {Promise<ReturnType<typeof planning.makePlan>>}
 * @throws {TypeError} where there is no such scenario
 */
export async function makePlan(name, options, more) {
  const scenario = await findScenario(name)
  if (scenario === undefined) throw new TypeError(`there is no scenario ${name}`)
  return planning.makePlan(scenario, options, more)
}

/**
 * runPlan runs a plan of any scenario. It never throws for what goes wrong with the run: the last record is always the result, whose
 * `status` and `reason` tell.
 */
export const runPlan = runScenario(findScenario)

/**
 * readResult reads the result of a run of any scenario.
 *
 * @param {string} path - of its folder, or of the document itself
 * @throws {reading.ResultFileError}
 */
export const readResult = path => reading.readResult(path, findScenario)
