import { descriptionSchema, MAX_BYTES } from '../../report/description/description.js'

/**
 * @typedef {import('../../report/description/description.js').Description} Description
 * @typedef {{ description: Description, problem?: undefined } | { description?: undefined, problem: string }} Checked
 */

const MAX_NAMED = 3

/**
 * checkDescription checks what a scenario of a user's own describes its result by: whether it is a description, and small enough to be
 * stored.
 *
 * @param {unknown} value
 * @returns {Checked} the description as JSON holds it, or what is wrong with it
 */
export function checkDescription(value) {
  /** @type {string | undefined} */
  let json
  try {
    json = JSON.stringify(value)
  } catch (error) {
    return { problem: firstLine(/** @type {Error} */ (error)) }
  }
  if (json === undefined) return { problem: 'gave nothing' }
  const bytes = Buffer.byteLength(json)
  if (bytes > MAX_BYTES)
    return { problem: `is ${(bytes / 1e6).toFixed(1)} MB large, and at most ${MAX_BYTES / 1e6} MB is stored` }
  const { success, data, error } = descriptionSchema.safeParse(JSON.parse(json))
  if (success) return { description: /** @type {Description} */ (data) }
  const named = error.issues
    .slice(0, MAX_NAMED)
    .map(({ path, message }) =>
      [pathText(path), message.replace(/^Invalid (input|option): /, '')].filter(Boolean).join(': ')
    )
  const more = error.issues.length - named.length
  return { problem: [...named, ...(more > 0 ? [`and ${more} more`] : [])].join('; ') }
}

/** @param {Error} error */
const firstLine = ({ message }) => message.split('\n')[0]

/** As in code: tables[0].rows. @param {readonly PropertyKey[]} path */
const pathText = path =>
  path
    .map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i === 0 ? '' : '.'}${String(key)}`))
    .join('')
