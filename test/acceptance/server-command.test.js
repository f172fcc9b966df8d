import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { loadServerKey } from '../../src/server/process/identity.js'
import { startForeignServer } from './foreign-server.js'
import { INDEX, newFolder, PAIRS, startProgram, TIMEOUT } from './loadtest.js'
import { ON_LINUX } from './processes.js'

describe('node index.js server', { ...PAIRS, ...TIMEOUT }, () => {
  test('says when it is ready, serves /healthz and /metrics, ends with 0 on SIGTERM; a flag goes before the environment', async () => {
    const env = {
      RENDEZVOUS_KEY_SEED: '7',
      RENDEZVOUS_LISTEN: '/ip4/127.0.0.1/tcp/1',
      RENDEZVOUS_LOG_LEVEL: 'info'
    }
    const { program, multiaddr, http, gauge } = await startForeignServer([], { env })
    const [, port, id] = /^\/ip4\/127\.0\.0\.1\/tcp\/(\d+)\/p2p\/(12D3KooW\w+)$/.exec(multiaddr) ?? []
    assert.notEqual(port, '1')
    assert.equal(id, String(peerIdFromPrivateKey(await loadServerKey({ keySeed: 7 }))))
    const health = await fetch(`${http}/healthz`)
    assert.deepEqual([health.status, await health.text()], [200, 'ok\n'])
    assert.equal(await gauge('rendezvous_registrations'), 0)
    assert.ok((await gauge('process_resident_memory_bytes')) > 1e7)
    assert.equal((await fetch(`${http}/control/state`)).status, 404, 'nobody adds registrations unchecked')
    program.signal('SIGTERM')
    // --logLevel warn of the command line went before the environment
    const { code, stdout, stderr } = await program.ended
    assert.deepEqual([code, stdout, stderr], [0, `ready ${multiaddr} ${http}\n`, ''])
  })

  // that it is the same after a start from its --keyFile is in test/server/process/run-server.test.js
  test('makes its --keyFile, ends with 0 on SIGINT; logs are JSON lines on stderr', async () => {
    const keyFile = join(await newFolder(), 'server.key')
    const listen = ['--listen', '/ip4/127.0.0.1/tcp/0', '--httpPort', '0']
    const program = startProgram(INDEX, ['server', '--keyFile', keyFile, ...listen])
    const [, id] = await program.line(/^ready \S+\/p2p\/(\S+) /)
    program.signal('SIGINT')
    const { code, stderr } = await program.ended
    assert.equal(code, 0)
    for (const line of stderr.trim().split('\n')) assert.equal(typeof JSON.parse(line).msg, 'string')
    assert.equal(id, String(peerIdFromPrivateKey(await loadServerKey({ keyFile }))))
    assert.ok((await readFile(keyFile)).length > 0)
  })

  for (const [taken, other, addressAt] of /** @type {[string, string[], (port: number) => string][]} */ ([
    ['--listen', ['--httpPort', '0'], port => `/ip4/127.0.0.1/tcp/${port}`],
    ['--httpPort', ['--listen', '/ip4/127.0.0.1/tcp/0'], String]
  ]))
    test(`a port in use for ${taken}: exit code 1, the port is named`, {
      ...TIMEOUT,
      ...ON_LINUX
    }, async t => {
      const holder = createServer().listen(0, '127.0.0.1')
      t.after(() => holder.close())
      await once(holder, 'listening')
      const { port } = /** @type {import('node:net').AddressInfo} */ (holder.address())
      const program = startProgram(INDEX, ['server', taken, addressAt(port), ...other])
      const { code, stdout, stderr } = await program.ended
      assert.deepEqual([code, stdout], [1, ''], stderr)
      const [error] = stderr.split('\n').filter(line => !line.startsWith('{'))
      assert.match(
        error,
        new RegExp(`^error: cannot listen: .*address already in use 127\\.0\\.0\\.1:${port}\\..*${taken}$`)
      )
      assert.doesNotMatch(stderr, /^ +at /m, 'no stack trace')
      assert.deepEqual(await program.leftAfter(), [])
    })
})
