import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { findHotSpots, Profiles } from '../../src/run/profiles.js'
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

/** @typedef {import('./made-up-profile.js').Frame} Frame */

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
