import { access } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { RESULT_FILE } from '../result/folder.js'

/** What can be looked at of a run, the best first: pages are large, and not kept everywhere. */
const FILES = ['report.html', 'report.md', RESULT_FILE]

/** @param {string} file */
const exists = file =>
  access(file).then(
    () => true,
    () => false
  )

/**
 * runLinks find what a page can lead to of runs that are kept beside it.
 *
 * @param {string} folder - of the page
 * @param {readonly string[]} runs - folders in it
 * @returns {Promise<Map<string, string>>} by folder; one with nothing to look at has none
 */
export async function runLinks(folder, runs) {
  /** @type {Map<string, string>} */
  const links = new Map()
  for (const run of runs)
    for (const file of FILES)
      if (!links.has(run) && (await exists(join(folder, run, file)))) links.set(run, posix.join(run, file))
  return links
}
