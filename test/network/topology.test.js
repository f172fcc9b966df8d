import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeSubStream } from '../../src/kit/random.js'
import {
  countComponents,
  describeTopologyProblem,
  isConnected,
  makeBarabasiAlbert,
  makeCpythonIntSet,
  makeTopology,
  measureGraph
} from '../../src/network/topology.js'
import { fixture } from './fixture.js'
import { digestOfEdges, edgesIn, undirected } from './undirected.js'

/**
 * @typedef {import('../../src/network/topology.js').Edge} Edge
 * @typedef {import('../../src/network/topology.js').StaticSpec} StaticSpec
 * @typedef {import('../../src/network/topology.js').TopologySpec} TopologySpec
 */

/** @param {StaticSpec} spec @param {number} nodes @param {number} [seed] */
const edgesOf = (spec, nodes, seed = 7) =>
  makeTopology(spec, { nodes, random: makeSubStream(seed, 'topology') }).edges

/** @param {Edge[]} edges @param {number} nodes */
function degreesOf(edges, nodes) {
  const degrees = Array(nodes).fill(0)
  for (const node of edges.flat()) degrees[node]++
  return degrees
}

/** @type {[StaticSpec, number][]} */
const POSSIBLE = [
  [{ kind: 'barabasi-albert', m: 6, seed: 42, networkx: '3' }, 95],
  [{ kind: 'barabasi-albert', m: 1, seed: 0, networkx: '2.4' }, 2],
  [{ kind: 'erdos-renyi', p: 0.2, seed: 1 }, 60],
  [{ kind: 'random-geometric', radius: 0.3, seed: -1 }, 60],
  [{ kind: 'powerlaw-cluster', m: 3, p: 0.5, seed: '123456789012345678901' }, 60],
  [{ kind: 'full' }, 2],
  [{ kind: 'full' }, 12],
  [{ kind: 'full' }, 13],
  [{ kind: 'random-degree', k: 10 }, 100],
  [{ kind: 'random-degree', k: 4 }, 5],
  [{ kind: 'regular', k: 6 }, 101],
  [{ kind: 'regular', k: 3 }, 4],
  [{ kind: 'regular', k: 1 }, 2],
  [{ kind: 'regular', k: 2 }, 50],
  [{ kind: 'regular', k: 97 }, 100],
  [{ kind: 'ring' }, 3],
  [{ kind: 'ring' }, 20],
  [{ kind: 'line' }, 2],
  [{ kind: 'line' }, 20],
  [{ kind: 'star' }, 20],
  [{ kind: 'small-world', k: 4, p: 0.1 }, 100],
  [{ kind: 'small-world', k: 4, p: 1 }, 30],
  [{ kind: 'small-world', k: 4, p: 1 }, 5],
  [{ kind: 'file', path: 'mesh.txt', nodes: 3, edges: edgesIn('0-1 2-1') }, 3]
]

describe('every topology', () => {
  for (const [spec, nodes] of POSSIBLE) {
    it(`${JSON.stringify(spec)} of ${nodes} nodes connects each pair once, none with itself, and is repeated by its seed`, () => {
      const edges = edgesOf(spec, nodes)
      assert.equal(new Set(undirected(edges).map(String)).size, edges.length)
      assert.ok(edges.every(([a, b]) => a !== b))
      assert.ok(edges.flat().every(node => Number.isInteger(node) && node >= 0 && node < nodes))
      assert.ok(isConnected(nodes, edges))
      assert.deepEqual(edgesOf(spec, nodes), edges)
    })
  }

  it('says its kind and size', () => {
    const topology = makeTopology({ kind: 'line' }, { nodes: 3, random: Math.random })
    assert.deepEqual(topology, { kind: 'line', nodes: 3, edges: edgesIn('0-1 1-2') })
  })
})

describe('a plain topology', () => {
  it('ring: each node dials the next', () => {
    assert.deepEqual(edgesOf({ kind: 'ring' }, 4), edgesIn('0-1 1-2 2-3 3-0'))
  })

  it('star: all dial node 0', () => {
    assert.deepEqual(edgesOf({ kind: 'star' }, 4), edgesIn('1-0 2-0 3-0'))
  })

  for (const nodes of [2, 3, 12, 13]) {
    it(`full: ${nodes} nodes have all connections, and dial about as many as they accept`, () => {
      const edges = edgesOf({ kind: 'full' }, nodes)
      assert.equal(edges.length, (nodes * (nodes - 1)) / 2)
      const dialled = degreesOf(edges, nodes).map(
        (_, node) => edges.filter(([dialer]) => dialer === node).length
      )
      assert.ok(Math.max(...dialled) - Math.min(...dialled) <= 1)
    })
  }

  it('barabasi-albert: is the graph of its own seed, whatever the random numbers of the run', () => {
    const spec = /** @type {const} */ ({ kind: 'barabasi-albert', m: 6, seed: 42, networkx: '3' })
    const { edges } = fixture('ba-95-m6-seed42.json')
    assert.deepEqual(undirected(edgesOf(spec, 95, 1)), undirected(edges))
    assert.deepEqual(edgesOf(spec, 95, 2), edgesOf(spec, 95, 1))
  })
})

describe('a random topology', () => {
  const kinds = /** @type {StaticSpec[]} */ ([
    { kind: 'random-degree', k: 10 },
    { kind: 'regular', k: 6 },
    { kind: 'regular', k: 2 },
    { kind: 'small-world', k: 4, p: 0.5 }
  ])
  for (const spec of kinds) {
    it(`${JSON.stringify(spec)} with a seed of its own is the same in every run`, () => {
      const seeded = (/** @type {number | string} */ seed) => /** @type {StaticSpec} */ ({ ...spec, seed })
      const own = seeded('123456789012345678901')
      assert.deepEqual(edgesOf(own, 60, 1), edgesOf(own, 60, 2))
      assert.notDeepEqual(undirected(edgesOf(seeded(8), 60)), undirected(edgesOf(own, 60)))
      assert.deepEqual(edgesOf(seeded(8), 60, 1), edgesOf(spec, 60, 8))
    })

    it(`${JSON.stringify(spec)} is another one with another seed`, () => {
      assert.notDeepEqual(undirected(edgesOf(spec, 60, 1)), undirected(edgesOf(spec, 60, 2)))
    })
  }

  it('random-degree: each node has the connections it dials and those it accepts', () => {
    const degrees = degreesOf(edgesOf({ kind: 'random-degree', k: 10 }, 100), 100)
    assert.ok(Math.min(...degrees) >= 10)
    // 100 × 10 dials; of the 4,950 pairs (10/99)² draw one another, about 50
    const edges = degrees.reduce((sum, degree) => sum + degree) / 2
    assert.ok(edges > 900 && edges < 980, `${edges}`)
  })

  it('random-degree: draws every other node as often', () => {
    const counts = Array(10).fill(0)
    for (let seed = 0; seed < 2000; seed++) {
      const dialled = edgesOf({ kind: 'random-degree', k: 3 }, 10, seed).filter(([dialer]) => dialer === 0)
      for (const [, listener] of dialled) counts[listener]++
    }
    assert.equal(counts[0], 0)
    for (const count of counts.slice(1)) assert.ok(Math.abs(count / (6000 / 9) - 1) < 0.15, `${counts}`)
  })

  for (let nodes = 2; nodes <= 9; nodes++) {
    for (let k = 1; k < nodes; k++) {
      if (describeTopologyProblem({ kind: 'regular', k }, nodes)) continue
      it(`regular: ${nodes} nodes have ${k} connections each and hang together`, () => {
        for (let seed = 0; seed < 10; seed++) {
          const edges = edgesOf({ kind: 'regular', k }, nodes, seed)
          assert.deepEqual(new Set(degreesOf(edges, nodes)), new Set([k]))
          assert.ok(isConnected(nodes, edges))
        }
      })
    }
  }

  it('small-world: is the lattice with p=0', () => {
    const edges = edgesOf({ kind: 'small-world', k: 4, p: 0 }, 10)
    assert.deepEqual(degreesOf(edges, 10), Array(10).fill(4))
    assert.ok(edges.every(([a, b]) => [1, 2].includes((b - a + 10) % 10)))
  })

  it('small-world: dials the share p anew, and keeps the number of connections', () => {
    const lattice = edgesOf({ kind: 'small-world', k: 10, p: 0 }, 400)
    const edges = edgesOf({ kind: 'small-world', k: 10, p: 0.2 }, 400)
    assert.equal(edges.length, lattice.length)
    const moved = edges.filter(([, listener], i) => listener !== lattice[i][1]).length / edges.length
    assert.ok(Math.abs(moved - 0.2) < 0.04, `${moved}`)
  })
})

describe('a topology that cannot be', () => {
  /** @type {[TopologySpec, number, RegExp][]} */
  const impossible = [
    [{ kind: 'erdos-renyi', p: 0, seed: 1 }, 9, /^needs p above 0/],
    [{ kind: 'random-geometric', radius: 0, seed: 1 }, 9, /^needs radius above 0/],
    [{ kind: 'powerlaw-cluster', m: 9, p: 0.1, seed: 1 }, 9, /from 1 to 8, not 9/],
    [{ kind: 'full' }, 1, /^needs at least 2 nodes$/],
    [{ kind: 'ring' }, 2, /^needs at least 3 nodes$/],
    [{ kind: 'barabasi-albert', m: 6, seed: 1, networkx: '3' }, 6, /needs m to be .* from 1 to 5, not 6/],
    [{ kind: 'barabasi-albert', m: 6, seed: 1, networkx: '3' }, 2, /needs m=1, not 6/],
    [{ kind: 'random-degree', k: 10 }, 10, /needs k to be .* from 1 to 9, not 10/],
    [{ kind: 'regular', k: 0 }, 10, /from 1 to 9, not 0/],
    [{ kind: 'regular', k: 3 }, 7, /7 nodes with k=3, which are both odd/],
    [{ kind: 'regular', k: 1 }, 4, /falls apart into pairs/],
    [{ kind: 'small-world', k: 3, p: 0.1 }, 10, /needs k to be even, not 3/],
    [{ kind: 'small-world', k: 4, p: 1.5 }, 10, /needs p from 0 to 1, not 1.5/],
    [{ kind: 'file', path: 'a', nodes: 3, edges: [[0, 1]] }, 5, /is a network of 3 nodes, not of 5/],
    [{ kind: 'full' }, 10_000, /with 10000 nodes has 50 million connections/],
    [{ kind: 'random-degree', k: 900 }, 10_000, /9 million connections/]
  ]
  for (const [spec, nodes, said] of impossible) {
    it(`${JSON.stringify(spec)} of ${nodes} nodes is refused`, () => {
      assert.match(describeTopologyProblem(spec, nodes) ?? '', said)
      assert.throws(() => edgesOf(/** @type {StaticSpec} */ (spec), nodes), RangeError)
    })
  }

  for (const [spec, nodes] of POSSIBLE) {
    it(`is not ${JSON.stringify(spec)} of ${nodes} nodes`, () =>
      assert.equal(describeTopologyProblem(spec, nodes), null))
  }

  it('is not rendezvous, whose nodes find one another', () => {
    assert.equal(describeTopologyProblem({ kind: 'rendezvous', k: 6 }, 95), null)
  })

  it('barabasi-albert is not made without a seed', () => {
    const spec = /** @type {const} */ ({ kind: 'barabasi-albert', m: 2, seed: null, networkx: '3' })
    assert.throws(() => edgesOf(spec, 10), /needs a seed/)
  })
})

/** @param {StaticSpec} spec @param {number} nodes */
const measuresOf = (spec, nodes) => measureGraph(makeTopology(spec, { nodes, random: () => 0.5 }))

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
      /** @type {number[]} */
      const degrees = expected.degreeSequence
      for (const [degree, count] of Object.entries(found.degreeHistogram))
        assert.equal(count, degrees.filter(d => d === Number(degree)).length)
    })
  }

  /** @type {[StaticSpec, number, Partial<import('../../src/network/topology.js').GraphMeasures>][]} */
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
    const found = measureGraph({ nodes: 6, edges: edgesIn('0-1 1-2 2-0 3-4') })
    const { connected, components, diameter, averagePathLength } = found
    assert.deepEqual([connected, components, diameter, averagePathLength], [false, 3, null, null])
    near(found.averageClustering, 0.5)
    assert.deepEqual(found.degrees, { min: 0, avg: 4 / 3, median: 1.5, max: 2 })
    assert.deepEqual(found.degreeHistogram, { 0: 1, 1: 2, 2: 3 })
  })

  it('leave out ways where there are too many to walk', () => {
    const found = measuresOf({ kind: 'ring' }, 20_000)
    assert.deepEqual([found.connected, found.diameter, found.averagePathLength], [true, null, null])
  })

  it('are given for a single node', () => {
    const found = measureGraph({ nodes: 1, edges: [] })
    const { connected, diameter, averagePathLength, density } = found
    assert.deepEqual([connected, diameter, averagePathLength, density], [true, 0, 0, 0])
  })
})

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

/** @param {number[]} added */
function setOf(added) {
  const set = makeCpythonIntSet()
  for (const member of added) set.add(member)
  return set
}

describe('a set of CPython', () => {
  for (const { added, order } of fixture('cpython-set-orders.json').sets) {
    it(`gives its ${order.length} members, the first added of which is ${added[0]}, in CPython's order`, () => {
      assert.deepEqual(setOf(added).members(), order)
      assert.equal(setOf(added).size(), order.length)
    })
  }

  it('holds a member once', () => assert.deepEqual(setOf([5, 3, 5, 3]).members(), [3, 5]))
  it('is empty at first', () => assert.deepEqual(setOf([]).members(), []))
})
