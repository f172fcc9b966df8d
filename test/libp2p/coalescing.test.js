import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { StreamStateError } from '@libp2p/interface'
import { noise } from '@libp2p/noise'
import { tcp } from '@libp2p/tcp'
import { multiaddrConnectionPair } from '@libp2p/utils'
import { yamux } from '@libp2p/yamux'
import { createLibp2p } from 'libp2p'
import { Uint8ArrayList } from 'uint8arraylist'
import {
  CoalescingStream,
  coalescingEncrypter,
  coalescingMuxer
} from '../../src/libp2p/generation-3/coalescing.js'
import { noiseCrypto } from '../../src/libp2p/layers/noise.js'
import { silentLogger } from '../../src/libp2p/node-components.js'

const PROTOCOL = '/echo/1'
const text = (/** @type {Uint8Array} */ bytes) => Buffer.from(bytes).toString()
const bytes = (/** @type {string} */ string) => new Uint8Array(Buffer.from(string))

/** A stream that notes what is sent. */
function recorder() {
  const [stream] = multiaddrConnectionPair({ delay: 0 })
  /** @type {string[]} */
  const sent = []
  stream.send = data => {
    sent.push(text(data.subarray()))
    return !stream.writableNeedsDrain
  }
  return { stream, sent, coalescing: new CoalescingStream(stream) }
}

const turn = () => new Promise(resolve => setImmediate(resolve))

describe('a coalescing stream', () => {
  it('sends what one turn and its promises produce as one message, in order', async () => {
    const { sent, coalescing } = recorder()
    assert.equal(coalescing.send(bytes('one ')), true)
    coalescing.send(new Uint8ArrayList(bytes('two '), bytes('three ')))
    await null
    await Promise.resolve().then(() => {})
    coalescing.send(bytes('four'))
    assert.deepEqual(sent, [])
    await turn()
    assert.deepEqual(sent, ['one two three four'])
    coalescing.send(bytes('five'))
    await turn()
    assert.deepEqual(sent, ['one two three four', 'five'])
  })

  it('sends at once what fills a message, and what closes the connection', async () => {
    const full = recorder()
    full.coalescing.send(bytes('a'))
    full.coalescing.send(bytes('x'.repeat(70_000)))
    assert.equal(full.sent.length, 1)
    const goAway = recorder()
    goAway.coalescing.send(bytes('last words '))
    goAway.coalescing.send(Uint8Array.of(0, 3, 0, 0))
    assert.deepEqual(goAway.sent, ['last words \0\x03\0\0'])
    const closing = recorder()
    closing.coalescing.send(bytes('a'))
    closing.coalescing.close().catch(() => {})
    assert.deepEqual(closing.sent, ['a'])
    await turn()
    assert.equal(closing.sent.length, 1)
  })

  it('tells its writer to wait when the stream below is full', async () => {
    const { stream, coalescing } = recorder()
    stream.writableNeedsDrain = true
    assert.equal(coalescing.send(bytes('a')), false)
    await turn()
    assert.equal(coalescing.send(bytes('x'.repeat(70_000))), false)
  })

  it('survives a stream below that was closed meanwhile', async () => {
    const { stream, coalescing } = recorder()
    stream.send = () => {
      throw new StreamStateError('closed')
    }
    coalescing.send(bytes('a'))
    await turn()
    assert.equal(coalescing.send(bytes('x'.repeat(70_000))), false)
  })

  it('shows the stream below as its own', () => {
    const { stream, coalescing } = recorder()
    for (const name of /** @type {const} */ ([
      'status',
      'timeline',
      'log',
      'direction',
      'maxReadBufferLength',
      'maxWriteBufferLength',
      'inactivityTimeout',
      'writableNeedsDrain',
      'readableEnded',
      'readBufferLength',
      'writeBufferLength'
    ])) {
      assert.equal(coalescing[name], stream[name], name)
    }
  })
})

describe('nodes with and without these parts', () => {
  const plain = { connectionEncrypters: [noise()], streamMuxers: [yamux()] }
  const ours = {
    logger: silentLogger(),
    connectionEncrypters: [coalescingEncrypter(noise({ crypto: noiseCrypto }))],
    streamMuxers: [coalescingMuxer(yamux())]
  }
  /** @param {object} parts @param {string[]} listen */
  const makeNode = (parts, listen) =>
    createLibp2p({
      addresses: { listen },
      transports: [tcp()],
      connectionMonitor: { enabled: false },
      ...parts
    })

  for (const [name, server, client] of /** @type {Array<[string, object, object]>} */ ([
    ['ours to ours', ours, ours],
    ['plain to ours', ours, plain],
    ['ours to plain', plain, ours]
  ])) {
    it(`understand each other: ${name}`, async () => {
      const listener = await makeNode(server, ['/ip4/127.0.0.1/tcp/0'])
      await listener.handle(PROTOCOL, stream => {
        stream.addEventListener('message', ({ data }) => stream.send(data))
        stream.addEventListener('end', () => stream.close())
      })
      const dialer = await makeNode(client, [])
      for (const size of [1, 100, 5_000, 1_000_000]) {
        const stream = await dialer.dialProtocol(listener.getMultiaddrs(), PROTOCOL)
        const message = Buffer.alloc(size, size % 251)
        const received = new Uint8ArrayList()
        const ended = new Promise(resolve => stream.addEventListener('end', resolve))
        stream.addEventListener('message', ({ data }) => received.append(data))
        if (!stream.send(message))
          await new Promise(resolve => stream.addEventListener('drain', resolve, { once: true }))
        await stream.close()
        await ended
        assert.ok(
          Buffer.compare(received.subarray(), message) === 0,
          `${received.byteLength} of ${size} bytes`
        )
      }
      // closing right behind sending loses nothing
      const last = new Promise(resolve => {
        listener.handle('/last/1', stream => stream.addEventListener('message', ({ data }) => resolve(data)))
      })
      const stream = await dialer.dialProtocol(listener.getMultiaddrs(), '/last/1')
      stream.send(bytes('last'))
      await Promise.all(dialer.getConnections().map(connection => connection.close()))
      assert.equal(text(/** @type {Uint8ArrayList} */ (await last).subarray()), 'last')
      await Promise.all([dialer.stop(), listener.stop()])
    })
  }
})
