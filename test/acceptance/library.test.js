import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noise } from '@libp2p/noise'
import { tcp } from '@libp2p/tcp'
import { yamux } from '@libp2p/yamux'
import { createLibp2p } from 'libp2p'
import { makePlan, rendezvousClient, rendezvousServer, runPlan } from 'libp2p-loadtest'
import { assertSumsAgree, operation } from './consistent.js'
import { TIMEOUT } from './loadtest.js'

/**
 * @template {import('@libp2p/interface').ServiceMap} T
 * @param {import('libp2p').ServiceFactoryMap<T>} services
 */
const nodeWith = services =>
  createLibp2p({
    addresses: { listen: ['/ip4/127.0.0.1/tcp/0'] },
    transports: [tcp()],
    connectionEncrypters: [noise()],
    streamMuxers: [yamux()],
    services
  })

test(
  'the services can be used in nodes of your own: one registers, another discovers it',
  TIMEOUT,
  async () => {
    const server = await nodeWith({ rendezvous: rendezvousServer() })
    const alice = await nodeWith({ rendezvous: rendezvousClient() })
    const bob = await nodeWith({ rendezvous: rendezvousClient() })
    try {
      const [address] = server.getMultiaddrs()
      assert.equal(await alice.services.rendezvous.register(address, 'chess', { ttlSeconds: 7200 }), 7200)
      const { registrations } = await bob.services.rendezvous.discover(address, { ns: 'chess' })
      assert.deepEqual(
        registrations.map(({ peerId }) => String(peerId)),
        [String(alice.peerId)]
      )
      await assert.rejects(alice.services.rendezvous.register(address, 'chess', { ttlSeconds: 1 }), {
        code: 'E_INVALID_TTL'
      })
      await alice.services.rendezvous.unregister(address, 'chess')
      const after = await bob.services.rendezvous.discover(address, { ns: 'chess' })
      assert.deepEqual(after.registrations, [])
    } finally {
      await Promise.all([alice, bob, server].map(node => node.stop()))
    }
  }
)

test('a plan can be made and run from a program', TIMEOUT, async () => {
  const { plan, problems } = await makePlan('rendezvous', {
    nClients: 2,
    benchmarkRuns: 50,
    warmup: 0,
    server: 'process'
  })
  assert.equal(problems, undefined)
  /** @type {string[]} */
  const kinds = []
  let result
  for await (const record of runPlan(/** @type {any} */ (plan), { id: 'mine' })) {
    kinds.push(record.type)
    if (record.type === 'result' && record.result.scenario === 'rendezvous') result = record.result
  }
  assert.ok(result)
  assert.deepEqual(
    [result.id, result.status, kinds[0], kinds.at(-1)],
    ['mine', 'complete', 'start', 'result']
  )
  assert.equal(operation(result, 'REGISTER').count, 50)
  assertSumsAgree(result)
})

test('a plan that cannot be run names every problem', async () => {
  const { plan, problems } = await makePlan('rendezvous', { nClients: 0, benchmarkType: 'delete' })
  assert.equal(plan, undefined)
  assert.deepEqual(
    problems?.map(({ flag, value }) => [flag, value]),
    [
      ['--nClients', '0'],
      ['--benchmarkType', 'delete']
    ]
  )
})
