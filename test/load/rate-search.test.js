import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { searchRate } from '../../src/load/trials.js'

/** A system that carries up to a rate, and what it was asked for. @param {number} capacity */
function systemOf(capacity) {
  /** @type {number[]} */
  const tried = []
  const carries = async (/** @type {number} */ rate) => {
    tried.push(rate)
    return rate <= capacity
  }
  return { tried, carries }
}

describe('the search for a rate that is carried', () => {
  /** @type {[string, number, Parameters<typeof searchRate>[1], Awaited<ReturnType<typeof searchRate>>, number[]][]} */
  const rows = [
    [
      'doubles, then halves what lies between',
      11.2,
      { from: 1 },
      { carried: 11, notCarried: 12 },
      [1, 2, 4, 8, 16, 12, 10, 11]
    ],
    ['is done when the first rate is too much', 0.5, { from: 1 }, { carried: null, notCarried: 1 }, [1]],
    [
      'stops at the most that is asked for',
      1e9,
      { from: 3, most: 10 },
      { carried: 10, notCarried: null },
      [3, 6, 10]
    ],
    ['tries no rate above it', 50, { from: 20, most: 10 }, { carried: 10, notCarried: null }, [10]],
    [
      'takes a finer tolerance',
      5,
      { from: 4, tolerance: 0.05 },
      { carried: 5, notCarried: 5.25 },
      [4, 8, 6, 5, 5.5, 5.25]
    ],
    [
      'ends where rates can no longer be told apart',
      100.4,
      { from: 100, tolerance: 0 },
      { carried: 100, notCarried: 101 },
      [100, 200, 150, 125, 113, 107, 104, 102, 101]
    ]
  ]
  for (const [what, capacity, options, expected, tried] of rows) {
    it(what, async () => {
      const system = systemOf(capacity)
      assert.deepEqual(await searchRate(system.carries, options), expected)
      assert.deepEqual(system.tried, tried)
    })
  }

  it('brings the capacity of any system between two rates a tenth apart', async () => {
    for (let capacity = 0.3; capacity < 5000; capacity *= 1.37) {
      const { carried, notCarried } = await searchRate(systemOf(capacity).carries, { from: 0.1 })
      assert.ok(carried !== null && notCarried !== null)
      assert.ok(carried <= capacity && capacity < notCarried, `${carried} ${capacity} ${notCarried}`)
      assert.ok(notCarried - carried <= 0.1 * notCarried + 1e-9, `${carried} to ${notCarried}`)
    }
  })

  it('fails when a trial does', async () => {
    const broken = searchRate(() => Promise.reject(new Error('a worker died')), { from: 1 })
    await assert.rejects(broken, /a worker died/)
  })
})
