// Registrants: peers that are registered at a server before a measurement. Makes, caches, registers and unregisters
// their signed records.
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { multiaddr } from '@multiformats/multiaddr'
import { makeFolder } from '../kit/files.js'
import { countUsableCores } from '../kit/linux.js'
import { limitSignal } from '../kit/time.js'
import { countPrefixBytes, encodeRegisterBody, writePrefix } from '../protocol/rendezvous.js'
import { RecordDomain } from '../protocol/signed-record.js'
import { chooseClientAddress } from './dial.js'
import { ClientErrorCode } from './errors.js'
import {
  deriveRegistrantKey,
  makeRecords,
  makeRegistrantAddress,
  sealRegistrantRecord
} from './identities.js'
import { createClientNode } from './node.js'
import { rendezvousClient } from './rendezvous-client.js'

/**
 * @typedef {import('./identities.js').RecordSource} RecordSource
 * @typedef {import('node:fs/promises').FileHandle} FileHandle
 *
 * @typedef {object} Header - the first bytes of a file, as JSON padded with spaces
 * @property {string} magic
 * @property {number} version
 * @property {number} seed
 * @property {string} domain
 * @property {number} count - records that follow
 * @property {number} recordBytes - bytes of each
 * @property {string} sha256 - of all records, hex
 */

const MAGIC = 'libp2p-loadtest registrants'
// to be raised when the records of a registrant change
const VERSION = 1
const HEADER_BYTES = 512
const MAX_FILES = 8

/** @param {string} folder @param {RecordSource} source */
const cachePath = (folder, { seed, domain }) => join(folder, `registrants-${seed}-${domain}.bin`)

/**
 * readRegistrantCache reads the cached records of a seed and domain.
 *
 * @param {string} folder
 * @param {RecordSource} source
 * @param {{ recordBytes: number, count: number }} wanted - `count` records, or as many as there are
 * @returns {Promise<Buffer | null>} null: nothing is cached, or the file is damaged, truncated, or another kind of file
 * @throws what the file system says, except that the file is missing
 */
export async function readRegistrantCache(folder, source, { recordBytes, count }) {
  const file = await open(cachePath(folder, source), 'r').catch(error => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (file === null) return null
  try {
    const header = await readHeader(file)
    const expected = { magic: MAGIC, version: VERSION, ...source, recordBytes }
    if (header === null || !Object.entries(expected).every(([key, value]) => header[key] === value))
      return null
    if ((await file.stat()).size !== HEADER_BYTES + header.count * recordBytes) return null
    const { bytes, sha256 } = await readRecords(file, Math.min(count, header.count) * recordBytes)
    if (sha256 !== header.sha256) return null
    // writing removes the files that were used least recently
    await file.utimes(new Date(), new Date()).catch(() => {})
    return bytes
  } finally {
    await file.close()
  }
}

/**
 * writeRegistrantCache replaces the cached records of a seed and domain. Readers see the old file or the new one, never a
 * part. Only the files of the folder that were used last are kept.
 *
 * @param {string} folder - made when it is missing
 * @param {RecordSource} source
 * @param {{ records: Buffer, count: number }} content
 */
export async function writeRegistrantCache(folder, { seed, domain }, { records, count }) {
  await makeFolder(folder)
  const path = cachePath(folder, { seed, domain })
  const temporary = `${path}.${randomUUID()}.tmp`
  const sha256 = createHash('sha256').update(records).digest('hex')
  const recordBytes = records.length / count
  /** @type {Header} */
  const header = { magic: MAGIC, version: VERSION, seed, domain, count, recordBytes, sha256 }
  try {
    const file = await open(temporary, 'wx')
    try {
      await file.writev([Buffer.from(`${JSON.stringify(header).padEnd(HEADER_BYTES - 1)}\n`), records])
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await removeOldest(folder)
}

/** @param {FileHandle} file @returns {Promise<Header & Record<string, unknown> | null>} */
async function readHeader(file) {
  const { buffer } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0)
  try {
    return JSON.parse(buffer.toString())
  } catch {
    return null
  }
}

/**
 * Reads all records for the checksum, and returns the first bytes of them.
 *
 * @param {FileHandle} file
 * @param {number} wantedBytes
 */
async function readRecords(file, wantedBytes) {
  const bytes = Buffer.alloc(wantedBytes)
  const hash = createHash('sha256')
  let at = 0
  for await (const chunk of file.createReadStream({ start: HEADER_BYTES, autoClose: false })) {
    hash.update(chunk)
    if (at < wantedBytes) chunk.copy(bytes, at)
    at += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** @param {string} folder */
async function removeOldest(folder) {
  const names = (await readdir(folder)).filter(name => /^registrants-.*\.bin$/.test(name))
  const files = await Promise.all(
    names.map(async name => ({ name, usedMs: (await stat(join(folder, name))).mtimeMs }))
  )
  files.sort((a, b) => b.usedMs - a.usedMs)
  await Promise.all(files.slice(MAX_FILES).map(({ name }) => rm(join(folder, name), { force: true })))
}

/**
 * @typedef {object} Registrants - peers that are registered before a measurement, with their signed records
 * @property {number} seed - of the plan
 * @property {string} domain
 * @property {number} count
 * @property {(index: number) => Buffer} record - the marshalled envelope of a registrant, a view into one large buffer
 * @property {number} reused - how many came from the cache
 * @property {unknown} [cacheProblem] - why the cache could not be read or written; the records are valid all the same
 */

// fewer records are made faster than threads start
const THREADS_FROM = 1000

/**
 * loadRegistrants gives the signed records of the first `count` registrants of a seed: cached ones from the cache, the rest made now,
 * several thousand a second and core, and cached. It does not block the calling thread.
 *
 * @param {object} options
 * @param {number} options.seed - of the plan
 * @param {number} options.count
 * @param {string} [options.domain] - one of RecordDomain
 * @param {string | null} [options.cacheDir] - folder for the cache; null or absent: no cache
 * @param {number} [options.threads] - that make records; default one for each core
 * @param {(done: number, total: number) => void} [options.onProgress]
 * @param {AbortSignal} [options.signal]
 * @returns {Promise<Registrants>}
 * @throws the signal's reason
 */
export async function loadRegistrants({
  seed,
  count,
  domain = RecordDomain.PEER_RECORD,
  cacheDir = null,
  threads = countUsableCores(),
  onProgress = () => {},
  signal
}) {
  signal?.throwIfAborted()
  const source = { seed, domain }
  const recordBytes = (await sealRegistrantRecord(source, 0)).length
  const records = Buffer.alloc(count * recordBytes)
  /** @type {unknown} */
  let cacheProblem
  // a cache that cannot be read or written is no failure
  const noteProblem = (/** @type {unknown} */ error) => {
    cacheProblem = error
  }
  const cached =
    cacheDir && (await readRegistrantCache(cacheDir, source, { recordBytes, count }).catch(noteProblem))
  const reused = cached ? cached.copy(records) / recordBytes : 0
  onProgress(reused, count)

  let done = reused
  /** @param {number} from @param {Uint8Array} made */
  const add = (from, made) => {
    records.set(made, from * recordBytes)
    done += made.length / recordBytes
    onProgress(done, count)
  }
  try {
    const range = { from: reused, to: count, signal }
    if (count - reused >= THREADS_FROM) await makeRecordsInParallel(source, { ...range, threads, add })
    else if (count > reused) add(reused, await makeRecords(source, range))
  } catch (error) {
    // Node wraps the reason in an error of its own
    signal?.throwIfAborted()
    throw error
  }
  if (cacheDir && reused < count)
    await writeRegistrantCache(cacheDir, source, { records, count }).catch(noteProblem)
  return {
    seed,
    domain,
    count,
    reused,
    cacheProblem,
    record: index => records.subarray(index * recordBytes, (index + 1) * recordBytes)
  }
}

const BATCH = 1000

/**
 * makeRecordsInParallel seals the records of a range of registrants in several threads.
 *
 * @param {RecordSource} source
 * @param {object} options
 * @param {number} options.from
 * @param {number} options.to - exclusive
 * @param {number} options.threads
 * @param {(from: number, records: Uint8Array) => void} options.add - called with the records from index `from` on, as
 *   batches are ready, in any order
 * @param {AbortSignal} [options.signal]
 * @throws when the signal aborts, or what a thread failed with
 */
async function makeRecordsInParallel(source, { from, to, threads, add, signal }) {
  const script = new URL('./registrant-worker.js', import.meta.url)
  const length = Math.min(threads, Math.ceil((to - from) / BATCH))
  const workers = Array.from({ length }, () => new Worker(script, { workerData: source }))
  let next = from
  const work = async (/** @type {Worker} */ worker) => {
    while (next < to) {
      const batch = { from: next, to: Math.min(to, next + BATCH) }
      next = batch.to
      worker.postMessage(batch)
      const [{ from, records }] = await once(worker, 'message', { signal })
      add(from, records)
    }
  }
  try {
    await Promise.all(workers.map(work))
  } finally {
    await Promise.all(workers.map(worker => worker.terminate()))
  }
}

const CHUNK_BYTES = 1 << 16

/**
 * encodeRegisterBodies yields the registrations of all registrants for the bulk preload of our server: Register bodies, each with its length
 * before it as a varint, in chunks of about 64 kB that end at the border of a body.
 *
 * @param {Registrants} registrants
 * @param {(index: number) => string} namespaceOf
 * @param {number} ttlSeconds
 * @returns {Generator<Buffer>}
 */
export function* encodeRegisterBodies(registrants, namespaceOf, ttlSeconds) {
  let chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  let filled = 0
  for (let index = 0; index < registrants.count; index++) {
    const body = encodeRegisterBody({
      ns: namespaceOf(index),
      signedPeerRecord: registrants.record(index),
      ttl: ttlSeconds
    })
    if (filled + countPrefixBytes(body.length) + body.length > chunk.length) {
      yield chunk.subarray(0, filled)
      // the reader may still hold the last chunk
      chunk = Buffer.allocUnsafe(CHUNK_BYTES)
      filled = 0
    }
    filled = writePrefix(chunk, filled, body.length)
    chunk.set(body, filled)
    filled += body.length
  }
  if (filled > 0) yield chunk.subarray(0, filled)
}

/**
 * @typedef {import('./rendezvous-client.js').RendezvousClient} RendezvousClient
 *
 * @typedef {object} OverWireOptions
 * @property {import('@multiformats/multiaddr').Multiaddr} server
 * @property {number} seed - of the plan
 * @property {number} count - registrants 0 to count − 1
 * @property {(index: number) => string} namespaceOf
 * @property {string} [recordDomain] - one of RecordDomain
 * @property {number} [concurrency] - registrants that connect at a time; default 8
 * @property {boolean} [stock] - their nodes are libp2p as published; default false
 * @property {number} [timeoutMs] - for one registrant, all attempts; default 30,000
 * @property {(done: number, total: number) => void} [onProgress]
 * @property {AbortSignal} [signal]
 */

// libp2p for JavaScript takes 10 connections at a time by default
const DEFAULT_CONCURRENCY = 8
const DEFAULT_TIMEOUT_MS = 30_000
const RETRY_DELAYS_MS = [250, 500, 1000, 2000, 4000]

/**
 * registerOverWire registers registrants at any rendezvous server, each as a libp2p node of its own that connects, registers and
 * disconnects. It stops at the first failure. Some registrants may be registered by then; unregisterOverWire with the same options removes
 * their registrations.
 *
 * @param {OverWireOptions & { ttlSeconds?: number }} options
 * @returns {Promise<number>} the least time to live that was granted, in seconds; Infinity where the server did not say
 * @throws {import('./errors.js').ClientError} with the index of the registrant in its message; or the signal's reason
 */
export async function registerOverWire({ ttlSeconds, ...options }) {
  let minTtl = Infinity
  await forEachRegistrant(options, async (client, index, signal) => {
    const granted = await client.register(options.server, options.namespaceOf(index), { ttlSeconds, signal })
    minTtl = Math.min(minTtl, granted ?? minTtl)
  })
  return minTtl
}

/**
 * unregisterOverWire removes registrations, connecting as each of the peers again. Registrations that do not exist do no harm.
 *
 * @param {OverWireOptions} options
 * @throws {import('./errors.js').ClientError} as registerOverWire
 */
export const unregisterOverWire = options =>
  forEachRegistrant(options, (client, index, signal) =>
    client.unregister(options.server, options.namespaceOf(index), { signal })
  )

/**
 * @param {OverWireOptions} options
 * @param {(client: RendezvousClient, index: number, signal: AbortSignal) => Promise<unknown>} operate
 */
async function forEachRegistrant(options, operate) {
  const { count, concurrency = DEFAULT_CONCURRENCY, onProgress = () => {}, signal } = options
  const failed = new AbortController()
  const stop = signal == null ? failed.signal : AbortSignal.any([signal, failed.signal])
  let next = 0
  let done = 0
  const work = async () => {
    while (next < count && !stop.aborted) {
      await runAsRegistrant(options, next++, stop, operate)
      onProgress(++done, count)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, () => work().catch(error => failed.abort(error))))
  signal?.throwIfAborted()
  failed.signal.throwIfAborted()
}

/**
 * @param {OverWireOptions} options
 * @param {number} index
 * @param {AbortSignal} stop
 * @param {(client: RendezvousClient, index: number, signal: AbortSignal) => Promise<unknown>} operate
 */
async function runAsRegistrant(options, index, stop, operate) {
  const { server, seed, recordDomain, stock, timeoutMs = DEFAULT_TIMEOUT_MS } = options
  const signal = limitSignal(stop, timeoutMs)
  const node = await createClientNode({
    privateKey: await deriveRegistrantKey(seed, index),
    localAddress: chooseClientAddress(server, index, process.platform),
    announce: [`${multiaddr(makeRegistrantAddress(index))}`],
    services: { rendezvous: rendezvousClient({ recordDomain }) },
    stock
  })
  await node.start()
  try {
    await withRetries(() => operate(node.services.rendezvous, index, signal), signal)
  } catch (error) {
    if (stop.aborted) throw stop.reason
    const failure = /** @type {Error} */ (error)
    failure.message = `registrant ${index}: ${failure.message}`
    throw failure
  } finally {
    await node.stop()
  }
}

/**
 * Servers with libp2p's defaults drop connections when many come from one host within a second: dropped ones are tried again. A refusal, or
 * a server that does not listen, is final.
 *
 * @param {() => Promise<unknown>} attempt
 * @param {AbortSignal} signal
 */
async function withRetries(attempt, signal) {
  for (const delayMs of RETRY_DELAYS_MS) {
    try {
      return await attempt()
    } catch (error) {
      const { code } = /** @type {{ code?: unknown }} */ (error ?? {})
      if (!DROPPED.has(code) || signal.aborted) throw error
      // jitter, so that the registrants do not all retry at once
      const jitteredMs = delayMs * (0.5 + Math.random())
      await sleep(jitteredMs, undefined, { signal }).catch(() => {
        throw error
      })
    }
  }
  return attempt()
}

/** @type {Set<unknown>} */
const DROPPED = new Set([ClientErrorCode.CONNECTION_DROPPED, ClientErrorCode.LOST, ClientErrorCode.RESET])
