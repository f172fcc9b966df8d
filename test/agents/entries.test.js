import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENTRIES, nameOf } from '../../src/agents/messages.js'

test('an agent starts programs by the name they have, and none that has none', () => {
  for (const [name, entry] of Object.entries(ENTRIES)) assert.equal(nameOf(new URL(entry)), name)
  assert.throws(() => nameOf(new URL('file:///a/b.js')), /\/a\/b\.js runs on this machine only/)
})
