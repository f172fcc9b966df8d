import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Uint8ArrayList } from 'uint8arraylist'
import { ACK, DATA, FIN, PING, SYN, WINDOW_UPDATE } from '../../../src/libp2p/yamux.js'
import { encodeYamuxFrame } from '../../../src/scenarios/rendezvous/hostile/hostile-worker.js'
import {
  FrameCutter,
  PacedStream,
  PendingStreams,
  UnreadBytesError
} from '../../../src/server/admission/connection-guard.js'
import { ByteAccount, UNLIMITED_SHARE } from '../../../src/server/admission/fair-share.js'
import { until } from '../../until.js'
import { FakeStream } from '../fake-stream.js'

/**
 * A stream whose turns are given by the test, and how many are held.
 *
 * @param {(bytes: Uint8ArrayList) => Uint8ArrayList | undefined} cut
 */
function pacedStream(cut) {
  const turns = { held: 0, give: () => {} }
  const inner = new FakeStream()
  const paced = new PacedStream(/** @type {any} */ (inner), {
    cut,
    turn: () =>
      new Promise(resolve => {
        turns.give = () => {
          turns.held++
          resolve()
        }
      }),
    began: () => {},
    done: () => turns.held--,
    stallTimeoutMs: 1000
  })
  paced.addEventListener('message', () => {})
  return { inner, paced, turns }
}

const whole = (/** @type {Uint8ArrayList} */ bytes) => {
  const piece = bytes.sublist()
  bytes.consume(piece.byteLength)
  return piece
}

/** @type {Array<[when: string, cut: typeof whole, meanwhile: (parts: ReturnType<typeof pacedStream>) => void]>} */
const CASES = [
  ['a piece was handed on', whole, () => {}],
  ['the stream was closed while it waited', whole, ({ inner }) => inner.abort(new Error('gone'))],
  ['its reader has had enough', whole, ({ paced }) => paced.pause()],
  [
    'what arrived must end the connection',
    () => {
      throw new Error('a frame that no stream could take')
    },
    () => {}
  ]
]

describe('a turn to hand on what arrived is given back', () => {
  for (const [when, cut, meanwhile] of CASES) {
    it(`when ${when}`, async () => {
      const parts = pacedStream(cut)
      parts.inner.arrive(/** @type {any} */ (new Uint8ArrayList(Uint8Array.of(1, 2, 3))))
      await turn()
      meanwhile(parts)
      parts.turns.give()
      await turn()
      assert.equal(parts.turns.held, 0)
    })
  }
})

describe('a stream whose other side takes nothing', () => {
  /** @param {number} stallTimeoutMs */
  function stalled(stallTimeoutMs) {
    const inner = new FakeStream()
    /** @type {Error[]} */
    const errors = []
    inner.abort = error => {
      errors.push(error)
      FakeStream.prototype.abort.call(inner, error)
    }
    /** @type {string[]} */
    const read = []
    const nothing = () => {}
    const pace = { cut: whole, turn: () => undefined, began: nothing, done: nothing, stallTimeoutMs }
    const paced = new PacedStream(/** @type {any} */ (inner), pace)
    paced.addEventListener('message', (/** @type {any} */ { data }) =>
      read.push(Buffer.from(data.subarray()).toString())
    )
    inner.writableNeedsDrain = true
    inner.arrive(Buffer.from('a'))
    return { inner, errors, read }
  }

  it('is not read until it takes something, and goes on then', async () => {
    const { inner, errors, read } = stalled(60_000)
    await turn()
    inner.arrive(Buffer.from('b'))
    await turn()
    assert.deepEqual([inner.readStatus, read], ['paused', ['a']])
    inner.take(1)
    await until(() => read.length === 2)
    assert.deepEqual([read, errors], [['a', 'b'], []])
  })

  it('is ended when it has taken nothing for too long', async () => {
    const { inner, errors } = stalled(5)
    await until(() => inner.status !== 'open')
    assert.deepEqual([errors[0] instanceof UnreadBytesError, inner.status], [true, 'aborted'])
  })
})

const LIMIT = 100
const KEPT_BYTES = 1000
const SOON = { mostMs: 20_000 }

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')

/** @param {number} count - of streams that begin one after the other */
function begun(count) {
  const held = new PendingStreams(UNLIMITED_SHARE, KEPT_BYTES)
  const streams = Array.from({ length: count }, () => /** @type {any} */ (new FakeStream()))
  return {
    held,
    streams,
    readable: () => streams.filter(({ readStatus }) => readStatus === 'readable').length,
    add() {
      for (const stream of streams) held.add(stream)
    }
  }
}

describe('streams that begin on a connection', () => {
  it('are let in at once where those before it are asked something', () => {
    const { held, streams, readable } = begun(1000)
    for (const stream of streams) {
      held.add(stream)
      held.spoke(stream)
    }
    assert.equal(readable(), 1000)
  })

  it('wait while nothing is asked on 32 others, in order, and not without end', async () => {
    const { held, streams, readable, add } = begun(70)
    add()
    assert.equal(readable(), 32)
    held.spoke(streams[5])
    await until(() => readable() === 33)
    assert.equal(streams[32].readStatus, 'readable')
    await until(() => readable() === 70)
  })

  it('wait while replies are not taken', async () => {
    const { held, streams, readable, add } = begun(4)
    held.replies = new ByteAccount(LIMIT, new ByteAccount(Infinity))
    held.replies.add(LIMIT)
    add()
    for (let i = 0; i < 5; i++) await new Promise(setImmediate)
    assert.equal(readable(), 0)
    held.replies.remove(LIMIT)
    await until(() => readable() === 4)
    assert.ok(streams.every(({ readStatus }) => readStatus === 'readable'))
  })

  it('hold up nobody when they have gone meanwhile', async () => {
    const { held, streams, add } = begun(3)
    held.replies = new ByteAccount(LIMIT, new ByteAccount(Infinity))
    held.replies.add(LIMIT)
    add()
    for (const stream of streams.slice(0, 2)) stream.abort(new Error('gone'))
    held.replies.remove(LIMIT)
    await until(() => streams[2].readStatus === 'readable')
  })

  it('are forgotten when they end, however long others wait', async () => {
    const { held } = begun(0)
    held.replies = new ByteAccount(LIMIT, new ByteAccount(Infinity))
    held.replies.add(LIMIT)
    const endedStream = () => {
      const stream = /** @type {any} */ (new FakeStream())
      held.add(stream)
      stream.abort(new Error('gone'))
      held.ended(stream)
      return new WeakRef(stream)
    }
    /** @type {WeakRef<object>[]} */
    const ended = []
    for (let i = 0; i < 100; i++) {
      ended.push(endedStream())
      if (i % 10 === 0) await new Promise(setImmediate)
    }
    await until(() => {
      collect()
      return ended.every(stream => stream.deref() === undefined)
    }, SOON)
    const alive = /** @type {any} */ (new FakeStream())
    held.add(alive)
    assert.equal(alive.readStatus, 'paused')
    held.replies.remove(LIMIT)
    await until(() => alive.readStatus === 'readable', SOON)
  })

  it('are let in though all that waited before them ended while nothing was asked on others', async () => {
    const { held, streams, add } = begun(33)
    add()
    held.ended(streams[32])
    const late = /** @type {any} */ (new FakeStream())
    held.add(late)
    assert.equal(late.readStatus, 'paused')
    for (const stream of streams) held.spoke(stream)
    await until(() => late.readStatus === 'readable', SOON)
  })

  it('keep a few bytes each while they wait, and as many as ever behind that', async () => {
    const { held, streams, add } = begun(2)
    const { maxReadBufferLength } = streams[0]
    held.replies = new ByteAccount(LIMIT, new ByteAccount(Infinity))
    held.replies.add(LIMIT)
    add()
    streams[0].arrive(new Uint8Array(KEPT_BYTES + 1))
    streams[1].arrive(new Uint8Array(KEPT_BYTES))
    const statuses = streams.map(({ status }) => status)
    assert.deepEqual(statuses, ['aborted', 'open'])
    held.replies.remove(LIMIT)
    await until(() => streams[1].readStatus === 'readable', SOON)
    assert.equal(streams[1].maxReadBufferLength, maxReadBufferLength)
  })
})

const WINDOW_BYTES = 262_144

/** @param {Uint8Array[]} chunks @param {boolean} [negotiated] @returns {Buffer[]} pieces */
function cutAll(chunks, negotiated = true) {
  const cutter = new FrameCutter(WINDOW_BYTES, () => negotiated)
  const bytes = new Uint8ArrayList()
  const pieces = []
  for (const chunk of chunks) {
    bytes.append(chunk)
    for (let piece = cutter.cut(bytes); piece !== undefined; piece = cutter.cut(bytes))
      pieces.push(Buffer.from(piece.subarray()))
  }
  return pieces
}

/** @param {Buffer} bytes - whole frames */
function framesOf(bytes) {
  const frames = []
  for (let at = 0; at < bytes.length; ) {
    const [type, flags] = [bytes[at + 1], bytes.readUInt16BE(at + 2)]
    const [stream, length] = [bytes.readUInt32BE(at + 4), bytes.readUInt32BE(at + 8)]
    const body = type === DATA ? bytes.subarray(at + 12, at + 12 + length) : bytes.subarray(0, 0)
    assert.ok(type !== DATA || body.length === length, 'a frame is whole')
    frames.push({ type, flags, stream, length, body })
    at += 12 + body.length
  }
  return frames
}

const BODY = Buffer.from(Array.from({ length: 9000 }, (_, i) => i % 251))

describe('the cutter of frames', () => {
  it('hands few frames on at once, and all of them as they are', () => {
    const pings = Array.from({ length: 100 }, (_, id) => encodeYamuxFrame(PING, SYN, 0, id))
    const pieces = cutAll([Buffer.concat(pings)])
    assert.ok(pieces.every(piece => piece.length <= 16 * 12))
    assert.deepEqual(Buffer.concat(pieces), Buffer.concat(pings))
  })

  it('hands 4 at most on that open a stream', () => {
    const opened = Array.from({ length: 100 }, (_, i) => encodeYamuxFrame(WINDOW_UPDATE, SYN, 2 * i + 1, 0))
    const pieces = cutAll([Buffer.concat(opened)])
    assert.ok(pieces.every(piece => piece.length <= 4 * 12))
    assert.deepEqual(Buffer.concat(pieces), Buffer.concat(opened))
  })

  it('hands a whole operation on at once: the end of one stream, the next, its protocol and a request', () => {
    const lines = Buffer.from('\x13/multistream/1.0.0\n\x12/rendezvous/1.0.0\n')
    const all = Buffer.concat([
      encodeYamuxFrame(WINDOW_UPDATE, 0, 1, 40),
      encodeYamuxFrame(WINDOW_UPDATE, FIN, 1, 0),
      encodeYamuxFrame(WINDOW_UPDATE, SYN, 3, 0),
      encodeYamuxFrame(DATA, 0, 3, lines.length, lines),
      encodeYamuxFrame(DATA, 0, 3, 400, BODY.subarray(0, 400))
    ])
    assert.deepEqual(cutAll([all], false), [all])
  })

  it('hands no more than 64 lines on at once of streams without a protocol, in however many frames', () => {
    const line = Buffer.from('\x01\n')
    const of = (/** @type {number} */ count) => Buffer.concat(Array(count).fill(line))
    for (const counts of [[1000], [40, 40], [65], Array(100).fill(10)]) {
      const pieces = cutAll(
        [Buffer.concat(counts.map(count => encodeYamuxFrame(DATA, 0, 1, 2 * count, of(count))))],
        false
      )
      const frames = pieces.map(framesOf)
      for (const piece of frames)
        assert.ok(piece.reduce((sum, { length }) => sum + length / 2, 0) <= 64, 'lines of a piece')
      const all = frames.flat().map(({ body }) => body)
      assert.deepEqual(Buffer.concat(all), Buffer.concat(counts.map(of)))
    }
  })

  it('gives the same however the bytes arrive', () => {
    const all = Buffer.concat([
      encodeYamuxFrame(WINDOW_UPDATE, SYN, 1, 0),
      encodeYamuxFrame(DATA, 0, 1, 300, BODY.subarray(0, 300)),
      encodeYamuxFrame(DATA, FIN, 1, 5, BODY.subarray(0, 5)),
      encodeYamuxFrame(PING, SYN, 0, 7)
    ])
    for (let at = 0; at <= all.length; at++) {
      assert.deepEqual(Buffer.concat(cutAll([all.subarray(0, at), all.subarray(at)])), all)
    }
    assert.deepEqual(Buffer.concat(cutAll([...all].map(byte => Uint8Array.of(byte)))), all)
  })

  for (const [negotiated, most] of /** @type {const} */ ([
    [true, 4096],
    [false, 128]
  ])) {
    it(`cuts long data into frames of ${most} bytes, SYN first and FIN last, ${negotiated ? 'with' : 'without'} a protocol`, () => {
      const sent = encodeYamuxFrame(DATA, SYN | ACK | FIN, 3, BODY.length, BODY)
      const frames = cutAll([sent], negotiated).flatMap(framesOf)
      assert.ok(frames.every(({ type, stream, length }) => type === DATA && stream === 3 && length <= most))
      assert.deepEqual(Buffer.concat(frames.map(({ body }) => body)), BODY)
      const flags = frames.map(({ flags }) => flags)
      assert.deepEqual(flags, [SYN | ACK, ...Array(flags.length - 2).fill(0), FIN])
    })
  }

  it('keeps no more than a part of a frame that does not come', () => {
    const cutter = new FrameCutter(WINDOW_BYTES, () => true)
    const bytes = new Uint8ArrayList(encodeYamuxFrame(DATA, 0, 1, 200_000))
    while (cutter.cut(bytes));
    for (let i = 0; i < 100; i++) {
      bytes.append(BODY.subarray(0, 1000))
      while (cutter.cut(bytes));
      assert.ok(bytes.byteLength < 4096)
    }
  })

  it('refuses data longer than the window of a stream, before it is there', () => {
    assert.throws(() => cutAll([encodeYamuxFrame(DATA, 0, 1, WINDOW_BYTES + 1)]), { code: 'ERR_YAMUX_FRAME' })
    assert.doesNotThrow(() => cutAll([encodeYamuxFrame(WINDOW_UPDATE, 0, 1, 0xffffffff)]))
  })
})
