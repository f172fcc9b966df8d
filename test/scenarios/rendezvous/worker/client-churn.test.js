import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { multiaddr } from '@multiformats/multiaddr'
import { derivePrivateKey, Purpose, sealRegistrantRecord } from '../../../../src/client/identities.js'
import { Deadlines } from '../../../../src/kit/time.js'
import { SettingsReader } from '../../../../src/libp2p/node-settings.js'
import { RunNamespaces } from '../../../../src/load/registrations.js'
import { LoopTurns } from '../../../../src/measure/client-overhead.js'
import { Meter, OperationRecorder } from '../../../../src/measure/operations.js'
import { RecordDomain, sealPeerRecord } from '../../../../src/protocol/signed-record.js'
import { ObservedReplies } from '../../../../src/scenarios/rendezvous/worker/client-churn.js'
import { startClient } from '../../../../src/scenarios/rendezvous/worker/load-client.js'
import { ReplyChecks } from '../../../../src/scenarios/rendezvous/worker/server-checks.js'
import { readServerOptions } from '../../../../src/server/options.js'
import { runServer } from '../../../../src/server/process/run-server.js'
import { validPlanOf } from '../../../scenarios.js'

/** @type {import('../../../../src/server/process/run-server.js').RunningServer} */
let server
/** @type {import('../../../../src/scenarios/rendezvous/worker/load-client.js').LoadClient[]} */
const clients = []

before(async () => {
  server = await runServer(
    readServerOptions({
      ...{ listen: '/ip4/127.0.0.1/tcp/0', httpPort: 0, minTtl: '1s', logLevel: 'silent' },
      replyDelay: '20ms'
    })
  )
})

after(async () => {
  for (const client of clients) await client.close()
  await server.stop()
})

/** @param {Record<string, unknown>} [options] */
function workerOf(options = {}) {
  /** @type {import('../../../../src/scenarios/rendezvous/options.js').Plan} */
  const plan = validPlanOf(
    'rendezvous',
    {
      ...{ nClients: 3, churn: '1,every=2s,away=1s', ttl: '10s', benchmarkType: 'DISCOVER' },
      ...{ nNamespaces: 1, discoverLimit: 1000, duration: '10s', ...options }
    },
    { cores: 2 }
  )
  /** @type {string[]} */
  const measured = []
  const meter = new Meter()
  const namespaces = new RunNamespaces(`test-${clients.length}`)
  const observed = new ObservedReplies(plan, { namespaces, peers: 100 })
  const components = {
    ...{ plan, servers: [multiaddr(server.multiaddrs[0])], severalPerStream: true, namespaces },
    random: () => 0,
    deadlines: new Deadlines(5000),
    recorder: new OperationRecorder(meter, ({ type }, outcome) => measured.push(`${type} ${outcome}`)),
    ...{ meter, turns: new LoopTurns(), settings: new SettingsReader({}) },
    checks: new ReplyChecks({ limit: 1000, expected: null, random: () => 0 })
  }
  const start = async (/** @type {number} */ number) => {
    const client = await startClient(number, { ...components, observer: observed.of(number) })
    clients.push(client)
    await client.connectMeasured(AbortSignal.timeout(10_000))
    return client
  }
  /** The peers of each reply so far. */
  const replies = () =>
    observed.take().events.flatMap(event => (event.kind === 'reply' ? [[...event.peers]] : []))
  return { start, measured, observed, replies }
}

describe('a client that comes and goes', () => {
  test('leaves its registration when it is killed, which others are given', async () => {
    const { start, measured, replies } = workerOf()
    const [one, other] = [await start(0), await start(1)]
    assert.deepEqual(await one.renew(1), ['OK'])
    one.kill()
    await other.perform('DISCOVER', null)
    assert.deepEqual(replies(), [[0]])
    assert.deepEqual(measured, ['CONNECT OK', 'CONNECT OK', 'REGISTER OK', 'DISCOVER OK'])
  })

  test('counts nowhere what it was doing when it was killed: nobody knows whether it was registered', async () => {
    const { start, measured, observed } = workerOf()
    const client = await start(2)
    const underWay = [client.renew(1), client.perform('DISCOVER', null)]
    // the server takes 20 ms
    await sleep(10)
    client.kill()
    await Promise.all(underWay)
    const { events, cutOff } = observed.take()
    assert.equal(cutOff, 2)
    const actual = events.map(event => [event.kind, 'certain' in event && event.certain])
    assert.deepEqual([actual, measured], [[['registered', false]], ['CONNECT OK']])
  })

  test('is given everything each time, or by cookie only what is new', async () => {
    const all = workerOf()
    const [a, b] = [await all.start(0), await all.start(1)]
    await a.renew(1)
    for (let i = 0; i < 2; i++) await b.perform('DISCOVER', null)
    assert.deepEqual(all.replies(), [[0], [0]])

    const some = workerOf({ cookies: true })
    const [c, d] = [await some.start(0), await some.start(1)]
    await c.renew(1)
    for (let i = 0; i < 2; i++) await d.perform('DISCOVER', null)
    await c.renew(1)
    await d.perform('DISCOVER', null)
    assert.deepEqual(some.replies(), [[0], [], [0]])
  })

  test('takes back what it has registered, in each namespace', async () => {
    const { start, replies } = workerOf({ nNamespaces: 2 })
    const [one, other] = [await start(0), await start(1)]
    assert.deepEqual(await one.renew(2), ['OK', 'OK'])
    await one.restore()
    await other.perform('DISCOVER', null)
    assert.deepEqual(replies(), [[]])
  })
})

const SEED = 7

/** The record that a peer of the run registers. @param {number} number */
async function recordOf(number) {
  const privateKey = await derivePrivateKey(SEED, Purpose.CLIENT, number)
  return { ns: 'a', signedPeerRecord: await sealPeerRecord({ privateKey, addresses: [], seq: 1 }) }
}

describe('what clients learn from the server', () => {
  const namespaces = new RunNamespaces('test')
  const ns = namespaces.planned(0)
  const observed = () =>
    new ObservedReplies({ seed: SEED, nNamespaces: 1 }, { namespaces, peers: 3, clock: () => 99 })

  test('is kept by the numbers of the peers; records of others, and what is none, are only counted', async () => {
    const replies = observed()
    const stranger = await sealRegistrantRecord({ seed: SEED, domain: RecordDomain.PEER_RECORD }, 1)
    const registrations = [
      await recordOf(2),
      await recordOf(0),
      { ns: 'a', signedPeerRecord: stranger },
      { ns: 'a', signedPeerRecord: Uint8Array.of(1, 2, 3) },
      { ns: 'a' }
    ]
    replies.of(1).discovered({ ns, atNs: 5, sentNs: 4, registrations })
    const { untilNs, events } = replies.take()
    assert.equal(untilNs, 99)
    assert.deepEqual(events, [
      { kind: 'reply', atNs: 5, sentNs: 4, node: 1, ns: 0, peers: Uint32Array.of(2, 0), unknown: 3 }
    ])
    assert.deepEqual(replies.take().events, [])
  })

  test('before the measurement is left out, but for what is registered', () => {
    const replies = observed()
    const of = replies.of(0)
    of.registered({ ns, atNs: 1, ttlSeconds: 60, certain: true })
    of.discovered({ ns, atNs: 2, sentNs: 1, registrations: [] })
    of.cutOff()
    replies.forgetReplies()
    const { events, cutOff } = replies.take()
    const actual = events.map(({ kind }) => kind)
    assert.deepEqual([actual, cutOff], [['registered'], 0])
  })
})
