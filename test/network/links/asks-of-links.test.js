import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asksOfLinks, impairments } from '../../../src/network/link-properties.js'

/** @type {any} */
const NOTHING = {
  ...{ linkLatencyMs: 0, linkLatencies: null, linkJitter: null, linkLossShare: null, partitions: [] },
  ...{ linkBandwidthBytesPerSecond: null, upBandwidthBytesPerSecond: null, downBandwidthBytesPerSecond: null }
}
const FREE = { kind: 'constant', ms: 0 }
const DRAWN = { kind: 'uniform', minMs: 1, maxMs: 2 }

/** @type {[Record<string, unknown>, Record<string, unknown>, string[]][]} values of options, what the plan has of them, options named */
const CASES = [
  [{}, {}, []],
  [{ linkLatency: FREE, linkLoss: 0 }, { linkLossShare: 0 }, []],
  [{ linkLatency: { kind: 'constant', ms: 5 } }, { linkLatencyMs: 5 }, ['linkLatency']],
  [{ linkLatency: DRAWN }, { linkLatencies: DRAWN }, ['linkLatency']],
  // a share of no latency
  ...[
    { kind: 'share', share: 0.05 },
    { kind: 'time', ms: 0 }
  ].map(
    linkJitter =>
      /** @type {[Record<string, unknown>, Record<string, unknown>, string[]]} */ ([
        { linkJitter },
        { linkJitter },
        []
      ])
  ),
  [{ linkJitter: { kind: 'time', ms: 5 } }, { linkJitter: { kind: 'time', ms: 5 } }, ['linkJitter']],
  [{ linkLoss: 0.01 }, { linkLossShare: 0.01 }, ['linkLoss']],
  [{ linkBandwidth: 1e6 }, { linkBandwidthBytesPerSecond: 1e6 }, ['linkBandwidth']],
  [{ upBandwidth: 1e6 }, { upBandwidthBytesPerSecond: 1e6 }, ['upBandwidth']],
  [{ downBandwidth: 1e6 }, { downBandwidthBytesPerSecond: 1e6 }, ['downBandwidth']],
  [{ partition: [{}] }, { partitions: [{}] }, ['partition']],
  [{ topology: { kind: 'full' } }, { topology: { kind: 'full' } }, []],
  ...[
    { kind: 'file', links: [] },
    { kind: 'file', hosts: [] }
  ].map(
    topology =>
      /** @type {[Record<string, unknown>, Record<string, unknown>, string[]]} */ ([
        { topology },
        { topology },
        ['topology']
      ])
  )
]

describe('what is asked of links is the same, as options say it and as a plan does', () => {
  for (const [values, inPlan, named] of CASES)
    test(JSON.stringify(values), () => {
      assert.deepEqual(impairments(values), named)
      assert.equal(asksOfLinks({ ...NOTHING, ...inPlan }), named.length > 0)
    })
})
