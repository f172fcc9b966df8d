import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findPeaks } from '../../../../src/scenarios/gossip/description/deliveries.js'

/** A bell of so many messages around a bin. @param {number} place @param {number} all @param {number} [width] */
const bell = (place, all, width = 2) =>
  Array.from({ length: 60 }, (_, bin) =>
    Math.round((all * Math.exp(-((bin - place) ** 2) / (2 * width ** 2))) / (width * Math.sqrt(2 * Math.PI)))
  )

/** @param {number[][]} bells */
const sum = (...bells) => bells[0].map((_, bin) => bells.reduce((total, each) => total + each[bin], 0))

/** @type {[string, number[], number[]][]} what, counts by bin, places of the peaks */
const CASES = [
  ['nothing', [], []],
  ['nothing counted', [0, 0, 0], []],
  ['one bin', [7], [0]],
  ['one message', [0, 0, 1, 0], [2]],
  ['one bell', bell(20, 10_000), [20]],
  ['a spike and two lobes', sum(bell(5, 10_000, 1), bell(20, 8000, 3), bell(40, 4000, 3)), [5, 20, 40]],
  [
    'spikes, the second the highest',
    sum(bell(10, 4000, 0.4), bell(14, 9000, 0.4), bell(18, 3000, 0.4)),
    [10, 14, 18]
  ],
  ['a lobe below a tenth of the highest', sum(bell(10, 10_000), bell(40, 500)), [10]],
  ['at both ends', [50, 10, 0, 0, 10, 50], [0, 5]],
  ['what falls all the way', [100, 80, 60, 40, 20, 0], [0]],
  ['a plateau', [0, 90, 90, 90, 0], [2]]
]

describe('the peaks of a distribution', () => {
  for (const [what, counts, places] of CASES)
    test(what, () =>
      assert.deepEqual(
        findPeaks(counts).map(({ place }) => place),
        places
      )
    )

  test('are not made by chance: a level of Poisson counts has one at most', () => {
    // 40 a bin, as a generator of Park and Miller draws them
    let seed = 1
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed / 2_147_483_647
    }
    for (let trial = 0; trial < 20; trial++) {
      const counts = Array.from({ length: 50 }, () => 0)
      for (let i = 0; i < 2000; i++) counts[Math.floor(random() * 50)]++
      assert.ok(findPeaks(counts).length <= 1, `${counts}`)
    }
  })

  test('share all that was counted among them, from valley to valley', () => {
    const peaks = findPeaks(sum(bell(5, 10_000, 1), bell(20, 8000, 3), bell(40, 4000, 3)))
    const actual = peaks.map(({ from }) => from)
    assert.deepEqual([actual, peaks.at(-1)?.to], [[0, ...peaks.slice(0, -1).map(({ to }) => to)], 60])
    assert.ok(peaks[0].to > 8 && peaks[0].to < 14)
  })
})
