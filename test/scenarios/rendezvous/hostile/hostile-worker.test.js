import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { after, before, describe, it, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  connectPeers,
  HOSTILE_BEHAVIOURS,
  HostileWorker,
  holdStreams,
  limitConcurrency,
  prepareFrames,
  prepareHandshakes,
  prepareHttp,
  readHostAndPort,
  repeatAtRate,
  retryConnection,
  sendAtRate
} from '../../../../src/scenarios/rendezvous/hostile/hostile-worker.js'
import { HOSTILE_KINDS } from '../../../../src/scenarios/rendezvous/peer-options.js'
import { ON_LINUX } from '../../../acceptance/processes.js'
import { until } from '../../../until.js'
import { aServer, hostileRun, metricsOf } from './against-a-server.js'

/** @typedef {import('./against-a-server.js').Server} Server */

/** @param {Server} server @param {string} text - of its metrics */
const counts = async (server, text) => {
  const metrics = await metricsOf(server)
  const [, count = '0'] = new RegExp(`^${text} (\\d+)$`, 'm').exec(metrics) ?? []
  return Number(count)
}

/** @param {string} status */
const refused = status => `rendezvous_operations_total\\{type="REGISTER",status="${status}"\\}`

/** @param {Server} server @param {string} network - first three numbers of addresses */
const connectedFrom = ({ node }, network) =>
  node.getConnections().filter(({ remoteAddr }) => String(remoteAddr).includes(`/${network}.`))

/** What the server sees of each, at its own rate. @type {Record<string, (server: Server) => boolean | Promise<boolean>>} */
const SEEN = {
  invalid: async server =>
    (await counts(server, refused('E_INVALID_SIGNED_PEER_RECORD'))) > 2 &&
    (await counts(server, refused('E_INVALID_TTL'))) > 2,
  connections: server => connectedFrom(server, '127.0.8').length > 5,
  streams: server => connectedFrom(server, '127.0.10').length === 1,
  slow: ({ node }) => node.services.rendezvous.streams > 100,
  identities: server =>
    new Set(connectedFrom(server, '127.0.7').map(({ remotePeer }) => String(remotePeer))).size > 3
}

/** Kinds that tests of their own look at. */
const ELSEWHERE = ['http', 'requests', 'unread', 'store', 'records', 'handshakes', 'frames']

test('who does what a kind says is known for each', () => {
  assert.deepEqual(Object.keys(HOSTILE_BEHAVIOURS).sort(), Object.keys(HOSTILE_KINDS).sort())
  assert.deepEqual([...ELSEWHERE, ...Object.keys(SEEN)].sort(), Object.keys(HOSTILE_KINDS).sort())
})

describe('hostile peers of each kind reach the server', ON_LINUX, () => {
  /** @type {Server} */
  let server
  before(async () => {
    server = await aServer()
  })
  after(() => server.stop())

  for (const [kind, seen] of Object.entries(SEEN))
    test(`${kind}, and end`, async t => {
      const run = await hostileRun(server, kind, t)
      await until(() => seen(server))
      assert.equal((await run.end()).failure, null)
    })

  test('more of one address than a server lets in at once, as where it is in a container behind a bridge', async () => {
    const target = { multiaddr: server.multiaddrs[0], http: null, spreads: false, seed: 1, peers: new Set() }
    const peers = await connectPeers(target, 8, 2)
    for (const peer of peers) await (await peer.stream()).close()
    await Promise.all(peers.map(peer => peer.stop()))
  })
})

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
    const { due } = await doing(prepareHttp, target, () => whole().length >= 3)
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
    await doing(prepareHandshakes, target, () => sent().includes(10_000) && sent().includes(HALF_BYTES))
    assert.ok(sent().includes(0))
    assert.ok(connections.some(({ sent }) => sent.toString('latin1').startsWith('\x13/multistream/1.0.0\n')))
    assert.ok(connections.every(({ from }) => from.startsWith('127.0.3.')))
    assert.ok(new Set(connections.map(({ from }) => from)).size > 1)
    await until(() => connections.every(({ socket }) => socket.destroyed))
  })

  it('come from one address where there are no others', async t => {
    const { port, connections } = await listening(t)
    const multiaddr = `/ip4/127.0.0.1/tcp/${port}`
    await doing(prepareHandshakes, { multiaddr, spreads: false }, () => connections.length >= 3)
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
    await doing(prepareFrames, { multiaddr: server.multiaddrs[0], spreads: true }, () => from.size === 6)
    const actual = [...from].sort()
    assert.deepEqual(
      actual,
      [1, 2, 3, 4, 5, 6].map(i => `127.0.4.${i}`)
    )
    await until(() => server.node.getConnections().length === 0)
  })
})

test('who is refused a connection tries again, and gets what there is then', async () => {
  let tries = 0
  const act = async () => {
    if (++tries < 3) throw new Error('too many connections')
    return 'served'
  }
  assert.equal(await retryConnection(act), 'served')
  assert.equal(tries, 3)
})

const running = () => {
  const end = new AbortController()
  return { end, run: { signal: end.signal, tally: { due: 0, skipped: 0 } } }
}

/** A peer whose streams keep what was sent over them. */
function fakePeer() {
  /** @type {any[]} */
  const streams = []
  const stream = async () => {
    const one = {
      ...{ status: 'open', writableNeedsDrain: false, sent: /** @type {unknown[]} */ ([]) },
      addEventListener: () => {},
      send: (/** @type {unknown} */ piece) => one.sent.push(piece),
      abort: () => {
        one.status = 'aborted'
      }
    }
    streams.push(one)
    return one
  }
  return { peer: /** @type {any} */ ({ stream }), streams }
}

describe('what is done so often', () => {
  it('is done until it is over; of what is far too late the tally says how much it was', async () => {
    const { end, run } = running()
    /** @type {number[]} */
    const done = []
    await repeatAtRate(1000, run, index => {
      done.push(index)
      // as long as 250 of them
      if (done.length === 1) for (const since = performance.now(); performance.now() - since < 250; );
      if (done.length === 20) end.abort()
    })
    assert.equal(done.length, 20)
    assert.ok(run.tally.skipped >= 100, String(run.tally.skipped))
    assert.deepEqual([run.tally.due, done.at(-1)], [20 + run.tally.skipped, run.tally.due - 1])
  })

  it('is started only while less than so much of it is under way, whatever becomes of it', async () => {
    /** @type {PromiseWithResolvers<void>[]} */
    const underWay = []
    const act = limitConcurrency(2, () => {
      const one = Promise.withResolvers()
      underWay.push(/** @type {any} */ (one))
      return one.promise
    })
    for (let i = 0; i < 3; i++) act(i)
    assert.equal(underWay.length, 2)
    underWay[0].reject(new Error('it broke'))
    await sleep(1)
    for (let i = 0; i < 3; i++) act(i)
    assert.equal(underWay.length, 3)
  })
})

describe('streams of a hostile peer', () => {
  it('are opened anew after one that is gone, and none is sent to that is full', async () => {
    const { peer, streams } = fakePeer()
    const { end, run } = running()
    const sending = sendAtRate(peer, 500, run, index => Uint8Array.of(index))
    await until(() => streams[0]?.sent.length > 0)
    streams[0].status = 'closed'
    await until(() => streams[1]?.sent.length > 0)
    streams[1].writableNeedsDrain = true
    const { length } = streams[1].sent
    await sleep(20)
    assert.equal(streams[1].sent.length, length)
    end.abort()
    await sending
    assert.equal(streams[1].status, 'aborted')
  })

  it('are held, and opened anew when all of them are gone', async () => {
    const { peer, streams } = fakePeer()
    const { end, run } = running()
    const begin = (/** @type {any} */ stream) => stream.send('begun')
    const holding = holdStreams(peer, 3, run.signal, { begin, everyMs: 1 })
    await until(() => streams.length === 3)
    await sleep(20)
    assert.equal(streams.length, 3)
    for (const stream of streams) stream.status = 'closed'
    await until(() => streams.length === 6)
    end.abort()
    await holding
    const actual = streams.map(({ sent }) => sent)
    assert.deepEqual(actual, Array(6).fill(['begun']))
    assert.ok(streams.every(({ status }) => status === 'aborted'))
  })
})

describe('a run of hostile peers', () => {
  const target = { multiaddr: '/ip4/127.0.0.1/tcp/1', http: 'http://127.0.0.1:1', spreads: false, seed: 1 }

  it('is prepared before it begins, and has done nothing before', async () => {
    const run = new HostileWorker({ target, hostile: { http: 1 } })
    assert.throws(() => run.begin(), /are prepared before they begin/)
    assert.deepEqual(await run.end(), { notSent: 0, failure: null })
  })

  it('ends when its process does, and says nothing of it when it is told to end after', async () => {
    const run = new HostileWorker({ target, hostile: { http: 1 } })
    run.close()
    await run.prepare()
    run.begin()
    run.close()
    const { notSent, failure } = await run.end()
    assert.deepEqual([notSent, failure], [0, null])
  })
})

it('where a target listens is read of its address, by name or number', () => {
  assert.deepEqual(readHostAndPort('/dns4/example.org/tcp/4001/p2p/Qm'), { host: 'example.org', port: 4001 })
  assert.deepEqual(readHostAndPort('/ip6/::1/tcp/80'), { host: '::1', port: 80 })
})
