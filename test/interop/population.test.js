import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startForeignServer } from '../acceptance/foreign-server.js'
import { commandOf } from './build.js'
import { departureOf, titleOf } from './departures.js'
import { IMPLEMENTATIONS } from './implementations.js'
import { ourClient } from './ours.js'
import { startClient } from './peer.js'
import { obstacleOf } from './toolchains.js'

/** @typedef {import('./peer.js').Client} Client */

const TWO_HOURS = 7200
const REGISTRANT = 0
const ASKER = 1

/** Who registers nothing that others could find is left out; the checks of pairs say why. */
const REGISTERING = IMPLEMENTATIONS.filter(({ name }) => name !== 'python')

/** @param {string} address @returns {Promise<Map<string, Client>>} by name */
async function startClients(address) {
  const clients = new Map([['ours', ourClient(address)]])
  for (const implementation of REGISTERING)
    if (obstacleOf(implementation) === null)
      clients.set(implementation.name, startClient(await commandOf(implementation), address))
  return clients
}

/**
 * @param {Client} client
 * @param {string} ns
 * @param {string} [peer] - who is looked for
 */
async function outcomeOf(client, ns, peer = '') {
  const { error, peers = [] } = await client.ask({ as: ASKER, op: 'discover', ns })
  return error === undefined ? { found: peers.includes(peer) } : { error }
}

test('peers of different implementations find each other at our server', async t => {
  const { multiaddr } = await startForeignServer()
  const clients = await startClients(multiaddr)
  for (const [registrant, client] of clients) {
    const { peer } = await client.ask({ as: REGISTRANT, op: 'id' })
    const ns = `of-${registrant}`
    assert.deepEqual(await client.ask({ as: REGISTRANT, op: 'register', ns, ttl: TWO_HOURS }), {
      ttl: TWO_HOURS
    })
    for (const [asker, other] of clients) {
      const departure = departureOf(`${asker} client`, `finds ${registrant}`)
      await t.test(titleOf(`${asker} finds ${registrant}`, departure), async () => {
        assert.deepEqual(await outcomeOf(other, ns, peer), departure?.outcome ?? { found: true })
      })
    }
  }
})
