import { join } from 'node:path'
import { loadViews } from '../../../report/load-views.js'
import { runLinks } from '../../../report/run-links.js'
import { writeWhole } from '../../../result/folder.js'
import { readResult } from '../../../result/read-result.js'
import { SATURATION_FILE } from '../result/saturation-document.js'
import { saturationCommandLine } from './saturation-command-line.js'
import { saturationText } from './saturation-text.js'

/**
 * @typedef {import('../result/saturation-document.js').SaturationDocument} SaturationDocument
 * @typedef {import('../result/trial.js').AnyTrial} AnyTrial
 * @typedef {import('../../../scenarios/gossip/gossip-types.js').AnyResult} AnyResult
 * @typedef {import('../../../report/view.js').View} View
 * @typedef {import('../../../scenarios/index.js').FindScenario} FindScenario
 *
 * @typedef {object} Runs - what is kept of the runs of trials
 * @property {ReadonlyMap<string, AnyResult>} results - by folder
 * @property {ReadonlyMap<string, string>} links - by folder
 * @property {View} view - of their scenario
 */

/** SATURATION_FILES are what a user is told to look at in the folder of a saturation. */
export const SATURATION_FILES = Object.freeze(['report.html', 'saturate.md', SATURATION_FILE])

/**
 * readRuns reads what is kept of the runs of trials. One that cannot be read is left out: its figures stand in the document.
 *
 * @param {string} folder
 * @param {readonly AnyTrial[]} trials
 * @param {FindScenario} find
 * @returns {Promise<Runs>}
 */
export async function readRuns(folder, trials, find) {
  /** @type {Map<string, AnyResult>} */
  const results = new Map()
  const runs = trials.flatMap(({ run }) => run ?? [])
  for (const run of runs) {
    const result = await readResult(join(folder, run), find).catch(() => null)
    if (result !== null) results.set(run, result)
  }
  const viewOf = await loadViews([trials[0].plan], find)
  return { results, links: await runLinks(folder, runs), view: viewOf(trials[0].plan) }
}

/** @param {SaturationDocument} document */
const markdown = document => `# ${document.id}

${saturationText(document)}

How it is decided: docs/saturation.md. Again:

\`\`\`
${saturationCommandLine(document)}
\`\`\`
`

/**
 * writeSaturationViews writes what a saturation determines, in place of earlier views.
 *
 * @param {string} folder
 * @param {SaturationDocument} document
 * @param {FindScenario} find
 * @returns {Promise<string[]>} paths of the files
 */
export async function writeSaturationViews(folder, document, find) {
  // with it comes what draws its plots
  const { saturationPage } = await import('./page/saturation-page.js')
  const trials = document.grid?.cells ?? document.search?.trials ?? []
  await writeWhole(join(folder, 'saturate.md'), markdown(document))
  const page = await saturationPage(document, await readRuns(folder, trials, find))
  await writeWhole(join(folder, 'report.html'), page)
  return ['report.html', 'saturate.md'].map(file => join(folder, file))
}
