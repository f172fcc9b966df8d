import { z } from 'zod'

/** @typedef {import('./values.js').Kind} Kind */

const NAMES = Object.freeze(['register', 'discover', 'unregister'])

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
 * parseMix reads the shares of MIXED and scales them to a sum of 1; a name left out has share 0.
 *
 * @param {unknown} value - `register=1,discover=8,unregister=1`, or the same as an object
 * @returns {{ register: number, discover: number, unregister: number } | undefined} undefined: unknown or repeated names,
 *   shares that are negative or no numbers, or nothing above 0
 */
export function parseMix(value) {
  const given = pairs(value).map(([name, share]) => ({ name: name.toLowerCase(), share: toShare(share) }))
  const total = given.reduce((sum, { share }) => sum + share, 0)
  const known = given.every(({ name }) => NAMES.includes(name))
  const once = new Set(given.map(({ name }) => name)).size === given.length
  if (!known || !once || !(total > 0)) return undefined
  const shares = { register: 0, discover: 0, unregister: 0 }
  return Object.assign(shares, Object.fromEntries(given.map(({ name, share }) => [name, share / total])))
}

/**
 * mix is the kind of --mix.
 *
 * @returns {Kind}
 */
export const mix = () => ({
  allowed: 'must give shares of at least 0, not all 0, such as register=1,discover=8,unregister=1',
  schema: z.preprocess(
    parseMix,
    z.object({ register: z.number(), discover: z.number(), unregister: z.number() })
  )
})
