import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { afterEach, describe, it } from 'node:test'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { findStack } from '../../src/libp2p/stacks.js'

/** @typedef {import('../../src/libp2p/layers/node-parts.js').NodeParts} NodeParts */
/** @typedef {import('@libp2p/interface').Stream} Stream */

const PROTOCOL = '/loadtest/bytes/1.0.0'
const PAYLOAD = randomBytes(1 << 20)
const DIGEST = createHash('sha256').update(PAYLOAD).digest('hex')

/** @type {(() => unknown)[]} */
const cleanUps = []
afterEach(() => Promise.all(cleanUps.splice(0).map(cleanUp => cleanUp())))

/** @param {string} name @param {Partial<NodeParts>} parts */
async function started(name, parts) {
  const stack = findStack(name)
  const websocket = parts.transport === 'websocket' ? '/ws' : ''
  const node = await stack.createNode({
    privateKey: await generateKeyPair('Ed25519'),
    addresses: { listen: [`/ip4/127.0.0.1/tcp/0${websocket}`] },
    ...parts
  })
  cleanUps.push(() => node.stop())
  await node.start()
  return node
}

/** Sends all and ends. A stream that is full is waited for. @param {Stream} stream @param {Uint8Array} payload */
async function sendAll(stream, payload) {
  for (let from = 0; from < payload.byteLength; from += 64 << 10) {
    const hasRoom = stream.send(payload.subarray(from, from + (64 << 10)))
    if (!hasRoom) await stream.onDrain({ signal: AbortSignal.timeout(120_000) })
  }
  await stream.close({ signal: AbortSignal.timeout(120_000) })
}

/** A service that answers each stream with the digest of what came. @param {any} components */
const digesting = ({ registrar }) => ({
  start: () =>
    registrar.handle(PROTOCOL, async (/** @type {Stream} */ stream) => {
      const hash = createHash('sha256')
      for await (const data of stream) hash.update(data.subarray())
      stream.send(hash.digest())
      await stream.close()
    }),
  stop: () => registrar.unhandle(PROTOCOL)
})

/** What one node sends to another, and its answer. @param {string} name @param {Partial<NodeParts>} parts */
async function exchanged(name, parts) {
  const traffics = [1, 2].map(() => ({ sentBytes: 0, receivedBytes: 0 }))
  const services = { digesting }
  // a line for both ways is for a peer that has none
  const far = parts.line?.both ? { ...parts, line: null } : parts
  const [there, here] = await Promise.all(
    [far, parts].map((each, i) => started(name, { ...each, traffic: traffics[i], services }))
  )
  const signal = AbortSignal.timeout(120_000)
  const connection = await here.dial(there.getMultiaddrs(), { signal })
  const stream = await connection.newStream(PROTOCOL, { signal })
  const startMs = performance.now()
  /** @type {Promise<{ digest: string, tookMs: number }>} */
  const answered = new Promise((resolve, reject) => {
    stream.addEventListener('message', ({ data }) =>
      resolve({ digest: Buffer.from(data.subarray()).toString('hex'), tookMs: performance.now() - startMs })
    )
    stream.addEventListener('close', ({ error }) => reject(error ?? new Error('the stream was closed')))
  })
  await sendAll(stream, PAYLOAD)
  return { ...(await answered), traffics }
}

describe('nodes on a line', () => {
  for (const [name, parts] of /** @type {[string, Partial<NodeParts>][]} */ ([
    ['libp2p-3', {}],
    ['libp2p-3', { line: { latencyMs: 20, bytesPerSecond: 20e6 }, lean: true, maxFrameBytes: 64 << 10 }],
    [
      'libp2p-3',
      {
        line: { latencyMs: 20, bytesPerSecond: null },
        security: 'tls',
        transport: 'websocket',
        muxer: 'mplex'
      }
    ],
    ['libp2p-2', { line: { latencyMs: 20, bytesPerSecond: 20e6 } }],
    ['libp2p-3', { line: { latencyMs: 20, bytesPerSecond: 20e6, both: true } }],
    ['libp2p-2', { line: { latencyMs: 20, bytesPerSecond: 20e6, both: true } }],
    ['libp2p-2', { security: 'plaintext' }]
  ])) {
    it(`of ${name} bring all bytes, no sooner than they can, and count them: ${JSON.stringify(parts)}`, async () => {
      const { digest, tookMs, traffics } = await exchanged(name, parts)
      assert.equal(digest, DIGEST)
      const { latencyMs = 0, bytesPerSecond = null } = parts.line ?? {}
      const leastMs =
        2 * latencyMs + (PAYLOAD.byteLength / (bytesPerSecond ?? Number.POSITIVE_INFINITY)) * 1000
      assert.ok(tookMs >= leastMs, `${tookMs} ms of at least ${leastMs}`)
      const [far, near] = traffics
      for (const [from, to] of [
        [near, far],
        [far, near]
      ]) {
        assert.ok(from.sentBytes >= to.receivedBytes, `${from.sentBytes} sent, ${to.receivedBytes} received`)
      }
      assert.ok(far.receivedBytes > PAYLOAD.byteLength && far.receivedBytes < 1.05 * PAYLOAD.byteLength)
    })
  }
})
