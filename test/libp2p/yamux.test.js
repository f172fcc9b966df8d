import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import * as net from 'node:net'
import { afterEach, describe, it } from 'node:test'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { multiaddr } from '@multiformats/multiaddr'
import { stack } from '../../src/libp2p/generation-3/libp2p-3.js'

/** What go-yamux and js-libp2p 2 put into a frame themselves. */
const MAX_FRAME_BYTES = 64 << 10

/** rust-yamux 0.14 ends a connection whose frame holds more: MAX_FRAME_BODY_LEN in src/frame/io.rs. */
const RUST_LIMIT_BYTES = 1 << 20
const PROTOCOL = '/loadtest/bytes/1.0.0'
const PAYLOAD = randomBytes(12 << 20)
const WINDOW_BYTES = 16 << 20

/** @type {(() => unknown)[]} */
const cleanUps = []
afterEach(() => Promise.all(cleanUps.splice(0).map(cleanUp => cleanUp())))

/** @param {number} [maxFrameBytes] */
async function started(maxFrameBytes) {
  const node = await stack.createNode({
    privateKey: await generateKeyPair('Ed25519'),
    addresses: { listen: ['/ip4/127.0.0.1/tcp/0'] },
    security: 'plaintext',
    maxFrameBytes,
    muxerOptions: {
      streamOptions: { initialStreamWindowSize: WINDOW_BYTES, maxStreamWindowSize: WINDOW_BYTES }
    }
  })
  cleanUps.push(() => node.stop())
  await node.start()
  return node
}

/** A proxy that keeps what the dialling end sends. @param {number} port */
async function tapped(port) {
  /** @type {Buffer[]} */
  const chunks = []
  const server = net.createServer(near => {
    const far = net.connect(port, '127.0.0.1')
    near.on('data', chunk => chunks.push(chunk))
    near.on('error', () => far.destroy()).pipe(far)
    far.on('error', () => near.destroy()).pipe(near)
    cleanUps.push(() => near.destroy())
  })
  cleanUps.push(() => server.close())
  await new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  return { port: /** @type {net.AddressInfo} */ (server.address()).port, sent: () => Buffer.concat(chunks) }
}

/** Lengths of the frames of data after the negotiation of Yamux, as the specification lays them out. @param {Buffer} sent */
function dataFrames(sent) {
  const negotiated = Buffer.from('\x0d/yamux/1.0.0\n')
  const frames = []
  let at = sent.lastIndexOf(negotiated) + negotiated.byteLength
  while (at + 12 <= sent.byteLength) {
    const [version, type, length] = [sent[at], sent[at + 1], sent.readUInt32BE(at + 8)]
    assert.ok(version === 0 && type <= 3, `no frame at ${at}: version ${version}, type ${type}`)
    if (type === 0) frames.push(length)
    at += 12 + (type === 0 ? length : 0)
  }
  return frames
}

/** All of the payload in one go, as one that has it in memory may. @param {number} [maxFrameBytes] */
async function framesOf(maxFrameBytes) {
  const [near, far] = await Promise.all([started(maxFrameBytes), started(maxFrameBytes)])
  /** @type {PromiseWithResolvers<string>} */
  const received = Promise.withResolvers()
  await far.handle(PROTOCOL, async stream => {
    const hash = createHash('sha256')
    for await (const data of stream) hash.update(data.subarray())
    received.resolve(hash.digest('hex'))
  })
  const [address] = far.getMultiaddrs()
  const tap = await tapped(Number(address.getComponents().find(({ name }) => name === 'tcp')?.value))
  const signal = AbortSignal.timeout(120_000)
  signal.addEventListener('abort', () => received.reject(signal.reason))
  const stream = await near.dialProtocol(
    multiaddr(`/ip4/127.0.0.1/tcp/${tap.port}/p2p/${far.peerId}`),
    PROTOCOL,
    { signal }
  )
  stream.send(PAYLOAD)
  await stream.close({ signal })
  assert.equal(await received.promise, createHash('sha256').update(PAYLOAD).digest('hex'))
  return dataFrames(tap.sent())
}

describe('frames of Yamux at the wire', () => {
  it('hold no more than they may, and all that was sent', async () => {
    const frames = await framesOf(MAX_FRAME_BYTES)
    assert.ok(Math.max(...frames) <= MAX_FRAME_BYTES, `${Math.max(...frames)} bytes in one`)
    const all = frames.reduce((sum, length) => sum + length, 0)
    assert.ok(all >= PAYLOAD.byteLength && all < PAYLOAD.byteLength + 1000, `${all} bytes in all`)
  })

  it('of js-libp2p alone hold more than Rust takes: without that, there is no use for a bound', async () => {
    const frames = await framesOf()
    assert.ok(Math.max(...frames) > RUST_LIMIT_BYTES, `${Math.max(...frames)} bytes`)
  })
})
