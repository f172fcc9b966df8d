import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hopFigures } from '../../../../src/scenarios/gossip/figures.js'

test('hops have an average, a maximum and a standard deviation, or none', () => {
  assert.deepEqual(hopFigures([0, 1, 2, 1, 0]), { avg: 2, max: 3, sd: Math.sqrt(0.5) })
  assert.equal(hopFigures([0, 0]), null)
})
