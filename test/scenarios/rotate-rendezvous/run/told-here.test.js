import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { toldHere } from '../../../../src/scenarios/rotate-rendezvous/run/told-here.js'

/** @type {any} */
const TOLD = {
  untilNs: 5_000,
  cutOff: 2,
  events: [{ kind: 'reply', atNs: 1_000, sentNs: 900, node: 1, ns: 3, peers: Uint32Array.of(7) }],
  changes: [{ node: 4, killedNs: 2_000 }]
}

describe('what peers of another machine tell', () => {
  it('has the times of our clock, and nothing else is changed', () => {
    const clock = { here: (/** @type {bigint} */ ns) => ns - 700n }
    assert.deepEqual(toldHere(TOLD, clock), {
      untilNs: 4_300,
      cutOff: 2,
      events: [{ kind: 'reply', atNs: 300, sentNs: 200, node: 1, ns: 3, peers: Uint32Array.of(7) }],
      changes: [{ node: 4, killedNs: 1_300 }]
    })
  })

  it('of our own is as it is', () => {
    assert.equal(toldHere(TOLD), TOLD)
  })
})
