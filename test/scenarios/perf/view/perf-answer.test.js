import assert from 'node:assert/strict'
import { test } from 'node:test'
import { perfAnswer } from '../../../../src/scenarios/perf/view/perf-answer.js'

const row = (
  /** @type {string} */ way,
  /** @type {string} */ direction,
  /** @type {number} */ megabytes
) => ({
  ...{ way, direction, streams: 1 },
  bytesPerSecond: { median: megabytes * 1e6, low: null, high: null }
})

test('the first screen of what moved has the fastest way in each direction, and how long a byte takes', () => {
  const outcome = {
    ways: [{ name: 'TCP' }, { name: 'noise' }],
    rows: [row('noise', 'upload', 50), row('TCP', 'upload', 900), row('noise', 'download', 60)],
    latency: [{ way: 'noise', both: { median: 1.25 } }],
    handshakes: [{ way: 'noise', times: null }]
  }
  const { figures, plots } = perfAnswer(/** @type {any} */ ({ outcome }))
  assert.deepEqual(figures, [
    ['upload, TCP', '900 MB/s'],
    ['download, noise', '60.0 MB/s'],
    ['p50 of a byte, noise', '1.25 ms'],
    ['p50 of a handshake, noise', '–']
  ])
  assert.equal(plots.length, 1)
  const nothing = { outcome: { ways: [], rows: [], latency: [], handshakes: [] } }
  assert.deepEqual(perfAnswer(/** @type {any} */ (nothing)), { figures: [], plots: [] })
})
