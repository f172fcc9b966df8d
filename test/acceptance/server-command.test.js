import '../../src/node-shim.js'
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { startForeignServer } from './foreign-server.js'
import { INDEX, newFolder, PAIRS, startProgram, TIMEOUT } from './loadtest.js'
import { ON_LINUX } from './processes.js'

/** @param {string} address */
const portOf = address => /\/tcp\/(\d+)\//.exec(address)?.[1] ?? ''

describe('node index.js server', PAIRS, () => {
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT']))
    test(
      `says when it is ready, serves /healthz and /metrics, and ends with 0 on ${signal}`,
      TIMEOUT,
      async () => {
        const { program, multiaddr, http, gauge } = await startForeignServer()
        assert.match(multiaddr, /^\/ip4\/127\.0\.0\.1\/tcp\/\d+\/p2p\/12D3KooW\w+$/)
        const health = await fetch(`${http}/healthz`)
        assert.deepEqual([health.status, await health.text()], [200, 'ok\n'])
        assert.equal(await gauge('rendezvous_registrations'), 0)
        assert.ok((await gauge('process_resident_memory_bytes')) > 1e7)
        assert.equal(
          (await fetch(`${http}/control/state`)).status,
          404,
          'nobody adds registrations unchecked'
        )
        program.signal(signal)
        const { code, stdout } = await program.ended
        assert.deepEqual([code, stdout], [0, `ready ${multiaddr} ${http}\n`])
      }
    )

  test('takes options from the environment; a flag goes before it', TIMEOUT, async () => {
    const env = {
      RENDEZVOUS_KEY_SEED: '7',
      RENDEZVOUS_LISTEN: '/ip4/127.0.0.1/tcp/1',
      RENDEZVOUS_LOG_LEVEL: 'info'
    }
    const [first, second] = [
      await startForeignServer([], { env }),
      await startForeignServer(['--keySeed', '7'])
    ]
    const idOf = (/** @type {string} */ address) => address.split('/p2p/')[1]
    assert.equal(idOf(first.multiaddr), idOf(second.multiaddr), 'the same identity from the same seed')
    assert.notEqual(portOf(first.multiaddr), '1')
    first.program.signal('SIGTERM')
    // --logLevel warn of the command line went before the environment
    assert.equal((await first.program.ended).stderr, '')
  })

  test('--keyFile keeps its identity over restarts; logs are JSON lines on stderr', TIMEOUT, async () => {
    const keyFile = join(await newFolder(), 'server.key')
    const ids = []
    for (let start = 0; start < 2; start++) {
      const program = startProgram(INDEX, [
        'server',
        '--keyFile',
        keyFile,
        '--listen',
        '/ip4/127.0.0.1/tcp/0',
        '--httpPort',
        '0'
      ])
      const [, id] = await program.line(/^ready \S+\/p2p\/(\S+) /)
      ids.push(id)
      program.signal('SIGTERM')
      const { code, stderr } = await program.ended
      assert.equal(code, 0)
      for (const line of stderr.trim().split('\n')) assert.equal(typeof JSON.parse(line).msg, 'string')
    }
    assert.equal(ids[0], ids[1])
    assert.ok((await readFile(keyFile)).length > 0)
  })

  test('bad options: exit code 2, all of them named', TIMEOUT, async () => {
    const env = { RENDEZVOUS_MAX_STREAMS: 'none' }
    const program = startProgram(
      INDEX,
      ['server', '--httpPort', '99999', '--minTtl', '80h', '--nClients', '3'],
      { env }
    )
    const { code, stdout, stderr } = await program.ended
    assert.deepEqual([code, stdout], [2, ''])
    for (const line of [
      /^4 problems:$/m,
      /--httpPort 99999 +must be a whole number from 0 to 65,535/,
      /RENDEZVOUS_MAX_STREAMS none +must be a whole number/,
      /--minTtl 288000s +must be at most --maxTtl/,
      /--nClients +is no option/,
      /^See node index\.js server --help$/m
    ])
      assert.match(stderr, line)
  })

  describe('a port in use', ON_LINUX, () => {
    /** @type {Awaited<ReturnType<typeof startForeignServer>>} */
    let holder
    before(async () => {
      holder = await startForeignServer([], { wholeFile: true })
    }, TIMEOUT)

    for (const taken of ['--listen', '--httpPort'])
      test(`for ${taken}: exit code 1, the port is named`, TIMEOUT, async () => {
        const port = taken === '--listen' ? portOf(holder.multiaddr) : new URL(holder.http).port
        const ports = { '--listen': '/ip4/127.0.0.1/tcp/0', '--httpPort': '0' }
        const flags = { ...ports, [taken]: taken === '--listen' ? `/ip4/127.0.0.1/tcp/${port}` : port }
        const program = startProgram(INDEX, ['server', ...Object.entries(flags).flat()])
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
})
