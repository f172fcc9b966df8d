import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { makePlanOf } from '../scenarios.js'

/**
 * @typedef {object} Row - options that are refused, and with what
 * @property {string} scenario
 * @property {Record<string, unknown>} options
 * @property {string} refused - flag, value, and what is allowed
 */

const FILE = new URL('../../fixtures/recorded/refused-options.jsonl', import.meta.url)

/** @type {Row[]} */
const ROWS = readFileSync(FILE, 'utf8')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line))

/** @param {Row} row */
const refusalOf = ({ scenario, options }) =>
  (makePlanOf(scenario, options, { cores: 4 }).problems ?? [])
    .map(({ flag, value, allowed }) => `${flag} ${value}  ${allowed}`)
    .join('\n')

// a row without `refused` gets it so
if (process.env.RECORD === '1')
  writeFileSync(FILE, ROWS.map(row => `${JSON.stringify({ ...row, refused: refusalOf(row) })}\n`).join(''))
else
  describe('an option is refused with its flag, its value and what is allowed, as it is recorded', () => {
    for (const row of ROWS)
      test(`${row.scenario} ${JSON.stringify(row.options)}`, () => {
        assert.notEqual(row.refused, '')
        assert.equal(refusalOf(row), row.refused)
      })
  })
