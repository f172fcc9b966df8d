import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pairsIn, recoveredAfterMs, stretchAt, switchesIn } from '../../src/load/hostile-stretches.js'

describe('stretches with and without hostile peers', () => {
  it('are whole pairs, the first of them quiet', () => {
    const plan = { durationMs: 45_000, everyMs: 10_000 }
    assert.equal(pairsIn(plan), 2)
    assert.deepEqual(switchesIn(plan), [
      { pair: 0, beginMs: 10_000, endMs: 20_000 },
      { pair: 1, beginMs: 30_000, endMs: 40_000 }
    ])
  })

  for (const [atMs, expected] of /** @type {[number, object][]} */ ([
    [0, { pair: 0, hostile: false, counted: false }],
    [1999, { pair: 0, hostile: false, counted: false }],
    [2000, { pair: 0, hostile: false, counted: true }],
    [10_000, { pair: 0, hostile: true, counted: false }],
    [19_999, { pair: 0, hostile: true, counted: true }],
    [20_000, { pair: 1, hostile: false, counted: false }]
  ]))
    it(`have the time ${atMs} ms`, () => assert.deepEqual(stretchAt(atMs, 10_000), expected))
})

describe('recovery', () => {
  for (const [
    since,
    maxQuiet,
    expected
  ] of /** @type {[(number | null)[], number | null, number | null][]} */ ([
    [[5, 4], 5, 0],
    [[9, 5, 9, 5, 5], 5, 3000],
    [[9, 5], 5, null],
    [[null, 5, 5], 5, 1000],
    [[], 5, null],
    [[1, 1], null, null]
  ]))
    it(`of ${JSON.stringify(since)} beside ${maxQuiet} is ${expected}`, () =>
      assert.equal(recoveredAfterMs(since, maxQuiet), expected))
})
