import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { ServerResponse } from 'node:http'
import { getDefaultHighWaterMark } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { AbstractMessageStream } from '@libp2p/utils'
import { startForkedProcess } from '../../../../src/run/workers.js'
import { Provider, ProviderLimits } from '../../../../src/scenarios/transfer/run/provider.js'

/** @typedef {import('../../../../src/run/workers.js').ForkedProcess} ForkedProcess */

const [REQUESTORS, CONCURRENCY] = [4, 20]
const PLAN = /** @type {any} */ ({
  ...{ measures: ['files'], seed: 1, sizeBytes: 60_000, chunkBytes: 8192, linksPerLevel: 16 },
  ...{ rawLeaves: true, concurrency: CONCURRENCY, store: 'memory', maxInProgressRequests: 6 },
  ...{ maxMemoryPerPeerBytes: 20_000, maxMemoryTotalBytes: 60_000, timeoutMs: 120_000 },
  ...{ blockDiagnostics: false, memorySnapshots: 'none' }
})
/** Slower than both sides are, so that what is sent waits. */
const LINE = { latencyMs: 1, bytesPerSecond: 8_000_000 }
const SETTINGS = {
  line: LINE,
  host: '127.0.0.1',
  security: 'plaintext',
  transport: 'tcp',
  connections: CONCURRENCY
}
/** Node lets so much wait in a reply before it asks to wait, and a request of libp2p-http has headers. */
const BESIDE_BYTES = 6 * getDefaultHighWaterMark(false)

/**
 * What waits in all streams and replies of this process, at most.
 *
 * @param {import('node:test').TestContext} t
 */
function watchWaiting(t) {
  const most = { bytes: 0 }
  /** @type {Map<object, () => number>} */
  const senders = new Map()
  const look = (/** @type {object} */ sender, /** @type {() => number} */ waiting) => {
    senders.set(sender, waiting)
    const bytes = [...senders.values()].reduce((sum, of) => sum + of(), 0)
    most.bytes = Math.max(most.bytes, bytes)
  }
  const { send } = AbstractMessageStream.prototype
  t.mock.method(
    AbstractMessageStream.prototype,
    'send',
    /** @this {any} @param {any} data */ function (data) {
      const taken = send.call(this, data)
      // a connection is one too, and has no protocol
      if (this.protocol) look(this, () => this.writeBufferLength)
      return taken
    }
  )
  const { write } = ServerResponse.prototype
  t.mock.method(
    ServerResponse.prototype,
    'write',
    /** @this {any} @param {any[]} args */ function (...args) {
      const taken = write.apply(this, /** @type {any} */ (args))
      look(this, () => (this.destroyed || this.writableFinished ? 0 : this.writableLength))
      return taken
    }
  )
  return most
}

describe('4 requestors, each a process, with 20 requests at once', () => {
  /** @type {ForkedProcess[]} */
  let requestors
  before(async () => {
    requestors = await Promise.all(
      Array.from({ length: REQUESTORS }, (_, i) =>
        startForkedProcess({
          entry: new URL('../../../../src/scenarios/transfer/run/requestor-entry.js', import.meta.url),
          ...{ name: `requestor ${i}`, setup: { plan: PLAN, peer: `requestor ${i}` }, handlers: {} },
          onDied() {}
        })
      )
    )
  })
  after(() => Promise.all(requestors.map(each => each.kill())))

  for (const way of /** @type {const} */ (['stream', 'libp2p-http', 'http']))
    test(`by ${way}: no limit of the provider is exceeded, and they are served in turn`, async t => {
      const limits = new ProviderLimits(PLAN)
      const provider = new Provider(PLAN, limits)
      t.after(() => provider.close())
      const most = watchWaiting(t)
      const files = await provider.make()
      const settings = /** @type {any} */ ({
        ...SETTINGS,
        way: { name: way, protocol: way, security: 'noise' }
      })
      const address = await provider.open(settings)
      await Promise.all(requestors.map(each => each.call('connect', address, settings)))
      provider.begin()
      // until all requests are there none is answered: whose turn it is depends on nothing else then
      const held = await Promise.all(Array.from({ length: 6 }, () => limits.request('none of them')))
      let over = false
      const fetching = Promise.all(requestors.map((each, i) => each.call('fetch', files, `${i}`))).finally(
        () => {
          over = true
        }
      )
      while (limits.waiting < REQUESTORS * CONCURRENCY && !over) await sleep(5)
      for (const release of held) release()
      const fetched = (await fetching).flatMap(each => each.fetched)
      const { served } = provider.end()
      await Promise.all(requestors.map(each => each.call('disconnect')))

      assert.deepEqual([...new Set(fetched.map(({ outcome }) => outcome))], ['OK'])
      const { inProgressRequests, memoryPerPeerBytes, memoryTotalBytes, waitingRequests } = provider.most()
      assert.deepEqual([inProgressRequests, waitingRequests], [6, REQUESTORS * CONCURRENCY])
      assert.ok(memoryPerPeerBytes <= PLAN.maxMemoryPerPeerBytes, `${memoryPerPeerBytes} bytes for a peer`)
      assert.ok(memoryTotalBytes <= PLAN.maxMemoryTotalBytes, `${memoryTotalBytes} bytes`)
      assert.ok(
        most.bytes > 0 && most.bytes <= PLAN.maxMemoryTotalBytes + BESIDE_BYTES,
        `${most.bytes} bytes wait in streams`
      )
      const peers = served.map(({ transfer }) => transfer.split('/')[0])
      for (let turn = 0; turn < CONCURRENCY; turn++)
        assert.equal(new Set(peers.slice(4 * turn, 4 * turn + 4)).size, 4, `turn ${turn}: ${peers}`)
    })
})
