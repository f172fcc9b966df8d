// Folders of studies.
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

/** DOCUMENTS of all studies, by the names of their folders. */
export const DOCUMENTS = {
  matrix: MATRIX_DOCUMENT,
  comparison: COMPARISON_DOCUMENT,
  saturate: SATURATION_DOCUMENT,
  qa: QA_DOCUMENT
}

/** @typedef {keyof typeof DOCUMENTS} StudyKind */
/** @typedef {StudyKind | 'run' | 'runs'} FolderKind - `runs`: a folder of folders of runs */

/** Files that tell the kind of a folder. @type {readonly [string, FolderKind][]} */
const SIGNS = [
  [RESULT_FILE, 'run'],
  .../** @type {StudyKind[]} */ (Object.keys(DOCUMENTS)).flatMap(kind =>
    [DOCUMENTS[kind].file, ...DOCUMENTS[kind].former].map(
      file => /** @type {[string, FolderKind]} */ ([file, kind])
    )
  )
]

/** Documents of studies of earlier releases, which can no longer be read. */
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
 * @returns {Promise<FolderKind | null>} null: no results
 * @throws {ResultFileError} when it holds a study of an earlier release that no longer exists
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
 * The command lines that make studies again. That of a comparison needs the scenario of its plans.
 *
 * @type {Readonly<Record<StudyKind, (document: any, find: FindScenario) => string | Promise<string>>>}
 */
const LINES = {
  matrix: matrixCommandLine,
  comparison: async (document, find) => {
    const scenario = await find(document.sides[0].plan.scenario)
    return comparisonCommandLine(document, /** @type {Scenario} */ (scenario))
  },
  saturate: saturationCommandLine,
  qa: qaCommandLine
}

/**
 * studyCommandLine is the command that makes a study again.
 *
 * @param {StudyKind} kind
 * @param {object} document - of it
 * @param {FindScenario} find
 * @returns {Promise<string>}
 */
export const studyCommandLine = async (kind, document, find) => LINES[kind](document, find)

/**
 * The commands that resume a study, after the name of the program.
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
 * The command that resumes a study.
 *
 * @param {StudyKind} kind
 * @param {any} document - of it
 * @param {{ folder: string, find: FindScenario }} where - it is
 * @returns {Promise<string>}
 */
async function resumeCommandLine(kind, document, { folder, find }) {
  // runs of one plan are resumed by the command of that plan
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
 * @typedef {object} Fixed - what a study is resumed with: only options of the output may be given
 * @property {Record<string, unknown>} options - as typed
 * @property {import('../plan/plan.js').OptionTable} table
 * @property {readonly Problem[] | undefined} problems - with them
 */

/** @param {string} name @param {Fixed['table']} table */
const isOfOutput = (name, table) => table[camelCase(name)]?.part === 'output'

/** Problems with options that a resumed study does not take. @param {Fixed} fixed @returns {Problem[]} */
const changes = ({ options, table, problems = [] }) => [
  ...Object.keys(options)
    .filter(name => camelCase(name) !== 'resume' && !isOfOutput(name, table))
    .map(name => ({
      flag: `--${name}`,
      value: String(options[name]),
      allowed: 'cannot be given with --resume: the folder has what was asked for'
    })),
  ...problems.filter(({ flag = '' }) => {
    const name = flag.replace(/^--/, '')
    return camelCase(name) !== 'resume' && isOfOutput(name, table)
  })
]

/**
 * @typedef {object} Found - what a folder holds
 * @property {string} folder
 * @property {FolderKind | null} kind
 * @property {any} document - of its study; null: none can be read
 * @property {boolean} isOwn - the document is of the study to resume
 * @property {number} began - ms since 1970
 */

const STUDY_KINDS = /** @type {StudyKind[]} */ (Object.keys(DOCUMENTS))

/** @param {FolderKind | null} kind @returns {kind is StudyKind} */
const isStudy = kind => kind !== null && Object.hasOwn(DOCUMENTS, kind)

/** @param {StudyFile<any>} asked */
const kindOf = ({ file }) => STUDY_KINDS.find(kind => DOCUMENTS[kind].file === file) ?? null

/**
 * Reads what a folder holds. Its begin is read from the document: the time in the name is local and goes back when summer time ends.
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
 * findResumed finds the study to resume.
 *
 * @template {import('./study.js').Head} D
 * @param {string | true} resume - a folder; true: the latest one
 * @param {object} about
 * @param {string} about.outputDir
 * @param {string} about.name - with which names of folders begin, after the time
 * @param {StudyFile<D>} about.file
 * @param {(document: D) => boolean} [about.fits] - whether a document is of the study to resume
 * @param {Fixed} [about.fixed] - default: all options may be given
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
