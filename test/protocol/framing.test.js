import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Uint8ArrayList } from 'uint8arraylist'
import { encodeFrame, FrameDecoder, FrameTooLargeError } from '../../src/protocol/rendezvous.js'

const message = (/** @type {number} */ length, fill = 7) => new Uint8Array(length).fill(fill)
const join = (/** @type {Uint8Array[]} */ ...parts) => new Uint8Array(Buffer.concat(parts))

/** @param {Uint8Array} bytes @param {number} size */
function* inPieces(bytes, size) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

describe('frames', () => {
  for (const length of [0, 1, 127, 128, 16_383, 16_384, 100_000]) {
    it(`carry a message of ${length} bytes`, () => {
      const frames = [...new FrameDecoder().push(encodeFrame(message(length)))]
      assert.deepEqual(frames.map(Buffer.from), [Buffer.from(message(length))])
    })
  }

  it('may be as large as is accepted', () => {
    const [frame] = new FrameDecoder(100).push(encodeFrame(message(100)))
    assert.equal(frame.length, 100)
  })

  for (const size of [1, 2, 3, 64, 1000]) {
    it(`come out whole and in order when they arrive in pieces of ${size}`, () => {
      const messages = [message(0), message(1, 1), message(300, 2), message(0), message(5, 3)]
      const decoder = new FrameDecoder()
      const got = [...inPieces(join(...messages.map(encodeFrame)), size)].flatMap(piece => [
        ...decoder.push(piece)
      ])
      assert.deepEqual(got.map(Buffer.from), messages.map(Buffer.from))
      assert.equal(decoder.midFrame, false)
    })
  }

  it('arrive as lists of chunks too', () => {
    const bytes = encodeFrame(message(10))
    const list = new Uint8ArrayList(bytes.subarray(0, 4), bytes.subarray(4))
    const frames = [...new FrameDecoder().push(list)]
    assert.deepEqual(frames.map(Buffer.from), [Buffer.from(message(10))])
  })

  it('assembled from pieces keep their bytes when the pieces are overwritten', () => {
    const bytes = encodeFrame(message(10))
    const decoder = new FrameDecoder()
    const first = bytes.slice(0, 5)
    assert.deepEqual([...decoder.push(first)], [])
    first.fill(0)
    const [frame] = decoder.push(bytes.subarray(5))
    assert.deepEqual(Buffer.from(frame), Buffer.from(message(10)))
  })

  it('that end half-way are noticed', () => {
    for (const bytes of [Uint8Array.of(0x80), Uint8Array.of(2), Uint8Array.of(2, 9)]) {
      const decoder = new FrameDecoder()
      assert.deepEqual([...decoder.push(bytes)], [])
      assert.equal(decoder.midFrame, true)
    }
  })
})

describe('hostile frames are refused', () => {
  const cases = [
    { name: 'one byte too large', bytes: encodeFrame(message(101)), error: FrameTooLargeError },
    { name: '4 GB announced', bytes: Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x0f), error: FrameTooLargeError },
    { name: 'a length without end', bytes: message(20, 0x80), error: /no end/ },
    { name: 'a length of 2^63', bytes: join(message(9, 0xff), Uint8Array.of(1)), error: FrameTooLargeError }
  ]
  for (const { name, bytes, error } of cases) {
    it(name, () => assert.throws(() => [...new FrameDecoder(100).push(bytes)], error))
  }

  it('after the good ones before them, however they are cut', () => {
    const bytes = join(encodeFrame(message(5)), encodeFrame(message(6)), Uint8Array.of(0xff, 0xff, 0x7f))
    for (let size = 1; size <= bytes.length; size++) {
      const decoder = new FrameDecoder(100)
      /** @type {number[]} */
      const got = []
      assert.throws(() => {
        for (const piece of inPieces(bytes, size)) {
          for (const frame of decoder.push(piece)) got.push(frame.length)
        }
      }, FrameTooLargeError)
      assert.deepEqual(got, [5, 6])
    }
  })

  it('and an announced length takes no memory before bytes arrive', () => {
    const before = process.memoryUsage().arrayBuffers
    const decoders = Array.from({ length: 100 }, () => new FrameDecoder(1 << 24))
    for (const decoder of decoders) [...decoder.push(Uint8Array.of(0x80, 0x80, 0x80, 0x01, 1, 2, 3))]
    assert.ok(process.memoryUsage().arrayBuffers - before < 1 << 20)
  })
})
