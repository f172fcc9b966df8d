import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseTopologyFile } from '../../../src/network/topology/parse-topology-file.js'
import { TopologyFileError } from '../../../src/network/topology/topology-file-error.js'
import { fixture, fixtureText } from './fixture.js'

/** @param {string} content */
const graphml = content => `<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<graph edgedefault="directed">
${content}
</graph>
</graphml>`

const ABC = {
  nodes: 3,
  names: ['b', 'a', 'c'],
  edges: [
    [0, 1],
    [1, 2]
  ],
  repeated: 0
}

describe('a topology file', () => {
  /** @type {[string, string, object][]} */
  const rows = [
    ['a list of edges', 'b a\na c\n', ABC],
    ['a list with comments, blank lines and Windows ends', '# mine\r\n\r\n  b\ta # first\r\na   c', ABC],
    ['a list as NetworkX writes it', "b a {}\na c {'weight': 1}\n", ABC],
    ['edges named both ways, once each', 'b a\na b\na c\nb a', { ...ABC, repeated: 2 }],
    [
      'numbers, which keep their order',
      '10 2\n2 1',
      {
        nodes: 3,
        names: ['1', '2', '10'],
        edges: [
          [2, 1],
          [1, 0]
        ],
        repeated: 0
      }
    ],
    ['JSON with named nodes', '{"nodes": ["b", "a", "c"], "edges": [["b", "a"], ["a", "c"]]}', ABC],
    ['JSON without nodes', '{"edges": [["b", "a"], ["a", "c"]]}', ABC],
    [
      'JSON with a number of nodes, one of them alone',
      '{"nodes": 4, "edges": [[1, 0], [2, 1]]}',
      {
        nodes: 4,
        names: ['0', '1', '2', '3'],
        edges: [
          [1, 0],
          [2, 1]
        ],
        repeated: 0
      }
    ],
    [
      'node-link data of NetworkX 3',
      '{"directed": false, "multigraph": false, "graph": {}, "nodes": [{"id": "b"}, {"id": "a"}, {"id": "c"}], "edges": [{"source": "b", "target": "a"}, {"weight": 2, "source": "a", "target": "c"}]}',
      ABC
    ],
    [
      'node-link data of NetworkX 2, with links',
      '{"nodes": [{"id": 0}, {"id": 1}], "links": [{"source": 1, "target": 0}]}',
      { nodes: 2, names: ['0', '1'], edges: [[1, 0]], repeated: 0 }
    ],
    [
      'GraphML',
      graphml(
        '<node id="b"/><node id="a"><data key="d0">x</data></node>\n<node id="c"/><edge source="b" target="a"/><edge id="e" source="a" target="c"/>'
      ),
      ABC
    ],
    [
      'GraphML with a prefix and an entity',
      '<g:graphml xmlns:g="http://graphml.graphdrawing.org/xmlns"><g:graph><g:node id="a&amp;b"/><g:node id="c"/><g:edge source="c" target="a&amp;b"/></g:graph></g:graphml>',
      { nodes: 2, names: ['a&b', 'c'], edges: [[1, 0]], repeated: 0 }
    ]
  ]
  for (const [what, text, network] of rows) {
    it(`may be ${what}`, () => {
      assert.deepEqual(parseTopologyFile(text, 'mesh'), { kind: 'file', path: 'mesh', ...network })
    })
  }

  it('may be one of the graphs of NetworkX', () => {
    const name = 'ba-95-m6-seed42-networkx-2.4.json'
    const { nodes, edges } = parseTopologyFile(fixtureText(name), name)
    assert.equal(nodes, 95)
    assert.deepEqual(edges, fixture(name).edges)
  })
})

describe('a topology file that cannot be read says where and why', () => {
  /** @type {[string, RegExp][]} */
  const rows = [
    ['', /^mesh: has no edges: must have one at least$/],
    ['# nothing\n', /^mesh: has no edges/],
    ['a b\n\nc\n', /^mesh: line 3: "c" must be two names, such as "0 1"/],
    ['a b\na b c', /^mesh: line 2: "a b c" must be two names/],
    ['a b\nb b', /^mesh: line 2: an edge from b to itself: must connect two different nodes$/],
    ['{"nodes": 2,\n "edges": [[0, 1]\n', /^mesh: .*is not JSON/],
    ['{"nodes": 2,\n "edges": [[0, 1] 7]}', /^mesh: line 2: is not JSON/],
    ['[[0, 1]]', /^mesh: \[\[0,1\]\] must be an object such as \{"nodes"/],
    ['{"nodes": 2}', /^mesh: must hold "edges"/],
    [
      '{"nodes": 0, "edges": [[0, 1]]}',
      /^mesh: nodes: 0 must be the number of nodes, from 1 to 1,000,000, or a list of them$/
    ],
    ['{"edges": 7}', /^mesh: edges: 7 must be a list of edges/],
    ['{"edges": [[0, 1], [0]]}', /^mesh: edges\[1\]: \[0\] must be a pair such as \[0, 1\]/],
    ['{"links": [{"source": 0}]}', /^mesh: links\[0\]: \{"source":0\} must be a pair/],
    [
      '{"nodes": 2, "edges": [[0, 1], [1, 2]]}',
      /^mesh: edges\[1\]: an edge of node 2, which is not among the 2 nodes of the file: must be one of 0, 1$/
    ],
    ['{"nodes": ["a", "a"], "edges": [["a", "b"]]}', /^mesh: nodes\[1\]: node a is given again/],
    ['{"nodes": [null], "edges": [["a", "b"]]}', /^mesh: nodes/],
    ['{"nodes": 3, "edges": [[0, 1], [1, 1]]}', /^mesh: edges\[1\]: an edge from 1 to itself/],
    ['<svg/>', /^mesh: must be a <graphml> with one <graph>/],
    [graphml('<node id="a"/>'), /^mesh: has no edges/],
    [graphml('<node id="a"/>\n<node/>'), /^mesh: line 5: a <node> without id/],
    [graphml('<node id="a"/>\n<node id="a"/>'), /^mesh: line 5: node a is given again/],
    [graphml('<node id="a"/>\n<edge source="a"/>'), /^mesh: line 5: a <edge> without target/],
    [
      graphml('<node id="a"/>\n<edge source="a" target="b"/>'),
      /^mesh: line 5: an edge of node b, which is not among the 1 nodes/
    ],
    [graphml('<node id="a"/><node id="b"/>\n<edge source="a" target="b">'), /^mesh: (line \d+: )?is not XML/],
    [graphml('<node id="a"/>\n').slice(0, -20), /^mesh: (line \d+: )?is not XML/],
    ['<graphml', /^mesh: (line \d+: )?is not XML/]
  ]
  for (const [text, said] of rows) {
    it(JSON.stringify(text.slice(-50)), () => {
      assert.throws(
        () => parseTopologyFile(text, 'mesh'),
        error => {
          assert.ok(error instanceof TopologyFileError, String(error))
          assert.equal(error.code, 'INVALID_TOPOLOGY_FILE')
          assert.match(error.message, said)
          return true
        }
      )
    })
  }
})
