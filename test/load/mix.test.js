import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { subStream } from '../../src/kit/random.js'
import { operationTypes } from '../../src/load/registrations.js'
import { planned } from '../plan/planned.js'

const draws = () => subStream(7, 'mix')

describe('the operations of a plan with one type', () => {
  for (const [benchmarkType, removals] of [
    ['REGISTER', 0],
    ['DISCOVER', 0],
    ['UNREGISTER', 50]
  ]) {
    it(`are all ${benchmarkType}, with ${removals} registrations to remove`, () => {
      const types = operationTypes(planned({ benchmarkType }), 50, draws())
      assert.deepEqual(new Set(Array.from({ length: 50 }, types.next)), new Set([benchmarkType]))
      assert.equal(types.operations, 50)
      assert.equal(types.removals, removals)
    })
  }

  it('may be as many as come', () => {
    const types = operationTypes(planned({ benchmarkType: 'DISCOVER' }), Number.POSITIVE_INFINITY, draws())
    assert.equal(types.operations, Number.POSITIVE_INFINITY)
    assert.equal(types.next(), 'DISCOVER')
  })
})

describe('the operations of a mixed plan', () => {
  /** @param {string} mix @param {number} operations */
  const drawn = (mix, operations) => {
    const plan = planned({ benchmarkType: 'MIXED', mix, nNamespaces: 20 })
    const types = operationTypes(plan, operations, draws())
    return { types, list: Array.from({ length: operations }, types.next) }
  }

  for (const [mix, shares] of /** @type {[string, Record<string, number>][]} */ ([
    ['register=1,discover=8,unregister=1', { REGISTER: 0.1, DISCOVER: 0.8, UNREGISTER: 0.1 }],
    ['register=1,discover=2', { REGISTER: 1 / 3, DISCOVER: 2 / 3, UNREGISTER: 0 }],
    ['discover=5', { REGISTER: 0, DISCOVER: 1, UNREGISTER: 0 }],
    ['register=1,discover=8,publish=1', { REGISTER: 0.1, DISCOVER: 0.8, UNREGISTER: 0, PUBLISH: 0.1 }]
  ])) {
    it(`come in the shares of ${mix}`, () => {
      const { list } = drawn(mix, 10_000)
      for (const [type, share] of Object.entries(shares)) {
        const found = list.filter(other => other === type).length / list.length
        assert.ok(Math.abs(found - share) < 0.015, `${type} ${found}`)
        if (share === 0) assert.equal(found, 0)
      }
    })
  }

  it('remove what they register, so that nothing is registered before', () => {
    assert.equal(drawn('register=1,discover=1,unregister=1', 1000).types.removals, 0)
  })

  it('are the same for the same seed', () => {
    const mix = 'register=1,discover=1,unregister=1'
    assert.deepEqual(drawn(mix, 200).list, drawn(mix, 200).list)
  })
})
