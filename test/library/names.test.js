import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as library from '../../src/index.js'
import { isAsRecorded } from '../recorded.js'

/**
 * Names that a program of a user's may still import: each is a function that throws, so that it is told where to look.
 *
 * @type {Readonly<Record<string, RegExp>>}
 */
const MOVED = {
  planCapacity: /has moved to planSaturate/,
  runCapacity: /has moved to planSaturate/,
  planCluster: /has moved to planMatrix/,
  runCluster: /has moved to planMatrix/,
  planValidation: /has moved to bench\/validation/,
  runValidation: /has moved to bench\/validation/
}

test('the library has the names that it had: one that goes throws where it has moved to', () => {
  isAsRecorded('library.json', Object.keys(library).sort())
  for (const [name, message] of Object.entries(MOVED))
    assert.throws(/** @type {Record<string, any>} */ (library)[name], { message })
})
