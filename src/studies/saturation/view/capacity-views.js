import { join } from 'node:path'
import { writeWhole } from '../../../result/folder.js'
import { CAPACITY_FILE } from '../result/saturation-document.js'
import { capacityText } from './capacity-text.js'
import { readRuns } from './saturation-views.js'

/** @typedef {import('../result/saturation-document.js').CapacityDocument} CapacityDocument */

/** CAPACITY_FILES are what a user is told to look at in the folder of a capacity. */
export const CAPACITY_FILES = Object.freeze(['report.html', 'capacity.md', CAPACITY_FILE])

/**
 * writeCapacityViews writes what a capacity determines, in place of earlier views.
 *
 * @param {string} folder
 * @param {CapacityDocument} document
 * @param {import('../../../scenarios/index.js').FindScenario} find
 * @returns {Promise<string[]>} paths of the files
 */
export async function writeCapacityViews(folder, document, find) {
  // with it comes what draws its plots
  const { capacityPage } = await import('./page/capacity-page.js')
  await writeWhole(join(folder, 'capacity.md'), `# ${document.id}\n\n${capacityText(document)}\n`)
  const runs = await readRuns(folder, [...document.loads, ...document.search.trials], find)
  await writeWhole(join(folder, 'report.html'), await capacityPage(document, runs))
  return ['report.html', 'capacity.md'].map(file => join(folder, file))
}
