import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { locateFunction } from '../../src/run/profiles.js'

const ROOT = 'file:///home/someone/libp2p-loadtest/'

/** @type {[what: string, url: string, from: string, module: string | null][]} */
const MODULES = [
  [
    'an installed package',
    'file:///x/node_modules/@libp2p/gossipsub/dist/src/gossipsub.js',
    '@libp2p/gossipsub',
    '@libp2p/gossipsub/dist/src/gossipsub.js'
  ],
  [
    'a package without a scope',
    'file:///x/node_modules/uint8arraylist/dist/src/index.js',
    'uint8arraylist',
    'uint8arraylist/dist/src/index.js'
  ],
  [
    "a package's own dependency",
    'file:///x/node_modules/@libp2p/crypto/node_modules/protons-runtime/dist/src/encode.js',
    'protons-runtime',
    'protons-runtime/dist/src/encode.js'
  ],
  [
    "a package manager's store",
    'file:///x/node_modules/.pnpm/@libp2p+noise@17.0.3/node_modules/@libp2p/noise/dist/src/noise.js',
    '@libp2p/noise',
    '@libp2p/noise/dist/src/noise.js'
  ],
  [
    'a package in an archive',
    '/x/.yarn/cache/it-pushable-npm-3.2.4-0a.zip/node_modules/it-pushable/dist/src/index.js',
    'it-pushable',
    'it-pushable/dist/src/index.js'
  ],
  [
    'a path of Windows',
    'C:\\x\\node_modules\\@libp2p\\tcp\\dist\\src\\tcp.js',
    '@libp2p/tcp',
    '@libp2p/tcp/dist/src/tcp.js'
  ],
  [
    'our dependencies in our own folder',
    `${ROOT}node_modules/libp2p/dist/src/index.js`,
    'libp2p',
    'libp2p/dist/src/index.js'
  ],
  [
    'our own code',
    `${ROOT}src/scenarios/rendezvous/worker/entry.js`,
    'libp2p-loadtest',
    'libp2p-loadtest/src/scenarios/rendezvous/worker/entry.js'
  ],
  [
    'our own code, loaded anew',
    `${ROOT}src/scenarios/rendezvous/worker/entry.js?again=1`,
    'libp2p-loadtest',
    'libp2p-loadtest/src/scenarios/rendezvous/worker/entry.js'
  ],
  [
    'our own code, installed',
    'file:///x/node_modules/libp2p-loadtest/src/scenarios/rendezvous/worker/entry.js',
    'libp2p-loadtest',
    'libp2p-loadtest/src/scenarios/rendezvous/worker/entry.js'
  ],
  ['a part of Node', 'node:net', 'node:net', 'node:net'],
  ['a part of Node with a path', 'node:timers/promises', 'node:timers', 'node:timers/promises'],
  ["Node's internals", 'node:internal/crypto/sig', 'node:crypto', 'node:internal/crypto/sig'],
  [
    'internals named otherwise: streams',
    'node:internal/streams/writable',
    'node:stream',
    'node:internal/streams/writable'
  ],
  [
    'internals named otherwise: sockets',
    'node:internal/stream_base_commons',
    'node:net',
    'node:internal/stream_base_commons'
  ],
  ['internals named otherwise', 'node:internal/event_target', 'node:events', 'node:internal/event_target'],
  ['WebAssembly', 'wasm://wasm/20831a12', 'wasm', null],
  ['a file of nobody', 'file:///home/someone/script.mjs', '(script)', null],
  ['code without a file', 'evalmachine.<anonymous>', '(script)', null]
]

describe('the place of a function', () => {
  for (const [what, url, from, module] of MODULES) {
    it(`is known for ${what}`, () => {
      const place = locateFunction({ functionName: 'f', url }, { caller: 'libp2p', root: ROOT })
      assert.deepEqual(place, { package: from, url: module })
    })
  }

  for (const name of ['(garbage collector)', '(idle)', '(program)']) {
    it(`is ${name} for what is no function`, () => {
      assert.deepEqual(locateFunction({ functionName: name, url: '' }), { package: name, url: null })
    })
  }

  it("is the caller's package for native code", () => {
    const place = locateFunction({ functionName: 'writeBuffer', url: '' }, { caller: 'node:net' })
    assert.deepEqual(place, { package: 'node:net', url: null })
  })

  it('is (native) for native code that nobody called', () => {
    assert.deepEqual(locateFunction({ functionName: 'f', url: '' }), { package: '(native)', url: null })
  })

  it('is our package for the code that runs here', () => {
    const { href } = new URL('../../src/plan/plan.js', import.meta.url)
    assert.equal(locateFunction({ functionName: 'f', url: href }).url, 'libp2p-loadtest/src/plan/plan.js')
  })
})
