import { after } from 'node:test'
import { multiaddr } from '@multiformats/multiaddr'
import { ClientError, RendezvousError } from '../../src/client/errors.js'
import { derivePrivateKey } from '../../src/client/identities.js'
import { createClientNode } from '../../src/client/node.js'
import { rendezvousClient } from '../../src/client/rendezvous-client.js'

/**
 * @typedef {import('./peer.js').Client} Client
 * @typedef {import('./peer.js').Question} Question
 * @typedef {import('./peer.js').Answer} Answer
 */

const SEED = 14

/**
 * ourClient is our client, asked and answering as those of others are.
 *
 * @param {string} server - multiaddr
 * @param {string} [recordDomain]
 * @returns {Client}
 */
export function ourClient(server, recordDomain) {
  /** @type {Map<number, Promise<Awaited<ReturnType<typeof startPeer>>>>} */
  const peers = new Map()
  after(async () => {
    for (const peer of peers.values()) await (await peer).stop()
  })
  return {
    async ask({ as, ...question }) {
      const peer = peers.get(as) ?? startPeer(as, recordDomain)
      peers.set(as, peer)
      return answerTo(question, await peer, server)
    }
  }
}

/** @param {number} index @param {string} [recordDomain] */
async function startPeer(index, recordDomain) {
  const node = await createClientNode({
    privateKey: await derivePrivateKey(SEED, 'interop', index),
    announce: ['/ip4/127.0.0.1/tcp/4001'],
    services: { rendezvous: rendezvousClient({ recordDomain }) }
  })
  await node.start()
  return node
}

/**
 * @param {Omit<Question, 'as'>} question
 * @param {Awaited<ReturnType<typeof startPeer>>} peer
 * @param {string} server
 * @returns {Promise<Answer>}
 */
async function answerTo(question, peer, server) {
  try {
    return await perform(question, peer, server)
  } catch (error) {
    if (error instanceof RendezvousError) return { error: error.code, text: error.statusText }
    if (error instanceof ClientError) return { error: 'NO_REPLY', text: `${error.code}: ${error.message}` }
    throw error
  }
}

/**
 * @param {Omit<Question, 'as'>} question
 * @param {Awaited<ReturnType<typeof startPeer>>} peer
 * @param {string} server
 * @returns {Promise<Answer>}
 */
async function perform({ op, ns, ttl, limit, cookie }, peer, server) {
  const { rendezvous } = peer.services
  const at = multiaddr(server)
  if (op === 'id') return { peer: String(peer.peerId) }
  if (op === 'register') return { ttl: await rendezvous.register(at, ns ?? '', { ttlSeconds: ttl }) }
  if (op === 'unregister') {
    await rendezvous.unregister(at, ns ?? '')
    return {}
  }
  const page = await rendezvous.discover(at, {
    ns,
    limit,
    cookie: cookie ? Buffer.from(cookie, 'hex') : undefined
  })
  return {
    peers: page.registrations.map(({ peerId }) => String(peerId)),
    cookie: Buffer.from(page.cookie ?? []).toString('hex')
  }
}
