import '../server/harness.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { multiaddr } from '@multiformats/multiaddr'
import pino from 'pino'
import { encodeDiscover, encodeRegister, PROTOCOL, Status } from '../../src/protocol/rendezvous.js'
import { readServerOptions } from '../../src/server/options.js'
import { runServer } from '../../src/server/process/run-server.js'
import { startServerProcess } from '../../src/target/process-target.js'
import { createClientNode } from '../server/client-node.js'
import { Client, makePeer } from '../server/harness.js'
import { NO_POSTGRES, sharedPostgres } from './postgres.js'

const SMALL = { listen: '/ip4/127.0.0.1/tcp/0', httpPort: 0 }
const log = pino({ level: 'silent' })
const NEVER = new AbortController().signal

/** @param {import('node:test').TestContext} t @param {Awaited<ReturnType<typeof makePeer>>} peer */
async function nodeOf(t, peer) {
  const node = await createClientNode(peer.privateKey)
  t.after(() => node.stop())
  return {
    /** @param {string} address @param {Uint8Array} message */
    async ask(address, message) {
      const client = new Client(await node.dialProtocol(multiaddr(address), PROTOCOL))
      const reply = await client.ask(message)
      await client.stream.close()
      return reply
    }
  }
}

describe('a server whose registrations are in a database', { skip: NO_POSTGRES }, () => {
  it('has them all after it was killed', async t => {
    const { database } = await sharedPostgres()
    const flags = [
      `--store=${await database()}`,
      ...'--listen=/ip4/127.0.0.1/tcp/0 --httpPort=0 --logLevel=warn'.split(' ')
    ]
    const start = () => startServerProcess({ flags, signal: NEVER, onFailed: () => {} })
    const peer = await makePeer()
    const client = await nodeOf(t, peer)
    const first = await start()
    t.after(() => first.stop())
    const names = Array.from({ length: 20 }, (_, i) => `ns${i}`)
    for (const ns of names) {
      const reply = await client.ask(
        first.address.multiaddr,
        encodeRegister({ ns, signedPeerRecord: peer.record })
      )
      assert.equal(reply?.registerResponse?.status, Status.OK)
    }
    const before = await client.ask(first.address.multiaddr, encodeDiscover({ limit: 5 }))
    await first.kill()
    const second = await start()
    t.after(() => second.stop())
    const cookie = before?.discoverResponse?.cookie
    const rest = await client.ask(second.address.multiaddr, encodeDiscover({ cookie }))
    const seen = [before, rest].flatMap(reply => reply?.discoverResponse?.registrations.map(({ ns }) => ns))
    assert.deepEqual(seen, names)
  })

  it('says when the database is away, refuses at once, and goes on when it is back', async t => {
    const { own, database } = await sharedPostgres()
    const store = await database()
    const server = await runServer(readServerOptions({ ...SMALL, store, control: true }), { log })
    t.after(() => server.stop())
    const peer = await makePeer()
    const client = await nodeOf(t, peer)
    const register = () =>
      client.ask(server.multiaddrs[0], encodeRegister({ ns: 'x', signedPeerRecord: peer.record }))
    const health = async () => {
      const response = await fetch(`${server.http}/healthz`)
      return { status: response.status, text: await response.text() }
    }
    assert.equal((await register())?.registerResponse?.status, Status.OK)
    const { status, text } = await health()
    assert.equal(status, 200)
    assert.match(
      text,
      /^ok\ndurability: fsync on, synchronous_commit on, full_page_writes on: what is acknowledged is kept\n/
    )
    own.kill()
    let reply = await register()
    while (reply?.registerResponse?.status === Status.OK) reply = await register()
    assert.equal(reply?.registerResponse?.status, Status.E_UNAVAILABLE)
    assert.match(reply?.registerResponse?.statusText ?? '', /the store is away/)
    const discovered = await client.ask(server.multiaddrs[0], encodeDiscover({ ns: 'x' }))
    assert.equal(discovered?.discoverResponse?.status, Status.E_UNAVAILABLE)
    assert.equal((await health()).status, 503)
    await own.restart()
    while ((await health()).status !== 200) await new Promise(resolve => setTimeout(resolve, 50))
    const after = await client.ask(server.multiaddrs[0], encodeDiscover({ ns: 'x' }))
    assert.equal(after?.discoverResponse?.registrations.length, 1)
    const { store: told } = await (await fetch(`${server.http}/control/state`)).json()
    assert.match(told.durability, /fsync on/)
  })
})
