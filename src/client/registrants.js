// Registrants: peers that a server holds registrations of before a measurement begins.
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { multiaddr } from '@multiformats/multiaddr'
import { makeFolder } from '../kit/files.js'
import { usableCores } from '../kit/linux.js'
import { within } from '../kit/time.js'
import { encodeRegisterBody, prefixBytes, writePrefix } from '../protocol/rendezvous.js'
import { RecordDomain } from '../protocol/signed-record.js'
import { clientAddressFor } from './dial.js'
import { ClientErrorCode } from './errors.js'
import { makeRecords, registrantAddress, registrantKey, registrantRecord } from './identities.js'
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
const FILES_KEPT = 8

/** @param {RecordSource} source */
const fileName = ({ seed, domain }) => `registrants-${seed}-${domain}.bin`

/**
 * readRegistrantCache reads the records kept for a seed and domain.
 *
 * @param {string} folder
 * @param {RecordSource} source
 * @param {{ recordBytes: number, count: number }} wanted - `count` records, or as many as there are
 * @returns {Promise<Buffer | null>} null when nothing is kept, or the file is damaged, cut short, or something else
 * @throws what the file system says, except that the file is missing
 */
export async function readRegistrantCache(folder, source, { recordBytes, count }) {
  const path = join(folder, fileName(source))
  const file = await openIfThere(path)
  if (file == null) return null
  try {
    const header = await readHeader(file)
    if (header == null || !isFor(header, source, recordBytes)) return null
    if ((await file.stat()).size !== HEADER_BYTES + header.count * recordBytes) return null
    const { bytes, sha256 } = await readRecords(file, Math.min(count, header.count) * recordBytes)
    if (sha256 !== header.sha256) return null
    // the files used last are kept
    await file.utimes(new Date(), new Date()).catch(() => {})
    return bytes
  } finally {
    await file.close()
  }
}

/**
 * writeRegistrantCache replaces what is kept for a seed and domain. Readers see the old file or the new one, never a
 * part. Of the files in the folder only the ones used last are kept.
 *
 * @param {string} folder - made when it is missing
 * @param {RecordSource} source
 * @param {{ records: Buffer, count: number }} content
 */
export async function writeRegistrantCache(folder, source, { records, count }) {
  await makeFolder(folder)
  const path = join(folder, fileName(source))
  const temporary = `${path}.${randomUUID()}.tmp`
  try {
    await writeParts(temporary, [headerOf(source, records, count), records])
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await removeOldest(folder)
}

/** @param {string} path @returns {Promise<FileHandle | null>} */
async function openIfThere(path) {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return null
    throw error
  }
}

/** @param {FileHandle} file @returns {Promise<Header | null>} */
async function readHeader(file) {
  const { buffer } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0)
  try {
    return JSON.parse(buffer.toString())
  } catch {
    return null
  }
}

/** @param {Header} header @param {RecordSource} source @param {number} recordBytes */
const isFor = (header, { seed, domain }, recordBytes) =>
  header.magic === MAGIC &&
  header.version === VERSION &&
  header.seed === seed &&
  header.domain === domain &&
  header.recordBytes === recordBytes

/**
 * Reads all records for the checksum, and keeps the first of them.
 *
 * @param {FileHandle} file
 * @param {number} keptBytes
 */
async function readRecords(file, keptBytes) {
  const bytes = Buffer.alloc(keptBytes)
  const hash = createHash('sha256')
  let at = 0
  for await (const chunk of file.createReadStream({ start: HEADER_BYTES, autoClose: false })) {
    hash.update(chunk)
    if (at < keptBytes) chunk.copy(bytes, at)
    at += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** @param {RecordSource} source @param {Buffer} records @param {number} count */
function headerOf({ seed, domain }, records, count) {
  const sha256 = createHash('sha256').update(records).digest('hex')
  /** @type {Header} */
  const header = {
    magic: MAGIC,
    version: VERSION,
    seed,
    domain,
    count,
    recordBytes: records.length / count,
    sha256
  }
  return Buffer.from(`${JSON.stringify(header).padEnd(HEADER_BYTES - 1)}\n`)
}

/** @param {string} path @param {Buffer[]} parts */
async function writeParts(path, parts) {
  const file = await open(path, 'wx')
  try {
    await file.writev(parts)
  } finally {
    await file.close()
  }
}

/** @param {string} folder */
async function removeOldest(folder) {
  const names = (await readdir(folder)).filter(name => /^registrants-.*\.bin$/.test(name))
  const files = await Promise.all(
    names.map(async name => ({ name, usedMs: (await stat(join(folder, name))).mtimeMs }))
  )
  files.sort((a, b) => b.usedMs - a.usedMs)
  await Promise.all(files.slice(FILES_KEPT).map(({ name }) => rm(join(folder, name), { force: true })))
}

/**
 * @typedef {object} Registrants - peers that are registered before a measurement, with their signed records
 * @property {number} seed - of the plan
 * @property {string} domain
 * @property {number} count
 * @property {(index: number) => Buffer} record - the marshalled envelope of a registrant, a view into one large buffer
 * @property {number} reused - how many came from the cache
 * @property {unknown} [cacheProblem] - why the cache could not be read or written; the records are good all the same
 */

// fewer are made faster than threads start
const THREADS_FROM = 1000

/**
 * loadRegistrants gives the signed records of the first `count` registrants of a seed: from the cache as far as it has
 * them, the rest made now, several thousand a second and core, and kept. It does not hold up the calling thread.
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
  threads = usableCores(),
  onProgress = () => {},
  signal
}) {
  signal?.throwIfAborted()
  const source = { seed, domain }
  const cache = cacheDir == null ? noCache : cacheIn(cacheDir, source)
  const recordBytes = (await registrantRecord(source, 0)).length
  const kept = await cache.read({ recordBytes, count })
  const reused = kept.length / recordBytes
  const records = Buffer.alloc(count * recordBytes)
  kept.copy(records)
  onProgress(reused, count)

  let done = reused
  /** @param {number} from @param {Uint8Array} made */
  const add = (from, made) => {
    records.set(made, from * recordBytes)
    done += made.length / recordBytes
    onProgress(done, count)
  }
  await fill(source, { from: reused, to: count, threads, add, signal })
  if (reused < count) await cache.write({ records, count })
  return {
    seed,
    domain,
    count,
    reused,
    cacheProblem: cache.problem,
    record: index => records.subarray(index * recordBytes, (index + 1) * recordBytes)
  }
}

/**
 * @param {RecordSource} source
 * @param {Parameters<typeof makeRecordsInParallel>[1]} options
 */
async function fill(source, options) {
  const { from, to, add, signal } = options
  try {
    if (to - from >= THREADS_FROM) await makeRecordsInParallel(source, options)
    else if (to > from) add(from, await makeRecords(source, { from, to, signal }))
  } catch (error) {
    // Node wraps the reason in an error of its own
    signal?.throwIfAborted()
    throw error
  }
}

/** @type {ReturnType<typeof cacheIn>} */
const noCache = { problem: undefined, read: async () => Buffer.alloc(0), write: async () => {} }

/**
 * A cache that cannot be read or written is a pity and no failure.
 *
 * @param {string} folder
 * @param {RecordSource} source
 */
function cacheIn(folder, source) {
  return {
    problem: /** @type {unknown} */ (undefined),
    /** @param {{ recordBytes: number, count: number }} wanted */
    async read(wanted) {
      try {
        return (await readRegistrantCache(folder, source, wanted)) ?? Buffer.alloc(0)
      } catch (error) {
        this.problem = error
        return Buffer.alloc(0)
      }
    },
    /** @param {{ records: Buffer, count: number }} content */
    async write(content) {
      try {
        await writeRegistrantCache(folder, source, content)
      } catch (error) {
        this.problem = error
      }
    }
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
  const batches = batchesOf(from, to)
  const wanted = Math.min(threads, Math.ceil((to - from) / BATCH))
  const workers = Array.from({ length: wanted }, () => startThread(source))
  try {
    await Promise.all(workers.map(worker => work(worker, batches, { add, signal })))
  } finally {
    await Promise.all(workers.map(worker => worker.terminate()))
  }
}

/** @param {RecordSource} source */
const startThread = ({ seed, domain }) =>
  new Worker(new URL('./registrant-worker.js', import.meta.url), { workerData: { seed, domain } })

/**
 * @param {Worker} worker
 * @param {Iterable<{ from: number, to: number }>} batches - shared with the other threads
 * @param {{ add: (from: number, records: Uint8Array) => void, signal?: AbortSignal }} options
 */
async function work(worker, batches, { add, signal }) {
  for (const batch of batches) {
    worker.postMessage(batch)
    const [{ from, records }] = await once(worker, 'message', { signal })
    add(from, records)
  }
}

/**
 * @param {number} from
 * @param {number} to
 */
function* batchesOf(from, to) {
  for (let start = from; start < to; start += BATCH) yield { from: start, to: Math.min(to, start + BATCH) }
}

const CHUNK_BYTES = 1 << 16

/**
 * registerBodies gives the registrations of all registrants as our server's bulk preload takes them: Register bodies,
 * each behind its length as a varint, cut into chunks of about 64 kB at the border of a body.
 *
 * @param {Registrants} registrants
 * @param {(index: number) => string} namespaceOf
 * @param {number} ttlSeconds
 * @returns {Generator<Buffer>}
 */
export function* registerBodies(registrants, namespaceOf, ttlSeconds) {
  let chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  let filled = 0
  for (let index = 0; index < registrants.count; index++) {
    const body = encodeRegisterBody({
      ns: namespaceOf(index),
      signedPeerRecord: registrants.record(index),
      ttl: ttlSeconds
    })
    if (filled + prefixBytes(body.length) + body.length > chunk.length) {
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
 * @property {number} [concurrency] - registrants under way at a time; default 8
 * @property {boolean} [stock] - their nodes are libp2p as published; default false
 * @property {number} [timeoutMs] - for one registrant, all attempts; default 30,000
 * @property {(done: number, total: number) => void} [onProgress]
 * @property {AbortSignal} [signal]
 */

// libp2p for JavaScript takes 10 connections at a time unless told otherwise
const DEFAULT_CONCURRENCY = 8
const DEFAULT_TIMEOUT_MS = 30_000
const RETRY_DELAYS_MS = [250, 500, 1000, 2000, 4000]

/**
 * registerOverWire registers registrants at any rendezvous server, each as a libp2p node of its own that connects,
 * registers and leaves. It stops at the first that fails: registrants before and about it may be registered by then, and
 * unregisterOverWire with the same options takes back whatever is there.
 *
 * @param {OverWireOptions & { ttlSeconds?: number }} options
 * @returns {Promise<number>} the least time to live that was granted, in seconds; Infinity where the server did not say
 * @throws {import('./errors.js').ClientError} with the index of the registrant in its message; or the signal's reason
 */
export async function registerOverWire({ ttlSeconds, ...options }) {
  let leastTtl = Infinity
  await forEachRegistrant(options, async (client, index, signal) => {
    const granted = await client.register(options.server, options.namespaceOf(index), { ttlSeconds, signal })
    leastTtl = Math.min(leastTtl, granted ?? leastTtl)
  })
  return leastTtl
}

/**
 * unregisterOverWire takes registrations back, connecting as each of the peers again. Those that were not there do no
 * harm.
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
  const indexes = range(count)
  let done = 0
  const work = async () => {
    for (const index of indexes) {
      await asRegistrant(options, index, stop, operate)
      onProgress(++done, count)
    }
  }
  const workAndReport = () => work().catch(error => failed.abort(error))
  await Promise.all(Array.from({ length: concurrency }, workAndReport))
  signal?.throwIfAborted()
  failed.signal.throwIfAborted()
}

/**
 * @param {OverWireOptions} options
 * @param {number} index
 * @param {AbortSignal} stop
 * @param {(client: RendezvousClient, index: number, signal: AbortSignal) => Promise<unknown>} operate
 */
async function asRegistrant(
  { server, seed, recordDomain, stock, timeoutMs = DEFAULT_TIMEOUT_MS },
  index,
  stop,
  operate
) {
  const signal = within(stop, timeoutMs)
  const node = await createClientNode({
    privateKey: await registrantKey(seed, index),
    localAddress: clientAddressFor(server, index, process.platform),
    announce: [`${multiaddr(registrantAddress(index))}`],
    services: { rendezvous: rendezvousClient({ recordDomain }) },
    stock
  })
  await node.start()
  try {
    await withRetries(() => operate(node.services.rendezvous, index, signal), signal)
  } catch (error) {
    throw stop.aborted ? stop.reason : naming(error, index)
  } finally {
    await node.stop()
  }
}

/**
 * Servers with libp2p's defaults drop connections when many come from one host within a second: those are tried again.
 * A server that refuses, or does not listen, is not.
 *
 * @param {() => Promise<unknown>} attempt
 * @param {AbortSignal} signal
 */
async function withRetries(attempt, signal) {
  for (const delayMs of RETRY_DELAYS_MS) {
    try {
      return await attempt()
    } catch (error) {
      if (!isDropped(error) || signal.aborted) throw error
      // not all together again
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

/** @param {unknown} error */
const isDropped = error => DROPPED.has(/** @type {{ code?: unknown }} */ (error)?.code)

/** @param {any} error @param {number} index */
function naming(error, index) {
  error.message = `registrant ${index}: ${error.message}`
  return error
}

/** @param {number} count */
function* range(count) {
  for (let index = 0; index < count; index++) yield index
}
