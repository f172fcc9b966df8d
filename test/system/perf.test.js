import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { findStack } from '../../src/libp2p/stacks.js'
import { PERF_PROTOCOL } from '../../src/protocol/perf.js'
import { runCommand, startCommand, TIMEOUT } from '../acceptance/loadtest.js'

const SHORT = ['--repeats', '1', '--exchanges', '2', '--handshakeFor', '200ms', '--size', '1MiB', '--quiet']

/** @param {unknown} ended */
const outcomeOf = ended => /** @type {any} */ (ended).result.outcome

/**
 * A peer that speaks perf as a test has it.
 *
 * @param {import('node:test').TestContext} t
 * @param {(stream: any) => unknown} serve
 */
async function hostileServer(t, serve) {
  const node = await findStack('libp2p-3').createNode({
    privateKey: await generateKeyPair('Ed25519'),
    addresses: { listen: ['/ip4/127.0.0.1/tcp/0'] }
  })
  await node.start()
  t.after(() => node.stop())
  await node.handle(PERF_PROTOCOL, /** @type {any} */ (serve))
  return String(node.getMultiaddrs()[0])
}

describe('node index.js perf', TIMEOUT, () => {
  for (const [what, serve, code] of /** @type {[string, (stream: any) => unknown, string][]} */ ([
    [
      'sends too much',
      stream => {
        stream.addEventListener('message', () => {})
        stream.send(new Uint8Array(2 << 20))
      },
      'TOO_MANY_BYTES'
    ],
    ['sends nothing', () => {}, 'TIMEOUT']
  ]))
    test(`of a server that ${what} fails, with exit code 1 and its reason`, async t => {
      const target = await hostileServer(t, serve)
      const ended = await runCommand([
        'perf',
        ...SHORT.filter(word => !/exchanges|handshakeFor|^2$|^200ms$/.test(word)),
        ...['--target', target, '--measures', 'download', '--streams', '1'],
        // only who waits for it need see it pass
        ...['--timeout', code === 'TIMEOUT' ? '2s' : '60s']
      ])
      const { status, reason } = ended.result
      assert.deepEqual([ended.code, status, reason?.code], [1, 'partial', code], reason?.message)
    })

  // a worker that is frozen is told of in transfer.test.js
  test('whose server is killed ends with exit code 1, keeps what was measured, and leaves nothing running', async () => {
    const running = startCommand('perf', [
      ...['--measures', 'download', '--protocols', 'perf', '--streams', '1', '--size', '1MiB'],
      ...['--repeats', '1000', '--latencies', '5ms']
    ])
    await running.line(/measuring transfers +[1-9]/)
    // it is started before the client is
    process.kill(Math.min(...(await running.workers())), 'SIGKILL')
    const { code, result } = await running.ended
    assert.deepEqual([code, result.status], [1, 'partial'])
    assert.ok(outcomeOf({ result }).transfers.length > 0)
    assert.deepEqual(await running.leftAfter(), [])
  })
})
