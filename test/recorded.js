import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'

/** @param {unknown} value @returns {unknown} the same with the keys of every object in order */
export const inOrder = value =>
  Array.isArray(value)
    ? value.map(inOrder)
    : value !== null && typeof value === 'object'
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, own]) => [key, inOrder(own)])
        )
      : value

/** digestOf tells values apart, whatever the order of their keys. @param {unknown} value that JSON can hold */
export const digestOf = value =>
  createHash('sha256')
    .update(JSON.stringify(inOrder(value)))
    .digest('hex')

/**
 * isAsRecorded holds a value against what is committed in fixtures/recorded. RECORD=1 in the environment records it anew: in a commit that
 * says what has changed, and why.
 *
 * @param {string} name - of a file in fixtures/recorded
 * @param {unknown} value that JSON can hold
 */
export function isAsRecorded(name, value) {
  const file = new URL(`../fixtures/recorded/${name}`, import.meta.url)
  const now = JSON.parse(JSON.stringify(value))
  if (process.env.RECORD === '1') writeFileSync(file, `${JSON.stringify(now, null, 2)}\n`)
  else
    assert.deepEqual(
      now,
      JSON.parse(readFileSync(file, 'utf8')),
      `otherwise than in fixtures/recorded/${name}`
    )
}
