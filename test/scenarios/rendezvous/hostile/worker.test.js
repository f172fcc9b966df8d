import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { PREPARE, peersAt } from '../../../../src/scenarios/rendezvous/hostile/hostile-worker.js'
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
  assert.deepEqual(Object.keys(PREPARE).sort(), Object.keys(HOSTILE_KINDS).sort())
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
    const peers = await peersAt(target, 8, 2)
    for (const peer of peers) await (await peer.stream()).close()
    await Promise.all(peers.map(peer => peer.stop()))
  })
})
