import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** @typedef {import('./topology-option.js').ReadText} ReadText */

const ALLOWED =
  'must hold parameters by topic, such as { foo: { topicWeight: 1, timeInMeshWeight: 0.01, timeInMeshQuantum: 1000 } }'

/** @param {import('../../../plan/values.js').Zod} z */
const schema = z => z.record(z.string(), z.record(z.string(), z.union([z.number(), z.boolean()])))

/**
 * @param {string} text - YAML or JSON, or `file:<path>` of such a file
 * @param {ReadText} readText
 * @returns {{ value: unknown } | { allowed: string }}
 */
function readFrom(text, readText) {
  const path = /^file:(.*)$/s.exec(text.trim())?.[1]
  // loaded for those who give parameters, not at each start of the program
  const { parse } = /** @type {typeof import('yaml')} */ (require('yaml'))
  try {
    return { value: parse(path === undefined ? text : readText(path)) }
  } catch (error) {
    const { name, code, message } = /** @type {NodeJS.ErrnoException} */ (error)
    return name === 'YAMLParseError'
      ? { allowed: `is not valid YAML or JSON: ${message.split('\n')[0]}` }
      : { allowed: `names a file that cannot be read (${code})` }
  }
}

/**
 * topicScoreParams is the kind of --topicScoreParams: parameters by topic, as the library takes them, as a mapping, as its text or
 * in a file. The file is read here, so that a plan holds all that its run needs.
 *
 * @param {ReadText} [readText]
 * @returns {import('../../../plan/values.js').Kind & { write: (value: object) => string }}
 */
export const topicScoreParams = (readText = path => readFileSync(path, 'utf8')) => ({
  allowed: ALLOWED,
  read: (value, z) => {
    const read = typeof value === 'string' ? readFrom(value, readText) : { value }
    if ('allowed' in read) return read
    const { success, data } = schema(z).safeParse(read.value)
    return success ? { value: data } : { allowed: ALLOWED }
  },
  schema,
  write: value => JSON.stringify(value)
})
