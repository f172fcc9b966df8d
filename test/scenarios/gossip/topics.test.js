import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { publishersKind, writePublishers } from '../../../src/scenarios/gossip/topics.js'

/** @param {unknown} value */
const read = value =>
  publishersKind()
    .schema(/** @type {any} */ (z), /** @type {any} */ (null))
    .safeParse(value)

test('publishers are read as typed, from a mapping, and as they are written, each node once', () => {
  for (const [value, expected] of /** @type {[unknown, unknown][]} */ ([
    ['random', 'random'],
    [' every ', 'every'],
    ['node:3', { nodes: [3] }],
    ['node: 3 , 7,3', { nodes: [3, 7] }],
    [{ nodes: [3, 7] }, { nodes: [3, 7] }],
    [writePublishers({ nodes: [3, 7] }), { nodes: [3, 7] }],
    [writePublishers('every'), 'every']
  ]))
    assert.deepEqual(read(value).data, expected, JSON.stringify(value))
})

test('what names nobody is refused', () => {
  for (const value of ['all', 'node:', 'node:a', 'node:-1', 'node:3,', { nodes: [] }, {}, null, 7])
    assert.equal(read(value).success, false, JSON.stringify(value))
})
