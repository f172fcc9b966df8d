import '../../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { TraceLog } from '../../../../../src/scenarios/transfer/run/trace-log.js'
import { makeTransferSpans } from '../../../../../src/scenarios/transfer/run/transfer-run.js'

const PLACE = /** @type {const} */ ({ way: 'blocks', latencyMs: 50, bytesPerSecond: 1e6, repeat: 2 })

/** A repeat in which two requestors asked for the same file: the second one was not given it. */
const MOVED = /** @type {any} */ ({
  provision: {
    beganNs: 1_000_000n,
    served: [{ transfer: '7/requestor 0/0', askedNs: 3_000_000n, endNs: 8_000_000n, waitMs: 1 }],
    blockEvents: [{ transfer: '7/requestor 0/0', cid: 'baf1', event: 'sent', atNs: 5_000_000n }]
  },
  fetchings: ['OK', 'TIMEOUT'].map((outcome, i) => ({
    blockEvents: [],
    fetched: [
      {
        ...{ transfer: `7/requestor ${i}/0`, askedNs: 2_000_000n, endNs: 9_000_000n, outcome },
        ...{ firstByteMs: i === 0 ? 4.5 : null, error: i === 0 ? null : 'too late' },
        ...{ blocks: 1, storedBytes: 10 }
      }
    ]
  }))
})

test('a repeat is a span, with one of each transfer in it, and in these what the provider did', () => {
  const move = makeTransferSpans(PLACE, MOVED, [{ root: 'baf1' }])
  const actual = [move.process, move.name, move.startNs, move.endNs]
  assert.deepEqual(actual, ['libp2p-loadtest', 'move by blocks', 1_000_000n, 9_000_000n])
  const [first, second] = move.children
  assert.deepEqual([first.process, second.process], ['requestor 0', 'requestor 1'])
  assert.deepEqual(first.events, [
    { name: 'request', atNs: 2_000_000n },
    { name: 'first byte', atNs: 6_500_000n }
  ])
  assert.deepEqual([first.error, second.error, move.error], [null, 'too late', 'too late'])
  assert.deepEqual(
    first.children.map(({ process, name, events }) => [
      process,
      name,
      events.map(({ name, atNs }) => [name, atNs])
    ]),
    [
      [
        'provider',
        'serve',
        [
          ['its turn', 4_000_000n],
          ['block sent', 5_000_000n]
        ]
      ]
    ]
  )
  assert.deepEqual(second.children, [])
})

test('spans that a collector does not take are counted, and it is not asked again', async t => {
  let asked = 0
  const server = createServer((request, response) => {
    asked++
    request.resume()
    response.writeHead(400).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  const log = new TraceLog({ runId: 'r', folder: null, otlpEndpoint: `http://127.0.0.1:${port}/v1/traces` })
  t.after(() => log.close())
  const record = makeTransferSpans(PLACE, MOVED, [{ root: 'baf1' }])
  await log.add(record)
  assert.equal(log.lost?.count, 4)
  assert.match(String(log.lost?.error), /^http:\/\/127\.0\.0\.1:\d+\/v1\/traces: /)
  await log.add(record)
  assert.deepEqual([log.lost?.count, asked], [8, 1])
})
