import { createRequire } from 'node:module'
import { buffer } from 'node:stream/consumers'
import { decodeText, readText, TextFileError } from '../kit/text-file.js'

const require = createRequire(import.meta.url)

/** STANDARD_INPUT is the path of what is written to this process. */
export const STANDARD_INPUT = '-'

/** YamlError says in a line why a text is no YAML that can be read. */
export class YamlError extends Error {
  name = 'YamlError'
}

/** @param {unknown} value @param {Set<unknown>} [above] @throws {YamlError} when an alias in it stands for what it is part of */
function refuseEndless(value, above = new Set()) {
  if (value === null || typeof value !== 'object') return
  if (above.has(value)) throw new YamlError('an alias stands for what it is part of')
  above.add(value)
  for (const each of Object.values(value)) refuseEndless(each, above)
  above.delete(value)
}

/**
 * parseYaml reads a YAML document.
 *
 * @param {string} text
 * @returns {unknown} null: it is empty
 * @throws {YamlError}
 */
export function parseYaml(text) {
  // loaded for those who have a file, not at each start of the program
  const { parse } = /** @type {typeof import('yaml')} */ (require('yaml'))
  try {
    const value = parse(text)
    refuseEndless(value)
    return value
  } catch (cause) {
    const { name, message } = /** @type {Error} */ (cause)
    const what = name === 'ReferenceError' && message.startsWith('Excessive') ? 'too many aliases' : message
    throw new YamlError(`is not valid YAML or JSON: ${what.split('\n')[0]}`, { cause })
  }
}

/**
 * @param {string} path
 * @returns {Promise<unknown>}
 */
async function load(path) {
  const text = path === STANDARD_INPUT ? decodeText(await buffer(process.stdin)) : await readText(path)
  if (text.trim() === '') throw new YamlError('is empty')
  return path.endsWith('.json') ? JSON.parse(text) : parseYaml(text)
}

/** @param {unknown} error */
function whyUnreadable(error) {
  if (error instanceof YamlError || error instanceof TextFileError) return error.message
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (error)
  if (code === 'ENOENT') return 'does not exist'
  return error instanceof SyntaxError
    ? `is not valid YAML or JSON: ${message.split('\n')[0]}`
    : `cannot be read (${code})`
}

/**
 * readYamlFile reads a YAML file, or a JSON file if it is named so; `-` is standard input.
 *
 * @param {string} path
 * @returns {Promise<{ content: unknown, problem?: undefined } | { problem: string }>} `problem`: why it cannot be read
 */
export const readYamlFile = path =>
  load(path).then(
    content => ({ content }),
    error => ({ problem: whyUnreadable(error) })
  )

/**
 * isMapping tells values by name from everything else that YAML can hold.
 *
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
export const isMapping = value => value !== null && typeof value === 'object' && !Array.isArray(value)
