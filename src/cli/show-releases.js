import { onTerminal } from '../report/terminal-text.js'
import { writeWhole } from '../result/folder.js'
import { ResultFileError } from '../result/read-result.js'
import { documentText } from '../studies/study-document.js'
import { EXIT } from './exit-codes.js'
import { refuse, unreadable } from './refuse.js'

/**
 * @typedef {import('../studies/overlay/release.js').Release} Release
 */

/** @param {Release} release */
const released = ({ runs, ...release }) => release

/**
 * showReleases lays studies that tried loads over one another.
 *
 * @param {string[]} words - folders
 * @param {{ json: boolean, page?: string, failOn?: unknown, junit: string | null }} own - options of the command
 * @param {import('./surroundings.js').Surroundings} surroundings
 * @returns {Promise<number | null>} exit code; null: they are something else
 */
export async function showReleases(words, { json, page, failOn, junit }, surroundings) {
  const { areOverlaid } = await import('../studies/overlay/are-overlaid.js')
  if (!(await areOverlaid(words))) return null
  const problem = (/** @type {string} */ flag, /** @type {string} */ value, /** @type {string} */ allowed) =>
    refuse('compare', [{ flag, value, allowed }], surroundings)
  if (failOn !== undefined)
    return problem('--failOn', '', 'is about runs: parts of a quality report are decided by qa --baseline')
  if (junit !== null)
    return problem(
      '--junit',
      junit,
      'is about what is held to something, and these are not: qa --baseline does'
    )
  const { readRelease } = await import('../studies/overlay/release.js')
  try {
    const releases = await Promise.all(words.map(word => readRelease(word, surroundings.findScenario)))
    const other = releases.find(({ scenario }) => scenario !== releases[0].scenario)
    if (other !== undefined)
      return problem(
        words.join(' '),
        '',
        `these cannot be compared: ${releases[0].scenario} and ${other.scenario}`
      )
    const { overlayText } = await import('../studies/overlay/view/overlay-text.js')
    const { stdout } = surroundings
    stdout.write(
      json ? documentText(releases.map(released)) : onTerminal(`${overlayText(releases)}\n`, stdout)
    )
    if (page !== undefined) await writePage(releases, page, surroundings)
    return EXIT.DONE
  } catch (error) {
    if (!(error instanceof ResultFileError)) throw error
    return refuse('compare', [unreadable(error)], surroundings)
  }
}

/** @param {Release[]} releases @param {string} page @param {import('./surroundings.js').Surroundings} surroundings */
async function writePage(releases, page, { stderr }) {
  const { overlayPage } = await import('../studies/overlay/view/overlay-page.js')
  await writeWhole(page, await overlayPage(releases))
  stderr.write(`written: ${page}\n`)
}
