import { join } from 'node:path'
import { loadViews } from '../report/load-views.js'
import { runLinks } from '../report/run-links.js'
import { writeView } from '../report/views.js'
import { ResultFileError } from '../result/read-result.js'
import { REPORT_PAGE } from './study-document.js'

/**
 * @template {unknown[]} Given
 * @template Made
 * @typedef {import('../scenarios/scenario.js').Handed<Given, Made>} Handed
 */

/**
 * What a study is to all other code: commands, `list` and `report` are handed one and know none by its name.
 *
 * @typedef {import('../scenarios/index.js').FindScenario} FindScenario
 * @typedef {import('./study-document.js').Head} Head
 *
 * @typedef {object} Shown - what views are made with, beside the document and what was loaded
 * @property {string} folder - of the study
 * @property {ReadonlyMap<string, string>} links - to what there is of its runs, by their folders
 * @property {import('../report/view.js').ViewOf} viewOf
 *
 * @typedef {object} Verdict - what the exit code follows from, beside the status of the document
 * @property {boolean} [brokenOff] - a threshold ended it early, as was asked for
 * @property {boolean} [failed] - a run came to its end with errors
 * @property {readonly string[]} [errors] - that runs came to their end with, a sentence for each
 * @property {boolean} [notMet] - what it was held to was not met
 * @property {boolean} [undecided] - what it was held to is left open
 * @property {boolean} [doubtful]
 */

/**
 * @template {Head} [D=Head] - its document
 * @template [L=unknown] - what was loaded
 * @typedef {object} StudyView - a file that a study determines
 * @property {string} file
 * @property {Handed<[document: D, loaded: L, shown: Shown], string | null | Promise<string>>} render - null: there is nothing for it
 */

/**
 * @template {Head} [D=Head] - its document
 * @template [L=unknown] - what is loaded
 * @typedef {Readonly<object & {
 *   document: import('./study-document.js').StudyFile<D>,
 *   run: Handed<[document: D, folder: string, components: object], Promise<void>>,
 *   shown: Handed<[document: D], readonly { scenario: string }[]>,
 *   plans?: Handed<[document: D], readonly import('../plan/plan.js').AnyPlan[]>,
 *   grows?: Handed<[document: D], boolean>,
 *   runs: Handed<[document: D], string[]>,
 *   load: Handed<[folder: string, document: D, find: FindScenario], Promise<L>>,
 *   views: Handed<[document: D], readonly StudyView<D, L>[]>,
 *   text: Handed<[document: D, loaded: L, folder: string], string>,
 *   json?: Handed<[loaded: L], object>,
 *   verdict: Handed<[document: D, loaded: L | null], Verdict>,
 *   checks?: Handed<[document: D, loaded: L | null], import('../report/ci/checks.js').Check[]>,
 *   inLine: Handed<[document: D], string[]>
 * }>} StudyDoor - `shown`: plans or tables whose scenarios are shown; `plans`: that are left to be run, one for each run, as
 *   far as they are known; `grows`: whether more follow from what these show; `runs`: folders of the runs it kept, in its own; `load`: reads what
 *   views are made from, and throws a `ResultFileError` where there is nothing; `text`: what a person reads of it; `json`: what a
 *   program does, where it is not the document; `checks`: what it was held to, beside that it came to its end; `inLine`: what was run, and what came of it
 */

/**
 * readStudy reads the document of a study.
 *
 * @template {import('./study-document.js').Head} D
 * @param {import('./study-document.js').StudyFile<D>} document
 * @param {string} folder
 * @returns {Promise<D>}
 * @throws {ResultFileError}
 */
export async function readStudy({ file, read }, folder) {
  const document = await read(folder)
  if (document === null) throw new ResultFileError(folder, `holds no ${file} that can be read`)
  return document
}

/**
 * writeStudyViews writes what a study determines, in place of earlier views.
 *
 * @param {StudyDoor} study
 * @param {string} folder
 * @param {Head} document
 * @param {{ loaded: unknown, find: FindScenario }} more
 * @returns {Promise<string[]>} paths of the files
 */
export async function writeStudyViews({ views, shown, runs }, folder, document, { loaded, find }) {
  const viewOf = await loadViews(shown(document), find)
  const links = await runLinks(folder, runs(document))
  const files = views(document)
  const isPage = (/** @type {StudyView} */ { file }) => Number(file === REPORT_PAGE)
  // the page last: drawing may fail where nothing else does
  const written = new Set()
  for (const { file, render } of [...files].sort((a, b) => isPage(a) - isPage(b))) {
    const content = await render(document, loaded, { folder, links, viewOf })
    if (content === null) continue
    await writeView(join(folder, file), content)
    written.add(file)
  }
  return files.flatMap(({ file }) => (written.has(file) ? [join(folder, file)] : []))
}

/**
 * readableText is what a person reads of a study, with the files to look at.
 *
 * @param {string} text
 * @param {string} folder
 * @param {readonly string[]} files
 */
export const readableText = (text, folder, files) => `\n${text}\n\n${folder}/   ${files.join(' · ')}\n`

/**
 * markdownReport is a study as markdown.
 *
 * @param {import('./study-document.js').Head} document
 * @param {string} text
 * @param {{ docs: string, command: string }} more - `docs`: say how it is decided; `command`: makes it again
 */
export const markdownReport = ({ id }, text, { docs, command }) => `# ${id}

${text}

How it is decided: ${docs}. Again:

\`\`\`
${command}
\`\`\`
`

/**
 * @typedef {object} Asked - what the command line says
 * @property {Record<string, unknown>} options - by name as typed, without leading dashes
 * @property {string[]} words - that belong to no option
 *
 * @typedef {{ now: () => Date, findScenario: FindScenario }} Around - what plans are made with
 */

/**
 * @template {import('./study-document.js').Head} D
 * @typedef {object} PlannedStudy
 * @property {D} document - its id is empty as long as it has no folder
 * @property {string | null} folder - that is gone on in
 * @property {string} name - of its folder, after the time
 * @property {Readonly<import('../plan/plan.js').Output>} output
 */

/**
 * @template {import('./study-document.js').Head} D
 * @typedef {{ problems: import('../plan/plan.js').Problem[] } | { planned: PlannedStudy<D>, problems?: undefined }} MadeStudy - planned, or
 *   all that is wrong
 */
