import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { waysOf } from '../../../../src/scenarios/perf/plan/ways.js'
import { PerfClient } from '../../../../src/scenarios/perf/run/perf-client.js'
import { PerfServer } from '../../../../src/scenarios/perf/run/perf-server.js'
import { makePlanOf } from '../../../scenarios.js'
import { until } from '../../../until.js'

const BYTES = 100_000

/** @param {import('node:test').TestContext} t */
async function bothEnds(t) {
  const plan = /** @type {any} */ (
    makePlanOf('perf', { baselines: 'tcp,tls,http,http2', bandwidth: 'none', streams: '1' }).plan
  )
  const server = new PerfServer({ plan, at: { host: '127.0.0.1', peers: null } })
  t.after(() => server.close())
  const addresses = await server.start()
  const client = new PerfClient({ plan, addresses, mostTimes: Number.POSITIVE_INFINITY })
  t.after(() => client.close())
  return { plan, server, client, addresses }
}

describe('the server of a run that moves bytes', () => {
  it('serves every way of its plan, and counts what it received and sent since it was told to begin', async t => {
    const { plan, server, client, addresses } = await bothEnds(t)
    const names = waysOf(plan).map(({ name }) => name)
    assert.deepEqual(names, ['libp2p-3 noise yamux', 'TCP', 'TLS', 'HTTP/1.1', 'HTTP/2'])
    assert.deepEqual(Object.keys(addresses), names)
    for (const way of names) {
      await client.open({ way, streams: 2 })
      server.begin(BYTES)
      const uploaded = await client.move({ direction: 'upload', bytes: BYTES })
      assert.equal(uploaded.bytes, BYTES, way)
      await until(() => server.count().receivedBytes === BYTES)
      assert.equal(server.count().sentBytes, 0, way)
      await client.shut()
      await client.open({ way, streams: 1 })
      server.begin(0)
      assert.equal(server.count().receivedBytes, 0)
      await client.move({ direction: 'download', bytes: BYTES })
      await until(() => server.count().sentBytes === BYTES)
      assert.equal(server.count().receivedBytes, 0, way)
      await client.shut()
    }
  })

  it('tells its CPU time since it was told to begin, and its memory', async t => {
    const { server } = await bothEnds(t)
    const sinceStart = server.count().cpuMicros
    server.begin(0)
    const { cpuMicros, rssBytes, steadyBytesPerSecond } = server.count()
    assert.ok(cpuMicros >= 0 && cpuMicros < sinceStart, `${cpuMicros} of ${sinceStart}`)
    assert.ok(rssBytes > 1e6)
    assert.equal(steadyBytesPerSecond, null)
  })

  it('takes no connections once it is closed', async t => {
    const { server, client } = await bothEnds(t)
    await server.close()
    await assert.rejects(client.open({ way: 'TCP', streams: 1 }))
  })
})
