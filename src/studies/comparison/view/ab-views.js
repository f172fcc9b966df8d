import { join } from 'node:path'
import { runLinks } from '../../../report/run-links.js'
import { writeWhole } from '../../../result/folder.js'
import { sideBySide } from './all-figures.js'
import { comparisonPage } from './comparison-page.js'

/**
 * @typedef {import('../ab-comparison.js').AbRead} AbRead
 * @typedef {import('../../../scenarios/scenario.js').Scenario} Scenario
 *
 * @typedef {object} AbView - a file in an ab folder that its runs determine
 * @property {string} file
 * @property {(ab: AbRead, where: { folder: string, scenario: Scenario }) => string | Promise<string>} render
 */

/** @type {AbView['render']} */
async function page(ab, { folder, scenario }) {
  // with it comes what draws its plots
  const { abPage } = await import('./page/ab-page.js')
  const runs = ab.document.pairs.flatMap(({ a, b }) => [a, b]).filter(run => run !== null)
  return abPage(ab, { scenario, links: await runLinks(folder, runs) })
}

/** @type {AbView['render']} */
const markdown = async ({ comparison, sides }) =>
  `# ${comparison.base.label} against ${comparison.candidate.label}\n\n${comparisonPage(comparison, await sideBySide(sides))}`

/**
 * comparisonJson is a comparison as a document, in which figures are told by their names. JSON knows no infinite numbers: null where nothing bounds an interval.
 *
 * @param {unknown} comparison
 */
export const comparisonJson = comparison =>
  `${JSON.stringify(comparison, (key, value) => (key === 'figure' || key === 'compared' ? undefined : value), 2)}\n`

/** @type {readonly AbView[]} */
const VIEWS = Object.freeze([
  { file: 'report.html', render: page },
  { file: 'comparison.md', render: markdown },
  { file: 'comparison.json', render: ({ comparison }) => comparisonJson(comparison) }
])

/** AB_FILES are what a user is told to look at in an ab folder. */
export const AB_FILES = Object.freeze(VIEWS.map(({ file }) => file))

/**
 * writeAbViews writes what the runs of an ab folder determine, in place of earlier views.
 *
 * @param {string} folder
 * @param {AbRead} ab
 * @param {Scenario} scenario - of its plans
 * @returns {Promise<string[]>} paths of the files
 */
export async function writeAbViews(folder, ab, scenario) {
  for (const { file, render } of VIEWS)
    await writeWhole(join(folder, file), await render(ab, { folder, scenario }))
  return AB_FILES.map(file => join(folder, file))
}
