import { z } from 'zod'

/**
 * @typedef {import('./read-options.js').Problem} Problem
 *
 * @typedef {object} Figures - published figures; each list is average, median, maximum
 * @property {number[]} [rtMs]
 * @property {number[]} [cpuPercent]
 * @property {number[]} [memoryMb]
 *
 * @typedef {Record<string, unknown[]>} Vary - values by option; all combinations are run
 *
 * @typedef {object} FileRow - the options of a case, with these beside them
 * @property {string} [name] - of the row, instead of one made from its options
 * @property {string} [note]
 * @property {Figures} [reference]
 * @property {Vary} [vary]
 *
 * @typedef {object} MatrixFile - one matrix file as it is written
 * @property {string} title
 * @property {string} [description]
 * @property {string} [source] - of the published figures
 * @property {string[]} differences - where published and measured figures are not like for like
 * @property {Record<string, unknown>} defaults
 * @property {Vary} vary
 * @property {(FileRow & Record<string, unknown>)[]} rows
 */

const text = z.string({ error: 'must be a text' })
const options = z.record(z.string(), z.unknown(), {
  error: 'must hold options by name, such as "nClients: 10"'
})
const vary = z.record(
  z.string(),
  z.array(z.unknown(), { error: 'must be a list of values' }).min(1, 'must be a list of values'),
  { error: 'must hold lists of values by option, such as "nClients: [10, 100]"' }
)
const number = z.number({ error: 'must be a number' })
const figures = z.tuple([number, number, number], {
  error: 'must be three numbers: average, median and maximum'
})
const unknownKey = (/** @type {string[]} */ known) => (/** @type {{ code?: string }} */ issue) =>
  issue.code === 'unrecognized_keys'
    ? `must be one of ${known.join(', ')}`
    : `must hold ${known.join(', ')} by name`

const reference = z.strictObject(
  { rtMs: figures.optional(), cpuPercent: figures.optional(), memoryMb: figures.optional() },
  { error: unknownKey(['rtMs', 'cpuPercent', 'memoryMb']) }
)
const name = text.regex(/^[\w.=-]+$/, 'must be of letters, digits and . _ = - only: it names a folder')
const row = z.looseObject(
  { name: name.optional(), note: text.optional(), reference: reference.optional(), vary: vary.optional() },
  { error: 'must hold options by name, such as "nClients: 10"' }
)
const sentences = z.array(text, { error: 'must be a list of sentences' })

const PARTS = {
  title: text,
  description: text.optional(),
  source: text.optional(),
  differences: sentences.default([]),
  defaults: options.default({}),
  vary: vary.default({}),
  rows: z.array(row, { error: 'must be a list of rows' }).min(1, 'must be a list of rows').default([{}])
}

const SCHEMA = z.strictObject(PARTS, { error: unknownKey(Object.keys(PARTS)) })

/** @param {PropertyKey[]} path where something is wrong, rows counted from 1 */
function placeOf(path) {
  const [part, index, ...more] = path
  if (part !== 'rows' || index === undefined) return { place: '', keys: path }
  return { place: ` row ${Number(index) + 1}`, keys: more }
}

/** @param {unknown} document @param {PropertyKey[]} path */
const valueAt = (document, path) =>
  path.reduce((value, key) => /** @type {any} */ (value)?.[key], /** @type {any} */ (document))

/** @param {unknown} value */
const shown = value =>
  value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)

/**
 * readMatrixFile checks the shape of a matrix file. Its options are checked when it is expanded.
 *
 * @param {string} file - as it is called in problems
 * @param {unknown} document - parsed from YAML
 * @returns {{ matrix: MatrixFile, problems?: undefined } | { problems: Problem[], matrix?: undefined }}
 */
export function readMatrixFile(file, document) {
  const { success, data, error } = SCHEMA.safeParse(document)
  if (success) return { matrix: /** @type {MatrixFile} */ (data) }
  return {
    problems: error.issues.flatMap(issue => {
      const paths =
        issue.code === 'unrecognized_keys' ? issue.keys.map(key => [...issue.path, key]) : [issue.path]
      return paths.map(path => {
        const { place, keys } = placeOf(path)
        const key = keys.length > 0 ? `: ${keys.join('.')}` : ''
        return {
          flag: `${file}${place}${key}`,
          value: shown(valueAt(document, path)),
          allowed: issue.message
        }
      })
    })
  }
}
