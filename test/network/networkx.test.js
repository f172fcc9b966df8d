import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeTopology } from '../../src/network/topology.js'
import { parseTopology } from '../../src/network/topology-file.js'
import { fixture } from './fixture.js'
import { digestOfEdges } from './undirected.js'

/** Made by scripts/networkx-digests.py. @type {{ graphs: (Record<string, number> & { kind: string, sha256: string })[] }} */
const { graphs } = fixture('random-digests-networkx-3.6.1.json')

describe('a random graph is that of NetworkX 3.6.1, edge for edge', () => {
  for (const { kind, nodes, edges: count, sha256, ...params } of graphs) {
    const text = `${kind}:${Object.entries(params)
      .map(([name, value]) => `${name}=${value}`)
      .join(',')}`
    it(`${text} of ${nodes} nodes`, () => {
      const random = () => assert.fail('it has a seed of its own')
      const { edges } = makeTopology(/** @type {any} */ (parseTopology(text)), { nodes, random })
      assert.equal(edges.length, count)
      assert.equal(digestOfEdges(edges), sha256)
    })
  }

  it('in which all dial about as many as they accept', () => {
    for (const text of ['erdos-renyi:p=0.2,seed=1', 'random-geometric:radius=0.3,seed=1']) {
      const { edges } = makeTopology(/** @type {any} */ (parseTopology(text)), {
        nodes: 200,
        random: Math.random
      })
      // were it the lower number that dials, these would dial three times as many as they accept
      const low = edges.filter(([from]) => from < 100).length / edges.length
      assert.ok(low > 0.4 && low < 0.6, `${text}: ${low}`)
    }
  })
})
