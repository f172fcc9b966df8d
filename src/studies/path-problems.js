import { STANDARD_OUTPUT } from '../plan/shared-options.js'
import { otherTable, outputFileProblem } from '../report/output-file.js'

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

/** @param {string} path @param {{ json: boolean }} output @returns {Promise<Problem | null>} */
async function linesProblem(path, { json }) {
  if (path !== STANDARD_OUTPUT) return outputFileProblem(path, '--jsonLines')
  const allowed = 'cannot stand beside --json, which has standard output for itself: name a file'
  return json ? { flag: '--jsonLines', value: path, allowed } : null
}

/** @param {string} path @param {Held | null} held @returns {Promise<Problem | null>} */
async function tableProblem(path, held) {
  const problem = await outputFileProblem(path)
  return problem ?? (held === null ? null : otherTable(path, held.plan, await held.scenario.describe()))
}

/**
 * pathProblems says which files that are named cannot be written or read, and which baseline cannot decide, before anything is started.
 *
 * @param {Pick<import('../plan/plan.js').Output, 'outputFile' | 'hdrFile' | 'deliveriesFile' | 'junit' | 'jsonLines' | 'json' | 'baseline'>} output
 * @param {FindScenario} find
 * @param {Held | null} [held] - null: it is not known yet
 * @returns {Promise<Problem[]>}
 */
export async function pathProblems(output, find, held = null) {
  const { outputFile, hdrFile = null, deliveriesFile = null, junit, jsonLines, baseline } = output
  const problems = [
    outputFile === null ? null : await tableProblem(outputFile, held),
    hdrFile === null ? null : await outputFileProblem(hdrFile, '--hdr'),
    deliveriesFile === null ? null : await outputFileProblem(deliveriesFile, '--deliveries'),
    junit === null ? null : await outputFileProblem(junit, '--junit'),
    jsonLines === null ? null : await linesProblem(jsonLines, output),
    baseline === null ? null : await baselineProblem(baseline, find, held)
  ]
  return problems.filter(problem => problem !== null)
}
