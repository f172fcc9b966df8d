import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { driftOf, medianOf } from '../../src/measure/steady-state.js'

/** @typedef {[second: number, us: number, count?: number]} Row */

/** @param {Row[]} rows */
function drift(rows) {
  const found = driftOf(rows.map(([second, us, count = 200]) => ({ second, histogram: [[us, count]] })))
  if (found === null) return 'too little'
  const { settled, ...moved } = found
  return settled ? 'settled' : moved
}

describe('a run whose response times', () => {
  /** @type {[string, Row[], ReturnType<typeof drift>][]} */
  const cases = [
    [
      'stay the same does not drift',
      [
        [0, 1000],
        [1, 1000],
        [2, 1000]
      ],
      'settled'
    ],
    [
      'grow by half drifts',
      [
        [0, 1000],
        [1, 1200],
        [2, 1500]
      ],
      { firstMs: 1, lastMs: 1.5 }
    ],
    [
      'shrink by half drifts',
      [
        [0, 1000],
        [1, 800],
        [2, 500]
      ],
      { firstMs: 1, lastMs: 0.5 }
    ],
    [
      'grow by 10 % does not drift',
      [
        [0, 200],
        [1, 200],
        [2, 220]
      ],
      'settled'
    ],
    [
      'grow by 12 % drifts',
      [
        [0, 200],
        [1, 200],
        [2, 224]
      ],
      { firstMs: 0.2, lastMs: 0.224 }
    ],
    [
      'are odd only in the middle does not drift',
      [
        [0, 1000],
        [1, 9000],
        [2, 1000]
      ],
      'settled'
    ],
    [
      'were measured for less than three seconds is too short to tell',
      [
        [0, 1000],
        [1, 9000]
      ],
      'too little'
    ],
    ['were never measured is too short to tell', [], 'too little'],
    [
      'are few at first is too short to tell',
      [
        [0, 1000, 19],
        [1, 1000],
        [2, 9000]
      ],
      'too little'
    ],
    [
      'are few at last is too short to tell',
      [
        [0, 1000],
        [1, 1000],
        [2, 9000, 19]
      ],
      'too little'
    ],
    [
      'are just enough tells',
      [
        [0, 1000, 20],
        [1, 1000],
        [2, 9000, 20]
      ],
      { firstMs: 1, lastMs: 9 }
    ],
    [
      'are all nothing does not drift',
      [
        [0, 0],
        [1, 0],
        [2, 0]
      ],
      'settled'
    ],
    [
      'begin late is compared from there',
      [
        [7, 1000],
        [8, 1000],
        [9, 2000]
      ],
      { firstMs: 1, lastMs: 2 }
    ],
    [
      'are missing in between is compared by time, not by seconds measured',
      [
        [0, 1000],
        [1, 1000],
        [2, 1000],
        [8, 2000]
      ],
      { firstMs: 1, lastMs: 2 }
    ],
    [
      'are divided into thirds of six seconds',
      [
        [0, 1000],
        [1, 1000],
        [2, 9000],
        [3, 9000],
        [4, 3008],
        [5, 3008]
      ],
      { firstMs: 1, lastMs: 3.008 }
    ]
  ]
  /** p50 of nine seconds. @param {number[]} medians */
  const seconds = medians => medians.map((us, second) => /** @type {Row} */ ([second, us]))
  cases.push(
    [
      'fall steadily drift',
      seconds([130, 128, 125, 122, 118, 115, 111, 108, 105]),
      { firstMs: 0.128, lastMs: 0.108 }
    ],
    [
      'move as much within a third have settled',
      seconds([130, 105, 128, 120, 118, 115, 111, 108, 102]),
      'settled'
    ]
  )
  for (const [name, rows, expected] of cases) it(name, () => assert.deepEqual(drift(rows), expected))

  it('are told of several seconds at once are divided into thirds of whole ones', () => {
    const points = [0, 8, 16, 24].map(second => ({
      second,
      histogram: /** @type {[number, number][]} */ ([[second < 8 ? 1000 : 2000, 200]])
    }))
    assert.deepEqual(driftOf(points, 8), { firstMs: 1, lastMs: 2, settled: false })
    assert.equal(driftOf(points.slice(1), 8)?.settled, true)
  })

  it('differ within a second are compared by their median', () => {
    const second = (/** @type {number} */ s, /** @type {number} */ slow) => ({
      second: s,
      histogram: /** @type {[number, number][]} */ ([
        [1000, 100 - slow],
        [8000, slow]
      ])
    })
    assert.equal(driftOf([second(0, 0), second(1, 0), second(2, 49)])?.settled, true)
    assert.deepEqual(driftOf([second(0, 0), second(1, 0), second(2, 80)]), {
      firstMs: 1,
      lastMs: 8,
      settled: false
    })
  })
})

it('the interval of a median holds 95 % of those of samples, and is narrow where there are many', () => {
  /** Uniform times from 0 to 2 ms. @param {number} count */
  const uniform = count => medianOf({ count, bucketAt: share => share * 2000 })
  assert.deepEqual(uniform(1e6).ms, 1)
  assert.ok(uniform(1e6).highMs - uniform(1e6).lowMs < 0.01)
  // the 40th and the 60th of 100: https://online.stat.psu.edu/stat415/lesson/19
  assert.ok(Math.abs(uniform(100).lowMs - 0.804) < 1e-9 && Math.abs(uniform(100).highMs - 1.196) < 1e-9)
  assert.deepEqual(uniform(1), { ms: 1, lowMs: 0, highMs: 2 })
})
