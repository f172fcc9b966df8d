import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { usableCores } from '../kit/control-group.js'
import { RecordDomain } from '../protocol/signed-record.js'
import { readRegistrantCache, writeRegistrantCache } from './registrant-cache.js'
import { makeRecords, registrantRecord } from './registrant-records.js'

/**
 * @typedef {import('./registrant-records.js').RecordSource} RecordSource
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
