import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  hostileDurationMs,
  leadInMs,
  orderOf,
  pairMs,
  recoveredAt,
  slotFrom,
  slotsEach,
  slowest
} from '../../src/load/trials.js'
import { Histogram } from '../../src/measure/histogram.js'

describe('stretches with and without hostile peers', () => {
  it('take turns, and who comes first does, too', () => {
    assert.deepEqual([0, 1, 2].map(orderOf), [
      [false, true],
      [true, false],
      [false, true]
    ])
  })

  it('have a lead-in each, as long as a short stretch, or 1.5 s', () => {
    assert.deepEqual([500, 10_000].map(leadInMs), [500, 1500])
    assert.deepEqual([500, 10_000].map(pairMs), [2000, 23_000])
    assert.equal(hostileDurationMs(6, 10_000), 156_000)
  })

  it('begin with a whole slot', () => {
    assert.deepEqual([0, 1, 250, 251].map(slotFrom), [0, 1, 1, 2])
  })
})

describe('recovery', () => {
  for (const [
    since,
    maxQuiet,
    expected
  ] of /** @type {[(number | null)[], number | null, number | null][]} */ ([
    [[5, 4], 5, 0],
    [[9, 5, 9, 5, 5], 5, 3],
    [[9, 5], 5, null],
    [[Infinity, Infinity], 5, null],
    [[null, 5, 5], 5, 1],
    [[], 5, null],
    [[1, 1], null, null]
  ]))
    it(`of ${JSON.stringify(since)} beside ${maxQuiet} is ${expected}`, () =>
      assert.equal(recoveredAt(since, maxQuiet), expected))

  it('is read from intervals of ten operations', () => {
    assert.deepEqual([50, 10, 4, 2.5].map(slotsEach), [1, 1, 3, 4])
  })

  it('is that of nine in ten operations of an interval, where there are enough', () => {
    const operations = new Histogram()
    operations.addPairs([
      [1, 9],
      [Infinity, 1]
    ])
    assert.equal(slowest(operations), 1)
    operations.addPairs([[Infinity, 1]])
    assert.equal(slowest(operations), Infinity)
    assert.equal(slowest(new Histogram()), null)
  })
})
