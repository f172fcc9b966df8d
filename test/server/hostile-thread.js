// A thread beside the server: hostile peers who flood it, and an honest one who asks meanwhile. What it does counts in no turn of the
// server's event loop.
import { on } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { noise } from '@libp2p/noise'
import { tcp } from '@libp2p/tcp'
import { yamux } from '@libp2p/yamux'
import { multiaddr } from '@multiformats/multiaddr'
import { createLibp2p } from 'libp2p'
import { encodeDiscover, PROTOCOL } from '../../src/protocol/rendezvous.js'
import { dialAfterNoise, FLOODS } from '../../src/scenarios/rendezvous/hostile/hostile-worker.js'
import { Client } from './harness.js'

/** @typedef {{ address: string, asks: number }} Task */

const HOSTILE = '127.0.0.9'
const HONEST = '127.0.0.8'

const { address, asks } = /** @type {Task} */ (workerData)

const honest = await createLibp2p({
  transports: [tcp({ dialOpts: /** @type {any} */ ({ localAddress: HONEST }) })],
  connectionEncrypters: [noise()],
  streamMuxers: [yamux()],
  connectionMonitor: { enabled: false }
})

/** Over a stream of its own, so that those are opened meanwhile too. */
async function isAnswered() {
  const client = new Client(await honest.dialProtocol(multiaddr(address), PROTOCOL))
  const reply = await client.ask(encodeDiscover({}))
  await client.stream.close()
  return reply?.discoverResponse !== undefined
}

/** @param {string} flood */
async function answeredDuring(flood) {
  const { stream, stop } = await dialAfterNoise(address, HOSTILE)
  stream.addEventListener('message', () => {})
  const send = setInterval(() => {
    if (stream.status === 'open' && !stream.writableNeedsDrain) stream.send(FLOODS[flood])
  }, 1)
  let answered = 0
  for (; answered < asks && (await isAnswered()); answered++) await sleep(10)
  clearInterval(send)
  await stop()
  return answered
}

await isAnswered()
// the name of a flood each time; an empty one is the end
for await (const [flood] of on(
  /** @type {import('node:worker_threads').MessagePort} */ (parentPort),
  'message'
)) {
  if (flood === '') break
  parentPort?.postMessage(await answeredDuring(flood))
}
await honest.stop()
