import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compareHotSpots } from '../../src/run/profiles.js'

/** @typedef {import('../../src/run/profiles.js').CategoryShares} CategoryShares */

/** @type {CategoryShares[]} */
const SIGNED = [
  { category: 'signature', selfShare: 0.5, totalShare: 0.625 },
  { category: 'muxer', selfShare: 0.25, totalShare: 0.25 },
  { category: 'gc', selfShare: 0.25, totalShare: 0.25 }
]

/** @type {CategoryShares[]} */
const UNSIGNED = [
  { category: 'muxer', selfShare: 0.625, totalShare: 0.75 },
  { category: 'gc', selfShare: 0.25, totalShare: 0.25 },
  { category: 'hashing', selfShare: 0.125, totalShare: 0.125 }
]

describe('the differences of two runs', () => {
  it('are in percentage points, the greatest first, also of what one of them has not', () => {
    const differences = compareHotSpots({ categories: SIGNED }, { categories: UNSIGNED })
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
    const [first] = compareHotSpots({ categories: SIGNED }, { categories: UNSIGNED })
    assert.deepEqual(first.base, { selfShare: 0.5, totalShare: 0.625 })
    assert.deepEqual(first.candidate, { selfShare: 0, totalShare: 0 })
  })

  it('are none between a run and itself', () => {
    for (const { selfPoints, totalPoints } of compareHotSpots(
      { categories: SIGNED },
      { categories: SIGNED }
    )) {
      assert.deepEqual([selfPoints, totalPoints], [0, 0])
    }
  })
})
