import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { Profiles } from '../../../src/run/profiles.js'
import { companionOf } from '../../../src/scenarios/gossip/run/gossip-run.js'
import { INSTALLED, madeUpHeap, madeUpProfile } from './made-up-profile.js'

const PROFILE = madeUpProfile([
  [2000, ['verifyOneShot', 'node:internal/crypto/sig', 232]],
  [1000, '(idle)']
])

const HEAP = madeUpHeap([
  [2000, ['verifyOneShot', 'node:internal/crypto/sig', 232]],
  [1000, ['encode', `${INSTALLED}/protons-runtime/dist/src/encode.js`, 9]]
])

/** @typedef {import('../../../src/measure/process-profile.js').ProcessProfile} ProcessProfile */

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
    companionOf(/** @type {any} */ ({ profiled: ['cpu'], ...plan }), null).warnings(warnings)

  it('is no warning where they publish as fast as they can', () => {
    assert.deepEqual(
      warned({ publishers: 'every', loadModel: 'closed' }).map(({ code }) => code),
      ['DIALS_FAILED']
    )
  })

  it('is one where messages are due at a rate', () => {
    assert.deepEqual(warned({ publishers: 'random', loadModel: 'open' }), warnings)
  })
})
