import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTopologyJson } from '../../../src/network/topology/formats.js'

test('a network that says its number of nodes as n, and its edges as links, is read with the places of both', () => {
  assert.deepEqual(parseTopologyJson('{"n": 2, "links": [[0, 1]]}'), {
    nodes: [
      { name: '0', place: 'nodes[0]' },
      { name: '1', place: 'nodes[1]' }
    ],
    edges: [{ dialer: '0', listener: '1', place: 'links[0]' }]
  })
})

test('text that ends too soon is no JSON, with the line where it is known', () => {
  assert.throws(() => parseTopologyJson(''), { name: 'TopologyFileError', message: /is not JSON: / })
  assert.throws(() => parseTopologyJson('{\n\n]'), { message: /line 3: is not JSON: / })
})
