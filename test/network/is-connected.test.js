import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { countComponents, isConnected } from '../../src/network/topology.js'
import { edgesIn } from './undirected.js'

const LINE = edgesIn('0-1 1-2 3-2 4-5')

describe('a network hangs together', () => {
  /** @type {[string, number, number[] | undefined, number][]} */
  const rows = [
    ['all nodes', 6, undefined, 2],
    ['one node more, without an edge', 7, undefined, 3],
    ['those of one part', 6, [0, 1, 2, 3], 1],
    ['two whose way leads over a node that is not asked for', 6, [0, 2], 2],
    ['one node', 6, [5], 1],
    ['no node', 6, [], 0]
  ]
  for (const [what, nodes, among, components] of rows) {
    it(`or not: ${what}, ${components} parts`, () => {
      assert.equal(countComponents(nodes, LINE, among), components)
      assert.equal(isConnected(nodes, LINE, among), components <= 1)
    })
  }

  it('whether the nodes asked for come as a list or as a set', () => {
    assert.equal(isConnected(6, LINE, new Set([0, 1])), true)
  })
})
