import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { deriveGossipKey } from '../../../src/network/node-host.js'
import { createGossipNode } from '../../../src/network/real/gossip-node.js'
import {
  DIALLER_PROTOCOLS_WRITES,
  HANDSHAKE_END_WRITES,
  HANDSHAKE_ROUND_TRIPS,
  LISTENER_PROTOCOLS_WRITES,
  STREAM_AGREED_WRITES,
  STREAM_OPEN_WRITES,
  WINDOW_UPDATE_WRITES
} from '../../../src/simulator/network/connection.js'
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
    choice.asked,
    choice.answered,
    noise.asked,
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
