import { join } from 'node:path'
import { writeWhole } from '../result/folder.js'
import { comparisonPage } from './comparison-page.js'
import { sideBySide } from './operations-side-by-side.js'

/**
 * @typedef {import('../result/comparison/comparison.js').Comparison} Comparison
 * @typedef {import('../result/comparison/comparison.js').Side} Side
 *
 * @typedef {object} AbView - a file in an ab folder that its runs determine
 * @property {string} file
 * @property {(comparison: Comparison, sides: Side[]) => string | Promise<string>} render
 */

/** @param {Comparison} comparison @param {Side[]} sides */
const page = (comparison, sides) =>
  `# ${comparison.base.label} against ${comparison.candidate.label}\n\n${comparisonPage(comparison, sideBySide(sides))}`

/**
 * comparisonJson is a comparison as a document. JSON knows no infinite numbers: null where nothing bounds an interval.
 *
 * @param {unknown} comparison
 */
export const comparisonJson = comparison => `${JSON.stringify(comparison, null, 2)}\n`

/** A page in HTML would be one more line here. @type {readonly AbView[]} */
const VIEWS = Object.freeze([
  { file: 'comparison.md', render: page },
  { file: 'comparison.json', render: comparisonJson }
])

/** AB_FILES are what a user is told to look at in an ab folder. */
export const AB_FILES = Object.freeze(VIEWS.map(({ file }) => file))

/**
 * writeAbViews writes what the runs of an ab folder determine, in place of earlier views.
 *
 * @param {string} folder
 * @param {Comparison} comparison
 * @param {Side[]} sides
 * @returns {Promise<string[]>} paths of the files
 */
export async function writeAbViews(folder, comparison, sides) {
  for (const { file, render } of VIEWS) await writeWhole(join(folder, file), await render(comparison, sides))
  return AB_FILES.map(file => join(folder, file))
}
