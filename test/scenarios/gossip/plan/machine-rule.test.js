import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { tooLarge } from '../../../../src/scenarios/network-options.js'
import { makePlanOf } from '../../../scenarios.js'

const SMALL = Object.freeze({ cores: 2, memoryBytes: 24e9, openFiles: 20_000 })
const BA = Object.freeze({ kind: 'barabasi-albert', m: 6, seed: 42 })

/** @type {[string, Record<string, any>, object, RegExp | null][]} what, options, what differs of a small machine, why not; null: it is carried */
const NETWORKS = [
  [
    '2,000 nodes on two cores',
    { nodes: 2000 },
    {},
    /^must be at most about 1,333 on real TCP, .* 2 cores .* \(1,333\)/
  ],
  ['2,000 nodes on 16 cores', { nodes: 2000 }, { cores: 16 }, null],
  [
    'one worker of 16 cores',
    { nodes: 2000, workers: 1 },
    { cores: 16, openFiles: Infinity },
    /666 .* 1 core /
  ],
  ['the default network', { nodes: 95 }, { memoryBytes: 2e9, openFiles: 1024 }, null],
  ['little memory', { nodes: 300 }, { memoryBytes: 1e9 }, /0\.9 GiB of memory/],
  [
    'few open files',
    { nodes: 300 },
    { openFiles: 1024 },
    /about \d\d\d .* 1,024 open files for each of 2 workers/
  ],
  ['all connected to all', { nodes: 600, topology: { kind: 'full' } }, {}, /memory .* open files/],
  ['a ring has few connections', { nodes: 1300, topology: { kind: 'ring' } }, { memoryBytes: 2e9 }, null],
  [
    'found at a rendezvous server',
    { nodes: 1000, topology: { kind: 'rendezvous', k: 60 } },
    {},
    /open files/
  ],
  [
    'a small one that needs more files than may be open',
    { nodes: 50, topology: { kind: 'full' }, workers: 1 },
    { openFiles: 256, cores: 1, memoryBytes: 1e8 },
    /^must be at most about 1\d on real TCP, by estimate of what this machine has: 256 open files for each of 1 worker /
  ],
  [
    'a small one on any machine otherwise',
    { nodes: 50, topology: { kind: 'full' }, workers: 1 },
    { openFiles: 4096, cores: 1, memoryBytes: 1e6 },
    null
  ],
  [
    'a file with its own number of nodes',
    { topology: { kind: 'file', path: 'x', nodes: 3000, edges: [[0, 1]] } },
    {},
    /1,333/
  ]
]

describe('a network on real TCP is refused where its nodes could not stand, by estimate', () => {
  for (const [what, options, machine, why] of NETWORKS)
    test(what, () => {
      const text = tooLarge({ topology: BA, ...options }, { ...SMALL, ...machine })
      if (why === null) assert.equal(text, null)
      else assert.match(String(text), why)
    })

  test('before anything is started, by the flag that says how large it is; simulated it is not', () => {
    const [{ flag, value, allowed }] = makePlanOf('gossip', { nodes: '60000' }).problems ?? []
    assert.deepEqual([flag, value], ['--nodes', '60000'])
    assert.match(allowed, /what this machine has: .*; or take --network simulated$/)
    assert.equal(makePlanOf('gossip', { nodes: '60000', network: 'simulated' }).problems, undefined)
  })
})
