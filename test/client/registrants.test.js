import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, it, test } from 'node:test'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { multiaddr } from '@multiformats/multiaddr'
import { deriveRegistrantKey } from '../../src/client/identities.js'
import {
  encodeRegisterBodies,
  loadRegistrants,
  readRegistrantCache,
  writeRegistrantCache
} from '../../src/client/registrants.js'
import { decodeMessage, encodeDiscoverResponse, FrameDecoder } from '../../src/protocol/rendezvous.js'
import { openSignedRecord, RecordDomain } from '../../src/protocol/signed-record.js'

/** @typedef {import('../../src/client/registrants.js').Registrants} Registrants */

const root = await mkdtemp(join(tmpdir(), 'registrants-'))
let folders = 0
let cacheDir = ''
beforeEach(() => {
  cacheDir = join(root, `${folders++}`)
})
after(() => rm(root, { recursive: true }))

/** @param {Registrants} registrants */
const bytesOf = registrants =>
  Buffer.concat(Array.from({ length: registrants.count }, (_, i) => registrants.record(i)))

const cacheFile = async () => join(cacheDir, (await readdir(cacheDir))[0])

describe('registrants', () => {
  for (const domain of Object.values(RecordDomain)) {
    it(`have properly signed records under ${domain}, each of its own peer and address`, async () => {
      const registrants = await loadRegistrants({ seed: 7, count: 300, domain })
      for (const index of [0, 1, 299]) {
        const record = await openSignedRecord(registrants.record(index))
        const peerId = peerIdFromPrivateKey(await deriveRegistrantKey(7, index))
        assert.equal(record.domain, domain)
        assert.deepEqual(Buffer.from(record.peerId), Buffer.from(peerId.toMultihash().bytes))
        const found = record.addresses.map(bytes => `${multiaddr(bytes)}`)
        assert.deepEqual(found, [`/ip4/10.0.${index >> 8}.${index & 255}/tcp/4001`])
      }
    })
  }

  it('are the same whether made in threads or not, and report how many are done', async () => {
    // a third batch for one of two threads
    const count = 2001
    /** @type {number[]} */
    const progress = []
    const threaded = await loadRegistrants({
      seed: 7,
      count,
      threads: 2,
      onProgress: done => progress.push(done)
    })
    const [first, last] = [0, count - 1].map(index => threaded.record(index))
    assert.deepEqual(first, (await loadRegistrants({ seed: 7, count: 1 })).record(0))
    assert.deepEqual(
      Buffer.from((await openSignedRecord(last)).peerId),
      Buffer.from(peerIdFromPrivateKey(await deriveRegistrantKey(7, count - 1)).toMultihash().bytes)
    )
    assert.equal(
      new Set(Array.from({ length: count }, (_, i) => threaded.record(i).toString('hex'))).size,
      count
    )
    assert.equal(progress[0], 0)
    assert.equal(progress.at(-1), count)
    assert.equal(progress.length, 4)
  })

  it('may be none', async () => {
    const { count } = await loadRegistrants({ seed: 7, count: 0, cacheDir })
    assert.equal(count, 0)
  })

  for (const count of [50, 5000]) {
    it(`stop being made when the signal aborts, with its reason (${count})`, async () => {
      const abort = new AbortController()
      const loading = loadRegistrants({
        seed: 7,
        count,
        cacheDir,
        signal: abort.signal,
        onProgress: () => abort.abort(new Error('enough'))
      })
      await assert.rejects(loading, /enough/)
      assert.deepEqual(await readdir(cacheDir).catch(() => []), [])
    })
  }
})

describe('the cache of registrants', () => {
  it('is used the second time', async () => {
    const first = await loadRegistrants({ seed: 7, count: 30, cacheDir })
    const second = await loadRegistrants({ seed: 7, count: 30, cacheDir })
    assert.deepEqual([first.reused, second.reused], [0, 30])
    assert.deepEqual(bytesOf(second), bytesOf(first))
  })

  it('gives a smaller count its part and is extended for a larger one', async () => {
    const all = bytesOf(await loadRegistrants({ seed: 7, count: 40 }))
    const reused = []
    for (const count of [30, 10, 40, 40]) {
      const registrants = await loadRegistrants({ seed: 7, count, cacheDir })
      reused.push(registrants.reused)
      assert.deepEqual(bytesOf(registrants), all.subarray(0, (all.length / 40) * count))
    }
    assert.deepEqual(reused, [0, 10, 30, 40])
  })

  it('keeps seeds and domains apart', async () => {
    await loadRegistrants({ seed: 7, count: 3, cacheDir })
    const other = await loadRegistrants({ seed: 8, count: 3, cacheDir })
    const legacy = await loadRegistrants({ seed: 7, count: 3, domain: RecordDomain.ROUTING_STATE, cacheDir })
    assert.deepEqual([other.reused, legacy.reused], [0, 0])
    assert.equal((await readdir(cacheDir)).length, 3)
  })

  for (const [damage, inflict] of /** @type {[string, (file: string) => Promise<void>][]} */ ([
    ['has a flipped bit', flipBit],
    ['was cut short', file => truncate(file, 700)],
    ['was cut within its header', file => truncate(file, 10)],
    ['is empty', file => truncate(file, 0)],
    ['is something else', file => writeFile(file, 'x'.repeat(9000))],
    ['belongs to another seed', becomeSeed8],
    ['holds null', file => writeFile(file, 'null'.padEnd(512))]
  ])) {
    it(`is made anew when it ${damage}`, async () => {
      const good = await loadRegistrants({ seed: 7, count: 30, cacheDir })
      await inflict(await cacheFile())
      const again = await loadRegistrants({ seed: 7, count: 30, cacheDir })
      assert.equal(again.reused, 0)
      assert.equal(again.cacheProblem, undefined)
      assert.deepEqual(bytesOf(again), bytesOf(good))
      assert.equal((await loadRegistrants({ seed: 7, count: 30, cacheDir })).reused, 30)
    })
  }

  it('is done without, and the reason told, where it cannot be written', async () => {
    await writeFile(cacheDir, 'a file where the folder should be')
    const registrants = await loadRegistrants({ seed: 7, count: 3, cacheDir })
    assert.match(`${registrants.cacheProblem}`, /ENOTDIR|EEXIST/)
    assert.equal(registrants.count, 3)
    await openSignedRecord(registrants.record(2))
  })

  it('keeps the eight files used last', async () => {
    for (let seed = 1; seed <= 10; seed++) await loadRegistrants({ seed, count: 1, cacheDir })
    assert.equal((await readdir(cacheDir)).length, 8)
    assert.equal((await loadRegistrants({ seed: 10, count: 1, cacheDir })).reused, 1)
  })
})

/** @param {string} file */
async function flipBit(file) {
  const bytes = await readFile(file)
  bytes[bytes.length - 5] ^= 1
  await writeFile(file, bytes)
}

/** @param {string} file */
async function becomeSeed8(file) {
  const bytes = await readFile(file)
  await writeFile(file, Buffer.from(bytes.toString('latin1').replace('"seed":7', '"seed":8'), 'latin1'))
}

describe('register bodies for the bulk preload', () => {
  it('hold every registrant once, in chunks of at most 64 kB that end with a body', async () => {
    const registrants = await loadRegistrants({ seed: 7, count: 900 })
    const decoded = []
    for (const chunk of encodeRegisterBodies(registrants, index => `ns-${index % 3}`, 7200)) {
      assert.ok(chunk.length <= 65_536)
      const decoder = new FrameDecoder()
      const bodies = [...decoder.push(chunk)]
      assert.equal(decoder.midFrame, false)
      const { discoverResponse } = decodeMessage(encodeDiscoverResponse({ bodies, status: 0 }))
      decoded.push(...(discoverResponse?.registrations ?? []))
    }
    assert.equal(decoded.length, 900)
    for (const [index, { ns, ttl, signedPeerRecord = [] }] of decoded.entries()) {
      assert.equal(ns, `ns-${index % 3}`)
      assert.equal(ttl, 7200)
      assert.deepEqual(Buffer.from(signedPeerRecord), registrants.record(index))
    }
  })

  it('are nothing for no registrants', async () => {
    const registrants = await loadRegistrants({ seed: 7, count: 0 })
    assert.deepEqual([...encodeRegisterBodies(registrants, () => 'ns', 7200)], [])
  })
})

test('records that cannot be kept leave nothing half-written behind', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'loadtest-cache-'))
  t.after(() => rm(folder, { recursive: true }))
  const source = { seed: 7, domain: RecordDomain.PEER_RECORD }
  const kept = { records: Buffer.alloc(20, 'x'), count: 2 }
  await writeRegistrantCache(folder, source, kept)
  const [file] = await readdir(folder)
  assert.deepEqual(await readRegistrantCache(folder, source, { recordBytes: 10, count: 2 }), kept.records)
  await rm(join(folder, file))
  await mkdir(join(folder, file))
  await assert.rejects(writeRegistrantCache(folder, source, kept), { code: 'EISDIR' })
  assert.deepEqual(await readdir(folder), [file])
})
