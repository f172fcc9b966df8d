import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDatabaseWork } from '../../../src/target/run-store.js'

test('a database that does not answer tells nothing of what it has written, and nothing fails', async () => {
  assert.equal(await readDatabaseWork({ url: 'postgres://127.0.0.1:1/none', checkpointFsyncs: 3 }), null)
})
