import { makePlanOf } from '../plan/plan.js'
import { outputFileProblem } from '../report/output-file.js'
import { baselineProblem } from './baseline.js'
import { readConfig } from './config-file.js'

/**
 * @typedef {import('../plan/plan.js').AnyPlan} AnyPlan
 * @typedef {import('../plan/plan.js').ScenarioName} ScenarioName
 * @typedef {import('../plan/plan.js').Output} Output
 * @typedef {import('../plan/plan.js').Problem} Problem
 * @typedef {import('./arguments.js').Arguments} Arguments
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
 * pathProblems says which paths of the output cannot be used, before anything is started.
 *
 * @param {Output} output
 * @returns {Promise<Problem[]>}
 */
export async function pathProblems({ outputFile, baseline }) {
  const problems = [
    outputFile === null ? null : await outputFileProblem(outputFile),
    baseline === null ? null : await baselineProblem(baseline)
  ]
  return problems.filter(problem => problem !== null)
}

/**
 * planFromArguments makes the plan of a run from its flags and its configuration file, or names all that is wrong with
 * them and with the files they name.
 *
 * @param {ScenarioName} scenario
 * @param {Arguments} args
 * @returns {Promise<{ problems: Problem[] } | { plan: Readonly<AnyPlan>, output: Readonly<Output>, problems?: undefined }>}
 */
export async function planFromArguments(scenario, { options, words }) {
  const { config, problem: unreadable } = await configOf(options)
  const { plan, output, problems: refused = [] } = makePlanOf(scenario, options, { config })
  const problems = [
    ...words.map(strayWord),
    ...(unreadable === undefined ? [] : [unreadable]),
    ...refused,
    ...(await pathProblems(output))
  ]
  return plan === undefined || problems.length > 0 ? { problems } : { plan, output }
}
