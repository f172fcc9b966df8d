import { readFile } from 'node:fs/promises'
import { text as textOf } from 'node:stream/consumers'

/** STANDARD_INPUT is the path of what is written to this process. */
export const STANDARD_INPUT = '-'

/**
 * @param {string} path
 * @returns {Promise<unknown>}
 */
async function load(path) {
  const text = path === STANDARD_INPUT ? await textOf(process.stdin) : await readFile(path, 'utf8')
  if (path.endsWith('.json')) return JSON.parse(text)
  const { parse } = await import('yaml')
  return parse(text) ?? {}
}

/** @param {unknown} error */
function whyUnreadable(error) {
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (error)
  if (code === 'ENOENT') return 'does not exist'
  const inFile = code === undefined || !code.startsWith('E') || code === 'ERR_INVALID_ARG_TYPE'
  return inFile ? `is not valid YAML or JSON: ${message.split('\n')[0]}` : `cannot be read (${code})`
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
