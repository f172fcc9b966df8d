import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setImmediate as setImmediateQuickNegotiation } from 'node:timers/promises'
import { StreamStateError } from '@libp2p/interface'
import { noise } from '@libp2p/noise'
import { tcp } from '@libp2p/tcp'
import { multiaddrConnectionPair, streamPair } from '@libp2p/utils'
import { yamux } from '@libp2p/yamux'
import { createLibp2p } from 'libp2p'
import { Uint8ArrayList } from 'uint8arraylist'
import {
  CoalescingStream,
  coalescingEncrypter,
  coalescingMuxer,
  protocolLines,
  QuickNegotiation
} from '../../../src/libp2p/generation-3/coalescing.js'
import { noiseCrypto } from '../../../src/libp2p/layers/noise.js'
import { makeSilentLogger } from '../../../src/libp2p/node-components.js'

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
    logger: makeSilentLogger(),
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

/** @typedef {import('@libp2p/interface').Stream} Stream */

const QUICK = '/quick/1'
const OTHER = '/other/1'
const MANY = 100

const PLAIN = { streamMuxers: [yamux()] }
const OURS = { streamMuxers: [coalescingMuxer(yamux())] }

/** @param {object} parts @param {string[]} [listen] */
async function startNode(parts, listen = []) {
  const node = await createLibp2p({
    ...{ addresses: { listen }, transports: [tcp()], connectionEncrypters: [noise()] },
    ...{ connectionMonitor: { enabled: false }, ...parts }
  })
  after(() => node.stop())
  return node
}

/** A node that says on each stream which protocol it has, and then what it is told. @param {object} parts */
async function startServer(parts) {
  const node = await startNode(parts, ['/ip4/127.0.0.1/tcp/0'])
  /** @param {Stream} stream */
  const echo = stream => {
    stream.send(Buffer.from(`${stream.protocol} `))
    stream.addEventListener('message', ({ data }) => stream.send(data))
    stream.addEventListener('end', () => stream.close())
  }
  for (const protocol of [QUICK, OTHER]) await node.handle(protocol, echo, { maxInboundStreams: MANY })
  return node
}

/** @param {Stream} stream @returns {Promise<string>} all that came */
function all(stream) {
  let text = ''
  stream.addEventListener('message', ({ data }) => {
    text += Buffer.from(data.subarray())
  })
  return new Promise(resolve => stream.addEventListener('end', () => resolve(text)))
}

/** @param {Stream} stream @param {string} text */
async function told(stream, text) {
  const came = all(stream)
  stream.send(Buffer.from(text))
  await stream.close()
  return came
}

for (const [name, server, client] of /** @type {[string, object, object][]} */ ([
  ['ours asks ours', OURS, OURS],
  ['ours asks another', PLAIN, OURS],
  ['another asks ours', OURS, PLAIN]
]))
  describe(`a protocol is agreed on: ${name}`, async () => {
    const listener = await startServer(server)
    const connection = await (await startNode(client)).dial(listener.getMultiaddrs())

    it('the one that is asked for, whichever it is, and among several the first that the other side has', async () => {
      for (const [asked, protocol] of /** @type {[string[], string][]} */ ([
        [[QUICK], QUICK],
        [[OTHER], OTHER],
        [['/unknown/1', QUICK], QUICK],
        [[OTHER, QUICK], OTHER]
      ])) {
        const stream = await connection.newStream(asked)
        assert.equal(stream.protocol, protocol)
        assert.equal(await told(stream, 'hello'), `${protocol} hello`)
      }
    })

    it('on many streams at a time', async () => {
      const texts = Array.from({ length: MANY }, (_, i) => `${i}`)
      const came = await Promise.all(
        texts.map(async text => told(await connection.newStream(QUICK, { maxOutboundStreams: MANY }), text))
      )
      assert.deepEqual(
        came,
        texts.map(text => `${QUICK} ${text}`)
      )
    })

    it('not one that the other side does not have', async () => {
      await assert.rejects(connection.newStream('/unknown/1'), { name: 'UnsupportedProtocolError' })
      assert.equal(connection.streams.length, 0)
    })

    it('not once it is too late', async () => {
      await assert.rejects(connection.newStream(QUICK, { signal: AbortSignal.abort() }), {
        name: 'AbortError'
      })
    })
  })

describe('who asks for a protocol', () => {
  /** @param {AbortSignal} [signal] */
  async function asking(signal) {
    const [stream, other] = await streamPair()
    const muxer = new QuickNegotiation(/** @type {any} */ ({ createStream: async () => stream }), () => [])
    /** @type {Buffer[]} */
    const asked = []
    other.addEventListener('message', ({ data }) => asked.push(Buffer.from(data.subarray())))
    return { stream, other, asked, opened: muxer.createStream({ protocol: QUICK, signal }) }
  }

  it('reads an answer however it is cut, and leaves what came behind it', async () => {
    const { other, asked, opened } = await asking()
    for (const byte of Buffer.concat([protocolLines(QUICK), Buffer.from('reply')]))
      other.send(Uint8Array.of(byte))
    const stream = await opened
    assert.equal(stream.protocol, QUICK)
    assert.deepEqual(Buffer.concat(asked), protocolLines(QUICK))
    const came = all(stream)
    await other.close()
    assert.equal(await came, 'reply')
  })

  it('waits no longer than it wants to, and the stream is gone', async () => {
    const given = new AbortController()
    const { stream, opened } = await asking(given.signal)
    given.abort(new Error('too late'))
    await assert.rejects(opened, { message: 'too late' })
    assert.equal(stream.status, 'aborted')
  })

  it('is told when the other side ends, resets, or has another protocol', async () => {
    for (const [answer, name] of /** @type {[(other: Stream) => unknown, string][]} */ ([
      [other => other.close(), 'UnexpectedEOFError'],
      [other => other.abort(new Error('gone')), 'StreamResetError'],
      [other => other.send(Buffer.from('\x13/multistream/1.0.0\n\x03na\n')), 'UnsupportedProtocolError'],
      [other => other.send(Buffer.from('HTTP/1.1 400 Bad Request')), 'UnsupportedProtocolError']
    ])) {
      const { stream, other, opened } = await asking()
      answer(other)
      await assert.rejects(opened, { name })
      assert.notEqual(stream.status, 'open')
    }
  })
})

describe('a stream of the other side', () => {
  /**
   * What libp2p is told of a stream on which these bytes came with its opening.
   *
   * @param {Uint8Array[]} chunks
   * @param {(ends: { stream: Stream, other: Stream }) => unknown} [happen] - meanwhile
   */
  async function opened(chunks, happen = () => {}) {
    const [other, stream] = await streamPair()
    const answer = all(other)
    for (const chunk of chunks) other.send(chunk)
    await happen({ stream, other })
    while (stream.readBufferLength < chunks.reduce((sum, { length }) => sum + length, 0))
      await setImmediateQuickNegotiation()
    const muxer = new EventTarget()
    const told = new Promise(resolve =>
      new QuickNegotiation(/** @type {any} */ (muxer), () => [QUICK, OTHER]).addEventListener(
        'stream',
        resolve
      )
    )
    muxer.dispatchEvent(Object.assign(new Event('stream'), { detail: stream }))
    await told
    const { protocol } = stream
    const left = all(stream)
    stream.resume()
    await other.close()
    const rest = await left
    await stream.close()
    return { sent: await answer, protocol, left: rest }
  }

  it('has its protocol before libp2p is told, and what came behind it is left', async () => {
    const bytes = Buffer.concat([protocolLines(OTHER), Buffer.from('request')])
    for (const chunks of [[bytes], [...bytes].map(byte => Uint8Array.of(byte))]) {
      assert.deepEqual(await opened(chunks), {
        sent: `${protocolLines(OTHER)}`,
        protocol: OTHER,
        left: 'request'
      })
    }
  })

  it('is left to libp2p as it is where anything else came, too little, its end, or nothing may be read yet', async () => {
    const lines = protocolLines(QUICK)
    for (const [bytes, happen] of /** @type {[Buffer, Parameters<typeof opened>[1]?][]} */ ([
      [Buffer.alloc(0)],
      [lines.subarray(0, lines.length - 1)],
      [protocolLines('/unknown/1')],
      [Buffer.from(`${lines}`.replace('quick', 'quack'))],
      [Buffer.concat([lines.subarray(0, 20), Buffer.from('\x03ls\n')])],
      [lines, ({ other }) => other.close()],
      [lines, ({ stream }) => stream.pause()]
    ])) {
      assert.deepEqual(await opened([bytes], happen), { sent: '', protocol: '', left: `${bytes}` })
    }
  })

  it('is told of to nobody who listens no longer', () => {
    const muxer = new EventTarget()
    const quick = new QuickNegotiation(/** @type {any} */ (muxer), () => [])
    const listener = () => assert.fail('told')
    quick.addEventListener('stream', listener)
    quick.removeEventListener('stream', listener)
    muxer.dispatchEvent(Object.assign(new Event('stream'), { detail: {} }))
  })
})

describe('the lines of a protocol', () => {
  it('are those of multistream-select', () => {
    assert.equal(
      protocolLines('/rendezvous/1.0.0').toString(),
      '\x13/multistream/1.0.0\n\x12/rendezvous/1.0.0\n'
    )
  })
})
