/** @typedef {import('./values.js').Kind} Kind */

/**
 * @param {unknown} value
 * @returns {[string, unknown][]} names and shares as given
 */
function pairs(value) {
  if (value !== null && typeof value === 'object') return Object.entries(value)
  return String(value)
    .split(',')
    .map(part => /** @type {[string, string]} */ (part.trim().split(/ ?= ?/)))
}

/**
 * @param {unknown} share
 * @returns {number} NaN for what is no share
 */
const toShare = share => (/^\d*\.?\d+$/.test(String(share)) ? Number(share) : Number.NaN)

/**
 * parseShares reads shares by name and scales them to a sum of 1; a name left out has share 0, or is left out if it may be.
 *
 * @param {unknown} value - `register=1,discover=8,unregister=1`, or the same as an object
 * @param {readonly string[]} names - there are
 * @param {readonly string[]} more - there are, that may be left out
 * @returns {Record<string, number> | undefined} undefined: unknown or repeated names, shares that are negative or no numbers, or
 *   nothing above 0
 */
function parseShares(value, names, more) {
  const given = pairs(value).map(([name, share]) => ({ name: name.toLowerCase(), share: toShare(share) }))
  const total = given.reduce((sum, { share }) => sum + share, 0)
  const known = given.every(({ name }) => names.includes(name) || more.includes(name))
  const once = new Set(given.map(({ name }) => name)).size === given.length
  if (!known || !once || !(total > 0)) return undefined
  const none = Object.fromEntries(names.map(name => [name, 0]))
  const asked = given.filter(({ name, share }) => share > 0 || names.includes(name))
  return { ...none, ...Object.fromEntries(asked.map(({ name, share }) => [name, share / total])) }
}

/**
 * shares takes shares by name.
 *
 * @param {readonly string[]} names
 * @param {string} example
 * @param {readonly string[]} [more] - names that are in the value only where their share is above 0
 * @returns {Kind}
 */
export const shares = (names, example, more = []) => ({
  allowed: `must give shares of at least 0, not all 0, such as ${example}`,
  schema: z =>
    z.preprocess(
      value => parseShares(value, names, more),
      z.object({
        ...Object.fromEntries(names.map(name => [name, z.number()])),
        ...Object.fromEntries(more.map(name => [name, z.number().optional()]))
      })
    )
})
