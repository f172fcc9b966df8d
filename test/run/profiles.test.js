import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it, test } from 'node:test'
import {
  CATEGORIES,
  classifyFunction,
  compareHotSpots,
  findHotSpots,
  foldProfiles,
  Profiles
} from '../../src/run/profiles.js'
import { makeExtension } from '../../src/scenarios/gossip/run/gossip-run.js'
import { ENCODE, INSTALLED, madeUpHeap, madeUpProfile, RECEIVE, VERIFY } from './made-up-profile.js'

const PROFILE = madeUpProfile([2000, ['verifyOneShot', 'node:internal/crypto/sig', 232]], [1000, '(idle)'])

const HEAP = madeUpHeap(
  [2000, ['verifyOneShot', 'node:internal/crypto/sig', 232]],
  [1000, ['encode', `${INSTALLED}/protons-runtime/dist/src/encode.js`, 9]]
)

/** @typedef {import('../../src/measure/process-profile.js').ProcessProfile} ProcessProfile */

/**
 * Processes that are sampled.
 *
 * @param {number} count
 * @param {(process: number) => ReturnType<ProcessProfile['stopProfile']>} [stopProfile]
 */
function processes(count, stopProfile = async () => ({ profile: PROFILE, error: null })) {
  /** @type {unknown[][]} */
  const calls = []
  const all = Array.from({ length: count }, (_, process) => ({
    startProfile: async (/** @type {number} */ intervalMicros) =>
      void calls.push(['start', process, intervalMicros]),
    stopProfile: async (/** @type {string | null} */ file) => {
      calls.push(['stop', process, file])
      return stopProfile(process)
    },
    startAllocations: async () => void calls.push(['start allocations', process]),
    stopAllocations: async (/** @type {string | null} */ file) => {
      calls.push(['stop allocations', process, file])
      return { profile: HEAP, error: null }
    }
  }))
  return { calls, all }
}

/** @param {Profiles} profiles @param {readonly ProcessProfile[]} workers */
async function taken(profiles, workers) {
  await profiles.start({ workers })
  await profiles.stop()
  return profiles.sampledOf('workers')
}

describe('profiles of processes', () => {
  it('are taken of all, into the folder of the run', async () => {
    const { calls, all } = processes(2)
    const { profile } = await taken(new Profiles(['cpu'], 'folder'), all)
    assert.deepEqual(calls, [
      ['start', 0, 1000],
      ['start', 1, 1000],
      ['stop', 0, join('folder', 'worker-0.cpuprofile')],
      ['stop', 1, join('folder', 'worker-1.cpuprofile')]
    ])
    assert.deepEqual(
      [profile?.workers, profile?.files, profile?.intervalMicros],
      [[0, 1], ['worker-0.cpuprofile', 'worker-1.cpuprofile'], 1000]
    )
    assert.deepEqual(profile?.hotSpots.categories, [{ category: 'signature', selfShare: 1, totalShare: 1 }])
    assert.equal(profile?.folded.totalMs, 4)
  })

  it('are of allocations where these are asked for, with CPU or alone', async () => {
    const { calls, all } = processes(1)
    const { profile, allocations } = await taken(new Profiles(['heap'], 'folder'), all)
    assert.deepEqual(calls, [
      ['start allocations', 0],
      ['stop allocations', 0, join('folder', 'worker-0.heapprofile')]
    ])
    assert.equal(profile, undefined)
    assert.deepEqual([allocations?.bytes, allocations?.files], [3000, ['worker-0.heapprofile']])
    const both = await taken(new Profiles(['cpu', 'heap'], null), processes(1).all)
    assert.ok(both.profile !== undefined && both.allocations !== undefined)
  })

  it('are of server and workers apart', async () => {
    const profiles = new Profiles(['cpu'], 'folder')
    await profiles.start({ server: processes(1).all, workers: processes(2).all })
    await profiles.stop()
    assert.deepEqual(profiles.sampledOf('server').profile?.files, ['server-0.cpuprofile'])
    assert.equal(profiles.sampledOf('workers').profile?.workers.length, 2)
  })

  it('need no folder', async () => {
    const { calls, all } = processes(3)
    const { profile } = await taken(new Profiles(['cpu'], null), all)
    assert.deepEqual(calls.at(-1), ['stop', 2, null])
    assert.deepEqual([profile?.files, profile?.hotSpots.samples], [[], 6])
  })

  it('are taken once, however often they are asked for', async () => {
    const { calls, all } = processes(1)
    const profiles = new Profiles(['cpu'], null)
    await profiles.start({ workers: all })
    await Promise.all([profiles.stop(), profiles.stop()])
    assert.equal(calls.length, 2)
  })

  it('are those of the processes that are still there', async () => {
    const { all } = processes(3, async process => {
      if (process === 1) throw new Error('it has died')
      return { profile: PROFILE, error: null }
    })
    assert.deepEqual((await taken(new Profiles(['cpu'], 'folder'), all)).profile?.workers, [0, 2])
  })

  it('are there where a file could not be written, with a warning', async () => {
    const { all } = processes(1, async () => ({ profile: PROFILE, error: 'the disk is full' }))
    const profiles = new Profiles(['cpu'], 'folder')
    const { profile } = await taken(profiles, all)
    assert.deepEqual([profile?.files, profile?.workers], [[], [0]])
    const values = { process: 'worker 0', error: 'the disk is full' }
    assert.deepEqual(profiles.warnings, [{ code: 'PROFILE_NOT_WRITTEN', values }])
  })

  it('are none of a run that ended before', async () => {
    const profiles = new Profiles(['cpu'], 'folder')
    await profiles.stop()
    assert.deepEqual(profiles.sampledOf('workers'), {})
  })
})

describe('that profiled nodes are busy and late', () => {
  const warnings = ['GENERATOR_LIMITED', 'PUBLISH_LATE', 'DIALS_FAILED'].map(code => ({ code, values: {} }))

  /** @param {object} plan */
  const warned = plan =>
    makeExtension(/** @type {any} */ ({ profiled: ['cpu'], ...plan }), null).warnings(warnings)

  it('is no warning where they publish as fast as they can', () => {
    const codes = warned({ publishers: 'every', loadModel: 'closed' }).map(({ code }) => code)
    assert.deepEqual(codes, ['DIALS_FAILED'])
  })

  it('is one where messages are due at a rate', () => {
    assert.deepEqual(warned({ publishers: 'random', loadModel: 'open' }), warnings)
  })
})

const SIGNED = madeUpProfile(
  [1000, RECEIVE],
  [3000, RECEIVE, VERIFY, 'run'],
  [4000, '(idle)'],
  [2000, '(garbage collector)'],
  [2000, RECEIVE, ENCODE]
)

describe('hot spots', () => {
  it('are shares of the time that was not idle', () => {
    const { samples, durationMs, busyShare, idleShare, categories } = findHotSpots([SIGNED])
    assert.deepEqual({ samples, durationMs, busyShare }, { samples: 5, durationMs: 12, busyShare: 8 / 12 })
    assert.ok(Math.abs(idleShare - 4 / 12) < 1e-12)
    assert.deepEqual(categories, [
      { category: 'signature', selfShare: 3 / 8, totalShare: 3 / 8 },
      { category: 'gc', selfShare: 2 / 8, totalShare: 2 / 8 },
      { category: 'protobuf', selfShare: 2 / 8, totalShare: 2 / 8 },
      { category: 'gossipsub', selfShare: 1 / 8, totalShare: 6 / 8 }
    ])
  })

  it('name packages', () => {
    assert.deepEqual(findHotSpots([SIGNED]).packages, [
      { package: 'node:crypto', selfShare: 3 / 8, totalShare: 3 / 8 },
      { package: '(garbage collector)', selfShare: 2 / 8, totalShare: 2 / 8 },
      { package: 'protons-runtime', selfShare: 2 / 8, totalShare: 2 / 8 },
      { package: '@libp2p/gossipsub', selfShare: 1 / 8, totalShare: 6 / 8 }
    ])
  })

  it('name functions with their place, without anything of the machine, and only those that were on top', () => {
    const { functions } = findHotSpots([SIGNED])
    assert.deepEqual(
      functions.map(({ function: name, url, line }) => [name, url, line]),
      [
        ['run', null, null],
        ['(garbage collector)', null, null],
        ['encode', 'protons-runtime/dist/src/encode.js', 10],
        ['handleReceivedRpc', '@libp2p/gossipsub/dist/src/gossipsub.js', 728]
      ]
    )
    assert.deepEqual(functions[0], {
      function: 'run',
      package: 'node:crypto',
      category: 'signature',
      url: null,
      line: null,
      selfShare: 3 / 8,
      totalShare: 3 / 8
    })
    assert.ok(!JSON.stringify(functions).includes('somewhere'))
  })

  it('count a function once for a stack it is in several times', () => {
    const profile = madeUpProfile([1000, ENCODE, RECEIVE, ENCODE, ENCODE], [2000, ENCODE], [1000, RECEIVE])
    const { functions, categories } = findHotSpots([profile])
    assert.deepEqual(
      functions.map(({ function: name, selfShare, totalShare }) => [name, selfShare, totalShare]),
      [
        ['encode', 3 / 4, 3 / 4],
        ['handleReceivedRpc', 1 / 4, 2 / 4]
      ]
    )
    const totalShares = categories.map(({ totalShare }) => totalShare)
    assert.deepEqual(totalShares, [3 / 4, 2 / 4])
  })

  it('tell native functions apart by whom they were called from', () => {
    /** @type {Frame} */
    const write = ['writeGeneric', 'node:internal/stream_base_commons', 150]
    const { functions } = findHotSpots([madeUpProfile([3000, write, 'run'], [1000, VERIFY, 'run'])])
    const rows = functions.flatMap(({ function: name, category }) => [name, category])
    assert.deepEqual(rows, ['run', 'socket', 'run', 'signature'])
  })

  it('add the times of several processes', () => {
    const quiet = madeUpProfile([7000, '(idle)'], [1000, RECEIVE])
    const merged = findHotSpots([SIGNED, quiet])
    assert.equal(merged.durationMs, 20)
    assert.equal(merged.busyShare, 9 / 20)
    const found = merged.categories.find(({ category }) => category === 'gossipsub')
    assert.deepEqual(found, { category: 'gossipsub', selfShare: 2 / 9, totalShare: 7 / 9 })
    assert.deepEqual(findHotSpots([quiet, SIGNED]), merged)
  })

  it('are of the time between samples, not of their number', () => {
    const { categories } = findHotSpots([madeUpProfile([100, RECEIVE], [100, RECEIVE], [800, VERIFY])])
    const rows = categories.flatMap(({ category, selfShare }) => [category, selfShare])
    assert.deepEqual(rows, ['signature', 0.8, 'gossipsub', 0.2])
  })

  it('are right where V8 noted samples out of order', () => {
    const profile = madeUpProfile([1000, RECEIVE], [2000, VERIFY], [1000, ENCODE])
    const [first, second, third] = profile.samples ?? []
    const disordered = { ...profile, samples: [second, first, third], timeDeltas: [1000, -1000, 3000] }
    assert.deepEqual(findHotSpots([disordered]), findHotSpots([profile]))
  })

  it('are the 50 functions with the most self time', () => {
    const stacks = Array.from({ length: 60 }, (_, i) => {
      /** @type {[number, Frame]} */
      const stack = [i + 1, [`f${i}`, `${INSTALLED}/libp2p/index.js`, i]]
      return stack
    })
    const { functions } = findHotSpots([madeUpProfile(...stacks)])
    assert.equal(functions.length, 50)
    assert.deepEqual([functions[0].function, functions[49].function], ['f59', 'f10'])
  })

  it('are none when nothing was sampled, or nothing done', () => {
    const none = { categories: [], packages: [], functions: [] }
    const empty = { nodes: [], startTime: 0, endTime: 5, samples: [], timeDeltas: [] }
    assert.deepEqual(findHotSpots([]), { samples: 0, durationMs: 0, busyShare: 0, idleShare: 0, ...none })
    assert.deepEqual(findHotSpots([empty]), {
      samples: 0,
      durationMs: 0,
      busyShare: 0,
      idleShare: 0,
      ...none
    })
    assert.deepEqual(findHotSpots([madeUpProfile([1000, '(idle)'])]), {
      samples: 1,
      durationMs: 1,
      busyShare: 0,
      idleShare: 1,
      ...none
    })
  })
})

/** @typedef {import('../../src/run/profiles.js').CategoryShares} CategoryShares */

/** @type {CategoryShares[]} */
const SHARES_SIGNED = [
  { category: 'signature', selfShare: 0.5, totalShare: 0.625 },
  { category: 'muxer', selfShare: 0.25, totalShare: 0.25 },
  { category: 'gc', selfShare: 0.25, totalShare: 0.25 }
]

/** @type {CategoryShares[]} */
const SHARES_UNSIGNED = [
  { category: 'muxer', selfShare: 0.625, totalShare: 0.75 },
  { category: 'gc', selfShare: 0.25, totalShare: 0.25 },
  { category: 'hashing', selfShare: 0.125, totalShare: 0.125 }
]

describe('the differences of two runs', () => {
  it('are in percentage points, the greatest first, also of what one of them has not', () => {
    const differences = compareHotSpots({ categories: SHARES_SIGNED }, { categories: SHARES_UNSIGNED })
    assert.deepEqual(
      differences.map(({ category, selfPoints, totalPoints }) => [category, selfPoints, totalPoints]),
      [
        ['signature', -50, -62.5],
        ['muxer', 37.5, 50],
        ['hashing', 12.5, 12.5],
        ['gc', 0, 0]
      ]
    )
  })

  it('come with the shares of both', () => {
    const [first] = compareHotSpots({ categories: SHARES_SIGNED }, { categories: SHARES_UNSIGNED })
    assert.deepEqual(first.base, { selfShare: 0.5, totalShare: 0.625 })
    assert.deepEqual(first.candidate, { selfShare: 0, totalShare: 0 })
  })

  it('are none between a run and itself', () => {
    for (const { selfPoints, totalPoints } of compareHotSpots(
      { categories: SHARES_SIGNED },
      { categories: SHARES_SIGNED }
    )) {
      assert.deepEqual([selfPoints, totalPoints], [0, 0])
    }
  })
})

/** @typedef {import('../../src/run/profiles.js').Category} Category */

/** @type {[category: Category, functionName: string, url: string][]} */
const MODULES = [
  ['signature', 'verifyOneShot', 'node:internal/crypto/sig'],
  ['signature', 'hashAndVerify', '@libp2p/crypto/dist/src/keys/ed25519/index.js'],
  ['signature', 'Secp256k1PrivateKey.sign', '@libp2p/crypto/dist/src/keys/secp256k1/secp256k1.js'],
  ['signature', 'add', '@noble/curves/abstract/weierstrass.js'],
  ['key handling', 'createPublicKey', 'node:internal/crypto/keys'],
  ['key handling', 'generateKeyPairSync', 'node:internal/crypto/keygen'],
  ['key handling', 'publicKeyFromMultihash', '@libp2p/crypto/dist/src/keys/index.js'],
  ['key handling', 'ensureEd25519Key', '@libp2p/crypto/dist/src/keys/ed25519/utils.js'],
  ['encryption', 'encrypt', '@libp2p/noise/dist/src/utils.js'],
  ['encryption', 'open', '@chainsafe/as-chacha20poly1305/lib/src/chacha20poly1305.js'],
  ['encryption', 'chacha20', '@noble/ciphers/chacha.js'],
  ['encryption', 'final', 'node:internal/crypto/cipher'],
  ['encryption', 'diffieHellman', 'node:internal/crypto/diffiehellman'],
  ['hashing', 'createHash', 'node:internal/crypto/hash'],
  ['hashing', 'createHash', 'node:crypto'],
  ['encryption', 'createDecipheriv', 'node:crypto'],
  ['gossipsub', 'randomUUID', 'node:crypto'],
  ['hashing', 'digest', '@chainsafe/as-sha256/lib/index.js'],
  ['hashing', 'process', '@noble/hashes/sha2.js'],
  ['hashing', 'encode', 'multiformats/dist/src/hashes/sha2.js'],
  ['muxer', 'sendFrame', '@libp2p/yamux/dist/src/muxer.js'],
  ['muxer', 'write', '@libp2p/mplex/dist/src/mplex.js'],
  ['gossipsub', 'handleReceivedRpc', '@libp2p/gossipsub/dist/src/gossipsub.js'],
  ['gossipsub', 'put', '@libp2p/gossipsub/dist/src/message-cache.js'],
  ['protobuf', 'opts', '@libp2p/gossipsub/dist/src/message/rpc.js'],
  ['protobuf', 'codec', '@libp2p/crypto/dist/src/keys/keys.js'],
  ['protobuf', 'codec', '@libp2p/noise/dist/src/proto/payload.js'],
  ['protobuf', 'codec', '@libp2p/identify/dist/src/pb/message.js'],
  ['protobuf', 'codec', '@libp2p/peer-record/dist/src/envelope/envelope.js'],
  ['protobuf', 'encodeMessage', 'protons-runtime/dist/src/encode.js'],
  ['protobuf', 'decode', 'uint8-varint/dist/src/index.js'],
  ['protobuf', 'decode', 'it-length-prefixed/dist/src/decode.js'],
  ['socket', 'Socket._writeGeneric', 'node:net'],
  ['socket', 'writeGeneric', 'node:internal/stream_base_commons'],
  ['socket', 'Writable.write', 'node:internal/streams/writable'],
  ['events', 'dispatchEvent', 'node:internal/event_target'],
  ['events', 'emit', 'node:events'],
  ['events', 'safeDispatchEvent', 'main-event/dist/src/index.js'],
  ['libp2p', 'send', '@libp2p/utils/dist/src/abstract-message-stream.js'],
  ['libp2p', 'dial', 'libp2p/dist/src/connection-manager/index.js'],
  ['libp2p', 'sublist', 'uint8arraylist/dist/src/index.js'],
  ['libp2p', 'encode', 'multiformats/dist/src/bases/base.js'],
  ['libp2p', 'next', 'it-pushable/dist/src/index.js'],
  ['load generator', 'next', 'libp2p-loadtest/src/load/pacer.js'],
  ['runtime', 'processTicksAndRejections', 'node:internal/process/task_queues'],
  ['runtime', 'listOnTimeout', 'node:internal/timers'],
  ['other', 'stringify', 'yaml/dist/index.js'],
  ['other', 'readFile', 'node:fs']
]

/** @param {string} url */
const packageIn = url => /^(?:@[^/]+\/)?[^/]+/.exec(url)?.[0] ?? url

describe("a function's category", () => {
  for (const [category, name, url] of MODULES) {
    it(`is ${category} for ${name} of ${url}`, () => {
      assert.equal(classifyFunction({ function: name, package: packageIn(url), url }, 'gossipsub'), category)
    })
  }

  /** @type {[Category, string][]} */
  const withoutModule = [
    ['gc', '(garbage collector)'],
    ['idle', '(idle)'],
    ['runtime', '(program)'],
    ['other', '(script)']
  ]
  for (const [category, name] of withoutModule) {
    it(`is ${category} for ${name}`, () => {
      assert.equal(classifyFunction({ function: name, package: name, url: null }), category)
    })
  }

  it("is the caller's for native code, WebAssembly and parts of Node that serve anyone", () => {
    const served = [
      { function: 'writeBuffer', package: 'node:net', url: null },
      { function: 'wasm-function[18]', package: 'wasm', url: null },
      { function: 'FastBuffer', package: 'node:buffer', url: 'node:internal/buffer' },
      { function: 'validateObject', package: 'node:validators', url: 'node:internal/validators' },
      { function: 'jobPromise', package: 'node:crypto', url: 'node:internal/crypto/util' }
    ]
    for (const called of served) {
      for (const caller of /** @type {Category[]} */ (['socket', 'encryption', 'load generator'])) {
        assert.equal(classifyFunction(called, caller), caller, `${called.function} called by ${caller}`)
      }
      assert.equal(classifyFunction(called, null), 'runtime', `${called.function} called by nobody`)
    }
  })

  it('is one of those that are listed', () => {
    for (const [category] of MODULES) assert.ok(CATEGORIES.includes(category), category)
  })
})

/** @type {[string, string][]} */
const OF_STACKS = [
  ['libp2p-2/dist/src/connection.js', 'libp2p'],
  ['@libp2p-2/noise/dist/src/noise.js', 'encryption'],
  ['@libp2p-2/yamux/dist/src/muxer.js', 'muxer'],
  ['@libp2p-2/mplex/dist/src/mplex.js', 'muxer'],
  ['@libp2p-2/tcp/dist/src/tcp.js', 'libp2p'],
  ['@chainsafe/libp2p-noise/dist/src/noise.js', 'encryption'],
  ['@chainsafe/libp2p-yamux/dist/src/muxer.js', 'muxer'],
  ['@chainsafe/libp2p-gossipsub/dist/src/index.js', 'gossipsub'],
  ['@chainsafe/libp2p-gossipsub/dist/src/message/rpc.js', 'protobuf']
]

for (const [url, category] of OF_STACKS)
  test(`${url} is ${category}, as the same package of the present generation`, () => {
    const called = { function: 'f', package: url.split('/dist/')[0], url }
    assert.equal(classifyFunction(called), category)
  })

/**
 * @typedef {import('../../src/run/profiles.js').FoldedCall} FoldedCall
 * @typedef {import('./made-up-profile.js').Frame} Frame
 */

/** @param {string} name @returns {Frame} */
const f = name => [name, `${INSTALLED}/libp2p/dist/src/index.js`, 0]

/** A tree as text: name self/total. @param {FoldedCall} call @param {string} [indent] @returns {string[]} */
const lines = ({ name, selfMs, totalMs, children }, indent = '') => [
  `${indent}${name} ${selfMs}/${totalMs}`,
  ...children.flatMap(child => lines(child, `${indent}  `))
]

/** @param {FoldedCall} call @returns {FoldedCall[]} */
const all = call => [call, ...call.children.flatMap(all)]

/** @param {FoldedCall} tree */
function assertSumsAreRight(tree) {
  for (const { name, selfMs, totalMs, children } of all(tree)) {
    const sum = children.reduce((ms, child) => ms + child.totalMs, selfMs)
    assert.ok(Math.abs(sum - totalMs) < 1e-9, `${name}: ${sum} is not ${totalMs}`)
  }
}

/** Deep and broad: each function calls three others. @param {number} depth */
function broad(depth) {
  /** @type {[number, ...Frame[]][]} */
  const stacks = []
  /** @param {Frame[]} stack */
  const grow = stack => {
    if (stack.length > 0) stacks.push([stacks.length + 1, ...stack])
    if (stack.length < depth) for (const name of ['a', 'b', 'c']) grow([...stack, f(name)])
  }
  grow([])
  return madeUpProfile(...stacks)
}

describe('the folded calls', () => {
  it('of several processes are one tree, the longest first, without idle time', () => {
    const one = madeUpProfile([1000, f('a')], [2000, f('a'), f('b')], [9000, '(idle)'])
    const two = madeUpProfile([4000, f('a'), f('c')], [1000, '(garbage collector)'])
    assert.deepEqual(lines(foldProfiles([one, two])), [
      '(root) 0/8',
      '  a 1/7',
      '    c 4/4',
      '    b 2/2',
      '  (garbage collector) 1/1'
    ])
  })

  it('have their package and category, and a place when they have no name', () => {
    const [call] = foldProfiles([
      madeUpProfile([1000, ['', `${INSTALLED}/@libp2p/yamux/dist/src/muxer.js`, 41]])
    ]).children
    assert.deepEqual(call, {
      name: '(anonymous muxer.js:42)',
      package: '@libp2p/yamux',
      category: 'muxer',
      selfMs: 1,
      totalMs: 1,
      children: []
    })
  })

  it('that are short stand together', () => {
    const profile = madeUpProfile(
      [900, f('a')],
      [60, f('a'), f('b')],
      [20, f('a'), f('c')],
      [15, f('a'), f('d'), f('e')],
      [5, f('g')]
    )
    assert.deepEqual(lines(foldProfiles([profile], { minShare: 0.05 })), [
      '(root) 0/1',
      '  a 0.9/0.995',
      '    b 0.06/0.06',
      '    (other) 0.035/0.035',
      '  (other) 0.005/0.005'
    ])
  })

  it('that are deep stand together', () => {
    const profile = madeUpProfile(
      [1000, f('a'), f('b')],
      [1000, f('a'), f('b'), f('c')],
      [1000, f('a'), f('b'), f('c'), f('d')]
    )
    assert.deepEqual(lines(foldProfiles([profile], { maxDepth: 2 })), [
      '(root) 0/3',
      '  a 0/3',
      '    b 1/3',
      '      (other) 2/2'
    ])
  })

  it('are no more than asked for, and their sums stay right', () => {
    const profile = broad(6)
    for (const maxNodes of [2, 10, 25, 100, 1000]) {
      const tree = foldProfiles([profile], { minShare: 0, maxNodes })
      assert.ok(all(tree).length <= maxNodes, `${all(tree).length} nodes`)
      assert.equal(tree.totalMs, foldProfiles([profile]).totalMs)
      assertSumsAreRight(tree)
    }
  })

  it('are all there when there is room', () => {
    assert.equal(all(foldProfiles([broad(4)], { minShare: 0 })).length, 1 + 3 + 9 + 27 + 81)
  })

  it('come in the same order whatever the order of the processes', () => {
    const [one, two] = [broad(3), madeUpProfile([500, f('c'), f('b')])]
    assert.deepEqual(foldProfiles([two, one]), foldProfiles([one, two]))
  })

  it('are none when nothing was done', () => {
    assert.deepEqual(lines(foldProfiles([])), ['(root) 0/0'])
    assert.deepEqual(lines(foldProfiles([madeUpProfile([1000, '(idle)'])])), ['(root) 0/0'])
  })
})
