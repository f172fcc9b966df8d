import { readConfig } from '../plan/config-file.js'
import { makePlan } from '../plan/plan.js'
import { outputProblems } from '../report/output-file.js'

/**
 * @typedef {import('../plan/plan.js').AnyPlan} AnyPlan
 * @typedef {import('../scenarios/index.js').FindScenario} FindScenario
 * @typedef {import('../plan/plan.js').Output} Output
 * @typedef {import('../plan/plan.js').Problem} Problem
 * @typedef {import('./arguments.js').Arguments} Arguments
 *
 * @typedef {(...given: Parameters<typeof makePlan>) => ReturnType<typeof makePlan> | Promise<ReturnType<typeof makePlan>>} MakePlan
 */

/** @param {string} word @returns {Problem} */
const strayWord = word => ({
  flag: word,
  value: '',
  allowed: 'is neither a command nor the value of an option'
})

/**
 * @param {Arguments['options']} options
 * @returns {ReturnType<typeof readConfig>}
 */
async function configOf({ config: path }) {
  return typeof path === 'string' && path !== '' ? readConfig(path) : {}
}

/**
 * A baseline is read by what compares results, which few runs need.
 *
 * @type {typeof import('../studies/baseline-problem.js').baselineProblems}
 */
const baselineProblems = async (output, ...more) =>
  output.baseline === null
    ? []
    : (await import('../studies/baseline-problem.js')).baselineProblems(output, ...more)

/**
 * planFromArguments makes the plan of a run from its flags and its configuration file, or names all that is wrong with
 * them and with the files they name.
 *
 * @param {import('../scenarios/scenario.js').Scenario} scenario
 * @param {Arguments} args
 * @param {FindScenario} find
 * @param {MakePlan} [make]
 * @returns {Promise<{ problems: Problem[] } | { plan: Readonly<AnyPlan>, output: Readonly<Output>, problems?: undefined }>}
 */
export async function planFromArguments(scenario, { options, words }, find, make = makePlan) {
  const { config, problem: unreadable } = await configOf(options)
  const { plan, output, problems: refused = [] } = await make(scenario, options, { config })
  const held = plan === undefined ? null : { plan, scenario, runs: output.runs }
  const problems = [
    ...words.map(strayWord),
    ...(unreadable === undefined ? [] : [unreadable]),
    ...refused,
    ...(await outputProblems(output, held)),
    ...(await baselineProblems(output, find, held))
  ]
  return plan === undefined || problems.length > 0 ? { problems } : { plan, output }
}
