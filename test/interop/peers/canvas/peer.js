// @ts-nocheck: its packages are installed where it is run
// A rendezvous client made of @canvas-js/libp2p-rendezvous. What it is told and answers: see ../../peer.js.
import { createInterface } from 'node:readline'
import { RendezvousClient, rendezvousClient } from '@canvas-js/libp2p-rendezvous/client'
import { noise } from '@chainsafe/libp2p-noise'
import { yamux } from '@chainsafe/libp2p-yamux'
import { tcp } from '@libp2p/tcp'
import { multiaddr } from '@multiformats/multiaddr'
import { createLibp2p } from 'libp2p'

/** It gives the protocol a name of its own: messages are the specification's. */
Object.defineProperty(RendezvousClient, 'protocol', { value: '/rendezvous/1.0.0' })

/** What it says of a status is an error with the status' name. */
const STATUS = /^E_[A-Z_]+$/

const newPeer = () =>
  createLibp2p({
    addresses: { listen: ['/ip4/127.0.0.1/tcp/0'] },
    transports: [tcp()],
    connectionEncrypters: [noise()],
    streamMuxers: [yamux()],
    services: { rendezvous: rendezvousClient({ autoDiscover: false }) }
  })

const perform = {
  id: ({ peer }) => ({ peer: peer.peerId.toString() }),
  register: ({ point, ns, ttl }) => point.register(ns, { ttl }),
  unregister: async ({ point, ns }) => {
    await point.unregister(ns)
    return {}
  },
  async discover({ point, ns, limit, cookie }) {
    if (cookie !== undefined) return { error: 'REFUSED_BY_CLIENT', text: 'it cannot send a cookie' }
    const found = await point.discover(ns, { limit })
    return { peers: found.map(({ id }) => id.toString()) }
  }
}

async function answerTo({ op, ...question }, peer, server) {
  try {
    return await peer.services.rendezvous.connect(multiaddr(server), point =>
      perform[op]({ ...question, peer, point })
    )
  } catch ({ message }) {
    return STATUS.test(message) ? { error: message } : { error: 'NO_REPLY', text: message }
  }
}

const [role, server] = process.argv.slice(2)
if (role !== 'client' || server === undefined) throw new Error('usage: peer.js client <multiaddr>')
const peers = new Map()
for await (const line of createInterface({ input: process.stdin })) {
  const { as = 0, ...question } = JSON.parse(line)
  if (!peers.has(as)) peers.set(as, await newPeer())
  console.log(JSON.stringify(await answerTo(question, peers.get(as), server)))
}
await Promise.all([...peers.values()].map(peer => peer.stop()))
