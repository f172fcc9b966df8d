import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { parse } from 'yaml'

/**
 * @typedef {import('../plan/read-options.js').Problem} Problem
 * @typedef {{ file: string, options: Record<string, unknown> }} Config
 */

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isMapping = value => value !== null && typeof value === 'object' && !Array.isArray(value)

/**
 * @param {string} path
 * @returns {Promise<unknown>}
 */
async function load(path) {
  const text = await readFile(path, 'utf8')
  return path.endsWith('.json') ? JSON.parse(text) : (parse(text) ?? {})
}

/** @param {unknown} error */
function whyUnreadable(error) {
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (error)
  if (code === 'ENOENT') return 'does not exist'
  const inFile = code === undefined || !code.startsWith('E') || code === 'ERR_INVALID_ARG_TYPE'
  return inFile ? `is not valid YAML or JSON: ${message.split('\n')[0]}` : `cannot be read (${code})`
}

/**
 * readConfig reads options from a YAML file, or a JSON file if it is named so.
 *
 * @param {string} path
 * @returns {Promise<{ config?: Config, problem?: Problem }>} one of them
 */
export async function readConfig(path) {
  /** @param {string} allowed */
  const refuse = allowed => ({ problem: { flag: '--config', value: path, allowed } })
  try {
    const options = await load(path)
    if (!isMapping(options)) return refuse('must hold options by name, such as "nClients: 10"')
    return { config: { file: basename(path), options } }
  } catch (error) {
    return refuse(whyUnreadable(error))
  }
}
