import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, it } from 'node:test'
import { frames, handshakes, http } from '../../../../src/scenarios/rendezvous/hostile/hostile-worker.js'
import { ON_LINUX } from '../../../acceptance/processes.js'
import { until } from '../../../until.js'
import { aServer } from './against-a-server.js'

/** Two lines of multistream-select, then a length and 32 bytes. */
const HALF_BYTES = 20 + 8 + 2 + 32

/** listening is a server that keeps what each connection has sent. @param {import('node:test').TestContext} t */
async function listening(t) {
  /** @type {{ from: string, sent: Buffer, socket: import('node:net').Socket }[]} */
  const connections = []
  const server = createServer(socket => {
    const connection = { from: String(socket.remoteAddress), sent: Buffer.alloc(0), socket }
    connections.push(connection)
    socket.on('error', () => {})
    socket.on('data', bytes => {
      connection.sent = Buffer.concat([connection.sent, bytes])
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const { socket } of connections) socket.destroy()
    server.close()
  })
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return { port, connections }
}

/**
 * doing has hostile peers until something is seen.
 *
 * @param {import('../../../../src/scenarios/rendezvous/hostile/hostile-worker.js').Prepare} prepare
 * @param {object} target
 * @param {() => boolean} seen
 */
async function doing(prepare, target, seen) {
  const act = await prepare(/** @type {any} */ ({ seed: 1, http: null, ...target }), 1)
  const end = new AbortController()
  const tally = { due: 0, skipped: 0 }
  const ended = act({ signal: end.signal, tally })
  await until(seen).finally(() => end.abort())
  await ended
  return tally
}

describe('hostile connections', ON_LINUX, () => {
  it('bring lines of HTTP that are none, each another one', async t => {
    const { port, connections } = await listening(t)
    const target = { http: `http://127.0.0.1:${port}`, spreads: true }
    const whole = () => connections.filter(({ sent }) => sent.toString().endsWith('\r\n\r\n'))
    const { due } = await doing(http, target, () => whole().length >= 3)
    assert.ok(due >= 3)
    const first = whole().slice(0, 3)
    assert.deepEqual(first.map(({ sent }) => sent.toString().split(' HTTP')[0]).sort(), [
      'GET //',
      'GET //:99999/',
      'GET http://['
    ])
    assert.deepEqual(new Set(connections.map(({ from }) => from)), new Set(['127.0.5.1']))
  })

  it('are silent, noise, or half a handshake, of neighbours, and end with the stretch', async t => {
    const { port, connections } = await listening(t)
    const target = { multiaddr: `/ip4/127.0.0.1/tcp/${port}`, spreads: true }
    const sent = () => connections.map(({ sent }) => sent.length)
    await doing(handshakes, target, () => sent().includes(10_000) && sent().includes(HALF_BYTES))
    assert.ok(sent().includes(0))
    assert.ok(connections.some(({ sent }) => sent.toString('latin1').startsWith('\x13/multistream/1.0.0\n')))
    assert.ok(connections.every(({ from }) => from.startsWith('127.0.3.')))
    assert.ok(new Set(connections.map(({ from }) => from)).size > 1)
    await until(() => connections.every(({ socket }) => socket.destroyed))
  })

  it('come from one address where there are no others', async t => {
    const { port, connections } = await listening(t)
    const multiaddr = `/ip4/127.0.0.1/tcp/${port}`
    await doing(handshakes, { multiaddr, spreads: false }, () => connections.length >= 3)
    assert.deepEqual(new Set(connections.map(({ from }) => from)), new Set(['127.0.0.1']))
  })

  it('carry frames that say nothing, one connection for each kind of frame, and end with the stretch', async t => {
    const server = await aServer()
    t.after(() => server.stop())
    /** @type {Set<string>} */
    const from = new Set()
    server.node.addEventListener('connection:open', ({ detail }) => {
      from.add(detail.remoteAddr.toString().split('/')[2])
    })
    await doing(frames, { multiaddr: server.multiaddrs[0], spreads: true }, () => from.size === 6)
    assert.deepEqual(
      [...from].sort(),
      [1, 2, 3, 4, 5, 6].map(i => `127.0.4.${i}`)
    )
    await until(() => server.node.getConnections().length === 0)
  })
})
