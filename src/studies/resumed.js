import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { PROGRAM } from '../kit/program.js'
import { camelCase } from '../plan/option-text.js'
import { quoted } from '../plan/plan-flags.js'
import { timeIn } from '../result/folder.js'
import { findScenario } from '../scenarios/index.js'
import { DOCUMENTS, folderKind } from './folder-kind.js'
import { resumeCommandLine } from './study-command-line.js'

/** @typedef {import('../plan/read-options.js').Problem} Problem */

/**
 * @template {import('./study-document.js').Head} D
 * @typedef {import('./study-document.js').StudyFile<D>} StudyFile
 */

/**
 * @typedef {object} Fixed - that only options of the output can be given again
 * @property {Record<string, unknown>} options - as typed
 * @property {import('../plan/read-options.js').OptionTable} table
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
 * @property {import('./folder-kind.js').FolderKind | null} kind
 * @property {any} document - of its study; null: it holds none that can be read
 * @property {boolean} isOwn - it is a document as is asked for
 * @property {number} began - ms since 1970
 */

const STUDY_KINDS = /** @type {import('./folder-kind.js').StudyKind[]} */ (Object.keys(DOCUMENTS))

/** @param {import('./folder-kind.js').FolderKind | null} kind @returns {kind is import('./folder-kind.js').StudyKind} */
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
 * @template {import('./study-document.js').Head} D
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
