import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { quiet } from '../../../src/network/namespaces/link-measurement.js'

const [SENT, LATE] = [1000, 40]

/** A link that has carried everything when `lastsMs` are over, and until then some more whenever it is looked at. @param {number} lastsMs */
function linkThatStillCarries(lastsMs) {
  let nowMs = 0
  const late = () => Math.ceil(LATE * Math.max(0, 1 - nowMs / lastsMs))
  const near = {
    call: async (/** @type {string} */ method) =>
      method === 'hangUp' ? undefined : { sent: SENT, received: SENT - late() }
  }
  const pause = async (/** @type {number} */ ms) => {
    nowMs += ms
  }
  return { near, far: { call: async () => ({ sent: 0, received: 0 }) }, pause }
}

describe('what a link carried', () => {
  for (const [roundTripMs, lastsMs] of [
    [0, 1000],
    [300, 2500],
    [1800, 5000]
  ])
    it(`is counted when all of it has come (${roundTripMs} ms there and back)`, async () => {
      const { near, far, pause } = linkThatStillCarries(lastsMs)
      const counts = await quiet(/** @type {any} */ (near), /** @type {any} */ (far), roundTripMs, pause)
      assert.deepEqual(counts, { sent: SENT, received: SENT })
    })

  it('is waited for no longer than it may be', async () => {
    const { near, far, pause } = linkThatStillCarries(1_000_000)
    const counts = await quiet(/** @type {any} */ (near), /** @type {any} */ (far), 300, pause)
    assert.ok(counts.received < SENT)
  })
})
