import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { tableOfChecks } from './table.js'

test('docs/conformance.md holds the table that follows from the checks and what is known to differ', () => {
  const doc = readFileSync(new URL('../../docs/conformance.md', import.meta.url), 'utf8')
  assert.ok(doc.includes(tableOfChecks()), 'put in what node test/interop/table.js prints')
})
