import { outputFileProblem } from '../report/output-file.js'

/**
 * @typedef {import('../plan/plan.js').Problem} Problem
 * @typedef {import('../scenarios/index.js').FindScenario} FindScenario
 * @typedef {import('./baseline-problem.js').Held} Held
 */

/**
 * A baseline is read by what compares results, which few runs need.
 *
 * @type {typeof import('./baseline-problem.js').baselineProblem}
 */
const baselineProblem = async (...args) => (await import('./baseline-problem.js')).baselineProblem(...args)

/**
 * pathProblems says which files that are named cannot be written or read, and which baseline cannot decide, before anything is started.
 *
 * @param {Pick<import('../plan/plan.js').Output, 'outputFile' | 'hdrFile' | 'baseline'>} output
 * @param {FindScenario} find
 * @param {Held | null} [held] - null: it is not known yet
 * @returns {Promise<Problem[]>}
 */
export async function pathProblems({ outputFile, hdrFile = null, baseline }, find, held = null) {
  const problems = [
    outputFile === null ? null : await outputFileProblem(outputFile),
    hdrFile === null ? null : await outputFileProblem(hdrFile, '--hdr'),
    baseline === null ? null : await baselineProblem(baseline, find, held)
  ]
  return problems.filter(problem => problem !== null)
}
