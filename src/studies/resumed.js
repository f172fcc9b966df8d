import { camelCase } from '../plan/option-text.js'
import { latestStudyFolder } from './study-document.js'

/** @typedef {import('../plan/read-options.js').Problem} Problem */

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
 * findResumed finds the study that --resume goes on with.
 *
 * @template {import('./study-document.js').Head} D
 * @param {string | true} resume - a folder; true: the one that was made last
 * @param {object} about
 * @param {string} about.outputDir
 * @param {string} about.name - that names of folders begin with, after the time
 * @param {import('./study-document.js').StudyFile<D>} about.file
 * @param {(document: D) => boolean} [about.fits] - whether it is a document of what is asked for
 * @param {Fixed} [about.fixed] - left out: all options can be given again
 * @returns {Promise<{ problems: Problem[] } | { folder: string, document: D, problems: Problem[] }>}
 */
export async function findResumed(
  resume,
  { outputDir, name, file: { file, read }, fits = () => true, fixed }
) {
  const refuse = (/** @type {string} */ value, /** @type {string} */ allowed) => ({
    problems: [{ flag: '--resume', value, allowed }]
  })
  const folder = resume === true ? await latestStudyFolder(outputDir, name) : resume
  if (folder === null) return refuse('', `finds no folder of ${name.split('-')[0]} in ${outputDir}`)
  const document = await read(folder)
  if (document === null || !fits(document)) return refuse(folder, `holds no ${file} that can be read`)
  return { folder, document, problems: fixed === undefined ? [] : changes(fixed) }
}
