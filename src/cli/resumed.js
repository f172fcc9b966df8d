import { camelCase } from '../plan/camel-case.js'
import { latestTrialsFolder } from '../studies/saturation/result/saturation-document.js'
import { OUTPUT_KEYS } from './trial-options.js'

/**
 * @typedef {import('../plan/read-options.js').Problem} Problem
 * @typedef {import('../studies/saturation/result/saturation-document.js').Head} Head
 */

/** @param {string} value @param {string} allowed @returns {{ problems: Problem[] }} */
const refuse = (value, allowed) => ({ problems: [{ flag: '--resume', value, allowed }] })

/** @param {Record<string, unknown>} options - as typed @returns {Problem[]} */
const changes = options =>
  Object.keys(options)
    .filter(name => !['resume', ...OUTPUT_KEYS].includes(camelCase(name)))
    .map(name => ({
      flag: `--${name}`,
      value: String(options[name]),
      allowed: 'cannot be given with --resume: the folder has what was asked for'
    }))

/**
 * findResumed finds the document of a command to go on with.
 *
 * @template {Head} D
 * @param {string | true} resume - the folder; true: the latest one
 * @param {object} how
 * @param {Record<string, unknown>} how.options - all that were given, as typed
 * @param {string} how.outputDir
 * @param {string} how.name - that folders of the command begin with, after their time
 * @param {(folder: string) => Promise<D | null>} how.read
 * @returns {Promise<{ folder: string, document: D, problems: Problem[] } | { problems: Problem[], document?: undefined }>}
 */
export async function findResumed(resume, { options, outputDir, name, read }) {
  const folder = resume === true ? await latestTrialsFolder(outputDir, name) : resume
  if (folder === null) return refuse('', `finds no folder of ${name.split('-')[0]} in ${outputDir}`)
  const document = await read(folder)
  if (document === null) return refuse(folder, `holds no ${name.split('-')[0]}.json that can be read`)
  return { folder, document, problems: changes(options) }
}
