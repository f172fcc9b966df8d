import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { EARLY_DELIVERY_NS, PacketRouter } from '../../src/network/namespaces/router.js'
import {
  destinationNamespaceOf,
  encodeFrames,
  FrameParser,
  flowOf,
  LATENESS_REQUEST,
  sourceNamespaceOf
} from '../../src/network/namespaces/tun-device.js'
import { namespaceAddress } from '../../src/network/namespaces.js'

const MS = 1e6

/** A packet of IPv4 (RFC 791) with a mark behind its header. @param {number} from @param {number} to @param {number} [mark] */
function packet(from, to, mark = 0) {
  const bytes = Buffer.alloc(21)
  bytes[0] = 0x45
  bytes.writeUInt16BE(bytes.length, 2)
  bytes.set(namespaceAddress(from).split('.').map(Number), 12)
  bytes.set(namespaceAddress(to).split('.').map(Number), 16)
  bytes[20] = mark
  return bytes
}

/** Links of which each packet takes so long. @param {(bytes: number) => number | 'lost' | 'cut'} ms */
const links = ms => ({
  shortestNs: 50 * MS,
  packets: () =>
    /** @type {any} */ ({
      endsInQueue: false,
      send: (/** @type {number} */ bytes, /** @type {number} */ nowNs) => {
        const took = ms(bytes)
        return typeof took === 'string'
          ? took
          : { bytes, leftNs: nowNs, firstNs: 0, lastNs: nowNs + took * MS }
      }
    })
})

/** @param {{ packet: Buffer }[]} due */
const marks = due => due.map(each => each.packet[20])

const [SYN, RST, PSH, ACK] = [0x02, 0x04, 0x08, 0x10]

/** A segment of TCP (RFC 9293). @param {{ from: number, to: number, flags: number, dataBytes?: number }} of - ports */
function segment({ from, to, flags, dataBytes = 0 }) {
  const bytes = Buffer.alloc(40 + dataBytes)
  bytes[0] = 0x45
  bytes[9] = 6
  bytes.writeUInt16BE(bytes.length, 2)
  bytes.writeUInt16BE(from, 20)
  bytes.writeUInt16BE(to, 22)
  bytes[32] = 0x50
  bytes[33] = flags
  return bytes
}

describe('what keeps its order', () => {
  const data = flowOf(segment({ from: 4001, to: 50_000, flags: ACK | PSH, dataBytes: 3 }))

  test('are segments of a connection with what opens it and ends it', () => {
    for (const flags of [SYN, SYN | ACK, RST, RST | ACK])
      assert.equal(flowOf(segment({ from: 4001, to: 50_000, flags })), data)
    assert.notEqual(flowOf(segment({ from: 4001, to: 50_001, flags: ACK, dataBytes: 3 })), data)
    assert.notEqual(flowOf(segment({ from: 4002, to: 50_000, flags: ACK, dataBytes: 3 })), data)
  })

  test('acknowledgements alone wait for no data, and data not for them', () => {
    const acknowledgement = flowOf(segment({ from: 4001, to: 50_000, flags: ACK }))
    assert.notEqual(acknowledgement, data)
    assert.equal(acknowledgement, flowOf(segment({ from: 4001, to: 50_000, flags: ACK })))
    assert.notEqual(acknowledgement, flowOf(segment({ from: 4001, to: 50_001, flags: ACK })))
  })

  test('is all that is not TCP, or cut short', () => {
    assert.equal(flowOf(packet(0, 1)), 0)
    assert.equal(flowOf(segment({ from: 1, to: 2, flags: ACK }).subarray(0, 30)), 0)
  })
})

describe('the router', () => {
  test('hands over what is due in a moment, in the order of times, and what is due at once in the order it came', () => {
    const takes = [30, 10, 10, 20]
    const router = new PacketRouter(
      links(() => Number(takes.shift())),
      { namespaces: 2 }
    )
    for (const mark of [1, 2, 3, 4]) router.take(packet(0, 1, mark), 0)
    assert.equal(router.nextNs, 10 * MS - EARLY_DELIVERY_NS)
    assert.deepEqual(marks(router.due(router.nextNs - 1)), [])
    assert.deepEqual(marks(router.due(10 * MS - EARLY_DELIVERY_NS)), [2, 3])
    assert.deepEqual(marks(router.due(60 * MS)), [4, 1])
    assert.equal(router.nextNs, Number.POSITIVE_INFINITY)
  })

  test('asks for the way through the queue of a down-link when the first byte of a packet is there', () => {
    /** @type {number[]} */
    const asked = []
    let nowNs = 0
    const router = new PacketRouter(
      {
        shortestNs: 50 * MS,
        packets: () =>
          /** @type {any} */ ({
            endsInQueue: true,
            send: () => ({ firstNs: 10 * MS, lastNs: 99 * MS }),
            arrive: (/** @type {{ firstNs: number }} */ { firstNs }) => {
              asked.push(nowNs)
              return firstNs + 20 * MS
            }
          })
      },
      { namespaces: 2 }
    )
    router.take(packet(0, 1, 7), 0)
    assert.equal(router.nextNs, 10 * MS - EARLY_DELIVERY_NS)
    nowNs = router.nextNs
    assert.deepEqual(router.due(nowNs), [])
    assert.deepEqual(asked, [10 * MS - EARLY_DELIVERY_NS])
    assert.equal(router.nextNs, 30 * MS - EARLY_DELIVERY_NS)
    assert.deepEqual(marks(router.due(router.nextNs)), [7])
    assert.equal(asked.length, 1)
  })

  test('asks for it no sooner than anything that can be there before has come', () => {
    /** @type {number[]} */
    const asked = []
    const router = new PacketRouter(
      {
        shortestNs: MS,
        packets: from =>
          /** @type {any} */ ({
            endsInQueue: true,
            send: (/** @type {number} */ _, /** @type {number} */ nowNs) => ({
              firstNs: nowNs + (from + 1) * MS
            }),
            arrive: (/** @type {{ firstNs: number }} */ { firstNs }) => {
              asked.push(firstNs)
              return firstNs + 20 * MS
            }
          })
      },
      { namespaces: 12 }
    )
    router.take(packet(10, 11), 0)
    router.due(9.5 * MS)
    router.take(packet(0, 11), 9.5 * MS)
    assert.deepEqual(marks(router.due(20 * MS)), [])
    assert.deepEqual(asked, [10.5 * MS, 11 * MS])
    assert.equal(router.nextNs, 30.5 * MS - EARLY_DELIVERY_NS)
  })

  test('counts what is lost and cut off apart from what it had no room for', () => {
    /** @type {(number | 'lost' | 'cut')[]} */
    const takes = [10, 'lost', 'cut', 10, 10]
    const router = new PacketRouter(
      links(() => takes.shift() ?? 10),
      { namespaces: 2, maxBytes: 42 }
    )
    for (const _ of [1, 2, 3, 4, 5]) router.take(packet(0, 1), 0)
    assert.deepEqual(router.counts, { packets: 5, bytes: 105, lost: 1, cut: 1, overflowed: 1 })
    router.due(20 * MS)
    router.take(packet(1, 0), 0)
    assert.equal(router.counts.overflowed, 1, 'there is room again')
  })

  test('leaves alone what is for nobody, such as multicast', () => {
    const router = new PacketRouter(
      links(() => 1),
      { namespaces: 2 }
    )
    const multicast = packet(0, 1)
    multicast.set([224, 0, 0, 22], 16)
    for (const each of [packet(0, 2), packet(0, 0), multicast]) router.take(each, 0)
    assert.equal(router.counts.packets, 0)
  })
})

describe('frames', () => {
  test('nodes have addresses of their own, and are known by them', () => {
    assert.deepEqual([0, 254, 255, 65_535].map(namespaceAddress), [
      '10.0.0.1',
      '10.0.0.255',
      '10.0.1.0',
      '10.1.0.0'
    ])
    for (const node of [0, 254, 255, 59_999])
      assert.deepEqual(
        [sourceNamespaceOf(packet(node, 1)), destinationNamespaceOf(packet(1, node))],
        [node, node]
      )
  })

  test('are taken apart wherever they are cut', () => {
    const answer = Buffer.alloc(8 + 4 + 8)
    answer.writeDoubleLE(9, 0)
    answer.writeUInt16BE(12, 10)
    answer.writeFloatLE(1.5, 12)
    answer.writeFloatLE(250, 16)
    const bytes = Buffer.concat([
      encodeFrames([{ atNs: 5, packet: packet(0, 1, 7) }]),
      answer,
      LATENESS_REQUEST,
      encodeFrames([{ atNs: 6, packet: packet(1, 0, 8) }])
    ])
    for (let size = 1; size <= bytes.length; size += 1) {
      const frames = new FrameParser()
      /** @type {unknown[]} */
      const seen = []
      for (let at = 0; at < bytes.length; at += size)
        frames.take(
          bytes.subarray(at, at + size),
          (stampNs, each) => seen.push([stampNs, each[20]]),
          (toldNs, micros) => seen.push([toldNs, ...micros])
        )
      assert.deepEqual(seen, [[5, 7], [9, 1.5, 250], [0], [6, 8]], `pieces of ${size}`)
    }
  })
})
