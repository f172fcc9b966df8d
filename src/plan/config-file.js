import { basename } from 'node:path'
import { isMapping, readYamlFile, STANDARD_INPUT } from './yaml-file.js'

/**
 * @typedef {import('./read-options.js').Problem} Problem
 * @typedef {{ file: string, options: Record<string, unknown> }} Config
 */

/**
 * readConfig reads options from a YAML file, or a JSON file if it is named so; `-` is standard input.
 *
 * @param {string} path
 * @returns {Promise<{ config?: Config, problem?: Problem }>} one of them
 */
export async function readConfig(path) {
  /** @param {string} allowed */
  const refuse = allowed => ({ problem: { flag: '--config', value: path, allowed } })
  const { problem, ...file } = await readYamlFile(path)
  if (!('content' in file)) return refuse(problem ?? '')
  if (!isMapping(file.content)) return refuse('must hold options by name, such as "nClients: 10"')
  const name = path === STANDARD_INPUT ? 'standard input' : basename(path)
  return { config: { file: name, options: file.content } }
}
