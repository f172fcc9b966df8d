import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { pushable } from 'it-pushable'
import { ChunkSource, DuplexStream } from '../../../src/libp2p/generation-2/duplex-stream.js'
import { makeSilentLogger } from '../../../src/libp2p/node-components.js'

/** A duplex as libp2p 2 makes them; the far end is played by a test. */
class FakeDuplex {
  id = '1'
  /** @type {'outbound'} */
  direction = 'outbound'
  protocol = '/test/1.0.0'
  /** @type {'open' | 'closing' | 'closed' | 'aborted' | 'reset'} */
  status = 'open'
  log = makeSilentLogger().forComponent('test')
  source = pushable()
  /** @type {number[]} lengths */
  sent = []
  sinkEnded = false
  /** @type {Error | null} */
  aborted = null
  /** @type {Promise<void>} the window of the far end */
  window = Promise.resolve()

  /** @param {AsyncIterable<any>} source */
  sink = async source => {
    for await (const chunk of source) {
      await this.window
      this.sent.push(chunk.byteLength)
    }
    this.sinkEnded = true
  }

  async closeRead() {}

  /** @param {Error} error */
  abort(error) {
    this.aborted = error
    this.status = 'aborted'
    this.source.end(error)
  }
}

function open() {
  const duplex = new FakeDuplex()
  const stream = new DuplexStream(/** @type {any} */ (duplex))
  /** @type {string[]} */
  const events = []
  for (const type of /** @type {const} */ (['remoteCloseWrite', 'end', 'drain']))
    stream.addEventListener(type, () => events.push(type))
  stream.addEventListener('close', ({ error }) =>
    events.push(error == null ? 'close' : `close: ${error.name}`)
  )
  stream.addEventListener('message', ({ data }) => events.push(`message ${data.byteLength}`))
  return { duplex, stream, events }
}

describe('a duplex stream in the present shape', () => {
  it('gives what the source gives, and tells of its end', async () => {
    const { duplex, stream, events } = open()
    duplex.source.push(new Uint8Array(3))
    await turn()
    duplex.source.push(new Uint8Array(4))
    duplex.source.end()
    await turn()
    const found = events.filter(event => event !== 'drain')
    assert.deepEqual(found, ['message 3', 'message 4', 'remoteCloseWrite', 'end'])
    assert.equal(stream.status, 'open', 'this end may still send')
  })

  it('sends, and counts what is not sent yet', async () => {
    const { duplex, stream, events } = open()
    const { promise, resolve } = Promise.withResolvers()
    duplex.window = /** @type {Promise<any>} */ (promise)
    assert.equal(stream.send(new Uint8Array(100_000)), true)
    assert.equal(stream.send(new Uint8Array(200_000)), false, 'more than is good to have waiting')
    await turn()
    assert.equal(stream.writeBufferLength, 300_000)
    resolve(undefined)
    await turn()
    assert.deepEqual(duplex.sent, [100_000, 200_000])
    assert.equal(stream.writeBufferLength, 0)
    assert.ok(events.includes('drain'))
    assert.equal(stream.send(new Uint8Array(1)), true)
  })

  it('is closed when both ends are, and everything was sent before', async () => {
    const { duplex, stream, events } = open()
    stream.send(new Uint8Array(5))
    await stream.close()
    assert.deepEqual([duplex.sent, duplex.sinkEnded, stream.status], [[5], true, 'open'])
    duplex.source.end()
    await turn()
    assert.equal(stream.status, 'closed')
    assert.deepEqual(events.at(-1), 'close')
  })

  it('that the peer resets is reset', async () => {
    const { duplex, stream, events } = open()
    duplex.status = 'reset'
    duplex.source.end(new Error('stream reset'))
    await turn()
    assert.equal(stream.status, 'reset')
    assert.match(events.at(-1) ?? '', /^close: StreamResetError/)
  })

  it('that was reset while it was opened is reset at once', () => {
    const duplex = new FakeDuplex()
    duplex.status = 'reset'
    assert.equal(new DuplexStream(/** @type {any} */ (duplex)).status, 'reset')
  })

  it('whose connection ends is closed, without an error', async () => {
    const { duplex, stream, events } = open()
    duplex.status = 'closing'
    duplex.source.end()
    await turn()
    assert.equal(stream.status, 'closed')
    assert.equal(events.at(-1), 'close')
    assert.throws(() => stream.send(new Uint8Array(1)))
  })

  it('that is aborted aborts the duplex and drops what was not sent', async () => {
    const { duplex, stream } = open()
    duplex.window = new Promise(() => {})
    stream.send(new Uint8Array(5))
    await turn()
    const error = new Error('enough')
    stream.abort(error)
    assert.deepEqual([duplex.aborted, stream.status, stream.writeBufferLength], [error, 'aborted', 0])
  })

  it('that is paused reads no more until it is resumed', async () => {
    const { duplex, stream, events } = open()
    stream.pause()
    for (let i = 0; i < 3; i++) duplex.source.push(new Uint8Array(1))
    await turn()
    const found = events.filter(event => event.startsWith('message'))
    assert.deepEqual(found, [])
    assert.ok(duplex.source.readableLength > 0, 'the far end is held back')
    stream.resume()
    await turn()
    assert.equal(duplex.source.readableLength, 0)
    assert.equal(
      events
        .filter(event => event.startsWith('message'))
        .reduce((sum, event) => sum + Number(event.split(' ')[1]), 0),
      3
    )
  })

  it('can be closed with a signal while the far end takes nothing', async () => {
    const { duplex, stream } = open()
    duplex.window = new Promise(() => {})
    stream.send(new Uint8Array(5))
    await turn()
    const giveUp = new AbortController()
    const closing = stream.close({ signal: giveUp.signal })
    giveUp.abort(new Error('it takes too long'))
    await assert.rejects(closing, /it takes too long/)
  })
})

/** @param {number} n */
const bytes = n => new Uint8Array(n)

function queueWithCount() {
  const emptied = { times: 0 }
  const queue = new ChunkSource(() => {
    emptied.times++
  })
  return { queue, emptied }
}

describe('what waits to be sent', () => {
  it('is counted until the sink asks for more, for only then it was sent', async () => {
    const { queue, emptied } = queueWithCount()
    queue.push(bytes(3))
    queue.push(bytes(4))
    assert.equal((await queue.next()).value?.byteLength, 3)
    assert.equal(queue.bytes, 7)
    await queue.next()
    assert.deepEqual([queue.bytes, emptied.times], [4, 0])
    const waiting = queue.next()
    assert.deepEqual([queue.bytes, emptied.times], [0, 1])
    queue.push(bytes(5))
    assert.equal((await waiting).value?.byteLength, 5)
    assert.equal(queue.bytes, 5)
  })

  it('is sent before the end', async () => {
    const { queue } = queueWithCount()
    queue.push(bytes(1))
    queue.end()
    const lengths = []
    for await (const chunk of queue) lengths.push(chunk.byteLength)
    assert.deepEqual(lengths, [1])
  })

  it('ends for a sink that waits already', async () => {
    const { queue } = queueWithCount()
    const waiting = queue.next()
    queue.end()
    assert.equal((await waiting).done, true)
  })

  it('is dropped when the stream takes no more', async () => {
    const { queue } = queueWithCount()
    queue.push(bytes(9))
    await queue.return()
    assert.deepEqual([queue.bytes, queue.ended, (await queue.next()).done], [0, true, true])
  })
})
