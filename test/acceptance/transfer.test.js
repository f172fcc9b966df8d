import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { RESULT_SCHEMAS } from '../scenarios.js'
import { runCommand, TIMEOUT } from './loadtest.js'

/**
 * @typedef {import('../../src/scenarios/transfer/plan/transfer-plan.js').FilesOutcome} FilesOutcome
 */

const TWO_WAYS = ['--protocols', 'http,stream']

/** @param {string} file */
const linesOf = async file => (await readFile(file, 'utf8')).trim().split('\n').length

describe('a run of transfers', () => {
  test('moves every file by every way over the line, and says what was moved', TIMEOUT, async () => {
    const { code, result, folder, stdout, stderr } = await runCommand([
      ...[
        'transfer',
        ...TWO_WAYS,
        ...'--repeats 2 --size 400kB --chunkSize 32KiB --requestors 2 --csv'.split(' ')
      ],
      ...['--latencies', '20ms', '--no-noLatencyCase', '--bandwidths', '1MB', '--no-unlimitedBandwidthCase'],
      ...['--threshold', 'failedTransfers <= 0']
    ])
    assert.equal(code, 0, stderr)
    const outcome = /** @type {FilesOutcome} */ (/** @type {unknown} */ (result.outcome))
    const { files, cases, transfers, batches, limits, thresholds } = outcome
    RESULT_SCHEMAS.transfer.parse(result)
    // of the seed, on every Node
    assert.deepEqual(
      files.map(({ root, blocks }) => [root, blocks]),
      [['bafybeiefwp4l4lia24do6zeaqpy4e6tqdcbvd6peqzqi7467zwvyhbyjmy', 14]]
    )
    assert.equal(transfers.length, 8)
    assert.ok(transfers.every(({ outcome, blocks }) => outcome === 'OK' && blocks === 14))
    assert.deepEqual(
      cases.map(({ way, latencyMs, bytesPerSecond }) => [way, latencyMs, bytesPerSecond]),
      [
        ['http', 20, 1e6],
        ['stream', 20, 1e6]
      ]
    )
    for (const { seconds, goodput, roundTripMs, firstByteMs, wirePerByte, model, fairness } of cases) {
      // no line gives more than it has
      // two requestors share what the provider can send: 800 kB take 0.8 s at least
      assert.ok(Number(seconds.median) >= 0.8, `${seconds.median} s`)
      assert.ok(Number(goodput.median) > 0 && Number(goodput.median) <= 1e6, `${goodput.median} bytes/s`)
      assert.ok(Number(roundTripMs) >= 39.5 && Number(firstByteMs.median) >= 39.5)
      assert.ok(
        Number(wirePerByte) > 1 && Number(wirePerByte) < 1.1,
        `${wirePerByte} bytes on the wire per byte`
      )
      assert.deepEqual(model, { bytesPerSecond: 0.5e6, limit: 'line' })
      assert.ok(Number(fairness) > 0.5 && Number(fairness) <= 1)
    }
    assert.equal(batches.length, 4)
    assert.ok(limits !== null && limits.memoryPerPeerBytes.most > 0 && limits.memoryPerPeerBytes.most <= 16e6)
    assert.equal(thresholds[0].passed, true)
    assert.match(stdout, /\| 20 ms, 1 MB\/s +\| http/)
    assert.match(stdout, /--repeats 6 gives 95 % intervals\./)
    for (const file of ['report.md', 'report.html'])
      assert.match(await readFile(join(folder, file), 'utf8'), /Limits and connections of each protocol/)
    assert.equal(await linesOf(join(folder, 'transfers.csv')), 9)
    assert.equal(await linesOf(join(folder, 'protocols.csv')), 3)
  })

  test('looks at blocks, memory and spans when asked to, and then gives no times', TIMEOUT, async t => {
    const collector = await otlpCollector(t)
    const { code, result, folder, stdout, stderr } = await runCommand([
      ...'transfer --protocols blocks --repeats 1 --size 300kB --chunkSize 16KiB --csv'.split(' '),
      ...[
        ...'--latencies none --bandwidths none --blockDiagnostics --memorySnapshots detailed'.split(' '),
        ...'--traces --otlpEndpoint'.split(' '),
        collector.url
      ]
    ])
    assert.equal(code, 0, stderr)
    const { blockTimes, memory } = /** @type {any} */ (result.outcome)
    RESULT_SCHEMAS.transfer.parse(result)
    assert.equal(blockTimes.length, 20)
    for (const { queuedMs, sentMs, receivedMs, storedMs } of blockTimes) {
      assert.ok(0 <= queuedMs && queuedMs <= sentMs && queuedMs <= receivedMs, 'queued before it came')
      assert.ok(receivedMs <= storedMs)
    }
    assert.deepEqual(
      memory.map((/** @type {any} */ { side, blocks }) => [side, blocks]),
      [
        ['provider', null],
        ['requestor 0', 10],
        ['requestor 0', 20]
      ]
    )
    assert.ok(memory.every((/** @type {any} */ { before, after }) => after.heapBytes <= before.heapBytes))
    assert.match(stdout, /No times: full garbage collections ran/)
    const requests = collector.requests()
    const kept = (await readFile(join(folder, 'traces.jsonl'), 'utf8'))
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    assert.deepEqual(requests, kept)
    assertSpans(requests, blockTimes)
    assert.equal(await linesOf(join(folder, 'block-times.csv')), 21)
    assert.equal(await linesOf(join(folder, 'memory.csv')), 4)
  })
})

/**
 * otlpCollector takes what is sent to it by OTLP over HTTP, in JSON (opentelemetry-proto, ExportTraceServiceRequest).
 *
 * @param {import('node:test').TestContext} t
 */
async function otlpCollector(t) {
  /** @type {{ url?: string, type?: string, body: any }[]} */
  const got = []
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request))
    got.push({ url: request.url, type: request.headers['content-type'], body })
    response.setHeader('content-type', 'application/json').end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    url: `http://127.0.0.1:${port}`,
    requests() {
      assert.ok(got.every(({ url, type }) => url === '/v1/traces' && type === 'application/json'))
      return got.map(({ body }) => body)
    }
  }
}

/** @param {any[]} requests @param {any[]} blockTimes */
function assertSpans(requests, blockTimes) {
  const spans = requests.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap((/** @type {any} */ { resource, scopeSpans }) =>
      scopeSpans.flatMap((/** @type {any} */ { spans }) =>
        spans.map((/** @type {any} */ span) => ({
          ...span,
          process: resource.attributes.find((/** @type {any} */ { key }) => key === 'service.name').value
            .stringValue
        }))
      )
    )
  )
  const [serve, fetch, move] = ['serve', 'fetch', 'move by blocks'].map(name =>
    spans.find(span => span.name === name)
  )
  assert.equal(spans.length, 3)
  assert.deepEqual(
    [serve, fetch, move].map(({ process }) => process),
    ['provider', 'requestor 0', 'libp2p-loadtest']
  )
  assert.deepEqual(
    [serve.parentSpanId, fetch.parentSpanId, move.parentSpanId],
    [fetch.spanId, move.spanId, undefined]
  )
  assert.equal(new Set(spans.map(({ traceId }) => traceId)).size, 1)
  const names = (/** @type {any} */ span) => span.events.map((/** @type {any} */ { name }) => name)
  assert.deepEqual(names(serve).slice(0, 3), ['its turn', 'block queued', 'block sent'])
  assert.deepEqual(names(fetch).slice(0, 3), ['request', 'first byte', 'block received'])
  assert.equal(names(serve).length, 1 + 2 * blockTimes.length)
  assert.equal(names(fetch).length, 2 + 2 * blockTimes.length)
  const within = (
    /** @type {any} */ { startTimeUnixNano: start, endTimeUnixNano: end },
    /** @type {any} */ { timeUnixNano: at }
  ) => BigInt(start) <= BigInt(at) && BigInt(at) <= BigInt(end)
  for (const span of [serve, fetch])
    assert.ok(span.events.every((/** @type {any} */ event) => within(span, event)))
  const sinceMs = Date.now() - Number(BigInt(fetch.startTimeUnixNano) / 1_000_000n)
  assert.ok(sinceMs > 0 && sinceMs < 10 * 60_000, 'the time of day')
}
