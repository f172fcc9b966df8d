import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RouterTally } from '../../src/network/namespaces/router.js'

const ZERO = { packets: 0, bytes: 0, lost: 0, cut: 0, overflowed: 0 }

/** @param {Partial<import('../../src/network/namespaces/router.js').RouterReading>} [first] */
function tallyOf(first) {
  const reading = {
    ...{ atNs: 0, counts: ZERO, cpuMicros: 0, waitedNs: /** @type {number | null} */ (0) },
    ...first
  }
  return { tally: new RouterTally(() => ({ ...reading })), reading }
}

describe('what a router counts', () => {
  it('is of the time since it began', () => {
    const { tally, reading } = tallyOf()
    Object.assign(reading, { atNs: 1e9, counts: { ...ZERO, packets: 5 }, cpuMicros: 40, waitedNs: 1e6 })
    tally.begin()
    Object.assign(reading, {
      atNs: 3e9,
      counts: { ...ZERO, packets: 7, cut: 1 },
      cpuMicros: 70,
      waitedNs: 4e6
    })
    const { packets, cut, wallMs, cpuMicros, waitedMs } = tally.usage
    assert.deepEqual([packets, cut, wallMs, cpuMicros, waitedMs], [2, 1, 2000, 30, 3])
  })

  it('is no lateness of packets from before, which is told with that of the first after it', () => {
    const { tally } = tallyOf({ atNs: 100 })
    tally.begin()
    // the answer to an earlier question, and to the one of the beginning
    tally.heard(90, [5000])
    tally.heard(110, [6000, 10])
    tally.heard(120, [20, 30])
    assert.equal(tally.usage.lateness.count, 2)
  })

  it('is no wait for a core where the system does not tell', () => {
    assert.equal(tallyOf({ waitedNs: null }).tally.usage.waitedMs, null)
  })
})
