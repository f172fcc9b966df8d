import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeSubStream } from '../../../src/kit/random.js'
import { LinkModel } from '../../../src/network/link-model.js'

const MS = 1e6
const BETWEEN = { kind: /** @type {const} */ ('uniform'), minMs: 20, maxMs: 60 }

/** @param {Partial<import('../../../src/network/link-model.js').LinkSettings>} settings */
const modelOf = settings =>
  new LinkModel(
    {
      ...{ latency: BETWEEN, jitter: null, lossShare: 0, cuts: [], tcp: true },
      ...{ upBytesPerSecond: null, downBytesPerSecond: null, linkBytesPerSecond: null },
      layers: { muxer: 'yamux', security: 'noise', tcp: true },
      ...settings
    },
    { nodes: 4, streams: (...name) => makeSubStream(1, ...name) }
  )

test('the shortest way is that of the links that there are, less their jitter', () => {
  const model = modelOf({})
  const all = [0, 1, 2, 3].flatMap(a =>
    [0, 1, 2, 3].filter(b => a !== b).map(b => model.properties.latencyNs(a, b))
  )
  assert.equal(model.shortestNs, Math.min(...all))
  const constant = { kind: /** @type {const} */ ('constant'), ms: 10 }
  assert.equal(modelOf({ latency: constant, jitter: { kind: 'share', share: 0.1 } }).shortestNs, 9 * MS)
  assert.equal(modelOf({ latency: constant, jitter: { kind: 'time', ms: 12 } }).shortestNs, 0)
})
