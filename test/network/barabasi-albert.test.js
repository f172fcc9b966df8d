import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeBarabasiAlbert } from '../../src/network/topology.js'
import { fixture } from './fixture.js'
import { digestOfEdges, undirected } from './undirected.js'

/** @type {{ networkx: '2.4' | '3', ending: string }[]} */
const GENERATIONS = [
  { networkx: '2.4', ending: '-networkx-2.4' },
  { networkx: '3', ending: '' }
]

describe('a Barabási–Albert graph', () => {
  for (const { networkx, ending } of GENERATIONS) {
    for (const m of [2, 6, 12, 16]) {
      it(`of 95 nodes, m=${m}, seed 42 is that of NetworkX ${networkx}, edge for edge`, () => {
        const { edges } = fixture(`ba-95-m${m}-seed42${ending}.json`)
        assert.deepEqual(
          undirected(makeBarabasiAlbert({ nodes: 95, m, seed: 42, networkx })),
          undirected(edges)
        )
      })
    }
  }

  for (const { nodes, m, seed, sha256 } of fixture('ba-digests-networkx-3.6.1.json').graphs) {
    it(`of ${nodes} nodes, m=${m}, seed ${seed} is that of NetworkX 3.6.1`, () => {
      assert.equal(digestOfEdges(makeBarabasiAlbert({ nodes, m, seed, networkx: '3' })), sha256)
    })
  }

  for (const { networkx } of GENERATIONS) {
    it(`has each newer node dial, in ${networkx}`, () => {
      const edges = makeBarabasiAlbert({ nodes: 50, m: 4, seed: 3, networkx })
      assert.ok(edges.every(([dialer, listener]) => dialer > listener))
      assert.equal(edges.length, 4 * (50 - 4))
    })
  }
})
