import { appendFile } from 'node:fs/promises'
import { visible } from '../kit/visible.js'
import { isHeld } from '../report/ci/checks.js'
import { writeWhole } from '../result/folder.js'
import { errorText } from './error-text.js'
import { EXIT } from './exit-codes.js'

/**
 * @typedef {import('../report/ci/checks.js').Checked} Checked
 * @typedef {import('./surroundings.js').Surroundings} Surroundings
 */

/**
 * tellChecks tells a CI server what was held to something, and what became of it: a JUnit file where one was asked for, annotations and
 * a step summary where this is a step of GitHub Actions.
 *
 * @param {Checked} checked
 * @param {{ junit: string | null, exitCode: number }} how - `exitCode`: as far as it is known
 * @param {Pick<Surroundings, 'stderr' | 'env'>} surroundings
 * @returns {Promise<number>} the exit code: a file that was asked for and cannot be written is a failure
 */
export async function tellChecks(checked, { junit, exitCode }, { stderr, env }) {
  if (env.GITHUB_ACTIONS === 'true' && isHeld(checked)) await tellGithub(checked, { stderr, env })
  if (junit === null) return exitCode
  try {
    const { junitOf } = await import('../report/ci/junit.js')
    await writeWhole(junit, junitOf(checked))
    return exitCode
  } catch (error) {
    stderr.write(errorText(error))
    return exitCode === EXIT.DONE ? EXIT.FAILED : exitCode
  }
}

/**
 * Annotations go where no program reads a document: the runner looks for them in both outputs.
 *
 * @param {Checked} checked
 * @param {Pick<Surroundings, 'stderr' | 'env'>} surroundings
 */
async function tellGithub(checked, { stderr, env: { GITHUB_STEP_SUMMARY: summary } }) {
  const { annotations } = await import('../report/ci/annotations.js')
  for (const line of annotations(checked)) stderr.write(`${line}\n`)
  if (!summary) return
  const { stepSummary } = await import('../report/ci/step-summary.js')
  await appendFile(summary, visible(stepSummary(checked))).catch(error => {
    stderr.write(`⚠ The summary of the step was not written: ${error.message}\n`)
  })
}
