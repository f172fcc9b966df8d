import '../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as library from '../src/index.js'
import { isAsRecorded } from './recorded.js'

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

/** Studies of release 0.1.0 that are no studies of their own any more. */
const MOVED_STUDIES = {
  ab: /STUDIES\.ab .*has moved to STUDIES\.comparison/,
  repetition: /STUDIES\.repetition .*has moved to STUDIES\.comparison/,
  capacity: /has moved to planSaturate/,
  cluster: /has moved to planMatrix/,
  validation: /has moved to bench\/validation/,
  cases: /has moved to bench\/validation/
}

test('a study that is none of its own any more throws where it has moved to, and is not among those that there are', () => {
  const studies = /** @type {Record<string, any>} */ (library.STUDIES)
  for (const [name, message] of Object.entries(MOVED_STUDIES)) assert.throws(() => studies[name], { message })
  assert.deepEqual(Object.keys(studies), ['matrix', 'comparison', 'saturate', 'qa'])
})
