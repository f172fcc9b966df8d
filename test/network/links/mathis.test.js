import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeSubStream } from '../../../src/kit/random.js'
import { SEGMENT_BYTES } from '../../../src/network/links/direction.js'
import { arrivals, MS, tcpOf } from './connection.js'

/** Mathis et al. 1997: every segment is acknowledged, losses are even: C = √(3/2). */
const mathis = (/** @type {number} */ rttMs, /** @type {number} */ lossShare) =>
  (SEGMENT_BYTES / (rttMs / 1000)) * Math.sqrt(1.5 / lossShare)

const FIRST_SEGMENTS = 10_000
const SEGMENTS = 100_000

/** @param {number} rttMs @param {number} lossShare @returns {number} bytes a second, once the start is over, of 100 losses or more */
function throughput(rttMs, lossShare) {
  const direction = tcpOf({ latencyNs: (rttMs / 2) * MS, lossShare, random: makeSubStream(1, 'loss') })
  const [startNs, endNs] = arrivals(direction, [
    [0, FIRST_SEGMENTS * SEGMENT_BYTES],
    [0, SEGMENTS * SEGMENT_BYTES]
  ])
  return (SEGMENTS * SEGMENT_BYTES) / ((endNs - startNs) / 1e9)
}

describe('a long transfer over a lossy line', () => {
  for (const lossShare of [0.001, 0.01]) {
    for (const rttMs of [10, 60, 200]) {
      it(`carries what the Mathis formula says, ± 15 %: ${lossShare * 100} % lost, ${rttMs} ms`, () => {
        const share = throughput(rttMs, lossShare) / mathis(rttMs, lossShare)
        assert.ok(Math.abs(share - 1) < 0.15, `${share.toFixed(3)} of it`)
      })
    }
  }
})
