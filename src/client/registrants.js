import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { usableCores } from '../kit/control-group.js'
import { makeFolder } from '../kit/folders.js'
import { RecordDomain } from '../protocol/signed-record.js'
import { makeRecords, registrantRecord } from './registrant-records.js'

/**
 * @typedef {import('./registrant-records.js').RecordSource} RecordSource
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
 *
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
