import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { backlogGrows } from '../../../../src/scenarios/gossip/measure/resource-usage.js'

const KB = 1024

/** A worker with a backlog once a second. @param {number[]} backlogs */
const worker = backlogs => ({
  series: backlogs.map((backlogBytes, second) => ({
    atMs: (second + 1) * 1000,
    backlogBytes,
    cpuPercent: 50,
    rssBytes: 1e8,
    heapBytes: 1e7
  }))
})

describe('a backlog', () => {
  /** @type {[string, number[][], number, number | null][]} */
  const rows = [
    ['that grows all the while', [[0, 50 * KB, 100 * KB, 150 * KB, 200 * KB, 300 * KB]], 6000, 250 * KB],
    [
      'that grows over all workers',
      [
        [0, 40 * KB, 80 * KB],
        [10 * KB, 20 * KB, 40 * KB]
      ],
      3000,
      120 * KB
    ],
    ['that stays as large', [[200 * KB, 200 * KB, 200 * KB]], 3000, null],
    ['that falls in the middle', [[100 * KB, 50 * KB, 300 * KB]], 3000, null],
    ['that grows by a little', [[200 * KB, 250 * KB, 300 * KB]], 3000, null],
    ['of a few bytes', [[0, KB, 2 * KB]], 3000, null],
    ['that is there after publishing alone', [[0, 0, 0, 500 * KB, 900 * KB]], 3000, null],
    ['that nobody looked at', [[]], 3000, null],
    ['of no workers', [], 3000, null]
  ]
  for (const [what, backlogs, publishMs, expected] of rows)
    it(`${what} ${expected === null ? 'does not grow' : 'grows'}`, () => {
      assert.equal(backlogGrows(backlogs.map(worker), publishMs), expected)
    })
})
