import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Uint8ArrayList } from 'uint8arraylist'
import {
  decodeMessage,
  encodeDiscover,
  encodeDiscoverResponse,
  encodeFrame,
  encodeRegister,
  encodeRegisterBody,
  encodeRegisterResponse,
  encodeUnregister,
  FrameDecoder,
  FrameTooLargeError,
  MalformedMessageError,
  MessageType,
  nameStatus,
  Status
} from '../../src/protocol/rendezvous.js'

const record = Uint8Array.of(1, 2, 3)
const cookie = Uint8Array.of(9, 8)
const hex = (/** @type {string} */ text) => new Uint8Array(Buffer.from(text.replaceAll(' ', ''), 'hex'))

describe('messages read back as written', () => {
  const register = { ns: 'ns', signedPeerRecord: record, ttl: 7200 }
  const body = encodeRegisterBody(register)
  /** @type {Array<[string, Uint8Array, object]>} */
  const cases = [
    ['REGISTER', encodeRegister(register), { type: MessageType.REGISTER, register }],
    [
      'REGISTER without ttl',
      encodeRegister({ ns: '' }),
      { type: MessageType.REGISTER, register: { ns: '' } }
    ],
    ['REGISTER, ttl over 32 bits', encodeRegister({ ttl: 2 ** 40 }), { type: 0, register: { ttl: 2 ** 40 } }],
    [
      'its reply',
      encodeRegisterResponse({ status: Status.OK, ttl: 7200 }),
      { type: MessageType.REGISTER_RESPONSE, registerResponse: { status: 0, ttl: 7200 } }
    ],
    [
      'a refusal',
      encodeRegisterResponse({ status: Status.E_INVALID_TTL, statusText: 'too short' }),
      { type: 1, registerResponse: { status: 102, statusText: 'too short' } }
    ],
    [
      'UNREGISTER',
      encodeUnregister({ ns: 'ns' }),
      { type: MessageType.UNREGISTER, unregister: { ns: 'ns' } }
    ],
    [
      'DISCOVER',
      encodeDiscover({ ns: 'ns', limit: 20, cookie }),
      { type: MessageType.DISCOVER, discover: { ns: 'ns', limit: 20, cookie } }
    ],
    ['DISCOVER of everything', encodeDiscover({}), { type: 3, discover: {} }],
    [
      'its reply',
      encodeDiscoverResponse({ bodies: [body, body], cookie, status: Status.OK }),
      { type: 4, discoverResponse: { registrations: [register, register], cookie, status: 0 } }
    ],
    [
      'a refused DISCOVER',
      encodeDiscoverResponse({ status: Status.E_INVALID_COOKIE, statusText: 'no' }),
      { type: 4, discoverResponse: { registrations: [], status: 103, statusText: 'no' } }
    ]
  ]
  for (const [name, bytes, expected] of cases) {
    it(name, () => assert.deepEqual(decodeMessage(bytes), expected))
  }
})

describe('bytes on the wire are those of the specification', () => {
  it('status is field 1 of a REGISTER reply and field 3 of a DISCOVER reply', () => {
    assert.deepEqual(encodeRegisterResponse({ status: 102 }), hex('0801 1a02 0866'))
    assert.deepEqual(encodeDiscoverResponse({ status: 103 }), hex('0804 3202 1867'))
  })

  it('the deprecated id of UNREGISTER is skipped', () => {
    assert.deepEqual(decodeMessage(hex('0802 2208 0a026e73 12026964')), { type: 2, unregister: { ns: 'ns' } })
  })

  it('unknown fields are skipped, whatever their wire type', () => {
    const unknown = hex('f801 05 f901 0102030405060708 fa01 01ff fd01 01020304')
    const bytes = new Uint8Array([...unknown, ...encodeUnregister({ ns: 'ns' })])
    assert.deepEqual(decodeMessage(bytes), { type: 2, unregister: { ns: 'ns' } })
  })

  it('a missing type is REGISTER', () => assert.deepEqual(decodeMessage(new Uint8Array(0)), { type: 0 }))
})

describe('a namespace whose bytes are not UTF-8', () => {
  const namespaceOf = (/** @type {string} */ bytes) => {
    const ns = hex(bytes)
    const discover = Buffer.concat([Uint8Array.of(0x0a, ns.length), ns])
    return (
      decodeMessage(Buffer.concat([hex('0803 2a'), Uint8Array.of(discover.length), discover])).discover?.ns ??
      ''
    )
  }
  const bad = {
    'two bytes that begin nothing': 'ff fe',
    'the same the other way round': 'fe ff',
    'a lone surrogate': 'ed a0 80',
    'another one': 'ed b0 80',
    'a letter in more bytes than it needs': 'c1 81',
    'a letter that is cut off': '61 c3',
    'a byte of the middle': '80',
    'beyond the last letter': 'f4 90 80 80'
  }
  for (const [name, bytes] of Object.entries(bad))
    it(`is no well-formed string: ${name}`, () => assert.ok(!namespaceOf(bytes).isWellFormed()))

  it('is like no other one', () => {
    const found = Object.values(bad).map(namespaceOf)
    assert.equal(new Set(found).size, found.length)
  })

  it('is not what is taken for it: letters of any length stay as they are', () => {
    const text = 'aß€😀\uFFFD'
    assert.equal(namespaceOf(Buffer.from(text).toString('hex')), text)
  })
})

describe('numbers of 64 bits', () => {
  const most = Number.MAX_SAFE_INTEGER
  /** @type {Array<[string, string, number]>} */
  const cases = [
    ['2^53 - 1', 'ffffffffffffff0f', most],
    ['2^53', '8080808080808010', most],
    ['2^63', '80808080808080808001', most],
    ['2^64 - 1', 'ffffffffffffffffff01', most],
    ['7200', 'a038', 7200],
    ['7200 with more bytes than it needs', 'a0b8808000', 7200]
  ]
  for (const [name, varint, value] of cases) {
    it(`are read as the largest exact one when they are larger: ${name}`, () => {
      const ttl = `18${varint}`
      const body = Buffer.concat([hex('0a01 61'), hex(ttl)])
      const register = decodeMessage(Buffer.concat([hex('0800 12'), Uint8Array.of(body.length), body]))
      assert.deepEqual(register.register, { ns: 'a', ttl: value })
      const limit = Buffer.concat([hex(`10${varint}`), hex('0a01 61')])
      const discover = decodeMessage(Buffer.concat([hex('0803 2a'), Uint8Array.of(limit.length), limit]))
      assert.deepEqual(discover.discover, { ns: 'a', limit: value })
    })
  }
})

describe('bytes that are no message are refused', () => {
  /** @type {Array<[string, Uint8Array]>} */
  const cases = [
    ['a length past the end', hex('0800 1205 0a01')],
    ['a nested length past its parent', hex('0803 2a03 0aff 01')],
    ['a varint without end', new Uint8Array(30).fill(0xff)],
    ['field number 0', hex('0001')],
    ['wire type 7', hex('0f')],
    ['a tag alone', hex('08')],
    ['groups without end', new Uint8Array(100_000).fill(0x0b)],
    ['a ttl of 11 bytes', hex('0800 120c 18ffffffffffffffffffff01')],
    ['a ttl that is cut off', hex('0800 1204 18ffffff')]
  ]
  for (const [name, bytes] of cases) {
    it(name, () => assert.throws(() => decodeMessage(bytes), MalformedMessageError))
  }

  it('random bytes decode or are refused, nothing else', () => {
    let seed = 1
    const random = () => (seed = (seed * 48_271) % 0x7fffffff)
    for (let i = 0; i < 5000; i++) {
      const bytes = Uint8Array.from({ length: random() % 40 }, () => random() % 256)
      try {
        decodeMessage(bytes)
      } catch (error) {
        assert.ok(error instanceof MalformedMessageError)
      }
    }
  })
})

describe('statusName', () => {
  it('names the statuses of the specification and keeps foreign numbers', () => {
    assert.equal(nameStatus(0), 'OK')
    assert.equal(nameStatus(102), 'E_INVALID_TTL')
    assert.equal(nameStatus(999), 'E_UNKNOWN_999')
  })
})

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
