import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Uint8ArrayList } from 'uint8arraylist'
import { ACK, DATA, FIN, PING, SYN, WINDOW_UPDATE } from '../../../src/libp2p/yamux.js'
import { frame } from '../../../src/scenarios/rendezvous/hostile/hostile-worker.js'
import { FrameCutter } from '../../../src/server/admission/connection-guard.js'

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
    const pings = Array.from({ length: 100 }, (_, id) => frame(PING, SYN, 0, id))
    const pieces = cutAll([Buffer.concat(pings)])
    assert.ok(pieces.every(piece => piece.length <= 16 * 12))
    assert.deepEqual(Buffer.concat(pieces), Buffer.concat(pings))
  })

  it('hands 4 at most on that open a stream', () => {
    const opened = Array.from({ length: 100 }, (_, i) => frame(WINDOW_UPDATE, SYN, 2 * i + 1, 0))
    const pieces = cutAll([Buffer.concat(opened)])
    assert.ok(pieces.every(piece => piece.length <= 4 * 12))
    assert.deepEqual(Buffer.concat(pieces), Buffer.concat(opened))
  })

  it('hands a whole operation on at once: the end of one stream, the next, its protocol and a request', () => {
    const lines = Buffer.from('\x13/multistream/1.0.0\n\x12/rendezvous/1.0.0\n')
    const all = Buffer.concat([
      frame(WINDOW_UPDATE, 0, 1, 40),
      frame(WINDOW_UPDATE, FIN, 1, 0),
      frame(WINDOW_UPDATE, SYN, 3, 0),
      frame(DATA, 0, 3, lines.length, lines),
      frame(DATA, 0, 3, 400, BODY.subarray(0, 400))
    ])
    assert.deepEqual(cutAll([all], false), [all])
  })

  it('hands no more than 64 lines on at once of streams without a protocol, in however many frames', () => {
    const line = Buffer.from('\x01\n')
    const of = (/** @type {number} */ count) => Buffer.concat(Array(count).fill(line))
    for (const counts of [[1000], [40, 40], [65], Array(100).fill(10)]) {
      const pieces = cutAll(
        [Buffer.concat(counts.map(count => frame(DATA, 0, 1, 2 * count, of(count))))],
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
      frame(WINDOW_UPDATE, SYN, 1, 0),
      frame(DATA, 0, 1, 300, BODY.subarray(0, 300)),
      frame(DATA, FIN, 1, 5, BODY.subarray(0, 5)),
      frame(PING, SYN, 0, 7)
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
      const sent = frame(DATA, SYN | ACK | FIN, 3, BODY.length, BODY)
      const frames = cutAll([sent], negotiated).flatMap(framesOf)
      assert.ok(frames.every(({ type, stream, length }) => type === DATA && stream === 3 && length <= most))
      assert.deepEqual(Buffer.concat(frames.map(({ body }) => body)), BODY)
      const flags = frames.map(({ flags }) => flags)
      assert.deepEqual(flags, [SYN | ACK, ...Array(flags.length - 2).fill(0), FIN])
    })
  }

  it('keeps no more than a part of a frame that does not come', () => {
    const cutter = new FrameCutter(WINDOW_BYTES, () => true)
    const bytes = new Uint8ArrayList(frame(DATA, 0, 1, 200_000))
    while (cutter.cut(bytes));
    for (let i = 0; i < 100; i++) {
      bytes.append(BODY.subarray(0, 1000))
      while (cutter.cut(bytes));
      assert.ok(bytes.byteLength < 4096)
    }
  })

  it('refuses data longer than the window of a stream, before it is there', () => {
    assert.throws(() => cutAll([frame(DATA, 0, 1, WINDOW_BYTES + 1)]), { code: 'ERR_YAMUX_FRAME' })
    assert.doesNotThrow(() => cutAll([frame(WINDOW_UPDATE, 0, 1, 0xffffffff)]))
  })
})
