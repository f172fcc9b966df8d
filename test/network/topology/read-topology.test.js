import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readTopology } from '../../../src/network/topology-file.js'

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
    it(`${text} is understood`, () => assert.deepEqual(readTopology(String(text)), spec))
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
      const read = readTopology(String(text))
      assert.ok('allowed' in read)
      assert.match(read.allowed, /** @type {RegExp} */ (allowed))
    })
  }
})
