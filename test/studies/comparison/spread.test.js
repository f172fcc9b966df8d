import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { subStream } from '../../../src/kit/random.js'
import { spreadOf } from '../../../src/studies/compare/comparison.js'

describe('a figure over runs', () => {
  test('has its median, the least and the greatest', () => {
    const { median, least, most, outliers, drift } = spreadOf([10, 10.2, 9.9, 10.1, 10, 9.8, 10.1, 10])
    assert.deepEqual([median, least, most, outliers, drift], [10, 9.8, 10.2, [], null])
  })

  test('names the run that lies far out', () =>
    assert.deepEqual(spreadOf([10, 10.2, 9.9, 20, 10, 9.8, 10.1, 10]).outliers, [3]))

  test('says by how much it drifts', () => {
    const { drift } = spreadOf([10, 11.1, 11.9, 13.2, 13.8, 15.1, 16, 17.1])
    assert.ok(Math.abs(Number(drift) - 1.7) < 0.1, `${drift}`)
  })

  test('of four runs, or of what is 0, has neither', () => {
    assert.deepEqual([spreadOf([1, 2, 3, 40]).outliers, spreadOf([1, 2, 3, 40]).drift], [[], null])
    assert.deepEqual(spreadOf([0, 0, 0, 0, 0, 5, 0, 0]).outliers, [])
  })

  test('that only scatters is said to drift in at most 2 of 100 series', () => {
    const random = subStream(5, 'no drift')
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    const series = Array.from({ length: 1000 }, () =>
      spreadOf(Array.from({ length: 8 }, () => 10 * Math.exp(0.1 * normal())))
    )
    assert.ok(series.filter(({ drift }) => drift !== null).length <= 20)
  })
})
