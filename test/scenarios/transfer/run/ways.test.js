import '../../../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import {
  FILE_PROTOCOLS,
  findQuicProblem,
  PROTOCOLS
} from '../../../../src/scenarios/transfer/plan/transfer-plan.js'
import { BlockWalk, openStore } from '../../../../src/scenarios/transfer/run/blocks.js'
import { makeFile } from '../../../../src/scenarios/transfer/run/file-tree.js'
import { loadProtocol } from '../../../../src/scenarios/transfer/run/protocol.js'
import { Provider } from '../../../../src/scenarios/transfer/run/provider.js'
import { FileRequestor } from '../../../../src/scenarios/transfer/run/requestors.js'

/**
 * @typedef {import('../../../../src/scenarios/transfer/run/protocol.js').Serve} Serve
 * @typedef {import('../../../../src/scenarios/transfer/run/blocks.js').Block} Block
 * @typedef {import('../../../../src/scenarios/transfer/plan/transfer-plan.js').Protocol} Protocol
 */

const PLAN = /** @type {any} */ ({
  ...{ seed: 1, measures: ['files'], sizeBytes: 400_000, chunkBytes: 65_536, linksPerLevel: 4 },
  ...{ rawLeaves: true, concurrency: 3, store: 'memory', maxInProgressRequests: 2 },
  ...{ maxMemoryPerPeerBytes: 200_000, maxMemoryTotalBytes: 300_000, timeoutMs: 20_000 },
  blockDiagnostics: false
})
/** @param {Protocol} protocol @returns {import('../../../../src/scenarios/transfer/run/protocol.js').NodeSettings} */
const settingsOf = protocol => ({
  ...{ way: { name: protocol, protocol, security: 'noise' }, line: null, host: '127.0.0.1' },
  ...{ transport: 'tcp', connections: 3 }
})

/** @param {() => AsyncGenerator<Block>} blocks @param {ReturnType<typeof settingsOf>} settings */
const provide = async (blocks, settings) =>
  (await loadProtocol(settings.way)).provide({ blocks, onReceived() {}, onSent() {} }, settings)

const STORE = await openStore('memory')
const FILE = await makeFile(PLAN, 0, STORE)

/** @returns {AsyncGenerator<Block>} as a good provider does */
async function* rightBlocks() {
  const walk = new BlockWalk(FILE.root)
  for (let cid = walk.next; cid !== null; cid = walk.next) {
    const bytes = await STORE.get(cid)
    yield { cid, bytes }
    walk.enter(bytes)
  }
}

/** @type {Record<string, { serve: () => AsyncGenerator<Block>, outcome: string, error: RegExp, blocks?: number, timeoutMs?: number }>} */
const HOSTILE = {
  'flips a bit of a leaf': {
    async *serve() {
      let count = 0
      for await (const { cid, bytes } of rightBlocks())
        if (++count < 4) yield { cid, bytes }
        else yield { cid, bytes: Uint8Array.from(bytes, (byte, i) => (i === 7 ? byte ^ 1 : byte)) }
    },
    outcome: 'CORRUPT',
    error: /^block baf\w+ is corrupt: its bytes do not have this hash; it is not stored$/,
    blocks: 3
  },
  'sends more than was asked for': {
    async *serve() {
      yield* rightBlocks()
      yield* rightBlocks()
    },
    outcome: 'UNASKED',
    error:
      /^the provider sent (block baf\w+, and nothing more was requested|more than the \d+ bytes that were requested)$/
  },
  'sends another block': {
    async *serve() {
      const blocks = []
      for await (const block of rightBlocks()) blocks.push(block)
      yield* blocks.toReversed()
    },
    outcome: 'UNASKED',
    error: /^the provider sent block baf\w+, and baf\w+ was requested$/,
    blocks: 0
  },
  'sends nothing': {
    async *serve() {},
    outcome: 'ENDED_EARLY',
    error: /^the provider ended after 0 of \d+ blocks: baf\w+ is missing$/,
    blocks: 0
  },
  'closes early': {
    async *serve() {
      let count = 0
      for await (const block of rightBlocks()) if (++count <= 3) yield block
    },
    outcome: 'ENDED_EARLY',
    error: /^the provider ended after 3 of \d+ blocks: baf\w+ is missing$/,
    blocks: 3
  },
  'says no more': {
    async *serve() {
      for await (const block of rightBlocks()) {
        yield block
        await new Promise(() => {})
      }
    },
    outcome: 'TIMEOUT',
    error: /^only \d of \d+ blocks were stored within --timeout 2s$/,
    timeoutMs: 2000
  }
}

for (const way of FILE_PROTOCOLS)
  describe(`by ${way}`, () => {
    test('every file reaches every requestor, within the limits of the provider', async t => {
      const provider = new Provider(PLAN)
      const requestors = [0, 1].map(i => new FileRequestor({ plan: PLAN, peer: `requestor ${i}` }))
      t.after(async () => {
        for (const requestor of requestors) await requestor.close()
        await provider.close()
      })
      const files = await provider.make()
      const address = await provider.open(settingsOf(way))
      for (const requestor of requestors) {
        const { roundTripMs } = await requestor.connect(address, settingsOf(way))
        assert.ok(roundTripMs > 0)
      }
      provider.begin()
      const moved = await Promise.all(requestors.map((requestor, i) => requestor.fetch(files, `${i}`)))
      const { served } = provider.end()
      for (const { fetched, wireBytes, spanMs } of moved) {
        assert.deepEqual(
          fetched.map(({ outcome, error, blocks, storedBytes }) => [outcome, error, blocks, storedBytes]),
          files.map(({ blocks, treeBytes }) => ['OK', null, blocks, treeBytes])
        )
        assert.ok(
          wireBytes !== null && wireBytes > 3 * PLAN.sizeBytes && wireBytes < 3.3 * PLAN.sizeBytes,
          `${wireBytes} bytes`
        )
        assert.ok(fetched.every(({ firstByteMs, totalMs }) => Number(firstByteMs) <= Number(totalMs)))
        assert.ok(spanMs > 0)
      }
      // a name for each: else a requestor is shown the wait of another
      assert.equal(new Set(served.map(({ transfer }) => transfer)).size, 6)
      const { inProgressRequests, memoryPerPeerBytes, memoryTotalBytes } = provider.most()
      assert.ok(inProgressRequests >= served.length / 6 && inProgressRequests <= 2)
      assert.ok(memoryPerPeerBytes <= 200_000 && memoryTotalBytes <= 300_000)
    })

    for (const [name, { serve, outcome, error, blocks, timeoutMs = 20_000 }] of Object.entries(HOSTILE))
      test(`a provider that ${name} is told of`, async t => {
        const requestor = new FileRequestor({ plan: { ...PLAN, timeoutMs }, peer: 'r' })
        const provided = await provide(serve, settingsOf(way))
        t.after(async () => {
          await requestor.close()
          await provided.close()
        })
        await requestor.connect(provided.address, settingsOf(way))
        const { fetched } = await requestor.fetch([FILE], 'hostile')
        assert.equal(fetched[0].outcome, outcome, String(fetched[0].error))
        assert.match(String(fetched[0].error), error)
        assert.equal(fetched[0].totalMs, null)
        if (blocks !== undefined) assert.equal(fetched[0].blocks, blocks)
      })
  })

describe('the time of a repeat', () => {
  /** @param {import('node:test').TestContext} t @param {object} options */
  async function connected(t, options) {
    const plan = { ...PLAN, ...options }
    const provided = await provide(rightBlocks, settingsOf('http'))
    const requestor = new FileRequestor({ plan, peer: 'r' })
    t.after(async () => {
      await requestor.close()
      await provided.close()
    })
    await requestor.connect(provided.address, settingsOf('http'))
    return requestor
  }

  test('begins with the first request', async t => {
    const requestor = await connected(t, { concurrency: 1 })
    const { spanMs, fetched } = await requestor.fetch([FILE], 'one')
    assert.equal(spanMs, fetched[0].totalMs)
  })

  test('has no store made or let go of in it', async t => {
    const before = process.env.TMPDIR
    const folder = await mkdtemp(join(tmpdir(), 'stores-of-a-test-'))
    t.after(() => rm(folder, { recursive: true, force: true }))
    t.after(() => {
      if (before === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = before
    })
    process.env.TMPDIR = folder
    const stores = async () => (await readdir(folder)).length
    const requestor = await connected(t, { store: 'disk', concurrency: 2 })
    assert.equal(await stores(), 2)
    await requestor.fetch([FILE, FILE], 'two')
    assert.equal(await stores(), 2)
    await requestor.disconnect()
    assert.equal(await stores(), 0)
  })

  test('is not the one in which memory is collected, with its blocks let go of', async t => {
    const requestor = await connected(t, { memorySnapshots: 'simple' })
    const fetching = await requestor.fetch([FILE], 'one')
    assert.equal('memory' in fetching, false)
    assert.equal((await requestor.disconnect()).memory.length, 1)
  })
})

test('100 ms one way give no first byte before a round trip', async t => {
  const provider = new Provider({ ...PLAN, concurrency: 1 })
  t.after(() => provider.close())
  const files = await provider.make()
  await Promise.all(
    FILE_PROTOCOLS.map(async way => {
      const settings = { ...settingsOf(way), line: { latencyMs: 100, bytesPerSecond: null } }
      const provided = await provide(rightBlocks, settings)
      const requestor = new FileRequestor({ plan: PLAN, peer: 'r' })
      t.after(async () => {
        await requestor.close()
        await provided.close()
      })
      const { roundTripMs } = await requestor.connect(provided.address, settings)
      const { fetched } = await requestor.fetch(files, 'far')
      assert.ok(roundTripMs >= 199, `${way}: ${roundTripMs} ms`)
      assert.ok(Number(fetched[0].firstByteMs) >= 199, `${way}: ${fetched[0].firstByteMs} ms`)
      assert.equal(fetched[0].outcome, 'OK')
    })
  )
})

const WITHOUT_QUIC = findQuicProblem(process.versions.node)

describe('over quic', { skip: WITHOUT_QUIC ?? false }, () => {
  for (const way of FILE_PROTOCOLS.filter(way => PROTOCOLS[way].libp2p))
    test(`a file moves by ${way}, its bytes on the wire are not counted`, async t => {
      const settings = { ...settingsOf(way), transport: /** @type {const} */ ('quic') }
      const plan = { ...PLAN, sizeBytes: 3 << 20, concurrency: 1 }
      const [provider, requestor] = [new Provider(plan), new FileRequestor({ plan, peer: 'r' })]
      t.after(async () => {
        await requestor.close()
        await provider.close()
      })
      const files = await provider.make()
      const address = await provider.open(settings)
      assert.match(address, /\/quic-v1\//)
      await requestor.connect(address, settings)
      const { fetched, wireBytes } = await requestor.fetch(files, 'quic')
      assert.deepEqual([fetched[0].outcome, fetched[0].error, wireBytes], ['OK', null, null])
    })
})
