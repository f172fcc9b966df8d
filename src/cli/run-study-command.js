import { loadViews } from '../report/load-views.js'
import { matrixProgress } from '../studies/matrix/view/matrix-progress.js'
import { errorText } from './error-text.js'
import { interrupts } from './interrupts.js'

/**
 * @typedef {import('../studies/study.js').Head} Head
 * @typedef {import('./surroundings.js').Surroundings} Surroundings
 *
 * @typedef {Parameters<typeof import('../studies/study.js').runStudy>[1] & { findScenario: Surroundings['findScenario'] }} Components
 */

/**
 * conductStudy runs what is left of a study, while Ctrl-C ends it cleanly, and says why it is not complete.
 *
 * @param {object} study
 * @param {Head} study.document - grows
 * @param {Iterable<{ scenario: string }>} study.shown - plans or tables of all scenarios that are run
 * @param {import('../plan/plan.js').Output} study.output
 * @param {(components: Components) => Promise<void>} study.run
 * @param {Partial<Components>} [study.more] - components of its own
 * @param {string} [study.notice] - what is said first
 * @param {string | null} [study.incomplete] - what stands before the reason; null: views say it
 * @param {Surroundings} surroundings
 * @returns {Promise<{ interrupted: boolean, viewOf: import('../report/view.js').ViewOf, complain: (text: string) => void }>}
 */
export async function conductStudy(
  { document, shown, output, run, more = {}, notice, incomplete = 'not complete' },
  { stderr, process, cacheDir, now, findScenario, loadRun }
) {
  const runScenario = await loadRun()
  const viewOf = await loadViews(shown, findScenario)
  const progress = await matrixProgress({ stream: stderr, quiet: output.quiet, viewOf })
  const { signal, release } = interrupts(process, () =>
    progress.notice('stopping; Ctrl-C again ends at once')
  )
  const complain = (/** @type {string} */ text) => void stderr.write(text)
  const tellError = (/** @type {unknown} */ error) => complain(errorText(error))
  const components = { runScenario, viewOf, signal, cacheDir, progress, complain, tellError, output, now }
  if (notice !== undefined) progress.notice(notice)
  try {
    await run({ ...components, findScenario, ...more })
  } finally {
    release()
    progress.close()
  }
  if (document.reason !== null && incomplete !== null) complain(`${incomplete}: ${document.reason.message}\n`)
  return { interrupted: signal.aborted, viewOf, complain }
}
