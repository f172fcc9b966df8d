import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { formatTraceEvent, TRACE_TYPES } from '../../../src/network/gossip/traces.js'

const NS = 1_795_173_287_851_875_651n

describe('a line of a trace', () => {
  it('is an event as Go writes it, with all digits of its time', () => {
    const what = { peerID: 'ACQI', topic: 'a "quoted" topic' }
    assert.equal(
      formatTraceEvent('GRAFT', { peerID: 'AAEC', timestamp: NS, what }),
      '{"type":11,"peerID":"AAEC","timestamp":1795173287851875651,"graft":{"peerID":"ACQI","topic":"a \\"quoted\\" topic"}}\n'
    )
  })

  it('is JSON for every kind', () => {
    for (const [kind, { type, field }] of Object.entries(TRACE_TYPES)) {
      const known = /** @type {keyof typeof TRACE_TYPES} */ (kind)
      const line = formatTraceEvent(known, { peerID: 'AAEC', timestamp: 5n, what: { topic: 't' } })
      assert.deepEqual(JSON.parse(line), { type, peerID: 'AAEC', timestamp: 5, [field]: { topic: 't' } })
    }
  })
})
