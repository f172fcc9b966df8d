import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'

const require = createRequire(import.meta.url)

// elsewhere Node reads no ES modules in this way
test('a program of CommonJS has the library by require', {
  skip: !process.features.require_module
}, async () => {
  const library = require('libp2p-loadtest')
  assert.equal(library.runPlan, (await import('libp2p-loadtest')).runPlan)
})
