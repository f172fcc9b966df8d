// Folders of studies: which study one holds, which one goes on with `--resume`.
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { PROGRAM } from '../kit/runtime.js'
import { quoted } from '../plan/command-line.js'
import { camelCase } from '../plan/options.js'
import { ResultFileError } from '../report/read-result.js'
import { RESULT_FILE, timeIn } from '../report/result-folder.js'
import { comparisonCommandLine } from '../report/run-report.js'
import { findScenario } from '../scenarios/index.js'
import { COMPARISON_DOCUMENT } from './compare/comparison-document.js'
import { MATRIX_DOCUMENT, matrixCommandLine } from './matrix/matrix-document.js'
import { QA_DOCUMENT, qaCommandLine } from './qa/qa-document.js'
import { SATURATION_DOCUMENT, saturationCommandLine } from './saturate/saturation-document.js'

/** DOCUMENTS are those of the studies, by what their folders are called. */
export const DOCUMENTS = {
  matrix: MATRIX_DOCUMENT,
  comparison: COMPARISON_DOCUMENT,
  saturate: SATURATION_DOCUMENT,
  qa: QA_DOCUMENT
}

/** @typedef {keyof typeof DOCUMENTS} StudyKind */
/** @typedef {StudyKind | 'run' | 'runs'} FolderKind - `runs`: a folder of folders of runs */

/** Which file makes a folder what it is. @type {readonly [string, FolderKind][]} */
const SIGNS = [
  [RESULT_FILE, 'run'],
  .../** @type {StudyKind[]} */ (Object.keys(DOCUMENTS)).flatMap(kind =>
    [DOCUMENTS[kind].file, ...DOCUMENTS[kind].former].map(
      file => /** @type {[string, FolderKind]} */ ([file, kind])
    )
  )
]

/** Documents of studies that earlier releases had. Nothing reads them any more; the pages beside them stay. */
const FORMER_FILES = ['validation.json', 'cases.json', 'capacity.json', 'cluster.json']

/** @param {string} path */
const exists = path =>
  stat(path).then(
    () => true,
    () => false
  )

/**
 * runFolders lists the folders of runs directly in a folder, in the order of their names.
 *
 * @param {string} folder
 * @returns {Promise<string[]>} paths
 */
export async function runFolders(folder) {
  const names = await readdir(folder).catch(() => /** @type {string[]} */ ([]))
  const paths = names.sort().map(name => join(folder, name))
  const runs = await Promise.all(paths.map(path => exists(join(path, RESULT_FILE))))
  return paths.filter((_, place) => runs[place])
}

/**
 * folderKind says what a folder holds.
 *
 * @param {string} folder
 * @returns {Promise<FolderKind | null>} null: nothing of ours
 * @throws {ResultFileError} it is of a study that there is no more
 */
export async function folderKind(folder) {
  for (const [file, kind] of SIGNS) if (await exists(join(folder, file))) return kind
  for (const file of FORMER_FILES)
    if (await exists(join(folder, file)))
      throw new ResultFileError(
        folder,
        `holds a study of an earlier release (${file}), which is not read any more: its pages stay as they are`
      )
  return (await runFolders(folder)).length > 0 ? 'runs' : null
}

/**
 * @typedef {import('../scenarios/index.js').FindScenario} FindScenario
 * @typedef {import('../scenarios/index.js').Scenario} Scenario
 */

/**
 * Those that are made from plans need the scenario of one.
 *
 * @type {Readonly<Record<StudyKind, (document: any, find: FindScenario) => string | Promise<string>>>}
 */
const LINES = {
  matrix: matrixCommandLine,
  comparison: async (document, find) =>
    comparisonCommandLine(document, await scenarioOf(document.sides[0].plan, find)),
  saturate: saturationCommandLine,
  qa: qaCommandLine
}

/** @param {{ scenario: string }} plan @param {FindScenario} find */
const scenarioOf = async ({ scenario }, find) => /** @type {Scenario} */ (await find(scenario))

/**
 * studyCommandLine makes a study again.
 *
 * @param {StudyKind} kind
 * @param {object} document - of it
 * @param {FindScenario} find
 * @returns {Promise<string>}
 */
export const studyCommandLine = async (kind, document, find) => LINES[kind](document, find)

/**
 * Commands, after the program's name, that go on with a study.
 *
 * @type {Readonly<Record<StudyKind, (document: any) => string>>}
 */
const COMMANDS = {
  matrix: () => 'matrix',
  comparison: ({ sides }) => `ab ${sides[0].plan.scenario}`,
  saturate: ({ scenario }) => `saturate ${scenario}`,
  qa: ({ scenario }) => `qa ${scenario}`
}

/**
 * resumeCommandLine goes on with a study.
 *
 * @param {StudyKind} kind
 * @param {any} document - of it
 * @param {{ folder: string, find: FindScenario }} where - it is
 * @returns {Promise<string>}
 */
export async function resumeCommandLine(kind, document, { folder, find }) {
  // runs of one plan are gone on with by the command of the plan
  const line =
    document.sides?.length === 1
      ? await studyCommandLine(kind, document, find)
      : `${PROGRAM} ${COMMANDS[kind](document)}`
  return `${line} --resume ${quoted(folder)}`
}

/** @typedef {import('../plan/plan.js').Problem} Problem */

/**
 * @template {import('./study.js').Head} D
 * @typedef {import('./study.js').StudyFile<D>} StudyFile
 */

/**
 * @typedef {object} Fixed - that only options of the output can be given again
 * @property {Record<string, unknown>} options - as typed
 * @property {import('../plan/plan.js').OptionTable} table
 * @property {readonly Problem[] | undefined} problems - with them
 */

/** @param {string} name @param {Fixed['table']} table */
const isOfOutput = (name, table) => table[camelCase(name)]?.part === 'output'

/** A run has another --resume, of its own. @param {string} name */
const isResume = name => camelCase(name) === 'resume'

/** @param {Problem} problem */
const nameIn = ({ flag = '' }) => flag.replace(/^--/, '')

/** What a study was asked for stays. @param {Fixed} fixed @returns {Problem[]} */
const changes = ({ options, table, problems = [] }) => [
  ...Object.keys(options)
    .filter(name => !isResume(name) && !isOfOutput(name, table))
    .map(name => ({
      flag: `--${name}`,
      value: String(options[name]),
      allowed: 'cannot be given with --resume: the folder has what was asked for'
    })),
  ...problems.filter(problem => !isResume(nameIn(problem)) && isOfOutput(nameIn(problem), table))
]

/**
 * @typedef {object} Found - what a folder holds
 * @property {string} folder
 * @property {FolderKind | null} kind
 * @property {any} document - of its study; null: it holds none that can be read
 * @property {boolean} isOwn - it is a document as is asked for
 * @property {number} began - ms since 1970
 */

const STUDY_KINDS = /** @type {StudyKind[]} */ (Object.keys(DOCUMENTS))

/** @param {FolderKind | null} kind @returns {kind is StudyKind} */
const isStudy = kind => kind !== null && Object.hasOwn(DOCUMENTS, kind)

/** @param {StudyFile<any>} asked */
const kindOf = ({ file }) => STUDY_KINDS.find(kind => DOCUMENTS[kind].file === file) ?? null

/**
 * Names are in local time, which goes back when summer time ends.
 *
 * @param {string} folder
 * @param {StudyFile<any>} asked
 * @returns {Promise<Found>}
 */
async function foundIn(folder, asked) {
  const own = await asked.read(folder)
  const kind = own === null ? await folderKind(folder) : kindOf(asked)
  const document = own ?? (isStudy(kind) ? await DOCUMENTS[kind].read(folder) : null)
  const began = Date.parse(document?.startedAt) || timeIn(basename(folder))
  return { folder, kind, document, isOwn: own !== null, began }
}

/** @param {{ outputDir: string, name: string, file: StudyFile<any> }} about @returns {Promise<Found[]>} the one that began last first */
async function allOf({ outputDir, name, file }) {
  const named = new RegExp(`^\\d{8}-\\d{4}-${name}(-|$)`)
  const names = await readdir(outputDir).catch(() => /** @type {string[]} */ ([]))
  const all = await Promise.all(
    names.filter(folder => named.test(folder)).map(folder => foundIn(join(outputDir, folder), file))
  )
  return all.sort((a, b) => b.began - a.began || (a.folder < b.folder ? 1 : -1))
}

/**
 * findResumed finds the study that --resume goes on with.
 *
 * @template {import('./study.js').Head} D
 * @param {string | true} resume - a folder; true: the one that began last
 * @param {object} about
 * @param {string} about.outputDir
 * @param {string} about.name - that names of folders begin with, after the time
 * @param {StudyFile<D>} about.file
 * @param {(document: D) => boolean} [about.fits] - whether it is a document of what is asked for
 * @param {Fixed} [about.fixed] - left out: all options can be given again
 * @returns {Promise<{ problems: Problem[] } | { folder: string, document: D, problems: Problem[] }>}
 */
export async function findResumed(resume, { fits = () => true, fixed, ...about }) {
  const refuse = (/** @type {string} */ value, /** @type {string} */ allowed) => ({
    problems: [{ flag: '--resume', value, allowed }]
  })
  const { outputDir, name, file } = about
  const all = resume === true ? await allOf(about) : [await foundIn(resume, file)]
  const found = all.find(({ isOwn, document }) => !isOwn || fits(document)) ?? all[0]
  if (found === undefined) return refuse('', `finds no folder of ${name.split('-')[0]} in ${outputDir}`)
  const { folder, kind, document, isOwn } = found
  if (isOwn && fits(document))
    return { folder, document, problems: fixed === undefined ? [] : changes(fixed) }
  if (kind === 'run')
    return refuse(folder, `is a single run: ${PROGRAM} rerun ${quoted(folder)} makes it again`)
  if (document === null || !isStudy(kind)) return refuse(folder, `holds no ${file.file} that can be read`)
  const line = await resumeCommandLine(kind, document, { folder, find: findScenario })
  return refuse(folder, `is gone on with by another command: ${line}`)
}
