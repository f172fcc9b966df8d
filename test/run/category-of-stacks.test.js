import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classifyFunction } from '../../src/run/profiles.js'

/** @type {[string, string][]} */
const MODULES = [
  ['libp2p-2/dist/src/connection.js', 'libp2p'],
  ['@libp2p-2/noise/dist/src/noise.js', 'encryption'],
  ['@libp2p-2/yamux/dist/src/muxer.js', 'muxer'],
  ['@libp2p-2/mplex/dist/src/mplex.js', 'muxer'],
  ['@libp2p-2/tcp/dist/src/tcp.js', 'libp2p'],
  ['@chainsafe/libp2p-noise/dist/src/noise.js', 'encryption'],
  ['@chainsafe/libp2p-yamux/dist/src/muxer.js', 'muxer'],
  ['@chainsafe/libp2p-gossipsub/dist/src/index.js', 'gossipsub'],
  ['@chainsafe/libp2p-gossipsub/dist/src/message/rpc.js', 'protobuf']
]

for (const [url, category] of MODULES)
  test(`${url} is ${category}, as the same package of the present generation`, () => {
    const called = { function: 'f', package: url.split('/dist/')[0], url }
    assert.equal(classifyFunction(called), category)
  })
