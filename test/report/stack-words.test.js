import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stackWords } from '../../src/report/describe-run.js'

/** @type {[Parameters<typeof stackWords>[0], string[]][]} */
const CASES = [
  [{}, []],
  [{ stack: ['libp2p-3'], serverStack: null }, []],
  [{ stack: ['libp2p-3'], serverStack: 'libp2p-3' }, []],
  [{ stack: ['libp2p-2'] }, ['on libp2p-2']],
  [{ stack: ['libp2p-3', 'libp2p-2'] }, ['on libp2p-3 and libp2p-2 in turn']],
  [{ stack: ['libp2p-3'], serverStack: 'libp2p-2' }, ['server on libp2p-2']],
  [
    { stack: ['libp2p-2', 'libp2p-3'], serverStack: 'libp2p-3' },
    ['on libp2p-2 and libp2p-3 in turn', 'server on libp2p-3']
  ],
  [{ stack: ['libp2p-2'], serverStack: 'libp2p-3', target: '/ip4/127.0.0.1/tcp/1' }, ['on libp2p-2']]
]

for (const [plan, words] of CASES)
  test(`${JSON.stringify(plan)} is ${words.join(', ') || 'not worth a word'}`, () =>
    assert.deepEqual(stackWords(plan), words))
