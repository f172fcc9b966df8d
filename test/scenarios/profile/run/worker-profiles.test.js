import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { WorkerProfiles } from '../../../../src/scenarios/profile/run/worker-profiles.js'
import { INSTALLED, madeUpHeap, madeUpProfile } from '../measure/made-up-profile.js'

/** @typedef {import('../../../../src/scenarios/profile/plan/profile-options.js').ProfilePlan} ProfilePlan */

const PROFILE = madeUpProfile([
  [2000, ['verifyOneShot', 'node:internal/crypto/sig', 232]],
  [1000, '(idle)']
])

const HEAP = madeUpHeap([
  [2000, ['verifyOneShot', 'node:internal/crypto/sig', 232]],
  [1000, ['encode', `${INSTALLED}/protons-runtime/dist/src/encode.js`, 9]]
])

/** @param {Partial<ProfilePlan>} [plan] */
const planOf = plan =>
  /** @type {ProfilePlan} */ (
    /** @type {unknown} */ ({
      workers: 3,
      profiled: ['cpu'],
      publishers: 'every',
      loadModel: 'closed',
      ...plan
    })
  )

/**
 * Workers that are sampled.
 *
 * @param {(worker: number) => Promise<import('../../../../src/scenarios/gossip/run/process-profile.js').ProfileTaken>} [stopProfile]
 */
function workers(stopProfile = async () => ({ profile: PROFILE, error: null })) {
  /** @type {unknown[][]} */
  const calls = []
  return {
    calls,
    startProfile: async (/** @type {number} */ worker, /** @type {number} */ intervalMicros) => {
      calls.push(['start', worker, intervalMicros])
    },
    stopProfile: async (/** @type {number} */ worker, /** @type {string | null} */ file) => {
      calls.push(['stop', worker, file])
      return stopProfile(worker)
    },
    startAllocations: async (/** @type {number} */ worker) => void calls.push(['start allocations', worker]),
    stopAllocations: async (/** @type {number} */ worker, /** @type {string | null} */ file) => {
      calls.push(['stop allocations', worker, file])
      return { profile: HEAP, error: null }
    }
  }
}

describe('profiles of workers', () => {
  it('are taken of all, into the folder of the run', async () => {
    const pool = workers()
    const profiles = new WorkerProfiles(planOf({ workers: 2 }), 'folder')
    await profiles.start(pool)
    await profiles.stop()
    assert.deepEqual(pool.calls, [
      ['start', 0, 1000],
      ['start', 1, 1000],
      ['stop', 0, join('folder', 'worker-0.cpuprofile')],
      ['stop', 1, join('folder', 'worker-1.cpuprofile')]
    ])
    const { profile } = profiles.outcome()
    assert.deepEqual(
      [profile?.workers, profile?.files, profile?.intervalMicros],
      [[0, 1], ['worker-0.cpuprofile', 'worker-1.cpuprofile'], 1000]
    )
    assert.deepEqual(profile?.hotSpots.categories, [{ category: 'signature', selfShare: 1, totalShare: 1 }])
    assert.equal(profile?.folded.totalMs, 4)
  })

  it('are of allocations where these are asked for, with CPU or alone', async () => {
    const pool = workers()
    const profiles = new WorkerProfiles(planOf({ workers: 1, profiled: ['heap'] }), 'folder')
    await profiles.start(pool)
    await profiles.stop()
    assert.deepEqual(pool.calls, [
      ['start allocations', 0],
      ['stop allocations', 0, join('folder', 'worker-0.heapprofile')]
    ])
    const { profile, allocations } = profiles.outcome()
    assert.equal(profile, null)
    assert.deepEqual([allocations?.bytes, allocations?.files], [3000, ['worker-0.heapprofile']])
    const both = workers()
    const taking = new WorkerProfiles(planOf({ workers: 1, profiled: ['cpu', 'heap'] }), null)
    await taking.start(both)
    await taking.stop()
    assert.equal(both.calls.length, 4)
    assert.ok(taking.outcome().profile !== null && taking.outcome().allocations !== undefined)
  })

  it('need no folder', async () => {
    const pool = workers()
    const profiles = new WorkerProfiles(planOf(), null)
    await profiles.start(pool)
    await profiles.stop()
    assert.deepEqual(pool.calls.at(-1), ['stop', 2, null])
    assert.deepEqual(profiles.outcome().profile?.files, [])
    assert.equal(profiles.outcome().profile?.hotSpots.samples, 6)
  })

  it('are taken once, however often they are asked for', async () => {
    const pool = workers()
    const profiles = new WorkerProfiles(planOf({ workers: 1 }), null)
    await profiles.start(pool)
    await Promise.all([profiles.stop(), profiles.stop()])
    assert.equal(pool.calls.length, 2)
  })

  it('are those of the workers that are still there', async () => {
    const profiles = new WorkerProfiles(planOf(), 'folder')
    await profiles.start(
      workers(async worker => {
        if (worker === 1) throw new Error('it has died')
        return { profile: PROFILE, error: null }
      })
    )
    await profiles.stop()
    assert.deepEqual(profiles.outcome().profile?.workers, [0, 2])
  })

  it('are there where a file could not be written, with a warning', async () => {
    const profiles = new WorkerProfiles(planOf({ workers: 1 }), 'folder')
    await profiles.start(workers(async () => ({ profile: PROFILE, error: 'the disk is full' })))
    await profiles.stop()
    assert.deepEqual([profiles.outcome().profile?.files, profiles.outcome().profile?.workers], [[], [0]])
    const values = { worker: 0, error: 'the disk is full' }
    assert.deepEqual(profiles.warnings([]), [{ code: 'PROFILE_NOT_WRITTEN', values }])
  })

  it('are none of a run that ended before', async () => {
    const profiles = new WorkerProfiles(planOf(), 'folder')
    await profiles.stop()
    assert.deepEqual(profiles.outcome(), { profile: null })
  })
})

describe('that nodes are busy and late', () => {
  const warnings = ['GENERATOR_LIMITED', 'PUBLISH_LATE', 'DIALS_FAILED'].map(code => ({ code, values: {} }))

  it('is no warning where they publish as fast as they can', () => {
    const left = new WorkerProfiles(planOf(), null).warnings(warnings)
    assert.deepEqual(
      left.map(({ code }) => code),
      ['DIALS_FAILED']
    )
  })

  it('is one where messages are due at a rate', () => {
    const profiles = new WorkerProfiles(planOf({ publishers: 'random', loadModel: 'open' }), null)
    assert.deepEqual(profiles.warnings(warnings), warnings)
  })
})
