import '../../../../src/node-shim.js'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { multiaddr } from '@multiformats/multiaddr'
import { SettingsReader } from '../../../../src/libp2p/node-settings.js'
import { Deadlines } from '../../../../src/load/deadlines.js'
import { Meter } from '../../../../src/measure/meter.js'
import { OperationRecorder } from '../../../../src/measure/operation-recorder.js'
import { Turns } from '../../../../src/measure/turns.js'
import { Namespaces } from '../../../../src/plan/namespaces.js'
import { ReplyChecks } from '../../../../src/scenarios/rendezvous/run/reply-checks.js'
import {
  peerNumbers,
  RotateRendezvousEvents
} from '../../../../src/scenarios/rotate-rendezvous/run/rotate-rendezvous-events.js'
import { RotatingPeer } from '../../../../src/scenarios/rotate-rendezvous/run/rotating-peer.js'
import { readServerOptions } from '../../../../src/server/options.js'
import { runServer } from '../../../../src/server/run-server.js'
import { makePlanOf } from '../../../scenarios.js'

/** @type {import('../../../../src/server/run-server.js').RunningServer} */
let server
/** @type {RotatingPeer[]} */
const peers = []

before(async () => {
  server = await runServer(
    readServerOptions({
      listen: '/ip4/127.0.0.1/tcp/0',
      httpPort: 0,
      minTtl: '1s',
      logLevel: 'silent',
      replyDelay: '20ms'
    })
  )
})

after(async () => {
  for (const peer of peers) await peer.close()
  await server.stop()
})

/** @param {Record<string, unknown>} [options] */
function processOf(options = {}) {
  const { plan } = makePlanOf('rotation-rendezvous', { ttl: '10s', ...options }, { cores: 2 })
  const rotating =
    /** @type {import('../../../../src/scenarios/rotate-rendezvous/plan/rotate-rendezvous-plan.js').RotateRendezvousPlan} */ (
      plan
    )
  /** @type {string[]} */
  const measured = []
  const meter = new Meter()
  const events = new RotateRendezvousEvents(peerNumbers(rotating.seed, 100))
  const components = {
    plan: rotating,
    server: multiaddr(server.multiaddrs[0]),
    namespaces: new Namespaces(`test-${peers.length}`),
    deadlines: new Deadlines(5000),
    recorder: new OperationRecorder(meter, ({ type }, outcome) => measured.push(`${type} ${outcome}`)),
    meter,
    turns: new Turns(),
    settings: new SettingsReader({}),
    checks: new ReplyChecks({ limit: 1000, expected: null, random: () => 0 }),
    events
  }
  const start = async (/** @type {number} */ number) => {
    const peer = await RotatingPeer.start(number, components)
    peers.push(peer)
    await peer.connect()
    return peer
  }
  /** The peers of each reply so far. */
  const replies = () =>
    events.take().events.flatMap(event => (event.kind === 'reply' ? [[...event.peers]] : []))
  return { start, measured, events, replies }
}

describe('a peer of a rendezvous server', () => {
  test('that is killed leaves its registration, which others are given', async () => {
    const { start, measured, replies } = processOf()
    const [one, other] = [await start(0), await start(1)]
    assert.equal(await one.register(0), 'OK')
    one.kill()
    await other.discover(0, null)
    assert.deepEqual(replies(), [[0]])
    assert.deepEqual(measured, ['CONNECT OK', 'CONNECT OK', 'REGISTER OK', 'DISCOVER OK'])
  })

  test('what it was doing when it was killed is cut off: it counts nowhere, and nobody knows whether it was registered', async () => {
    const { start, measured, events } = processOf()
    const peer = await start(2)
    const under = [peer.register(0), peer.discover(0, null)]
    peer.kill()
    await Promise.all(under)
    const { events: told, cutOff } = events.take()
    assert.equal(cutOff, 2)
    assert.deepEqual(
      told.map(event => [event.kind, 'certain' in event && event.certain]),
      [['registered', false]]
    )
    assert.deepEqual(measured, ['CONNECT OK'])
  })

  test('is given everything each time, or by cookie only what is new', async () => {
    const all = processOf()
    const [a, b] = [await all.start(0), await all.start(1)]
    await a.register(0)
    for (let i = 0; i < 2; i++) await b.discover(0, null)
    assert.deepEqual(all.replies(), [[0], [0]])

    const some = processOf({ cookies: true })
    const [c, d] = [await some.start(0), await some.start(1)]
    await c.register(0)
    for (let i = 0; i < 2; i++) await d.discover(0, null)
    await c.register(0)
    await d.discover(0, null)
    assert.deepEqual(some.replies(), [[0], [], [0]])
  })

  test('takes back what it has registered when it leaves', async () => {
    const { start, replies } = processOf({ nNamespaces: 2 })
    const [one, other] = [await start(0), await start(1)]
    await one.register(0)
    await one.register(1)
    assert.equal(await one.leave(AbortSignal.timeout(120_000)), 2)
    await other.discover(0, null)
    await other.discover(1, null)
    assert.deepEqual(replies(), [[], []])
    assert.equal(await other.leave(AbortSignal.timeout(120_000)), 0)
  })
})
