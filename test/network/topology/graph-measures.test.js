import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { graphMeasures, makeTopology } from '../../../src/network/topology.js'
import { fixture } from './fixture.js'

/**
 * @typedef {import('../../../src/network/topology.js').Edge} Edge
 * @typedef {import('../../../src/network/topology.js').StaticSpec} StaticSpec
 */

/** @param {StaticSpec} spec @param {number} nodes */
const measuresOf = (spec, nodes) => graphMeasures(makeTopology(spec, { nodes, random: () => 0.5 }))

/** @param {number | null} found @param {number} expected */
const near = (found, expected) =>
  assert.ok(Math.abs((found ?? Number.NaN) - expected) < 1e-12, `${found} ${expected}`)

describe('the measures of a network', () => {
  for (const [name, expected] of Object.entries(fixture('ba-95-metrics.json').graphs)) {
    it(`are those of NetworkX for the Barabási–Albert graph ${name}`, () => {
      const spec = /** @type {const} */ ({ kind: 'barabasi-albert', m: expected.m, seed: 42, networkx: '3' })
      const found = measuresOf(spec, 95)
      assert.equal(found.edges, expected.edges)
      assert.equal(found.connected, true)
      assert.equal(found.components, 1)
      assert.equal(found.diameter, expected.diameter)
      near(found.averagePathLength, expected.averageShortestPath)
      near(found.averageClustering, expected.averageClustering)
      near(found.assortativity, expected.degreeAssortativity)
      near(found.density, expected.density)
      near(found.degrees.avg, expected.meanDegree)
      assert.equal(found.degrees.min, expected.minDegree)
      assert.equal(found.degrees.max, expected.maxDegree)
      for (const [degree, count] of Object.entries(found.degreeHistogram)) {
        assert.equal(
          count,
          expected.degreeSequence.filter((/** @type {number} */ d) => d === Number(degree)).length
        )
      }
    })
  }

  /** @type {[StaticSpec, number, Partial<import('../../../src/network/topology.js').GraphMeasures>][]} */
  const rows = [
    [
      { kind: 'ring' },
      6,
      { diameter: 3, averagePathLength: 1.8, averageClustering: 0, assortativity: null, density: 0.4 }
    ],
    [
      { kind: 'star' },
      5,
      { diameter: 2, averagePathLength: 1.6, assortativity: -1, degreeHistogram: { 1: 4, 4: 1 } }
    ],
    [
      { kind: 'line' },
      4,
      { diameter: 3, averagePathLength: 5 / 3, degrees: { min: 1, avg: 1.5, median: 1.5, max: 2 } }
    ],
    [
      { kind: 'full' },
      40,
      { diameter: 1, averagePathLength: 1, averageClustering: 1, assortativity: null, density: 1 }
    ]
  ]
  for (const [spec, nodes, expected] of rows) {
    it(`of a ${spec.kind} are the known ones`, () => {
      assert.deepEqual({ ...measuresOf(spec, nodes), ...expected }, measuresOf(spec, nodes))
    })
  }

  it('have no ways between parts', () => {
    const edges = /** @type {Edge[]} */ ([
      [0, 1],
      [1, 2],
      [2, 0],
      [3, 4]
    ])
    const found = graphMeasures({ nodes: 6, edges })
    assert.deepEqual(
      [found.connected, found.components, found.diameter, found.averagePathLength],
      [false, 3, null, null]
    )
    near(found.averageClustering, 0.5)
    assert.deepEqual(found.degrees, { min: 0, avg: 4 / 3, median: 1.5, max: 2 })
    assert.deepEqual(found.degreeHistogram, { 0: 1, 1: 2, 2: 3 })
  })

  it('leave out ways where there are too many to walk', () => {
    const found = measuresOf({ kind: 'ring' }, 20_000)
    assert.deepEqual([found.connected, found.diameter, found.averagePathLength], [true, null, null])
  })

  it('are given for a single node', () => {
    const found = graphMeasures({ nodes: 1, edges: [] })
    assert.deepEqual(
      [found.connected, found.diameter, found.averagePathLength, found.density],
      [true, 0, 0, 0]
    )
  })
})
