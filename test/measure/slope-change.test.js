import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { slopeChange } from '../../src/measure/statistics.js'

/** @param {number} count @param {(x: number) => number} of */
const points = (count, of) => Array.from({ length: count }, (_, x) => ({ x, y: of(x) }))

/** The same on every machine, between −1 and 1. @param {number} x */
const wiggle = x => Math.sin(12.9898 * x) * Math.cos(78.233 * x)

describe('a change of slope', () => {
  test('is found where a run carries less from some second on', () => {
    const found = slopeChange(points(60, x => (x < 40 ? 100 * x : 4000 + 50 * (x - 40)) + 20 * wiggle(x)))
    assert.ok(found !== null && Math.abs(found.at - 40) <= 2, JSON.stringify(found))
    assert.ok(Math.abs(found.before - 100) < 5 && Math.abs(found.after - 50) < 5)
  })

  test('is none in what grows evenly, however it wiggles', () => {
    assert.equal(slopeChange(points(60, x => 100 * x + 80 * wiggle(x))), null)
    assert.equal(slopeChange(points(60, () => 5)), null)
  })

  test('is none within a tenth', () =>
    assert.equal(slopeChange(points(60, x => (x < 30 ? 100 * x : 3000 + 95 * (x - 30)))), null))

  test('is none of fewer points than two lines need', () =>
    assert.equal(slopeChange(points(5, x => (x < 3 ? x : 100 * x))), null))
})
