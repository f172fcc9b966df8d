import { availableParallelism } from 'node:os'
import { RecordDomain } from '../protocol/signed-record.js'
import { readRegistrantCache, writeRegistrantCache } from './registrant-cache.js'
import { makeRecordsInParallel } from './registrant-pool.js'
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
  threads = availableParallelism(),
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
