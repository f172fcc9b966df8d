import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ASKED, FORMAT } from '../../src/agents/messages.js'

test('the format of messages follows from what they and plans hold', () =>
  assert.match(FORMAT, /^[\da-f]{12}$/))

test('a message that is none of an agent is refused', () => {
  for (const message of [
    { kind: 'sneeze', run: 'r' },
    { kind: 'open', run: 'r' },
    { kind: 'call', run: 'r', id: 1, worker: 0, method: 'close', args: 'none' },
    { kind: 'lease', run: 'r', study: null, version: '1', format: FORMAT, plan: {}, workers: 1 }
  ])
    assert.equal(ASKED.safeParse(message).success, false, JSON.stringify(message))
})

test('what is asked for is taken with all that stands in it', () => {
  const message = {
    kind: 'start',
    run: 'r',
    id: 1,
    worker: 0,
    entry: 'e',
    name: 'n',
    setup: { at: 5n },
    calls: ['a'],
    more: 1
  }
  assert.deepEqual(ASKED.parse(message), message)
})
