import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { topologyText } from '../../../../src/scenarios/gossip/describe.js'

describe('a topology is named with what shapes it', () => {
  for (const [spec, text] of /** @type {[any, string][]} */ ([
    [{ kind: 'barabasi-albert', m: 2, seed: 42, networkx: '2.4' }, 'barabasi-albert m=2'],
    [{ kind: 'small-world', k: 4, p: 0.1 }, 'small-world k=4 p=0.1'],
    [{ kind: 'full' }, 'full'],
    [{ kind: 'file', path: 'mesh.txt', nodes: 2, edges: [[0, 1]] }, 'file mesh.txt']
  ]))
    test(text, () => assert.equal(topologyText(spec), text))
})
