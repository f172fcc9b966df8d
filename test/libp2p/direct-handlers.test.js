import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { after, describe, it, mock } from 'node:test'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { noise } from '@libp2p/noise'
import { tcp } from '@libp2p/tcp'
import { yamux } from '@libp2p/yamux'
import { createLibp2p } from 'libp2p'
import { stack } from '../../src/libp2p/generation-3/libp2p-3.js'

const PROTOCOL = '/greet/1'
const signal = AbortSignal.timeout(20_000)

const server = /** @type {any} */ (
  await stack.createNode(
    /** @type {any} */ ({
      lean: true,
      privateKey: await generateKeyPair('Ed25519'),
      addresses: { listen: ['/ip4/127.0.0.1/tcp/0'] }
    })
  )
)
await server.start()
const client = await createLibp2p({
  transports: [tcp()],
  connectionEncrypters: [noise()],
  streamMuxers: [yamux()],
  connectionMonitor: { enabled: false }
})
after(() => Promise.all([client.stop(), server.stop()]))
const connection = await client.dial(server.getMultiaddrs())

/** @typedef {import('@libp2p/interface').Stream} Stream */

/** @param {Stream} stream @param {string} text - of the answer to what comes */
const answerWith = (stream, text) =>
  stream.addEventListener('message', () => {
    stream.send(Buffer.from(text))
    stream.close()
  })

/** @returns {Promise<string>} what is answered, or `reset` */
async function asked() {
  const stream = await connection.newStream(PROTOCOL, { signal, maxOutboundStreams: 100 })
  return new Promise(resolve => {
    stream.addEventListener('message', ({ data }) => {
      resolve(Buffer.from(data.subarray()).toString())
      stream.close()
    })
    stream.addEventListener('close', () => resolve(stream.status))
    if (stream.status === 'open') stream.send(Buffer.from('?'))
    else resolve(stream.status)
  })
}

/** @param {(stream: Stream, connection: import('@libp2p/interface').Connection) => unknown} handler @param {object} [options] */
const handle = (handler, options) => server.handle(PROTOCOL, handler, { force: true, ...options })

describe('a stream that has agreed on its protocol', () => {
  it('is handed to who handles it, with its connection, and no timer is made for it', async () => {
    await handle((stream, { remotePeer }) => answerWith(stream, `hello ${remotePeer}`))
    // the first lines of a connection may be libp2p's to hand over
    await asked()
    const timeout = mock.method(AbortSignal, 'timeout')
    for (let i = 0; i < 5; i++) assert.equal(await asked(), `hello ${client.peerId}`)
    timeout.mock.restore()
    assert.equal(timeout.mock.callCount(), 0)
  })

  it('is reset where its handler throws, at once or later', async () => {
    for (const handler of [
      () => {
        throw new Error('no')
      },
      async () => {
        await new Promise(resolve => setImmediate(resolve))
        throw new Error('no')
      }
    ]) {
      await handle(handler)
      assert.equal(await asked(), 'reset')
    }
  })

  it('is refused beyond what a connection may have open', async () => {
    /** @type {Stream[]} */
    const open = []
    await handle(
      stream => {
        open.push(stream)
      },
      { maxInboundStreams: 2 }
    )
    const kept = await Promise.all([1, 2].map(() => connection.newStream(PROTOCOL, { signal })))
    assert.equal(await asked(), 'reset')
    assert.equal(open.length, 2)
    for (const stream of kept) stream.abort(new Error('done'))
  })

  it('goes through what was put before its handler', async () => {
    const seen = mock.fn()
    server.components.registrar.use(PROTOCOL, [
      (/** @type {any} */ stream, /** @type {any} */ of, /** @type {any} */ next) => {
        seen()
        next(stream, of)
      }
    ])
    await handle(stream => answerWith(stream, 'behind'))
    assert.equal(await asked(), 'behind')
    server.components.registrar.unuse(PROTOCOL)
    assert.equal(seen.mock.callCount(), 1)
  })

  it('goes to nobody once nobody handles it', async () => {
    await server.unhandle(PROTOCOL)
    await assert.rejects(connection.newStream(PROTOCOL, { signal }), { name: 'UnsupportedProtocolError' })
  })
})
