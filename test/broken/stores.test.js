import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { multiaddr } from '@multiformats/multiaddr'
import { encodeDiscover, encodeRegister, PROTOCOL, Status } from '../../src/protocol/rendezvous.js'
import { startServerProcess } from '../../src/target/process-target.js'
import { startOwnPostgres } from '../../src/target/run-store.js'
import { createClientNode } from '../server/client-node.js'
import { Client, makePeer } from '../server/harness.js'
import { NO_POSTGRES } from '../system/postgres.js'

/** KILLS=40 kills more often. */
const KILLS = Number(process.env.KILLS ?? 20)
const NEVER = new AbortController().signal

/** @typedef {Awaited<ReturnType<typeof startServerProcess>>} Server */

/** @param {string} store */
const start = store =>
  startServerProcess({
    flags: [
      `--store=${store}`,
      ...'--listen=/ip4/127.0.0.1/tcp/0 --httpPort=0 --logLevel=silent'.split(' '),
      ...'--maxPeerRegistrations=1000000'.split(' ')
    ],
    signal: NEVER,
    onFailed: () => {}
  })

/**
 * writer registers somebody in one namespace after the other, at whichever server `serverOf` names just then, and notes what was
 * acknowledged.
 *
 * @param {string} name
 * @param {() => Server} serverOf
 */
async function startWriter(name, serverOf) {
  const peer = await makePeer()
  const node = await createClientNode(peer.privateKey)
  /** @type {string[]} */
  const acknowledged = []
  let writing = true
  const written = (async () => {
    for (let i = 0; writing; i++) {
      const ns = `${name}-${i}`
      try {
        const { multiaddr: address } = serverOf().address
        const signal = AbortSignal.timeout(5000)
        const client = new Client(await node.dialProtocol(multiaddr(address), PROTOCOL, { signal }))
        const reply = await client.ask(encodeRegister({ ns, signedPeerRecord: peer.record }))
        if (reply?.registerResponse?.status === Status.OK) acknowledged.push(ns)
        else await sleep(5)
        await client.stream.close()
      } catch {
        await sleep(10)
      }
    }
  })()
  return {
    node,
    acknowledged,
    async stop() {
      writing = false
      await written
    }
  }
}

/** All namespaces that a server knows of, page by page. @param {import('libp2p').Libp2p} node @param {Server} server */
async function namespacesAt(node, server) {
  const client = new Client(await node.dialProtocol(multiaddr(server.address.multiaddr), PROTOCOL))
  const seen = new Set()
  for (let cookie = new Uint8Array(0); ; ) {
    const reply = (await client.ask(encodeDiscover({ cookie })))?.discoverResponse
    assert.equal(reply?.status, Status.OK)
    if (reply.registrations.length === 0) return seen
    for (const { ns } of reply.registrations) {
      assert.ok(!seen.has(ns), `${ns} twice`)
      seen.add(ns)
    }
    cookie = new Uint8Array(reply.cookie ?? [])
  }
}

/**
 * @param {import('node:test').TestContext} t
 * @param {{ servers: Server[], kill: () => Promise<void>, kills: number }} parts
 */
async function killed(t, { servers, kill, kills }) {
  t.after(() => Promise.all(servers.map(server => server.stop())))
  const writers = await Promise.all(
    [0, 1, 2, 3].map(i => startWriter(`w${i}`, () => servers[i % servers.length]))
  )
  t.after(() => Promise.all(writers.map(({ node }) => node.stop())))
  const count = () => writers.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0)
  for (let i = 0; i < kills; i++) {
    const before = count()
    while (count() < before + 5) await sleep(20)
    await sleep(Math.random() * 300)
    await kill()
  }
  const before = count()
  while (count() < before + 5) await sleep(20)
  await Promise.all(writers.map(writer => writer.stop()))
  const there = await namespacesAt(writers[0].node, servers[0])
  const lost = writers.flatMap(({ acknowledged }) => acknowledged).filter(ns => !there.has(ns))
  t.diagnostic(`${count()} acknowledged, ${lost.length} lost, ${there.size} there, ${kills} kills`)
  assert.deepEqual(lost, [])
}

describe('an acknowledged REGISTER', () => {
  it('outlives two servers and their PostgreSQL, which are killed', { skip: NO_POSTGRES }, async t => {
    const postgres = await startOwnPostgres()
    t.after(() => postgres.stop())
    const servers = [await start(postgres.url), await start(postgres.url)]
    const killServer = async (/** @type {number} */ i) => {
      await servers[i].kill()
      servers[i] = await start(postgres.url)
    }
    let turn = 0
    const kill = async () => {
      const which = turn++ % 3
      if (which < 2) return killServer(which)
      postgres.kill()
      await postgres.restart()
    }
    await killed(t, { servers, kill, kills: KILLS })
  })
})
