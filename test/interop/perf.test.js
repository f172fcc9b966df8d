import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { multiaddr } from '@multiformats/multiaddr'
import { sendPerfRequest } from '../../src/client/perf-request.js'
import { findStack } from '../../src/libp2p/stacks.js'
import { PERF_PROTOCOL } from '../../src/protocol/perf.js'
import { readServerOptions } from '../../src/server/options.js'
import { runPerfServer } from '../../src/server/process/run-perf-server.js'
import { commandOf } from './build.js'
import { IMPLEMENTATIONS } from './implementations.js'
import { startClient, startServer } from './peer.js'
import { needs } from './toolchains.js'

/** More than the 16 MiB that Yamux of JavaScript and of Go gives a stream at most. */
const BYTES = 24 << 20

/** What moves in each request: the one without a download ends when the server has read the end of the upload. */
const REQUESTS = Object.freeze([
  { up: BYTES, down: 0 },
  { up: 0, down: BYTES },
  { up: BYTES, down: BYTES }
])

/** @param {import('node:test').TestContext} t @param {string} stack @param {string} address */
async function ourConnection(t, stack, address) {
  const node = await findStack(stack).createNode({
    privateKey: await generateKeyPair('Ed25519'),
    addresses: { listen: [] }
  })
  await node.start()
  t.after(() => node.stop())
  return node.dial(multiaddr(address))
}

/** @param {import('node:test').TestContext} t @param {string} stack */
async function ourServer(t, stack) {
  /** @type {any[]} */
  const served = []
  const note = (/** @type {any} */ entry, /** @type {string} */ text) =>
    void (/^request/.test(text) && served.push(entry))
  const options = readServerOptions({ perf: true, listen: '/ip4/127.0.0.1/tcp/0', stack })
  const server = await runPerfServer(options, { log: /** @type {any} */ ({ info: note, debug: note }) })
  t.after(() => server.stop())
  return { address: server.multiaddrs[0], served }
}

for (const implementation of IMPLEMENTATIONS.filter(({ serves }) => serves)) {
  const options = { ...needs(implementation), timeout: 600_000 }

  for (const stack of ['libp2p-3', 'libp2p-2']) {
    test(`perf: our client on ${stack} at the server of ${implementation.name}`, options, async t => {
      const server = await startServer(await commandOf(implementation))
      const connection = await ourConnection(t, stack, server.address)
      for (const { up, down } of REQUESTS) {
        const stream = await connection.newStream(PERF_PROTOCOL)
        const { sentBytes, receivedBytes } = await sendPerfRequest(stream, {
          uploadBytes: up,
          downloadBytes: down
        })
        assert.deepEqual({ sentBytes, receivedBytes }, { sentBytes: up, receivedBytes: down })
        assert.deepEqual(await server.next(), { received: up, sent: down })
      }
    })

    test(`perf: the client of ${implementation.name} at our server on ${stack}`, options, async t => {
      const { address, served } = await ourServer(t, stack)
      const client = startClient(await commandOf(implementation), address)
      for (const { up, down } of REQUESTS) {
        const answer = await client.ask({ as: 1, op: 'perf', up, down })
        assert.deepEqual(answer, { sent: up, received: down })
        while (served.length === 0) await new Promise(resolve => setTimeout(resolve, 10))
        const { receivedBytes, sentBytes, err } = served.shift()
        assert.deepEqual(
          { receivedBytes, sentBytes, err },
          { receivedBytes: up, sentBytes: down, err: undefined }
        )
      }
    })
  }
}
