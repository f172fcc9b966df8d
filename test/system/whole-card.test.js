import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { multiaddr } from '@multiformats/multiaddr'
import { createClientNode } from '../../src/client/node.js'
import { rendezvousClient } from '../../src/client/rendezvous-client.js'
import { PAIRS, QUICK, run, start, TIMEOUT } from '../acceptance/loadtest.js'
import { ON_LINUX } from '../acceptance/processes.js'
import { NO_POSTGRES } from './postgres.js'

const CLIENTS = 8
const MIX = ['--mix', 'register=1,discover=8,publish=4', '--nClients', String(CLIENTS)]
const SHORT = [...QUICK, '--rate', '60/s', '--duration', '3s']
const KIND = { PUBLISH: 0, DELIVER: 3 }

/** Every line of every trace. @param {string} folder @returns {Promise<any[]>} */
async function tracesIn(folder) {
  const names = await readdir(join(folder, 'traces'))
  assert.equal(names.length, CLIENTS)
  const texts = await Promise.all(names.map(name => readFile(join(folder, 'traces', name), 'utf8')))
  return texts.flatMap(text => text.trim().split('\n')).map(line => JSON.parse(line))
}

/** How many hops a message took to each peer, by its deliveries. @param {any[]} deliveries @param {string} publisher */
function hopsOf(deliveries, publisher) {
  const from = new Map(deliveries.map(({ peerID, deliverMessage }) => [peerID, deliverMessage.receivedFrom]))
  const hopsTo = (/** @type {string} */ peer) => {
    let hops = 0
    for (let at = peer; at !== publisher; at = from.get(at)) hops++
    return hops
  }
  return [...from.keys()].map(hopsTo)
}

describe('clients that register, discover and publish', { ...PAIRS, ...TIMEOUT }, () => {
  test('are told of in one table, and every delivery is accounted for', async () => {
    const { code, stdout, stderr, result, folder } = await run([...MIX, ...SHORT, '--samples'])
    assert.equal(code, 0, stderr)
    const { operations, gossip, server } = result.outcome
    assert.ok(gossip !== undefined && server !== null)
    for (const type of /** @type {const} */ (['REGISTER', 'DISCOVER', 'PUBLISH']))
      assert.ok(Number(operations[type]?.outcomes.OK) > 0, type)
    assert.equal(gossip.messages.published, operations.PUBLISH?.outcomes.OK)
    assert.equal(gossip.delivery.expected, (CLIENTS - 1) * gossip.messages.published)
    assert.deepEqual([gossip.delivery.delivered, gossip.missing.pairs], [gossip.delivery.expected, 0])
    assert.match(stdout, /^\| PUBLISH /m)
    assert.match(stdout, /^\| Messages published /m)
    assert.match(stdout, /all [\d,]+ deliveries arrived/)
    const mesh = Object.keys(gossip.mesh.degrees).map(Number)
    assert.ok(Math.min(...mesh) >= 4, `mesh peers: ${mesh}`)

    // the same from the raw rows: those of the measurement come last
    const events = await tracesIn(folder)
    const published = events
      .filter(({ type }) => type === KIND.PUBLISH)
      .sort((a, b) => a.timestamp - b.timestamp)
    const measured = published.slice(-gossip.messages.published)
    const delivered = events.filter(({ type }) => type === KIND.DELIVER)
    /** @type {number[]} */
    const hops = []
    let deliveries = 0
    for (const { peerID, publishMessage } of measured) {
      const of = delivered.filter(
        ({ deliverMessage }) => deliverMessage.messageID === publishMessage.messageID
      )
      deliveries += of.length
      for (const count of hopsOf(of, peerID)) hops[count] = (hops[count] ?? 0) + 1
    }
    assert.equal(deliveries, gossip.delivery.delivered)
    assert.deepEqual(
      Array.from(hops, count => count ?? 0),
      gossip.hops.deliveries
    )
  })

  test('dial nobody but one another, whoever else is registered', async () => {
    /** @type {string[]} */
    const dialled = []
    const listener = createServer(socket => {
      dialled.push(String(socket.remoteAddress))
      socket.destroy()
    })
    listener.listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const { port } = /** @type {import('node:net').AddressInfo} */ (listener.address())
    const stranger = await createClientNode({
      privateKey: await generateKeyPair('Ed25519'),
      announce: [`/ip4/127.0.0.1/tcp/${port}`],
      services: { rendezvous: rendezvousClient() }
    })
    await stranger.start()
    try {
      const preloaded = ['--initialRegistrations', '30', '--nNamespaces', '1', '--seed', '77']
      const loadtest = start([...MIX, ...SHORT, ...preloaded])
      const [, server] = await loadtest.line(/✔ server ready .* (\/ip4\/\S+)/)
      await stranger.services.rendezvous.register(multiaddr(server), 'loadtest-77-0')
      const { code, stderr, result } = await loadtest.ended
      assert.equal(code, 0, stderr)
      const { gossip } = result.outcome
      assert.equal(gossip?.rendezvous?.foreign, 31 * CLIENTS, 'each client found the 30, and the stranger')
      assert.equal(gossip.rendezvous.found.max, CLIENTS - 1)
      assert.equal(gossip.topology.dialsFailed, 0)
      assert.equal(gossip.delivery.delivered, gossip.delivery.expected)
      assert.deepEqual(dialled, [])
    } finally {
      await stranger.stop()
      listener.close()
    }
  })

  test('publish no faster than their process keeps up, where nothing else holds them back', async () => {
    const { code, stderr, result } = await run([
      ...'--mix publish=1 --nClients 4 --duration 2s --topics 2 --registerMode new'.split(' '),
      ...QUICK
    ])
    assert.equal(code, 0, stderr)
    const { gossip, operations, measuredMs } = result.outcome
    assert.ok(Number(operations.PUBLISH?.outcomes.OK) > 20)
    assert.equal(gossip?.delivery.delivered, gossip?.delivery.expected)
    assert.equal(gossip?.topics.length, 2)
    const { avg } = /** @type {NonNullable<typeof gossip>} */ (gossip).latency.all
    assert.ok(Number(avg?.ms) < measuredMs / 2, `a message arrives while others are published: ${avg?.ms} ms`)
  })

  test('keep what was measured until Ctrl-C', { ...TIMEOUT, ...ON_LINUX }, async () => {
    const loadtest = start([...MIX, ...QUICK, '--rate', '60/s', '--duration', '20s'])
    await loadtest.measured()
    loadtest.signal('SIGINT')
    const { code, result } = await loadtest.ended
    assert.equal(code, 130)
    const { messages, delivery, missing } = /** @type {NonNullable<typeof result.outcome.gossip>} */ (
      result.outcome.gossip
    )
    assert.ok(messages.published > 0)
    assert.equal(delivery.expected - delivery.delivered, missing.pairs, 'what did not arrive has a reason')
    assert.deepEqual(await loadtest.leftAfter(), [])
  })

  test('go on where one of several servers is killed', { ...TIMEOUT, skip: NO_POSTGRES }, async () => {
    const killed = ['--servers', '3', '--store', 'postgres', '--failover', '--fault', 'server=2 at=1s kill']
    const { code, stderr, result } = await run([...MIX, ...SHORT, ...killed])
    assert.equal(code, 0, stderr)
    const { gossip, dialled } = result.outcome
    assert.ok(Number(dialled?.failovers) > 0)
    assert.equal(gossip?.delivery.delivered, gossip?.delivery.expected)
  })
})
