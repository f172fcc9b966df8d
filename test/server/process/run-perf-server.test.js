import '../harness.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pino from 'pino'
import { ListenError, readServerOptions } from '../../../src/server/options.js'
import { runPerfServer } from '../../../src/server/process/run-perf-server.js'

const log = pino({ level: 'silent' })
const optionsOf = (/** @type {string} */ listen) =>
  readServerOptions({ listen, perf: true, logLevel: 'silent' })

describe('a server of the perf protocol', () => {
  test('names the address that it cannot listen on, and what chooses another', async t => {
    const first = await runPerfServer(optionsOf('/ip4/127.0.0.1/tcp/0'), { log })
    t.after(() => first.stop())
    const [address] = first.multiaddrs[0].split('/p2p/')
    await assert.rejects(runPerfServer(optionsOf(address)), error => {
      assert.ok(error instanceof ListenError)
      assert.match(error.message, /^cannot listen: EADDRINUSE: .*Choose another address with --listen$/)
      return true
    })
  })
})
