import assert from 'node:assert/strict'
import { CHECKS, outcomeOf } from './checks.js'
import { departureOf, titleOf } from './departures.js'

/** For what is known to stay. */
const SHORT_PATIENCE_MS = 3000

/**
 * testAll performs every check, with what is known to come out otherwise: a departure that is mended makes the test fail, too.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} who - is not ours
 * @param {import('./peer.js').Client} client
 */
export async function testAll(t, who, client) {
  for (const [key, { name, expected }] of Object.entries(CHECKS)) {
    const departure = departureOf(who, key)
    await t.test(titleOf(name, departure), async () => {
      const { outcome, text } = await outcomeOf(key, client, departure && { patienceMs: SHORT_PATIENCE_MS })
      assert.deepEqual(outcome, (departure ?? { outcome: expected }).outcome, text)
    })
  }
}
