import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { describe, it, test } from 'node:test'
import { usesRouter } from '../../src/network/link-properties.js'
import {
  eventLoopCheckMs,
  listenAddressOf,
  makeUsageSources,
  UsageMeter
} from '../../src/network/real-host.js'
import { gossipPlan } from './gossip-plan.js'

/** @typedef {import('../../src/scenarios/gossip/options.js').GossipPlan} GossipPlan */

/** @param {GossipPlan['network']} network @param {Partial<GossipPlan>} [changes] */
const planOf = (network, changes) =>
  gossipPlan({
    ...{ network, linkLatencyMs: 0, linkLatencies: null, linkJitter: null, linkLossShare: null },
    ...{
      linkBandwidthBytesPerSecond: null,
      upBandwidthBytesPerSecond: null,
      downBandwidthBytesPerSecond: null
    },
    ...{ partitions: [], ...changes }
  })

/** @param {GossipPlan} plan @param {{ nodes?: number[], address?: string }} [more] */
const listening = (plan, { nodes = [4], address } = {}) =>
  listenAddressOf(/** @type {any} */ ({ plan, worker: 4, nodes, address }))

test('what nodes send goes through a router in namespaces, and in containers where something is asked of links', () => {
  assert.equal(usesRouter(planOf('namespaces')), true)
  assert.equal(usesRouter(planOf('docker')), false)
  assert.equal(usesRouter(planOf('docker', { linkLatencyMs: 50 })), true)
  assert.equal(usesRouter(planOf('docker', { linkLossShare: 0.01 })), true)
  assert.equal(usesRouter(planOf('loopback', { linkLatencyMs: 50 })), false)
})

describe('nodes listen', () => {
  test('on loopback, unless their machine has an address for them', () => {
    assert.equal(listening(planOf('loopback')), undefined)
    assert.equal(listening(planOf('loopback'), { address: '192.0.2.7' }), '/ip4/192.0.2.7/tcp/0')
    assert.equal(listening(planOf('loopback'), { address: '2001:db8::7' }), '/ip6/2001:db8::7/tcp/0')
  })

  test('in a namespace at its address, and alone in it at the same port whenever they return', () => {
    assert.equal(listening(planOf('namespaces')), '/ip4/10.0.0.5/tcp/4001')
    assert.equal(listening(planOf('namespaces'), { nodes: [4, 5] }), '/ip4/10.0.0.5/tcp/0')
  })

  test('in a container at the address that the engine gave it', () => {
    const own = Object.values(networkInterfaces())
      .flatMap(all => all ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal)
      .map(({ address }) => `/ip4/${address}/tcp/4001`)
    const listen = String(listening(planOf('docker')))
    if (own.length > 0) assert.ok(own.includes(listen), listen)
    assert.equal(listening(planOf('docker', { linkLatencyMs: 50 })), '/ip4/10.0.0.5/tcp/4001')
  })
})

test('nodes on loopback have no device and no container of their own to be measured, those in containers have both', () => {
  assert.deepEqual(Object.keys(makeUsageSources(planOf('loopback'))), [])
  assert.deepEqual(Object.keys(makeUsageSources(planOf('namespaces'))), ['counts'])
  assert.deepEqual(Object.keys(makeUsageSources(planOf('docker'))), ['counts', 'memoryBytes'])
})

describe('how often a node process looks how long its turns are', () => {
  it('is each 5 ms where it has a core', () => {
    assert.equal(eventLoopCheckMs(1, 2), 5)
    assert.equal(eventLoopCheckMs(2, 2), 5)
  })

  it('is so often in all processes of a core, so that looking costs a core no more', () => {
    assert.equal(eventLoopCheckMs(30, 2), 75)
  })

  it('is 10 times a second at least', () => assert.equal(eventLoopCheckMs(1000, 2), 100))
})

describe('the longest turn', () => {
  it('is what a check comes late by', async () => {
    const meter = new UsageMeter({}, 5)
    const untilMs = performance.now() + 100
    while (performance.now() < untilMs);
    const { maxTurnMs } = meter.take()
    meter.stop()
    assert.ok(maxTurnMs >= 80, `${maxTurnMs} ms`)
  })
})
