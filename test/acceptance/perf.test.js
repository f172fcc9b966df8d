import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { stackNamed } from '../../src/libp2p/stacks.js'
import { PERF_PROTOCOL } from '../../src/protocol/perf.js'
import { readServerOptions } from '../../src/server/options.js'
import { runPerfServer } from '../../src/server/process/run-perf-server.js'
import { RESULT_SCHEMAS } from '../scenarios.js'
import { call, runCommand, startCommand, TIMEOUT } from './loadtest.js'

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
  const node = await stackNamed('libp2p-3').createNode({
    privateKey: await generateKeyPair('Ed25519'),
    addresses: { listen: ['/ip4/127.0.0.1/tcp/0'] }
  })
  await node.start()
  t.after(() => node.stop())
  await node.handle(PERF_PROTOCOL, /** @type {any} */ (serve))
  return String(node.getMultiaddrs()[0])
}

describe('node index.js perf', () => {
  test(
    'moves bytes over all ways, both generations of libp2p among them, counted at both ends',
    TIMEOUT,
    async () => {
      const ended = await runCommand([
        'perf',
        ...SHORT,
        ...['--streams', '3', '--stack', 'libp2p-3,libp2p-2', '--latencies', '2ms', '--bandwidths', '40MB']
      ])
      assert.equal(ended.code, 0, ended.stderr)
      assert.doesNotMatch(ended.stderr, /Warning/)
      RESULT_SCHEMAS.transfer.parse(ended.result)
      const { transfers, rows, latency, handshakes } = outcomeOf(ended)
      const ways = ['libp2p-3 noise yamux', 'libp2p-2 noise yamux', 'TCP', 'TLS', 'HTTP/1.1', 'HTTP/2']
      assert.equal(transfers.length, ways.length * 2)
      assert.deepEqual([...new Set(transfers.map((/** @type {any} */ one) => one.bytes))], [1 << 20])
      assert.deepEqual(new Set(rows.map((/** @type {any} */ row) => row.way)), new Set(ways))
      for (const { totalMs, roundTripMs, overhead, cpuSecondsPerGB } of [...transfers, ...rows]) {
        // nothing is over before what was sent has come and the answer is back; a megabyte takes 26 ms at 40 MB/s
        if (totalMs !== undefined) assert.ok(totalMs >= 4, `${totalMs} ms`)
        if (roundTripMs === undefined) continue
        assert.ok(roundTripMs >= 4, `round trip ${roundTripMs} ms`)
        assert.equal(overhead.length, 4)
        assert.ok(cpuSecondsPerGB.client > 0 && cpuSecondsPerGB.server > 0)
      }
      for (const { both } of latency) assert.ok(both.count === 2 && both.min >= 4)
      assert.equal(latency.length, ways.length)
      assert.equal(handshakes.length, ways.length - 2, 'those of HTTP are of TCP')
      for (const { due, failed, times } of handshakes) assert.deepEqual([due, failed, times.count], [4, 0, 4])
    }
  )

  test('opens stream after stream over mplex, on both generations', TIMEOUT, async () => {
    const ended = await runCommand([
      ...['perf', '--measures', 'latency', '--muxer', 'mplex', '--stack', 'libp2p-3,libp2p-2', '--quiet'],
      ...['--repeats', '1', '--exchanges', '20', '--protocols', 'perf', '--timeout', '10s']
    ])
    assert.equal(ended.code, 0, ended.stderr)
    assert.deepEqual(
      outcomeOf(ended).latency.map((/** @type {any} */ { both }) => both.count),
      [20, 20]
    )
  })

  test('measures a target, and judges thresholds', TIMEOUT, async t => {
    const server = await runPerfServer(
      readServerOptions({ perf: true, listen: '/ip4/127.0.0.1/tcp/0', logLevel: 'silent' })
    )
    t.after(() => server.stop())
    const ended = await runCommand([
      'perf',
      ...SHORT,
      ...['--target', server.multiaddrs[0], '--targetPid', String(process.pid), '--streams', '2'],
      ...['--threshold', 'download.rate > 1kb', '--threshold', 'handshakes.failed > 1']
    ])
    assert.equal(ended.code, 3, ended.stderr)
    const { transfers, thresholds, ways } = outcomeOf(ended)
    assert.equal(ways.length, 1)
    assert.deepEqual(
      thresholds.map((/** @type {any} */ { passed }) => passed),
      [true, false]
    )
    assert.ok(transfers.every((/** @type {any} */ one) => one.serverCpuMs !== null))
  })

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
    test(`of a server that ${what} fails, with exit code 1 and its reason`, TIMEOUT, async t => {
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
  test(
    'whose server is killed ends with exit code 1, keeps what was measured, and leaves nothing running',
    TIMEOUT,
    async () => {
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
    }
  )

  test('refuses what cannot be, all at once, with exit code 2', TIMEOUT, async () => {
    const { code, stderr } = await call([
      'perf',
      '--measures',
      'upload',
      '--window',
      '1KiB',
      '--streams',
      '0'
    ])
    assert.equal(code, 2)
    assert.match(stderr, /^2 problems:\n.*--window 1KiB.*\n.*--streams 0/)
  })
})
