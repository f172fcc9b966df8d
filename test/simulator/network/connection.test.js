import '../../../src/kit/runtime.js'
import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { beforeEach, describe, it, test } from 'node:test'
import { defaultLogger } from '@libp2p/logger'
import { deriveGossipKey } from '../../../src/network/node-host.js'
import { createGossipNode } from '../../../src/network/real/gossip-node.js'
import {
  DIALLER_PROTOCOLS_WRITES,
  HANDSHAKE_END_WRITES,
  HANDSHAKE_ROUND_TRIPS,
  LISTENER_PROTOCOLS_WRITES,
  MESSAGE_KIND,
  makeDataMessage,
  makeStreamMessage,
  SimulatedStream,
  STREAM_AGREED_WRITES,
  STREAM_OPEN_WRITES,
  WINDOW_UPDATE_WRITES
} from '../../../src/simulator/network/connection.js'
import { Outbox, readProcessMessages } from '../../../src/simulator/time/processes.js'
import { gossipPlan } from '../../network/gossip-plan.js'
import { until } from '../../until.js'

/** A frame of Yamux without content, encrypted. */
const EMPTY = [2, 28]
/** What a node says first on a stream of gossipsub: which topic it subscribes to. */
const SUBSCRIPTION = [2, 39]
/** Of what a node says of itself the length is that of its addresses and protocols. */
const IDENTIFY_BYTES = 425

/** @typedef {{ by: 'dialler' | 'listener', bytes: number[] }} Burst - what one of two nodes writes before the other one does */

/** What two nodes write that connect, from the first byte on. @param {import('node:test').TestContext} context @param {number} port - the listener's @returns {Burst[]} */
function burstsOn({ mock }, port) {
  const bursts = /** @type {Burst[]} */ ([])
  const { write } = Socket.prototype
  mock.method(
    Socket.prototype,
    'write',
    /** @this {Socket} @param {Uint8Array} data @param {...any} more */
    function (data, ...more) {
      if (data.length > 0 && [this.remotePort, this.localPort].includes(port)) {
        const by = this.remotePort === port ? 'dialler' : 'listener'
        if (bursts.at(-1)?.by !== by) bursts.push({ by, bytes: [] })
        bursts.at(-1)?.bytes.push(data.length > IDENTIFY_BYTES / 2 ? IDENTIFY_BYTES : data.length)
      }
      return Reflect.apply(write, this, [data, ...more])
    }
  )
  return bursts
}

const inOrder = (/** @type {readonly number[]} */ bytes) => bytes.toSorted((a, b) => a - b)

test('nodes that connect write as much, in as many pieces, as simulated ones, up to their subscriptions', async t => {
  // so that what is written at once is told from what answers it
  const plan = gossipPlan({ nodes: 2, linkLatencyMs: 400 })
  const nodes = await Promise.all(
    [0, 1].map(async number =>
      createGossipNode({
        ...{ plan, privateKey: await deriveGossipKey(plan, number) },
        watchedBy: { metricsRegister: /** @type {any} */ (null) }
      })
    )
  )
  t.after(() => Promise.all(nodes.map(node => node.stop())))
  for (const node of nodes) {
    await node.start()
    node.services.gossipsub.subscribe('load')
  }
  const [address] = nodes[1].getMultiaddrs()
  const bursts = burstsOn(t, Number(address.toString().split('/')[4]))
  await nodes[0].dial(address)
  await until(() => bursts.length > 9)
  const [, choice, noise] = HANDSHAKE_ROUND_TRIPS
  const expected = [
    choice.request,
    choice.answered,
    noise.request,
    noise.answered,
    HANDSHAKE_END_WRITES,
    LISTENER_PROTOCOLS_WRITES,
    [...DIALLER_PROTOCOLS_WRITES, ...STREAM_OPEN_WRITES],
    [...WINDOW_UPDATE_WRITES, ...STREAM_AGREED_WRITES, ...STREAM_OPEN_WRITES],
    [...EMPTY, ...EMPTY, ...STREAM_AGREED_WRITES, ...SUBSCRIPTION]
  ]
  const found = bursts.slice(0, 9).map(({ bytes }) => inOrder(bytes))
  assert.deepEqual(found, expected.map(inOrder))
})

const NUMBER = 2

/** @type {SimulatedStream} */
let stream
/** @type {string[]} */
let heard
/** @type {number[]} */
let granted

/** @param {string} text - that the other end has written */
const comes = text =>
  stream.heard({ kind: MESSAGE_KIND.DATA, stream: NUMBER, text: '', data: new TextEncoder().encode(text) })

/** @param {string} name */
const listener = name => (/** @type {any} */ event) =>
  void heard.push(`${name}: ${new TextDecoder().decode(event.data.subarray())}`)

beforeEach(() => {
  const connection = /** @type {any} */ ({
    log: defaultLogger().forComponent('test'),
    carry: () => true,
    grantMore: (/** @type {number} */ number) => void granted.push(number)
  })
  stream = new SimulatedStream(connection, { number: NUMBER, direction: 'inbound' })
  heard = []
  granted = []
})

describe('what comes over a simulated stream', () => {
  it('goes to the only one who listens, at once and in order', () => {
    stream.addEventListener('message', listener('a'))
    comes('one')
    comes('two')
    assert.deepEqual(heard, ['a: one', 'a: two'])
    assert.deepEqual(granted, [NUMBER, NUMBER], 'the other end may send as much again')
  })

  it('goes to all who listen, and to the one who stays', () => {
    const [a, b] = [listener('a'), listener('b')]
    stream.addEventListener('message', a)
    stream.addEventListener('message', b)
    comes('one')
    stream.removeEventListener('message', b)
    comes('two')
    stream.removeEventListener('message', a)
    stream.addEventListener('message', b)
    comes('three')
    assert.deepEqual(heard, ['a: one', 'b: one', 'a: two', 'b: three'])
  })

  it('goes once to one who asked for one', () => {
    stream.addEventListener('message', listener('a'), { once: true })
    comes('one')
    comes('two')
    assert.deepEqual(heard, ['a: one'])
  })

  it('waits for the first who listens, and for one who pauses', async () => {
    comes('one ')
    comes('two')
    stream.addEventListener('message', listener('a'))
    await new Promise(resolve => setImmediate(resolve))
    stream.pause()
    comes('three ')
    comes('four')
    assert.deepEqual(heard, ['a: one two'])
    stream.resume()
    assert.deepEqual(heard, ['a: one two', 'a: three four'])
  })

  it('is not heard once its reader has closed', async () => {
    stream.addEventListener('message', listener('a'))
    await stream.closeRead()
    comes('one')
    assert.deepEqual(heard, [])
  })
})

const WAY = { from: 3, to: 800, connection: 5 }
const BACK = { from: 800, to: 3, connection: 5 }

/** Everything in a box. @param {import('../../../src/simulator/time/processes.js').ProcessMessages} box */
function opened(box) {
  /** @type {unknown[]} */
  const seen = []
  readProcessMessages(box, {
    intern: bytes => new Uint8Array(bytes),
    load: (...load) => void seen.push(load),
    flight: (...flight) => void seen.push(flight),
    answer: (...answer) => void seen.push(answer)
  })
  return seen
}

test('what is handed over comes out as it went in, and then there is nothing more', () => {
  const outbox = new Outbox()
  assert.equal(outbox.take(), null)
  const data = Uint8Array.of(1, 2, 3)
  const other = Uint8Array.of(9)
  const loads = [makeDataMessage(4, data), makeDataMessage(6, other), makeDataMessage(8, data)]
  const asked = makeStreamMessage(MESSAGE_KIND.OPEN, 2, ['/a/1', '/b/1'])
  const flight = { place: 7, places: 3, end: 4000, bytes: 1500, firstNs: 90, lastNs: 95 }
  const answer = { place: 7, places: 3, next: 10, atNs: 120 }
  for (const [index, load] of loads.entries()) outbox.brings(WAY, load, 100 + index)
  outbox.written(WAY, asked, 4000)
  outbox.flies(WAY, flight)
  outbox.answers(BACK, answer)
  assert.deepEqual([outbox.size, outbox.soonestNs], [6, 90])
  const box = /** @type {import('../../../src/simulator/time/processes.js').ProcessMessages} */ (
    outbox.take()
  )
  assert.equal(box.bytes.length, 4, 'the same bytes are there once')
  assert.deepEqual(opened(box), [
    [WAY, loads[0], 100],
    [WAY, loads[1], 101],
    [WAY, loads[2], 102],
    [WAY, asked, 4000],
    [WAY, flight],
    [BACK, answer]
  ])
  assert.deepEqual([outbox.take(), outbox.size, outbox.soonestNs], [null, 0, Infinity])
})
