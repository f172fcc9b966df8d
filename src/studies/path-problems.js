import { outputFileProblem } from '../report/output-file.js'
import { ResultFileError } from '../result/read-result.js'
import { readSide } from './comparison/sides.js'

/**
 * @typedef {import('../plan/plan.js').Problem} Problem
 * @typedef {import('../scenarios/index.js').FindScenario} FindScenario
 */

/** @param {string} path @param {FindScenario} find @returns {Promise<Problem | null>} */
async function baselineProblem(path, find) {
  try {
    await readSide(path, find)
    return null
  } catch (error) {
    if (!(error instanceof ResultFileError)) throw error
    const { file, why } = error
    return { flag: '--baseline', value: path, allowed: file === path ? why : `${file} ${why}` }
  }
}

/**
 * pathProblems says which files that are named cannot be written or read, before anything is started.
 *
 * @param {Pick<import('../plan/plan.js').Output, 'outputFile' | 'hdrFile' | 'baseline'>} output
 * @param {FindScenario} find
 * @returns {Promise<Problem[]>}
 */
export async function pathProblems({ outputFile, hdrFile = null, baseline }, find) {
  const problems = [
    outputFile === null ? null : await outputFileProblem(outputFile),
    hdrFile === null ? null : await outputFileProblem(hdrFile, '--hdr'),
    baseline === null ? null : await baselineProblem(baseline, find)
  ]
  return problems.filter(problem => problem !== null)
}
