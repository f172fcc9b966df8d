import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hotSpots } from '../../../src/run/profiles.js'
import { INSTALLED, madeUpProfile } from './made-up-profile.js'

/** @typedef {import('./made-up-profile.js').Frame} Frame */

/** @type {Frame} */
const RECEIVE = ['handleReceivedRpc', `${INSTALLED}/@libp2p/gossipsub/dist/src/gossipsub.js`, 727]
/** @type {Frame} */
const VERIFY = ['verifyOneShot', 'node:internal/crypto/sig', 232]
/** @type {Frame} */
const ENCODE = ['encode', `${INSTALLED}/protons-runtime/dist/src/encode.js`, 9]

const SIGNED = madeUpProfile([
  [1000, RECEIVE],
  [3000, RECEIVE, VERIFY, 'run'],
  [4000, '(idle)'],
  [2000, '(garbage collector)'],
  [2000, RECEIVE, ENCODE]
])

describe('hot spots', () => {
  it('are shares of the time that was not idle', () => {
    const { samples, durationMs, busyShare, idleShare, categories } = hotSpots([SIGNED])
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
    assert.deepEqual(hotSpots([SIGNED]).packages, [
      { package: 'node:crypto', selfShare: 3 / 8, totalShare: 3 / 8 },
      { package: '(garbage collector)', selfShare: 2 / 8, totalShare: 2 / 8 },
      { package: 'protons-runtime', selfShare: 2 / 8, totalShare: 2 / 8 },
      { package: '@libp2p/gossipsub', selfShare: 1 / 8, totalShare: 6 / 8 }
    ])
  })

  it('name functions with their place, without anything of the machine, and only those that were on top', () => {
    const { functions } = hotSpots([SIGNED])
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
    const profile = madeUpProfile([
      [1000, ENCODE, RECEIVE, ENCODE, ENCODE],
      [2000, ENCODE],
      [1000, RECEIVE]
    ])
    const { functions, categories } = hotSpots([profile])
    assert.deepEqual(
      functions.map(({ function: name, selfShare, totalShare }) => [name, selfShare, totalShare]),
      [
        ['encode', 3 / 4, 3 / 4],
        ['handleReceivedRpc', 1 / 4, 2 / 4]
      ]
    )
    assert.deepEqual(
      categories.map(({ totalShare }) => totalShare),
      [3 / 4, 2 / 4]
    )
  })

  it('tell native functions apart by whom they were called from', () => {
    /** @type {Frame} */
    const write = ['writeGeneric', 'node:internal/stream_base_commons', 150]
    const { functions } = hotSpots([
      madeUpProfile([
        [3000, write, 'run'],
        [1000, VERIFY, 'run']
      ])
    ])
    assert.deepEqual(
      functions.map(({ function: name, category }) => [name, category]),
      [
        ['run', 'socket'],
        ['run', 'signature']
      ]
    )
  })

  it('add the times of several processes', () => {
    const quiet = madeUpProfile([
      [7000, '(idle)'],
      [1000, RECEIVE]
    ])
    const merged = hotSpots([SIGNED, quiet])
    assert.equal(merged.durationMs, 20)
    assert.equal(merged.busyShare, 9 / 20)
    assert.deepEqual(
      merged.categories.find(({ category }) => category === 'gossipsub'),
      { category: 'gossipsub', selfShare: 2 / 9, totalShare: 7 / 9 }
    )
    assert.deepEqual(hotSpots([quiet, SIGNED]), merged)
  })

  it('are of the time between samples, not of their number', () => {
    const { categories } = hotSpots([
      madeUpProfile([
        [100, RECEIVE],
        [100, RECEIVE],
        [800, VERIFY]
      ])
    ])
    assert.deepEqual(
      categories.map(({ category, selfShare }) => [category, selfShare]),
      [
        ['signature', 0.8],
        ['gossipsub', 0.2]
      ]
    )
  })

  it('are right where V8 noted samples out of order', () => {
    const profile = madeUpProfile([
      [1000, RECEIVE],
      [2000, VERIFY],
      [1000, ENCODE]
    ])
    const [first, second, third] = profile.samples ?? []
    const disordered = { ...profile, samples: [second, first, third], timeDeltas: [1000, -1000, 3000] }
    assert.deepEqual(hotSpots([disordered]), hotSpots([profile]))
  })

  it('are the 50 functions with the most self time', () => {
    const stacks = Array.from({ length: 60 }, (_, i) => {
      /** @type {[number, Frame]} */
      const stack = [i + 1, [`f${i}`, `${INSTALLED}/libp2p/index.js`, i]]
      return stack
    })
    const { functions } = hotSpots([madeUpProfile(stacks)])
    assert.equal(functions.length, 50)
    assert.deepEqual([functions[0].function, functions[49].function], ['f59', 'f10'])
  })

  it('are none when nothing was sampled, or nothing done', () => {
    const none = { categories: [], packages: [], functions: [] }
    const empty = { nodes: [], startTime: 0, endTime: 5, samples: [], timeDeltas: [] }
    assert.deepEqual(hotSpots([]), { samples: 0, durationMs: 0, busyShare: 0, idleShare: 0, ...none })
    assert.deepEqual(hotSpots([empty]), { samples: 0, durationMs: 0, busyShare: 0, idleShare: 0, ...none })
    assert.deepEqual(hotSpots([madeUpProfile([[1000, '(idle)']])]), {
      samples: 1,
      durationMs: 1,
      busyShare: 0,
      idleShare: 1,
      ...none
    })
  })
})
