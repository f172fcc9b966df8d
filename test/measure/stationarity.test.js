import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { driftOf } from '../../src/measure/stationarity.js'

/** @typedef {[second: number, us: number, count?: number]} Row */

/** @param {Row[]} rows */
const drift = rows => driftOf(rows.map(([second, us, count = 200]) => ({ second, histogram: [[us, count]] })))

describe('a run whose response times', () => {
  /** @type {[string, Row[], ReturnType<typeof driftOf>][]} */
  const cases = [
    [
      'stay the same does not drift',
      [
        [0, 1000],
        [1, 1000],
        [2, 1000]
      ],
      null
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
      null
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
      null
    ],
    [
      'were measured for less than three seconds is too short to tell',
      [
        [0, 1000],
        [1, 9000]
      ],
      null
    ],
    ['were never measured is too short to tell', [], null],
    [
      'are few at first is too short to tell',
      [
        [0, 1000, 99],
        [1, 1000],
        [2, 9000]
      ],
      null
    ],
    [
      'are few at last is too short to tell',
      [
        [0, 1000],
        [1, 1000],
        [2, 9000, 99]
      ],
      null
    ],
    [
      'are just enough tells',
      [
        [0, 1000, 100],
        [1, 1000],
        [2, 9000, 100]
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
      null
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
  for (const [name, rows, expected] of cases) it(name, () => assert.deepEqual(drift(rows), expected))

  it('are told of several seconds at once are divided into thirds of whole ones', () => {
    const points = [0, 8, 16, 24].map(second => ({
      second,
      histogram: /** @type {[number, number][]} */ ([[second < 8 ? 1000 : 2000, 200]])
    }))
    assert.deepEqual(driftOf(points, 8), { firstMs: 1, lastMs: 2 })
    assert.equal(driftOf(points.slice(1), 8), null)
  })

  it('differ within a second are compared by their median', () => {
    const second = (/** @type {number} */ s, /** @type {number} */ slow) => ({
      second: s,
      histogram: /** @type {[number, number][]} */ ([
        [1000, 100 - slow],
        [8000, slow]
      ])
    })
    assert.equal(driftOf([second(0, 0), second(1, 0), second(2, 49)]), null)
    assert.deepEqual(driftOf([second(0, 0), second(1, 0), second(2, 51)]), { firstMs: 1, lastMs: 8 })
  })
})
