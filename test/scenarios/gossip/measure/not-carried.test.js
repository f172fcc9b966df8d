import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { encodedHistogram } from '../../../../src/measure/encoded-histogram.js'
import { notCarried } from '../../../../src/scenarios/gossip/measure/not-carried.js'
import { histogramOf } from '../../../measure/samples.js'

/** @param {number[]} ms */
const encoded = ms => encodedHistogram(histogramOf(ms.map(time => time * 1000)))

/**
 * A stretch of 30 s at 10 messages/s that was carried, with whatever a test is about.
 *
 * @param {object} [changes]
 * @param {number} [changes.published]
 * @param {number | null} [changes.planned]
 * @param {number} [changes.pairs]
 * @param {number[]} [changes.times]
 * @param {number[]} [changes.utilizations]
 * @param {number[]} [changes.backlogs]
 */
function stretch({
  published = 300,
  planned = 300,
  pairs = 0,
  times = Array(300).fill(100),
  utilizations = [0.5, 0.9],
  backlogs = []
} = {}) {
  const none = { count: 0, avg: null, p50: null, p90: null, p95: null, p99: null, p999: null, max: null }
  return {
    deliveries: {
      messages: { planned, published, skipped: 0, failed: 0, bytes: 0 },
      missing: /** @type {any} */ ({ pairs, byReason: {}, listed: [], listedAll: true }),
      dissemination: { all: none, complete: none, histogram: encoded(times), censoredHistogram: null }
    },
    resources: [
      {
        series: backlogs.map((backlogBytes, tenth) => ({
          atMs: tenth * 10_000 + 5000,
          backlogBytes,
          cpuPercent: 1,
          rssBytes: 1,
          heapBytes: 1
        }))
      }
    ],
    utilizations,
    publishMs: 30_000
  }
}

describe('a rate is carried', () => {
  /** @type {[string, Parameters<typeof stretch>[0]][]} */
  const carried = [
    ['when everything arrived in time', {}],
    ['with a message in a hundred that took longer', { times: [...Array(297).fill(100), 2000, 2000, 2000] }],
    ['when the very last messages came too late to go out', { published: 298 }],
    ['when nobody knows how many were planned', { planned: null, published: 10 }],
    ['when nothing was published, which nothing can be said against', { times: [], published: 0, planned: 0 }]
  ]
  for (const [what, changes] of carried) it(what, () => assert.deepEqual(notCarried(stretch(changes)), []))
})

describe('a rate is not carried', () => {
  /** @type {[string, Parameters<typeof stretch>[0], string[]][]} */
  const failed = [
    ['when a delivery is missing', { pairs: 1 }, ['missing']],
    ['when messages did not go out', { published: 290 }, ['unpublished']],
    [
      'when more than one in a hundred took a second',
      { times: [...Array(290).fill(9), ...Array(10).fill(1001)] },
      ['slow']
    ],
    ['when one of a few took a second', { times: [9, 9, 1500] }, ['slow']],
    ['when the backlog grew', { backlogs: [1e5, 2e5, 4e5] }, ['backlog']],
    ['when a worker was too busy', { utilizations: [0.2, 0.91] }, ['busy']],
    [
      'for every reason there is',
      { pairs: 3, utilizations: [1], backlogs: [0, 1e5, 2e5] },
      ['missing', 'backlog', 'busy']
    ]
  ]
  for (const [what, changes, reasons] of failed)
    it(what, () => {
      assert.deepEqual(
        notCarried(stretch(changes)).map(({ why }) => why),
        reasons
      )
    })

  it('with the figure that says so', () => {
    const found = notCarried(stretch({ pairs: 7, times: [1500], utilizations: [0.97], published: 200 }))
    assert.deepEqual(
      found.map(({ why, value }) => [why, Number(value.toPrecision(2))]),
      [
        ['missing', 7],
        ['unpublished', 100],
        ['slow', 1500],
        ['busy', 0.97]
      ]
    )
  })
})
