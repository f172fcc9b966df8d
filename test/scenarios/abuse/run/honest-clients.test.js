import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HonestClients } from '../../../../src/scenarios/abuse/run/honest-clients.js'
import { aServer, metricsOf } from './against-a-server.js'

/** @param {import('node:test').TestContext} t */
async function serving(t) {
  const server = await aServer()
  t.after(() => server.stop())
  const metric = async (/** @type {string} */ name) => {
    const text = await metricsOf(server)
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
  }
  return { server, metric }
}

/** @param {string} type */
const done = type => `rendezvous_operations_total\\{type="${type}",status="OK"\\}`

/** @param {string} multiaddr @param {boolean} registers */
const twoAt = (multiaddr, registers) =>
  new HonestClients({ multiaddr, addresses: [undefined, undefined], ratePerSecond: 100, registers })

describe('honest clients', () => {
  it('ask when it is due, in turn, and take back what they registered', async t => {
    const { server, metric } = await serving(t)
    const clients = twoAt(server.multiaddrs[0], true)
    await clients.start()
    assert.equal(await metric(done('REGISTER')), 2)
    assert.equal(await metric('rendezvous_registrations'), 2)
    const { dueMs, tookMs, failures } = await clients.measure({ ms: 60 })
    assert.deepEqual([...dueMs], [0, 10, 20, 30, 40, 50])
    assert.deepEqual(failures, {})
    assert.ok(tookMs.every(Number.isFinite))
    assert.equal(await metric(done('DISCOVER')), 2 + 6)
    await clients.close()
    assert.equal(await metric('rendezvous_registrations'), 0)
  })

  it('count what is not answered by what it failed with', async t => {
    const { server } = await serving(t)
    const clients = twoAt(server.multiaddrs[0], false)
    t.after(() => clients.close())
    await clients.start()
    await server.stop()
    const { tookMs, failures } = await clients.measure({ ms: 40 })
    assert.ok(tookMs.every(ms => ms === Infinity))
    assert.equal(
      Object.values(failures).reduce((sum, count) => sum + count, 0),
      4
    )
    assert.ok(!('TIMEOUT' in failures), JSON.stringify(failures))
  })
})
