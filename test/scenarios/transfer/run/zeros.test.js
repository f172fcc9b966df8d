import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { listProtocols } from '../../../../src/scenarios/transfer/plan/transfer-plan.js'
import { Provider } from '../../../../src/scenarios/transfer/run/provider.js'
import { ZerosRequestor } from '../../../../src/scenarios/transfer/run/requestors.js'
import { makePlanOf } from '../../../scenarios.js'
import { until } from '../../../until.js'

const BYTES = 100_000

/** @param {import('node:test').TestContext} t @param {object} [options] */
async function bothSides(t, options) {
  const plan = /** @type {any} */ (
    makePlanOf('perf', {
      ...{ protocols: 'perf,tcp,tls,http,https,http2', bandwidths: 'none', streams: '1' },
      ...options
    }).plan
  )
  const provider = new Provider(plan)
  t.after(() => provider.close())
  /** @type {Record<string, import('../../../../src/scenarios/transfer/run/requestors.js').ProviderAddress>} */
  const met = {}
  for (const way of listProtocols(plan)) {
    const settings = { line: null, host: '127.0.0.1', way, transport: plan.transport }
    met[way.name] = { address: await provider.open(settings), settings }
  }
  const requestor = new ZerosRequestor({ plan, maxTimes: Number.POSITIVE_INFINITY })
  t.after(() => requestor.close())
  await requestor.meet(met)
  return { plan, provider, requestor, met }
}

describe('zeros', () => {
  it('move both ways by every protocol, and are counted by the provider since it was told to expect them', async t => {
    const { plan, provider, requestor, met } = await bothSides(t)
    const names = listProtocols(plan).map(({ name }) => name)
    assert.deepEqual(names, ['libp2p-3 noise yamux', 'TCP', 'TLS', 'HTTP/1.1', 'HTTPS', 'HTTP/2'])
    assert.deepEqual(Object.keys(met), names)
    for (const way of names) {
      await requestor.open({ way, streams: 2 })
      provider.expect(BYTES)
      const uploaded = await requestor.move({ direction: 'upload', bytes: BYTES })
      assert.equal(uploaded.bytes, BYTES, way)
      await until(() => provider.count().receivedBytes === BYTES)
      assert.equal(provider.count().sentBytes, 0, way)
      await requestor.shut()
      await requestor.open({ way, streams: 1 })
      provider.expect(0)
      assert.equal(provider.count().receivedBytes, 0)
      await requestor.move({ direction: 'download', bytes: BYTES })
      await until(() => provider.count().sentBytes === BYTES)
      assert.equal(provider.count().receivedBytes, 0, way)
      await requestor.shut()
    }
  })

  it('move by perf over WebSocket', async t => {
    const { provider, requestor } = await bothSides(t, { protocols: 'perf', transport: 'websocket' })
    await requestor.open({ way: 'libp2p-3 noise yamux websocket', streams: 2 })
    provider.expect(BYTES)
    assert.equal((await requestor.move({ direction: 'upload', bytes: BYTES })).bytes, BYTES)
    await requestor.shut()
  })

  it('cost CPU time that the provider tells since it was told to expect them, with its memory', async t => {
    const { provider } = await bothSides(t)
    const sinceStart = provider.count().cpuMicros
    provider.expect(0)
    const { cpuMicros, rssBytes, steadyBytesPerSecond } = provider.count()
    assert.ok(cpuMicros >= 0 && cpuMicros < sinceStart, `${cpuMicros} of ${sinceStart}`)
    assert.ok(rssBytes > 1e6)
    assert.equal(steadyBytesPerSecond, null)
  })

  it('have no connection once the provider is closed', async t => {
    const { provider, requestor } = await bothSides(t)
    await provider.close()
    await assert.rejects(requestor.open({ way: 'TCP', streams: 1 }))
  })
})
