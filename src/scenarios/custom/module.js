import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** @typedef {import('./types.js').CustomModule} CustomModule */

/** BAD_SCENARIO is the code of a BadScenarioError, which crosses processes. */
export const BAD_SCENARIO = 'BAD_SCENARIO'

/** BadScenarioError says why a file is no scenario that can be run. */
export class BadScenarioError extends Error {
  name = 'BadScenarioError'
  code = BAD_SCENARIO
}

/** @param {unknown} found - the default export @returns {string | null} what is wrong with it */
function lack(found) {
  if (found === null || typeof found !== 'object')
    return 'must export a scenario by default: export default { name, operations, run }'
  const { name, describe, operations, run, options, rules, describeResult, view } =
    /** @type {Partial<Record<keyof CustomModule | 'view', unknown>>} */ (found)
  if (typeof name !== 'string' || !/^[a-z][a-z0-9-]*$/.test(name))
    return 'must have a name of small letters, digits and -, such as identify'
  if (!Array.isArray(operations) || operations.length === 0 || !operations.every(isName))
    return "must have operations, the names of what it measures, such as ['IDENTIFY']"
  if (typeof run !== 'function') return 'must have run, a function of the plan and its tools'
  if (options !== undefined && typeof options !== 'function')
    return 'must have options as a function of the kinds of values there are, or none'
  if (describe !== undefined && typeof describe !== 'string') return 'must have describe as a text, or none'
  if (describeResult !== undefined && typeof describeResult !== 'function')
    return 'must have describeResult as a function of a result, or none'
  if (view !== undefined)
    return 'must have describeResult in place of view, which is no longer called (docs/extending.md)'
  if (rules !== undefined && !Array.isArray(rules)) return 'must have rules as a list, or none'
  return null
}

/** @param {unknown} name */
const isName = name => typeof name === 'string' && /^[A-Za-z]\w*$/.test(name)

/**
 * loadModule imports the file of a scenario of a user's own.
 *
 * @param {string} path
 * @returns {Promise<CustomModule>}
 * @throws {BadScenarioError} when it cannot be imported, or is no scenario
 */
export async function loadModule(path) {
  if (!existsSync(path)) throw new BadScenarioError('does not exist')
  const module = await import(pathToFileURL(resolve(path)).href).catch(cause => {
    throw new BadScenarioError(`cannot be imported: ${cause.message}`, { cause })
  })
  const why = lack(module.default)
  if (why !== null) throw new BadScenarioError(why)
  return module.default
}
