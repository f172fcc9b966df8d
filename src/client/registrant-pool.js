import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** @typedef {import('./registrant-records.js').RecordSource} RecordSource */

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
export async function makeRecordsInParallel(source, { from, to, threads, add, signal }) {
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
