import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { jainIndex } from '../../src/measure/statistics.js'

describe("Jain's index", () => {
  for (const [values, expected] of /** @type {[number[], number | null][]} */ ([
    [[], null],
    [[5], 1],
    [[3, 3, 3, 3], 1],
    [[1, 0, 0, 0], 1 / 4],
    [[2, 1], 9 / 10],
    // of the report that defines it: half of all get as much, the others nothing
    [[4, 4, 0, 0], 1 / 2],
    [[0, 0], 1]
  ])) {
    it(`of ${JSON.stringify(values)} is ${expected}`, () => {
      const index = jainIndex(values)
      if (expected === null || index === null) assert.equal(index, expected)
      else assert.ok(Math.abs(index - expected) < 1e-12, `${index}`)
    })
  }

  it('does not depend on the unit', () => {
    assert.equal(jainIndex([1, 2, 3]), jainIndex([10, 20, 30]))
  })
})
