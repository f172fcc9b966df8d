import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startForeignServer } from '../acceptance/foreign-server.js'
import { commandOf } from './build.js'
import { CHECKS, outcomeOf } from './checks.js'
import { departureOf, titleOf } from './departures.js'
import { IMPLEMENTATIONS } from './implementations.js'
import { ourClient } from './ours.js'
import { startClient, startServer } from './peer.js'
import { needs, tellSkipped } from './toolchains.js'

/**
 * @typedef {import('./implementations.js').Implementation} Implementation
 * @typedef {import('./peer.js').Client} Client
 */

/** For what is known to stay. */
const SHORT_PATIENCE_MS = 3000

/**
 * Every check, with what is known to come out otherwise: a departure that is mended makes the test fail, too.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} who - is not ours
 * @param {Client} client
 */
async function testAll(t, who, client) {
  for (const [key, { name, expected }] of Object.entries(CHECKS)) {
    const departure = departureOf(who, key)
    await t.test(titleOf(name, departure), async () => {
      const { outcome, text } = await outcomeOf(key, client, departure && { patienceMs: SHORT_PATIENCE_MS })
      assert.deepEqual(outcome, (departure ?? { outcome: expected }).outcome, text)
    })
  }
}

for (const implementation of IMPLEMENTATIONS) {
  const { name, software, serves, recordDomain } = implementation
  const options = needs(implementation)
  tellSkipped(implementation)

  if (serves)
    test(`our client at the server of ${software}`, options, async t => {
      const { address } = await startServer(await commandOf(implementation))
      await testAll(t, `${name} server`, ourClient(address, recordDomain))
    })

  test(`the client of ${software} at our server`, options, async t => {
    const { multiaddr } = await startForeignServer(['--minTtl', '1s'])
    await testAll(t, `${name} client`, startClient(await commandOf(implementation), multiaddr))
  })
}
