import { planCommandLine } from '../report/repeat.js'
import { ResultFileError } from '../result/read-result.js'
import { leastPairsOf } from './comparison/comparison.js'
import { planDifferences } from './comparison/differences.js'
import { readSide } from './comparison/sides.js'

/**
 * @typedef {import('../plan/plan.js').Problem} Problem
 * @typedef {import('../plan/plan.js').AnyPlan} AnyPlan
 * @typedef {import('../scenarios/index.js').FindScenario} FindScenario
 *
 * @typedef {object} Held - what is held against a baseline
 * @property {AnyPlan} plan
 * @property {import('../scenarios/scenario.js').Scenario} scenario - of the plan
 * @property {number} runs - of it
 */

/** @param {Held} held */
const repeated = ({ plan, scenario }) =>
  `${planCommandLine(plan, scenario)} --runs ${leastPairsOf(scenario, plan)}`

/**
 * @param {string} path
 * @param {import('./comparison/sides.js').SideRead} side
 * @param {Held} held
 * @returns {string | null} why it decides nothing, and the command to use
 */
function undecidable(path, { results }, held) {
  if (held.runs < 2)
    return `needs repeated runs, one cannot decide: ${repeated(held)} --baseline ${path}, or ab, whose runs take turns`
  const differing = planDifferences(results[0].plan, /** @type {any} */ (held.plan))
  const what = differing.map(({ what }) => what).join(', ')
  if (differing.length > 0)
    return `is of another plan, the plans differ in ${what}: make one of this plan with ${repeated(held)}`
  if (results.length < 2) return `holds a single run, which cannot decide: make one with ${repeated(held)}`
  return null
}

/**
 * baselineProblem says why nothing can be held against a baseline, before anything is started.
 *
 * @param {string} path
 * @param {FindScenario} find
 * @param {Held | null} held - null: it is not known yet
 * @returns {Promise<Problem | null>}
 */
export async function baselineProblem(path, find, held) {
  try {
    const side = await readSide(path, find)
    const allowed = held === null ? null : undecidable(path, side, held)
    return allowed === null ? null : { flag: '--baseline', value: path, allowed }
  } catch (error) {
    if (!(error instanceof ResultFileError)) throw error
    const { file, why } = error
    return { flag: '--baseline', value: path, allowed: file === path ? why : `${file} ${why}` }
  }
}

/**
 * baselineProblems says which baseline cannot be read or cannot decide, if one is named.
 *
 * @param {{ baseline: string | null }} output
 * @param {FindScenario} find
 * @param {Held | null} [held] - null: it is not known yet
 * @returns {Promise<Problem[]>}
 */
export async function baselineProblems({ baseline }, find, held = null) {
  const problem = baseline === null ? null : await baselineProblem(baseline, find, held)
  return problem === null ? [] : [problem]
}
