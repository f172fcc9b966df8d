// Recognizes what a result folder holds: a run or which study. Finds studies to resume, and the command that repeats a
// study.
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { PROGRAM } from '../kit/runtime.js'
import { quoteShellWord } from '../plan/command-line.js'
import { toCamelCase } from '../plan/options.js'
import { ResultFileError } from '../report/read-result.js'
import { parseMinute, RESULT_FILE } from '../report/result-folder.js'
import { makeComparisonCommandLine } from '../report/run-report.js'
import { loadScenario } from '../scenarios/index.js'
import { COMPARISON_DOCUMENT } from './compare/comparison-document.js'
import { MATRIX_DOCUMENT, makeMatrixCommandLine } from './matrix/matrix-document.js'
import { makeQaCommandLine, QA_DOCUMENT } from './qa/qa-document.js'
import { makeSaturationCommandLine, SATURATION_DOCUMENT } from './saturate/saturation-document.js'

/** STUDY_DOCUMENTS of all studies, by the names of their folders. */
export const STUDY_DOCUMENTS = {
  matrix: MATRIX_DOCUMENT,
  comparison: COMPARISON_DOCUMENT,
  saturate: SATURATION_DOCUMENT,
  qa: QA_DOCUMENT
}

/** @typedef {keyof typeof STUDY_DOCUMENTS} StudyKind */
/** @typedef {StudyKind | 'run' | 'runs'} FolderKind - `runs`: a folder of folders of runs */

/** Files that tell the kind of a folder. @type {readonly [string, FolderKind][]} */
const SIGNS = [
  [RESULT_FILE, 'run'],
  .../** @type {StudyKind[]} */ (Object.keys(STUDY_DOCUMENTS)).flatMap(kind =>
    [STUDY_DOCUMENTS[kind].file, ...STUDY_DOCUMENTS[kind].former].map(
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
 * listRunFolders lists the folders of runs directly in a folder, in the order of their names.
 *
 * @param {string} folder
 * @returns {Promise<string[]>} paths
 */
export async function listRunFolders(folder) {
  const names = await readdir(folder).catch(() => /** @type {string[]} */ ([]))
  const paths = names.sort().map(name => join(folder, name))
  const runs = await Promise.all(paths.map(path => exists(join(path, RESULT_FILE))))
  return paths.filter((_, place) => runs[place])
}

/**
 * readFolderKind says what a folder holds.
 *
 * @param {string} folder
 * @returns {Promise<FolderKind | null>} null: no results
 * @throws {ResultFileError} when it holds a study of an earlier release that no longer exists
 */
export async function readFolderKind(folder) {
  for (const [file, kind] of SIGNS) if (await exists(join(folder, file))) return kind
  for (const file of FORMER_FILES)
    if (await exists(join(folder, file)))
      throw new ResultFileError(
        folder,
        `contains a study of an earlier release (${file}), which this release cannot read: its pages are kept`
      )
  return (await listRunFolders(folder)).length > 0 ? 'runs' : null
}

/**
 * @typedef {import('../scenarios/index.js').LoadScenario} LoadScenario
 * @typedef {import('../scenarios/index.js').Scenario} Scenario
 */

/**
 * The command lines that make studies again. That of a comparison needs the scenario of its plans.
 *
 * @type {Readonly<Record<StudyKind, (document: any, find: LoadScenario) => string | Promise<string>>>}
 */
const LINES = {
  matrix: makeMatrixCommandLine,
  comparison: async (document, find) => {
    const scenario = await find(document.sides[0].plan.scenario)
    return makeComparisonCommandLine(document, /** @type {Scenario} */ (scenario))
  },
  saturate: makeSaturationCommandLine,
  qa: makeQaCommandLine
}

/**
 * makeStudyCommandLine is the command that makes a study again.
 *
 * @param {StudyKind} kind
 * @param {object} document - of it
 * @param {LoadScenario} find
 * @returns {Promise<string>}
 */
export const makeStudyCommandLine = async (kind, document, find) => LINES[kind](document, find)

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
 * resumeCommandLine is the command that resumes a study.
 *
 * @param {StudyKind} kind
 * @param {any} document - of it
 * @param {{ folder: string, find: LoadScenario }} where - it is
 * @returns {Promise<string>}
 */
export async function resumeCommandLine(kind, document, { folder, find }) {
  // runs of one plan are resumed by the command of that plan
  const line =
    document.sides?.length === 1
      ? await makeStudyCommandLine(kind, document, find)
      : `${PROGRAM} ${COMMANDS[kind](document)}`
  return `${line} --resume ${quoteShellWord(folder)}`
}

/** @typedef {import('../plan/plan.js').Problem} Problem */

/**
 * @template {import('./study.js').StudyHead} D
 * @typedef {import('./study.js').StudyFile<D>} StudyFile
 */

/**
 * @typedef {object} Fixed - what a study is resumed with: only options of the output may be given
 * @property {Record<string, unknown>} options - as typed
 * @property {import('../plan/plan.js').OptionTable} table
 * @property {readonly Problem[] | undefined} problems - with them
 */

/** @param {string} name @param {Fixed['table']} table */
const isOfOutput = (name, table) => table[toCamelCase(name)]?.part === 'output'

/** Problems with options that a resumed study does not take. @param {Fixed} fixed @returns {Problem[]} */
const changes = ({ options, table, problems = [] }) => [
  ...Object.keys(options)
    .filter(name => toCamelCase(name) !== 'resume' && !isOfOutput(name, table))
    .map(name => ({
      flag: `--${name}`,
      value: String(options[name]),
      allowed: 'cannot be given with --resume: the folder has the original options'
    })),
  ...problems.filter(({ flag = '' }) => {
    const name = flag.replace(/^--/, '')
    return toCamelCase(name) !== 'resume' && isOfOutput(name, table)
  })
]

/**
 * @typedef {object} StudyFolder - what a folder holds
 * @property {string} folder
 * @property {FolderKind | null} kind
 * @property {any} document - of its study; null: none can be read
 * @property {boolean} isOwn - the document is of the study to resume
 * @property {number} began - ms since 1970
 */

const STUDY_KINDS = /** @type {StudyKind[]} */ (Object.keys(STUDY_DOCUMENTS))

/** @param {FolderKind | null} kind @returns {kind is StudyKind} */
const isStudy = kind => kind !== null && Object.hasOwn(STUDY_DOCUMENTS, kind)

/** @param {StudyFile<any>} asked */
const kindOf = ({ file }) => STUDY_KINDS.find(kind => STUDY_DOCUMENTS[kind].file === file) ?? null

/**
 * Reads what a folder holds. Its begin is read from the document: the time in the name is local and goes back when summer time ends.
 *
 * @param {string} folder
 * @param {StudyFile<any>} studyFile
 * @returns {Promise<StudyFolder>}
 */
async function readStudyFolder(folder, studyFile) {
  const own = await studyFile.read(folder)
  const kind = own === null ? await readFolderKind(folder) : kindOf(studyFile)
  const document = own ?? (isStudy(kind) ? await STUDY_DOCUMENTS[kind].read(folder) : null)
  const began = Date.parse(document?.startedAt) || parseMinute(basename(folder))
  return { folder, kind, document, isOwn: own !== null, began }
}

/** @param {{ outputDir: string, name: string, file: StudyFile<any> }} about @returns {Promise<StudyFolder[]>} the one that began last first */
async function allOf({ outputDir, name, file }) {
  const named = new RegExp(`^\\d{8}-\\d{4}-${name}(-|$)`)
  const names = await readdir(outputDir).catch(() => /** @type {string[]} */ ([]))
  const all = await Promise.all(
    names.filter(folder => named.test(folder)).map(folder => readStudyFolder(join(outputDir, folder), file))
  )
  return all.sort((a, b) => b.began - a.began || (a.folder < b.folder ? 1 : -1))
}

/**
 * findStudyToResume finds the study to resume.
 *
 * @template {import('./study.js').StudyHead} D
 * @param {string | true} resume - a folder; true: the latest one
 * @param {object} about
 * @param {string} about.outputDir
 * @param {string} about.name - with which names of folders begin, after the time
 * @param {StudyFile<D>} about.file
 * @param {(document: D) => boolean} [about.fits] - whether a document is of the study to resume
 * @param {Fixed} [about.fixed] - default: all options may be given
 * @returns {Promise<{ problems: Problem[] } | { folder: string, document: D, problems: Problem[] }>}
 */
export async function findStudyToResume(resume, { fits = () => true, fixed, ...about }) {
  const refuse = (/** @type {string} */ value, /** @type {string} */ allowed) => ({
    problems: [{ flag: '--resume', value, allowed }]
  })
  const { outputDir, name, file } = about
  const all = resume === true ? await allOf(about) : [await readStudyFolder(resume, file)]
  const match = all.find(({ isOwn, document }) => !isOwn || fits(document)) ?? all[0]
  if (match === undefined) return refuse('', `finds no folder of ${name.split('-')[0]} in ${outputDir}`)
  const { folder, kind, document, isOwn } = match
  if (isOwn && fits(document))
    return { folder, document, problems: fixed === undefined ? [] : changes(fixed) }
  if (kind === 'run')
    return refuse(folder, `is a single run: ${PROGRAM} rerun ${quoteShellWord(folder)} makes it again`)
  if (document === null || !isStudy(kind)) return refuse(folder, `contains no ${file.file} that can be read`)
  const line = await resumeCommandLine(kind, document, { folder, find: loadScenario })
  return refuse(folder, `is continued by another command: ${line}`)
}
