import { join } from 'node:path'
import { environmentTable, planTable, tookLine } from '../report/description/describe-run.js'
import { loadViews } from '../report/load-views.js'
import { runLinks } from '../report/run-links.js'
import { writeReport, writeView } from '../report/views.js'
import { ResultFileError } from '../result/read-result.js'

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
 * @typedef {import('../report/description/description.js').Description} Description
 *
 * @typedef {object} Verdict - what the exit code follows from, beside the status of the document
 * @property {boolean} [brokenOff] - a threshold ended it early, as was asked for
 * @property {boolean} [failed] - a run came to its end with errors
 * @property {readonly string[]} [errors] - that runs came to their end with, a sentence for each
 * @property {boolean} [notMet] - what it was held to was not met
 * @property {boolean} [undecided] - what it was held to is left open
 * @property {boolean} [generatorLimited]
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
 *   describe: Handed<[document: D, loaded: L, viewOf: import('../report/view.js').ViewOf], Description | Promise<Description>>,
 *   about?: Handed<[document: D, loaded: L], readonly import('../report/description/description.js').DescribedTable[]>,
 *   command: Handed<[document: D, loaded: L], string>,
 *   files?: Handed<[document: D, loaded: L], readonly (readonly [file: string, content: string])[]>,
 *   json?: Handed<[loaded: L], object>,
 *   verdict: Handed<[document: D, loaded: L | null], Verdict>,
 *   checks?: Handed<[document: D, loaded: L | null], import('../report/ci/checks.js').Check[]>,
 *   inLine: Handed<[document: D], string[]>
 * }>} StudyDoor - `shown`: plans or tables whose scenarios are shown; `plans`: that are left to be run, one for each run, as
 *   far as they are known; `grows`: whether more follow from what these show; `runs`: folders of the runs it kept, in its own; `load`: reads what
 *   reports are made from, and throws a `ResultFileError` where there is nothing; `about`: tables at the end of its report; `command`: makes it
 *   again; `files`: written beside the report; `json`: what a program reads, where it is not the document; `checks`: what it was held to,
 *   beside that it came to its end; `inLine`: what was run, and the outcome, in few words
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
 * describeStudy describes what a study came to.
 *
 * @param {StudyDoor} study
 * @param {Head} document
 * @param {{ loaded: unknown, find: FindScenario }} more
 * @returns {Promise<Description>}
 */
export async function describeStudy({ describe, shown }, document, { loaded, find }) {
  const described = await describe(document, loaded, await loadViews(shown(document), find))
  if (document.reason === null) return described
  const partial = { code: 'PARTIAL', text: `Not complete: ${document.reason.message}` }
  return { ...described, warnings: [partial, ...described.warnings] }
}

/**
 * aboutRuns says on what the runs of a study were made, and with which parameters the first.
 *
 * @param {import('../result/types.js').AnyResult | undefined} first
 */
export const aboutRuns = first =>
  first === undefined
    ? []
    : [environmentTable(first.run), { ...planTable(first.plan), title: 'Plan of the first run' }]

/**
 * writeStudyViews writes the report of a study, in place of an earlier one.
 *
 * @param {StudyDoor} study
 * @param {string} folder
 * @param {Head} document
 * @param {{ loaded: unknown, description: Description, csv?: boolean }} more
 * @returns {Promise<string[]>} paths of the files
 */
export async function writeStudyViews(study, folder, document, { loaded, description, csv }) {
  const links = await runLinks(folder, study.runs(document))
  const files = study.files?.(document, loaded) ?? []
  for (const [file, content] of files) await writeView(join(folder, file), content)
  const about = {
    id: document.id,
    version: '',
    lines: [tookLine(document)],
    command: study.command(document, loaded),
    tables: study.about?.(document, loaded),
    links,
    files: [study.document.file]
  }
  const written = await writeReport(folder, description, about, { csv })
  return [...written, ...files.map(([file]) => join(folder, file))]
}

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
