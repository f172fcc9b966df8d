import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onTerminal } from '../../src/report/text.js'

const WORDS = 'nothing that was watched: the server waited for something else, or other work slowed it down'

test('sentences are broken between words at a terminal, and nowhere else', () => {
  const stream = (/** @type {object} */ parts) => /** @type {any} */ (parts)
  const text = onTerminal(`a\n\n- ${WORDS}.`, stream({ isTTY: true, columns: 60 }))
  assert.ok(
    text.split('\n').every(line => line.length <= 60),
    text
  )
  assert.match(text, /^a\n\n- nothing that was watched: .*\n {2}\w/)
  assert.equal(onTerminal(WORDS, stream({ columns: 60 })), WORDS)
})
