import '../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:net'
import { describe, test } from 'node:test'
import { agentCommand as run } from '../../../src/cli/commands/agents.js'
import { collector } from '../../report/sample-result.js'

/** @param {Record<string, unknown>} options @param {string[]} [words] */
async function agent(options, words = []) {
  const [stdout, stderr] = [collector(), collector()]
  const process = new EventEmitter()
  const surroundings = /** @type {any} */ ({ stdout, stderr, process, version: '1.0.0' })
  const code = await run(/** @type {any} */ ({ options, words }), surroundings)
  return { code, stdout: stdout.text(), stderr: stderr.text(), listeners: process.eventNames() }
}

describe('an agent', () => {
  test('names a bus that is not there, and listens for no Ctrl-C any more', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
    server.close()
    await once(server, 'close')
    const bus = `nats://127.0.0.1:${port}`
    const { code, stdout, stderr, listeners } = await agent({ bus, tags: 'eu,big' })
    assert.deepEqual([code, stdout, listeners], [2, '', []])
    assert.ok(stderr.includes(`--bus ${bus}  no NATS server can be used at ${bus}`), stderr)
  })
})
