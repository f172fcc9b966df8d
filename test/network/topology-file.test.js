import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { parseTopologyJson, TopologyFileError } from '../../src/network/topology/formats.js'
import { parseTopology, parseTopologyFile } from '../../src/network/topology-file.js'
import { fixture } from './fixture.js'
import { edgesIn } from './undirected.js'

/** @param {string} content */
const graphml = content => `<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<graph edgedefault="directed">
${content}
</graph>
</graphml>`

const ABC = { nodes: 3, names: ['b', 'a', 'c'], edges: edgesIn('0-1 1-2'), repeated: 0 }

describe('a topology file', () => {
  /** @type {[string, string, object][]} */
  const rows = [
    ['a list of edges', 'b a\na c\n', ABC],
    ['a list with comments, blank lines and Windows ends', '# mine\r\n\r\n  b\ta # first\r\na   c', ABC],
    ['a list as NetworkX writes it', "b a {}\na c {'weight': 1}\n", { ...ABC, unused: ['weight of 1 edge'] }],
    [
      'a list with data of several attributes',
      "b a {'weight': 1, 'ms': 2}\na c {'weight': 1}\n",
      { ...ABC, unused: ['weight of 2 edges', 'ms of 1 edge'] }
    ],
    ['a list with weights', 'b a 0.5\na c 1e-05', { ...ABC, unused: ['weight of 2 edges'] }],
    ['CSV', 'b,a\r\na, "c"', ABC],
    ['CSV with semicolons', 'b;a\na;c', ABC],
    ['CSV with a header', 'id,source,target\n,b,a\n,a,c', ABC],
    ['a list with a header', 'From To\nb a\na c', ABC],
    ['edges, some to the node itself', 'b a\nb b\na c', { ...ABC, unused: ['1 edge from a node to itself'] }],
    [
      'a list whose first edge is of named nodes, and connected to those with numbers',
      'seed 1\n1 2\n',
      { ...ABC, names: ['seed', '1', '2'] }
    ],
    [
      'a list of addresses',
      'node:2 [::1]:4001\n',
      { nodes: 2, names: ['node:2', '[::1]:4001'], edges: [[0, 1]], repeated: 0 }
    ],
    ['edges named both ways', 'b a\na b\na c\nb a', { ...ABC, repeated: 2, unused: ['1 repeated edge'] }],
    [
      'numbers, which keep their order',
      '10 2\n2 1',
      { ...ABC, names: ['1', '2', '10'], edges: edgesIn('2-1 1-0') }
    ],
    ['JSON with named nodes', '{"nodes": ["b", "a", "c"], "edges": [["b", "a"], ["a", "c"]]}', ABC],
    ['JSON without nodes', '{"edges": [["b", "a"], ["a", "c"]]}', ABC],
    [
      'JSON with a number of nodes, one of them alone',
      '{"nodes": 4, "edges": [[1, 0], [2, 1]]}',
      { nodes: 4, names: ['0', '1', '2', '3'], edges: edgesIn('1-0 2-1'), repeated: 0 }
    ],
    [
      'node-link data of NetworkX 3',
      '{"directed": false, "multigraph": false, "graph": {}, "nodes": [{"id": "b"}, {"id": "a"}, {"id": "c"}], "edges": [{"source": "b", "target": "a"}, {"weight": 2, "source": "a", "target": "c"}]}',
      { ...ABC, unused: ['weight of 1 edge'] }
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
      { ...ABC, unused: ['d0 of 1 node'] }
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

  /** A line of three nodes, and what is said of it. */
  const LINE = {
    kind: 'file',
    path: 'line',
    nodes: 3,
    edges: edgesIn('0-1 1-2'),
    names: ['0', '1', '2'],
    repeated: 0
  }
  const both = (/** @type {number} */ from, /** @type {number} */ to, /** @type {object} */ data) => [
    { from, to, ...data },
    { from: to, to: from, ...data }
  ]

  it('may be GML with link data, as Shadow reads it', () => {
    const text = `# of Shadow
Creator "me & you"
graph [
  directed 0
  node [ id 0 label "a &#228; &quot;" host_bandwidth_up "50 Mbit" host_bandwidth_down "1 Gbit" ]
  node [ id 1 graphics [ x 1.5 y -2 ] ] node [
    id 2 ]
  edge [ source 0 target 0 latency "1 ms" ]
  edge [ source 0 target 1 latency "20 ms" packet_loss 0.01 jitter "1 ms" ]
  edge [ source 1 target 2 latency 1.5 bandwidth "80 Mbit/s" loss "2%" ]
  edge [ source 2 target 1 latency "99 ms" ]
]`
    assert.deepEqual(parseTopologyFile(text, 'line'), {
      ...{ ...LINE, repeated: 1 },
      links: [
        ...both(0, 1, { latencyMs: 20, lossShare: 0.01 }),
        ...both(1, 2, { latencyMs: 1.5, bytesPerSecond: 10e6, lossShare: 0.02 })
      ],
      hosts: [{ upBytesPerSecond: 6.25e6, downBytesPerSecond: 125e6 }, {}, {}],
      unused: ['jitter of 1 edge', 'graphics of 1 node', '1 edge from a node to itself', '1 repeated edge']
    })
  })

  it('of a directed graph has what it says of each direction, and of both where there is one', () => {
    const text =
      'graph [ directed 1 node [ id 0 ] node [ id 1 ] node [ id 2 ] edge [ source 0 target 1 latency 5 ] edge [ source 1 target 0 ] edge [ source 1 target 2 latency 7 ] ]'
    assert.deepEqual(parseTopologyFile(text, 'line').links, [
      { from: 0, to: 1, latencyMs: 5 },
      ...both(1, 2, { latencyMs: 7 })
    ])
  })

  it('may be CSV with link data, with and without a header', () => {
    for (const text of [
      '0,1,20 ms,50 Mbit,1%\n1,2,,10MB/s,',
      '0;1;20;50Mbit;0.01\n1;2;;10 MB/s;',
      'target,packet_loss,source,latency_us,bandwidth_mbit\n1,0.01,0,20000,50\n2,,1,,80',
      'from\tto\tlatency\tbandwidth\tloss_percent\n0\t1\t20 ms\t50 Mbit\t1\n1\t2\t\t80Mbit',
      "0 1 {'latency': '20 ms', 'bandwidth': '50 Mbit', 'loss': 0.01}\n1 2 {'bandwidth': '10 MB/s'}"
    ])
      assert.deepEqual(
        parseTopologyFile(text, 'line'),
        {
          ...LINE,
          links: [
            ...both(0, 1, { latencyMs: 20, bytesPerSecond: 6.25e6, lossShare: 0.01 }),
            ...both(1, 2, { bytesPerSecond: 10e6 })
          ]
        },
        text
      )
  })

  it('may be GraphML with defaults of its keys', () => {
    const keys =
      '<key id="a" for="edge" attr.name="latency"><default>5 ms</default></key><key id="b" for="node" attr.name="host_bandwidth_up"/>'
    const text = `<graphml>${keys}<graph edgedefault="undirected"><node id="0"><data key="b">8 Mbit</data></node><node id="1"/><node id="2"/><edge source="0" target="1"/><edge source="1" target="2"><data key="a">7</data></edge></graph></graphml>`
    assert.deepEqual(parseTopologyFile(text, 'line'), {
      ...LINE,
      links: [...both(0, 1, { latencyMs: 5 }), ...both(1, 2, { latencyMs: 7 })],
      hosts: [{ upBytesPerSecond: 1e6 }, {}, {}]
    })
  })

  it('names few of many attributes that are not used, without what a terminal would act on', () => {
    const data = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`\u001b[3${i}m`, i]))
    const text = JSON.stringify({ edges: [{ source: 0, target: 1, ...data }] })
    const { unused = [] } = parseTopologyFile(text, 'many')
    assert.deepEqual([unused.length, unused[0], unused[8]], [9, ' [30m of 1 edge', '12 further attributes'])
  })

  it('may be one of the graphs of NetworkX', () => {
    const name = 'ba-95-m6-seed42-networkx-2.4.json'
    const network = fixture(name)
    const text = JSON.stringify({ n: network.n, edges: network.edges })
    const { nodes, edges } = parseTopologyFile(text, name)
    assert.equal(nodes, 95)
    assert.deepEqual(edges, network.edges)
  })
})

describe('a topology file that cannot be read says where and why', () => {
  /** @type {[string, RegExp][]} */
  const rows = [
    ['', /^mesh: has no edges between different nodes: must have one at least$/],
    ['# nothing\n', /^mesh: has no edges/],
    ['a b\n\nc\n', /^mesh: line 3: "c" must be two names, such as "0 1"/],
    ['a b\na b c', /^mesh: line 2: "a b c" must be two names/],
    ['b b', /^mesh: has no edges between different nodes: must have one at least$/],
    ['{"nodes": 2,\n "edges": [[0, 1]\n', /^mesh: .*is not JSON/],
    ['{"nodes": 2,\n "edges": [[0, 1] 7]}', /^mesh: line 2: is not JSON/],
    ['[[0, 1]]', /^mesh: \[\[0,1\]\] must be an object such as \{"nodes"/],
    ['{"nodes": 2}', /^mesh: must have "edges"/],
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
    [
      '<svg/>',
      /^mesh: this is SVG, which is not read: edge lists, CSV, GML, GraphML and node-link JSON are read$/
    ],
    ['<gexf version="1.2"><graph/></gexf>', /^mesh: this is GEXF, which is not read/],
    ['<other/>', /^mesh: this is XML with <other> around it/],
    [graphml('<node id="a"/>\n<hyperedge/>'), /^mesh: line 5: a <hyperedge>: must be an <edge>/],
    ['graph [ node [ id 0 ]\n', /^mesh: line 1: a list that begins here has no \]$/],
    ['graph [\n node [ id 0 ]\n node [ label "x" ]\n]', /^mesh: line 3: the id of a node must have one/],
    ['graph [\n node 7\n]', /^mesh: line 2: node must be a list in brackets$/],
    ['graph [\n edge [ source ]\n]', /^mesh: line 2: source has no value$/],
    ['graph [\n edge [ source x ]\n]', /^mesh: line 2: x must be a number, a text in quotes, or a list/],
    ['graph [ directed 1 ]\n]', /^mesh: line 2: \] must be a key/],
    ['graph [ ]\ngraph [ ]', /^mesh: must have one graph \[ … \], and has 2 of them$/],
    [`graph [${' a ['.repeat(100_000)}`, /^mesh: line 1: more than 32 lists in one another$/],
    [
      'graph [\n node [ id 0 host_bandwidth_up 50 ]\n node [ id 1 ]\n edge [ source 0 target 1 ] ]',
      /^mesh: line 2: host_bandwidth_up 50 must be a bandwidth with its unit/
    ],
    [`{"nodes": ${'['.repeat(100_000)}${']'.repeat(100_000)}, "edges": []}`, /^mesh: /],
    [
      graphml('<x>'.repeat(20_000) + '</x>'.repeat(20_000)),
      /^mesh: (has too many parts in one another|has no edges)/
    ],
    ['# mine\n*Vertices 2\n1 "a"', /^mesh: line 2: this is a Pajek file/],
    ['*network Karate', /^mesh: line 1: this is a Pajek file/],
    ['>>graph6<<Bw\n', /^mesh: line 1: this is graph6/],
    ['Bw\n', /^mesh: line 1: this is graph6/],
    ['>>sparse6<<:An', /^mesh: line 1: this is sparse6/],
    [':An', /^mesh: line 1: this is sparse6/],
    ['&BP_', /^mesh: line 1: this is digraph6/],
    ['LEDA.GRAPH\nstring\nint\n', /^mesh: line 1: this is a LEDA file/],
    ['graph {\n0--1;\n}', /^mesh: line 1: this is DOT/],
    ['strict digraph "" {\n0 -> 1;\n}', /^mesh: line 1: this is DOT/],
    ['graph x { 0 -- 1 }', /^mesh: line 1: this is DOT/],
    ['%%MatrixMarket matrix coordinate', /^mesh: line 1: this is a Matrix Market file/],
    ['% sym\n1 2', /^mesh: line 1: this is a KONECT file/],
    ['nodes: 3\nedges: x', /^mesh: line 1: this is YAML/],
    ['0 1\n1, 2', /^mesh: line 2: "1, 2" must be two names without , ;/],
    ['a b\na b#2', /^mesh: line 2: "a b#2" must be two names without .* put a space before a comment$/],
    [
      '# adjlist\n0 1 2\n1 2\n2',
      /^mesh: line 2: "0 1 2" must be two names, .*; adjacency lists are not read/
    ],
    ['0 1 2\n1 2 3\n2 3 0\n3 0 1', /^mesh: line 1: "0 1 2" must be two names/],
    ['0 1 2 3\n1 2 3 4', /^mesh: line 1: "0 1 2 3" must be two names/],
    ['0,1,20 ms,5 MB/s,1%,x', /^mesh: line 1: "0 1 20 ms 5 MB\/s 1% x" must be two names/],
    ['0,1,fast', /^mesh: line 1: "0 1 fast" must be two names/],
    ['0,1\n0,', /^mesh: line 2: "0 " must be two names/],
    [
      'source,target,latency\n0,1,soon',
      /^mesh: line 2: latency "soon" must be a latency from 0 to 10 s, such as 20 ms/
    ],
    ['source,target,latency\n0,1,-1', /^mesh: line 2: latency "-1" must be/],
    ['source,target,bandwidth\n0,1,50', /^mesh: line 2: bandwidth "50" must be a bandwidth with its unit/],
    ['source,target,loss\n0,1,1', /^mesh: line 2: loss "1" must be a share from 0 to below 1/],
    ['source,target,loss,packet_loss\n0,1,0,0', /^mesh: line 2: packet_loss "0" says again/],
    [
      '5,,70\n60,5,80\n70,80,5',
      /^mesh: this is a table of latencies .*: --linkLatency file:<path> reads it$/
    ],
    ['5,60,70\n60,5,80\n70,80,5', /^mesh: this is a table of latencies/],
    ['from,eu,usw,use\neu,2,110,70\nusw,110,2,60\nuse,70,60,2', /^mesh: this is a table of latencies/],
    ['0 1\n1 {}\n1 0', /^mesh: line 2: "1" has one name before its data, as in a multiline adjacency list/],
    ["0 1\n1 {'a': 1, 'b': 2}", /^mesh: line 2: .* as in a multiline adjacency list/],
    ['station nearest\n0 1\n1 2', /^mesh: line 1: .* looks like a header/],
    ['1 a\n2 b\n#\n1 2', /^mesh: line 3: this is the trivial graph format/],
    ['{"nodes": 2, "edgs": [[0, 1]]}', /^mesh: has the unknown key "edgs"; did you mean edges\?$/],
    [
      '{"nodes": 2, "edges": [[0, 1]], "latency": 5}',
      /^mesh: has the unknown key "latency": must be one of nodes, n,/
    ],
    ['{"edges": [[0, 1]], "links": [[1, 2]]}', /^mesh: has both "edges" and "links": must have one of them$/],
    [
      '{"nodes": [{"id": 0}], "adjacency": [[]]}',
      /^mesh: this is adjacency data of NetworkX, which is not read/
    ],
    ['{"elements": {"nodes": [], "edges": []}}', /^mesh: this is JSON of Cytoscape/],
    ['{"id": 0, "children": []}', /^mesh: this is tree data of NetworkX/],
    ['{"graph": {"nodes": {}, "edges": []}}', /^mesh: this is JSON Graph Format/],
    ['{"nodes": [{"id": 0, "peers": [1]}, 1], "edges": [[0, 1]]}', /^mesh: nodes\[0\]: has edges of its own/],
    ['{"edges": [[9007199254740993, 1]]}', /^mesh: edges\[0\]/],
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

const BA = { kind: 'barabasi-albert', m: 6, seed: null, networkx: '3' }

describe('the value of --topology', () => {
  const rows = [
    ['barabasi-albert', BA],
    ['barabasi-albert:m=6,seed=42,networkx=2.4', { ...BA, seed: 42, networkx: '2.4' }],
    [' barabasi-albert : m = 12 ', { ...BA, m: 12 }],
    ['barabasi-albert:seed=0', { ...BA, seed: 0 }],
    ['barabasi-albert:seed=-42', { ...BA, seed: -42 }],
    ['barabasi-albert:seed=9007199254740993', { ...BA, seed: '9007199254740993' }],
    ['random-degree:seed=7', { kind: 'random-degree', k: 10, seed: 7 }],
    ['erdos-renyi', { kind: 'erdos-renyi', p: 0.1, seed: null }],
    ['erdos-renyi:p=.5,seed=4294967296', { kind: 'erdos-renyi', p: 0.5, seed: 4294967296 }],
    ['random-geometric:radius=0.3', { kind: 'random-geometric', radius: 0.3, seed: null }],
    ['powerlaw-cluster:m=4', { kind: 'powerlaw-cluster', m: 4, p: 0.1, seed: null }],
    ['full', { kind: 'full' }],
    ['random-degree', { kind: 'random-degree', k: 10, seed: null }],
    ['random-degree:k=3', { kind: 'random-degree', k: 3, seed: null }],
    ['regular', { kind: 'regular', k: 6, seed: null }],
    ['ring', { kind: 'ring' }],
    ['line', { kind: 'line' }],
    ['star', { kind: 'star' }],
    ['small-world', { kind: 'small-world', k: 6, p: 0.1, seed: null }],
    ['small-world:k=4,p=.25', { kind: 'small-world', k: 4, p: 0.25, seed: null }],
    ['small-world:p=1', { kind: 'small-world', k: 6, p: 1, seed: null }],
    ['rendezvous', { kind: 'rendezvous', k: 6 }],
    ['rendezvous:k=4', { kind: 'rendezvous', k: 4 }],
    ['file:mesh.txt', { kind: 'file', path: 'mesh.txt' }],
    ['file: C:\\a b,c=d.json', { kind: 'file', path: 'C:\\a b,c=d.json' }]
  ]
  for (const [text, spec] of rows) {
    it(`${text} is understood`, () => assert.deepEqual(parseTopology(String(text)), spec))
  }

  const refused = [
    ['', /^must be barabasi-albert, .*, full, .* or file:<path>, such as barabasi-albert:m=6,seed=42$/],
    ['mesh', /^must be barabasi-albert/],
    ['Full', /^must be barabasi-albert/],
    ['full mesh', /^must be barabasi-albert/],
    ['constructor', /^must be barabasi-albert/],
    ['file', /^must name a file after the colon/],
    ['file:', /^must name a file after the colon/],
    ['ring:k=2', /^must be ring alone/],
    [
      'barabasi-albert:k=6',
      /^must give barabasi-albert nothing but m, seed, networkx, such as barabasi-albert:m=6,seed=42,networkx=3$/
    ],
    ['barabasi-albert:m', /^must have a whole number from 1 to 100,000 as m$/],
    ['barabasi-albert:m=6,', /^must give barabasi-albert nothing but/],
    ['barabasi-albert:m=0', /as m$/],
    ['barabasi-albert:m=6=7', /as m$/],
    ['barabasi-albert:m=6,m=7', /^must give m of barabasi-albert once$/],
    ['barabasi-albert:seed=4.5', /^must have a whole number as seed$/],
    ['erdos-renyi:m=3', /^must give erdos-renyi nothing but p, seed, such as erdos-renyi:p=0.1,seed=42$/],
    ['random-geometric:radius=2', /from 0 to 1 as radius$/],
    ['barabasi-albert:networkx=3.6.1', /^must have 2.4 or 3 as networkx$/],
    ['regular:k=2.5', /as k$/],
    ['small-world:p=1.1', /^must have a number from 0 to 1 as p$/],
    ['small-world:p=often', /as p$/]
  ]
  for (const [text, allowed] of refused) {
    it(`${text} is refused with what is allowed`, () => {
      const read = parseTopology(String(text))
      assert.ok('allowed' in read)
      assert.match(read.allowed, /** @type {RegExp} */ (allowed))
    })
  }
})

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
