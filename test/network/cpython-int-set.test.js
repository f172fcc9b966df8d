import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeCpythonIntSet } from '../../src/network/topology.js'
import { fixture } from './fixture.js'

/** @param {number[]} added */
function setOf(added) {
  const set = makeCpythonIntSet()
  for (const member of added) set.add(member)
  return set
}

describe('a set of CPython', () => {
  for (const { added, order } of fixture('cpython-set-orders.json').sets) {
    it(`gives its ${order.length} members, the first added of which is ${added[0]}, in CPython's order`, () => {
      assert.deepEqual(setOf(added).members(), order)
      assert.equal(setOf(added).size(), order.length)
    })
  }

  it('holds a member once', () => assert.deepEqual(setOf([5, 3, 5, 3]).members(), [3, 5]))
  it('is empty at first', () => assert.deepEqual(setOf([]).members(), []))
})
