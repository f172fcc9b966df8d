import '../../src/kit/runtime.js'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { multiaddr } from '@multiformats/multiaddr'
import { createClientNode } from '../../src/client/node.js'
import { openSession } from '../../src/client/session.js'
import { encodeDiscover, encodeRegister } from '../../src/protocol/rendezvous.js'
import { sealPeerRecord } from '../../src/protocol/signed-record.js'
import { plainClientNode } from './plain-client.js'
import { ADDRESS, namespaceOf } from './registrations.js'

/**
 * @typedef {import('./load-process.js').Load} Load
 * @typedef {import('../../src/client/session.js').Session} Session
 */

const DISCOVER_LIMIT = 20
/** A server of libp2p as published takes no more than 10 that are not upgraded yet, and cuts off others. */
const DIALS_AT_ONCE = 8

const [, , address, connections, kind] = process.argv
const target = multiaddr(address)

async function makeClient() {
  const privateKey = await generateKeyPair('Ed25519')
  const node = await (kind === 'plain' ? plainClientNode(privateKey) : createClientNode({ privateKey }))
  await node.start()
  const record = await sealPeerRecord({ privateKey, addresses: [ADDRESS], seq: 1 })
  return { node, record, connection: await node.dial(target) }
}

/** @type {Array<Awaited<ReturnType<typeof makeClient>>>} */
const clients = []
while (clients.length < Number(connections)) {
  const missing = Math.min(DIALS_AT_ONCE, Number(connections) - clients.length)
  clients.push(...(await Promise.all(Array.from({ length: missing }, makeClient))))
}
const [{ node, record, connection }] = clients

/** @param {Load['type']} type @param {number} index */
const request = (type, index) =>
  type === 'REGISTER'
    ? encodeRegister({ ns: namespaceOf(index), signedPeerRecord: record, ttl: 7200 })
    : encodeDiscover({ ns: namespaceOf(index), limit: DISCOVER_LIMIT })

/** @param {Session} session @param {Uint8Array} message */
async function exchange(session, message) {
  const { message: reply } = await session.request(message)
  const { status } = /** @type {{ status: number }} */ (reply.registerResponse ?? reply.discoverResponse)
  if (status !== 0) throw new Error(`status ${status}`)
}

/** @type {Record<Load['over'], (messages: Uint8Array[]) => Promise<void>>} */
const ways = {
  async stream(messages) {
    const session = await openSession(connection)
    for (const message of messages) await exchange(session, message)
    await session.close()
  },
  async 'stream each'(messages) {
    for (const message of messages) {
      const session = await openSession(connection)
      await exchange(session, message)
      await session.close()
    }
  },
  async 'connection each'(messages) {
    await connection.close()
    for (const message of messages) {
      const fresh = await node.dial(target)
      const session = await openSession(fresh)
      await exchange(session, message)
      await session.close()
      await fresh.close()
    }
  }
}

process.on('message', async (/** @type {Load} */ { type, over, operations }) => {
  try {
    const messages = Array.from({ length: operations }, (_, index) => request(type, index))
    const before = process.cpuUsage()
    await ways[over](messages)
    const { user, system } = process.cpuUsage(before)
    process.send?.({ done: operations, cpuMicros: user + system })
  } catch (error) {
    process.send?.({ error: /** @type {Error} */ (error).stack })
  }
})
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true })
