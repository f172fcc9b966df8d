import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { findStack } from '../../src/libp2p/stacks.js'

const PROTOCOL = '/early/1.0.0'
const STREAMS = 16

/** @param {object} more */
const nodeWith = async more => {
  const node = await findStack('libp2p-3').createNode({
    privateKey: await generateKeyPair('Ed25519'),
    addresses: { listen: [] },
    ...more
  })
  await node.start()
  return node
}

describe('streams that come while a node still admits their connection', () => {
  for (const [name, muxer, lean] of /** @type {const} */ ([
    ['Yamux', 'yamux', false],
    ['Yamux, lean', 'yamux', true],
    ['mplex', 'mplex', false]
  ]))
    it(`are as many as later on: ${name}`, async () => {
      const listening = await nodeWith({
        ...{
          muxer,
          lean,
          muxerOptions: { maxInboundStreams: STREAMS, disconnectThreshold: 1000 },
          addresses: { listen: ['/ip4/127.0.0.1/tcp/0'] }
        },
        connectionGater: { denyInboundUpgradedConnection: () => sleep(100, false) }
      })
      const dialing = await nodeWith({ muxer })
      try {
        await listening.handle(PROTOCOL, stream => stream.close(), { maxInboundStreams: STREAMS })
        const connection = await dialing.dial(listening.getMultiaddrs())
        const streams = await Promise.all(
          Array.from({ length: STREAMS }, () => connection.newStream(PROTOCOL))
        )
        assert.equal(streams.length, STREAMS)
      } finally {
        await Promise.all([dialing.stop(), listening.stop()])
      }
    })
})
