import { writeWhole } from '../result/folder.js'

/**
 * writePage writes a description as a page into a file that was asked for.
 *
 * @param {string} file
 * @param {import('../report/description/description.js').Description} description
 * @param {Pick<import('./surroundings.js').Surroundings, 'stderr'>} surroundings
 */
export async function writePage(file, description, { stderr }) {
  // its script is read from files: only where a page is made
  const { descriptionPage } = await import('../report/page/description-page.js')
  await writeWhole(file, descriptionPage(description))
  stderr.write(`written: ${file}\n`)
}
