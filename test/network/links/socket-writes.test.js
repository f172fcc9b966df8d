import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { mplex } from '@libp2p/mplex'
import { noise } from '@libp2p/noise'
import { plaintext } from '@libp2p/plaintext'
import { tcp } from '@libp2p/tcp'
import { yamux } from '@libp2p/yamux'
import { createLibp2p } from 'libp2p'
import { Uint8ArrayList } from 'uint8arraylist'
import { socketWrites } from '../../../src/network/links/direction.js'

const PROTOCOL = '/loadtest/bytes/1.0.0'

/**
 * @typedef {'noise' | 'plaintext'} Security
 * @typedef {'yamux' | 'mplex'} Muxer
 */

/** @param {Security} security @param {Muxer} muxer */
const stockNode = (security, muxer) =>
  createLibp2p({
    addresses: { listen: ['/ip4/127.0.0.1/tcp/0'] },
    transports: [tcp()],
    connectionEncrypters: [security === 'noise' ? noise() : plaintext()],
    streamMuxers: [muxer === 'yamux' ? yamux() : mplex()]
  })

/** What sockets are handed that send to a port, until the test ends. @param {number} port @param {import('node:test').TestContext} context */
function writesTo(port, { mock }) {
  const written = /** @type {number[]} */ ([])
  const { write } = Socket.prototype
  mock.method(
    Socket.prototype,
    'write',
    /** @this {Socket} @param {Uint8Array} data @param {...any} more */
    function (data, ...more) {
      if (this.remotePort === port) written.push(data.length)
      return Reflect.apply(write, this, [data, ...more])
    }
  )
  return written
}

for (const security of /** @type {const} */ (['noise', 'plaintext']))
  for (const muxer of /** @type {const} */ (['yamux', 'mplex']))
    describe(`what stock libp2p hands a socket, ${security} and ${muxer}`, () => {
      /** @type {import('libp2p').Libp2p[]} */
      let nodes = []
      /** @type {import('@libp2p/interface').Stream} */
      let stream
      /** @type {(bytes: number) => void} */
      let came = () => {}

      before(async () => {
        nodes = [await stockNode(security, muxer), await stockNode(security, muxer)]
        await nodes[1].handle(PROTOCOL, incoming =>
          incoming.addEventListener('message', ({ data }) => came(data.byteLength))
        )
        stream = await nodes[0].dialProtocol(nodes[1].getMultiaddrs(), PROTOCOL)
        const negotiated = new Promise(resolve => {
          came = resolve
        })
        stream.send(Uint8Array.of(1))
        await negotiated
      })
      after(() => Promise.all(nodes.map(node => node.stop())))

      for (const [rpcBytes, lengthBytes] of [
        [8, 1],
        [127, 1],
        [128, 2],
        [1030, 2],
        [1180, 2],
        [1190, 2],
        [20_000, 3],
        [100_000, 3]
      ])
        test(`is what is counted in the simulated network: an RPC of ${rpcBytes} bytes`, async context => {
          const written = writesTo(
            Number(/tcp\/(\d+)/.exec(String(nodes[1].getMultiaddrs()[0]))?.[1]),
            context
          )
          // as gossipsub writes it: the length as a varint, then the RPC
          const write = new Uint8ArrayList(new Uint8Array(lengthBytes), new Uint8Array(rpcBytes))
          const bytes = write.byteLength
          let left = bytes
          const received = new Promise(resolve => {
            came = some => {
              left -= some
              if (left === 0) resolve(null)
            }
          })
          stream.send(write)
          await received
          assert.deepEqual(written, socketWrites(bytes, { muxer, security, tcp: true }))
        })
    })
