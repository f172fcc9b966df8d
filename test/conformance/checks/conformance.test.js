import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readServerOptions } from '../../../src/server/options.js'

const { runServer } = await import('../../../src/server/process/run-server.js')
const { conformanceDoc, holdConformance } = await import('../../interop/conformance.js')

/** @param {string} listen */
const start = listen =>
  runServer(readServerOptions({ listen, httpPort: 0, keySeed: 14, minTtl: '1s', logLevel: 'silent' }))

test('our server, with times to live from 1 s, fares as docs/conformance.md says', async () => {
  let server = await start('/ip4/127.0.0.1/tcp/0')
  const [address] = server.multiaddrs
  try {
    await holdConformance('ours', address, {
      async restart() {
        await server.stop()
        server = await start(address.replace(/\/p2p\/.*/, ''))
      }
    })
  } finally {
    await server.stop()
  }
})

test('docs/conformance.md holds the table that follows from how servers fared', () => {
  const { doc, made } = conformanceDoc()
  assert.equal(doc, made, 'node test/interop/conformance.js writes it')
})
