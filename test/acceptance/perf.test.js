import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readServerOptions } from '../../src/server/options.js'
import { runPerfServer } from '../../src/server/process/run-perf-server.js'
import { RESULT_SCHEMAS } from '../scenarios.js'
import { runCommand, TIMEOUT } from './loadtest.js'

const SHORT = ['--repeats', '1', '--exchanges', '2', '--handshakeFor', '200ms', '--size', '1MiB', '--quiet']

/** @param {unknown} ended */
const outcomeOf = ended => /** @type {any} */ (ended).result.outcome

describe('node index.js perf', TIMEOUT, () => {
  test('moves bytes over all ways, both generations of libp2p among them, counted at both ends', async () => {
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
  })

  test('opens stream after stream over mplex, on both generations', async () => {
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

  test('measures a target, and judges thresholds', async t => {
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
})
