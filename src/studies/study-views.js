// The interface that every study implements. Describes any study, writes its report, and merges the warnings of its
// runs.
import { join } from 'node:path'
import { formatRunTime, formatWarning, makeEnvironmentTable, makePlanTable } from '../report/describe-run.js'
import { formatCell } from '../report/kinds.js'
import { ResultFileError } from '../report/read-result.js'
import { findRunLinks, loadViews, writeReport, writeView } from '../report/run-report.js'
import { listErrorWarnings } from '../report/warnings.js'

/**
 * @template {unknown[]} Args
 * @template Made
 * @typedef {import('../scenarios/index.js').OfScenario<Args, Made>} Handed
 */

/**
 * The interface of a study. Commands, `list` and `report` use studies through it alone.
 *
 * @typedef {import('../scenarios/index.js').LoadScenario} LoadScenario
 * @typedef {import('./study.js').StudyHead} StudyHead
 * @typedef {import('../report/schema.js').Description} Description
 *
 * @typedef {object} StudyVerdict - decides the exit code, together with the status of the document
 * @property {boolean} [brokenOff] - a threshold ended the study early, as its plan demands
 * @property {boolean} [failed] - a run ended with errors
 * @property {readonly string[]} [errors] - of runs, a sentence for each
 * @property {boolean} [notMet] - a threshold, rule or objective was not met
 * @property {boolean} [undecided] - a rule is undecided
 * @property {boolean} [generatorLimited]
 */

/**
 * @template {StudyHead} [D=StudyHead] - its document
 * @template [L=unknown] - what is loaded
 * @typedef {Readonly<object & {
 *   document: import('./study.js').StudyFile<D>,
 *   run: Handed<[document: D, folder: string, components: object], Promise<void>>,
 *   shown: Handed<[document: D], readonly { scenario: string }[]>,
 *   plans?: Handed<[document: D], readonly import('../scenarios/index.js').AnyPlan[]>,
 *   grows?: Handed<[document: D], boolean>,
 *   runs: Handed<[document: D], string[]>,
 *   load: Handed<[folder: string, document: D, find: LoadScenario], Promise<L>>,
 *   describe: Handed<[document: D, loaded: L, viewOf: import('../report/run-report.js').ViewOf], Description | Promise<Description>>,
 *   about?: Handed<[document: D, loaded: L], readonly import('../report/schema.js').DescribedTable[]>,
 *   command: Handed<[document: D, loaded: L], string>,
 *   files?: Handed<[document: D, loaded: L], readonly (readonly [file: string, content: string])[]>,
 *   json?: Handed<[loaded: L], object>,
 *   verdict: Handed<[document: D, loaded: L | null], StudyVerdict>,
 *   checks?: Handed<[document: D, loaded: L | null], import('../report/checks.js').ReportCheck[]>,
 *   inLine: Handed<[document: D], string[]>
 * }>} StudyInterface - `shown`: plans or tables whose scenarios are shown; `plans`: that are left to be run, one for each run, as
 *   far as they are known; `grows`: whether more follow from what these show; `runs`: folders of the runs it kept, in its own; `load`: reads what
 *   reports are made from, and throws a `ResultFileError` where there is nothing; `about`: tables at the end of its report; `command`: makes it
 *   again; `files`: written beside the report; `json`: what a program reads, where it is not the document; `checks`: what it was held to,
 *   beside that it came to its end; `inLine`: what was run, and the outcome, in few words
 */

/**
 * readStudy reads the document of a study.
 *
 * @template {import('./study.js').StudyHead} D
 * @param {import('./study.js').StudyFile<D>} document
 * @param {string} folder
 * @returns {Promise<D>}
 * @throws {ResultFileError}
 */
export async function readStudy({ file, read }, folder) {
  const document = await read(folder)
  if (document === null) throw new ResultFileError(folder, `contains no ${file} that can be read`)
  return document
}

/**
 * describeStudy describes the results of a study.
 *
 * @param {StudyInterface} study
 * @param {StudyHead} document
 * @param {{ loaded: unknown, find: LoadScenario }} more
 * @returns {Promise<Description>}
 */
export async function describeStudy({ describe, shown }, document, { loaded, find }) {
  const described = await describe(document, loaded, await loadViews(shown(document), find))
  if (document.reason === null) return described
  const partial = { code: 'PARTIAL', text: `Not complete: ${document.reason.message}` }
  return { ...described, warnings: [partial, ...described.warnings] }
}

/**
 * makeStudyRunTables makes the tables of the machine and of the plan of the first run.
 *
 * @param {import('../scenarios/index.js').AnyResult | undefined} first
 */
export const makeStudyRunTables = first =>
  first === undefined
    ? []
    : [makeEnvironmentTable(first.run), { ...makePlanTable(first.plan), title: 'Plan of the first run' }]

/**
 * writeStudyViews writes the report of a study and replaces an earlier one.
 *
 * @param {StudyInterface} study
 * @param {string} folder
 * @param {StudyHead} document
 * @param {{ loaded: unknown, description: Description, csv?: boolean }} more
 * @returns {Promise<string[]>} paths of the files
 */
export async function writeStudyViews(study, folder, document, { loaded, description, csv }) {
  const links = await findRunLinks(folder, study.runs(document))
  const files = study.files?.(document, loaded) ?? []
  for (const [file, content] of files) await writeView(join(folder, file), content)
  const about = {
    id: document.id,
    version: '',
    lines: [formatRunTime(document)],
    command: study.command(document, loaded),
    tables: study.about?.(document, loaded),
    links,
    files: [study.document.file]
  }
  const written = await writeReport(folder, description, about, { csv })
  return [...written, ...files.map(([file]) => join(folder, file))]
}

/**
 * @typedef {object} StudyArguments - the arguments of a command line
 * @property {Record<string, unknown>} options - by name as typed, without leading dashes
 * @property {string[]} words - that belong to no option
 *
 * @typedef {{ now: () => Date, findScenario: LoadScenario }} PlanningContext - components for making plans
 */

/**
 * @template {import('./study.js').StudyHead} D
 * @typedef {object} PlannedStudy
 * @property {D} document - its id is empty while it has no folder
 * @property {string | null} folder - of the study to resume
 * @property {string} name - of its folder, after the time
 * @property {Readonly<import('../plan/plan.js').Output>} output
 */

/**
 * @template {import('./study.js').StudyHead} D
 * @typedef {{ problems: import('../plan/plan.js').Problem[] } | { planned: PlannedStudy<D>, problems?: undefined }} StudyOrProblems - planned, or
 *   all that is wrong
 */

/** @typedef {import('../report/schema.js').DescribedWarning} DescribedWarning */

const MAX_NAMED = 3

/**
 * mergeWarnings merges the warnings of several runs: each code once, with the names of its runs and the text of the first.
 *
 * @param {readonly { name: string, warnings: readonly DescribedWarning[] }[]} runs
 * @param {string} many - what the runs are called: `rows`
 * @returns {DescribedWarning[]}
 */
export function mergeWarnings(runs, many) {
  /** @type {Map<string, { text: string, names: Set<string> }>} */
  const kinds = new Map()
  for (const { name, warnings } of runs)
    for (const { code, text } of warnings) {
      const kind = kinds.get(code) ?? { text, names: new Set() }
      kind.names.add(name)
      kinds.set(code, kind)
    }
  return [...kinds].map(([code, { text, names }]) => ({
    code,
    text: `${named([...names], { many, total: runs.length })}: ${text}`
  }))
}

/** @param {readonly string[]} names @param {{ many: string, total: number }} of */
function named(names, { many, total }) {
  if (names.length === 1) return names[0]
  if (names.length === total) return `All ${total} ${many}, for example`
  const more = names.length > MAX_NAMED ? `, and ${names.length - MAX_NAMED} more` : ''
  return `${names.length} ${many} (${names.slice(0, MAX_NAMED).join(', ')}${more}), for example`
}

/**
 * collectRunWarnings merges the warnings of runs: each code once, the most frequent first.
 *
 * @param {readonly import('../scenarios/index.js').AnyResult[]} results
 * @returns {import('../report/schema.js').DescribedWarning[]}
 */
export function collectRunWarnings(results) {
  /** @type {Map<string, { text: string, runs: Set<unknown> }>} */
  const byCode = new Map()
  for (const result of results)
    for (const warning of result.run.warnings) {
      const known = byCode.get(warning.code) ?? { text: formatWarning(warning, result), runs: new Set() }
      known.runs.add(result)
      byCode.set(warning.code, known)
    }
  return [...byCode]
    .sort(([, a], [, b]) => b.runs.size - a.runs.size)
    .map(([code, { text, runs }]) => ({ code, text: `${runs.size} of ${results.length} runs: ${text}` }))
}

/** @typedef {import('../report/schema.js').DescribedTable} DescribedTable */

/** The layout of a terminal. */
const [COLUMNS, INDENT, GAP] = [80, 2, 2]

/** Columns of a terminal that a table takes. @param {DescribedTable} table */
function widthOf({ columns, rows }) {
  const shown = columns.flatMap(([heading, kind, where], i) =>
    where === 'wide'
      ? []
      : [Math.max(heading.length, ...rows.map(row => formatCell(row[i], kind).length)) + GAP]
  )
  return shown.reduce((sum, width) => sum + width, INDENT - GAP)
}

/**
 * fitTable makes a table fit a terminal: it leaves the named columns to the report, one after the other, until the table fits.
 *
 * @param {DescribedTable} table
 * @param {readonly (readonly string[])[]} spare - headings that go together, the first ones first
 * @returns {DescribedTable}
 */
export function fitTable(table, [headings, ...others]) {
  if (headings === undefined || widthOf(table) <= COLUMNS) return table
  const columns = table.columns.map(
    ([heading, kind, where]) =>
      /** @type {import('../report/schema.js').Column} */ (
        headings.includes(heading) || where === 'wide' ? [heading, kind, 'wide'] : [heading, kind]
      )
  )
  return fitTable({ ...table, columns }, others)
}

/**
 * collectRunErrors are the errors of runs of a study.
 *
 * @param {Iterable<readonly [name: string, result: import('../scenarios/index.js').AnyResult]>} results
 * @param {Parameters<typeof listErrorWarnings>[1]} [of]
 * @returns {{ failed: boolean, errors: string[] }} parts of a verdict
 */
export function collectRunErrors(results, of) {
  const errors = [...results].flatMap(([name, result]) =>
    listErrorWarnings(result, of).map(error => `${name}: ${formatWarning(error, result)}`)
  )
  return { failed: errors.length > 0, errors }
}
