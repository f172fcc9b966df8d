import { timeLimit } from '../../../kit/time-limit.js'
import { changesState } from '../../../load/load-length.js'
import { takeBack } from './registrations.js'

/** Time to leave a server of others as it was, after a run that was broken off. */
const AFTER_FAILURE_MS = 10_000

/**
 * takeEverythingBack unregisters at a server of others what a run registered there, as far as time allows.
 *
 * @param {object} options
 * @param {import('../../../plan/plan.js').Plan} options.plan
 * @param {boolean} options.failed - the run was broken off: little time, and the clients' own registrations are still there
 * @param {import('./pool.js').WorkerPool | null} options.pool
 * @param {number} options.operations - that were measured
 * @param {(signal: AbortSignal, onProgress: (done: number) => void) => import('./registrations.js').PreloadOptions} options.preloaded
 * @returns {Promise<number>} how many registrations stay at most, until their time to live has passed
 */
export async function takeEverythingBack({ plan, failed, pool, operations, preloaded }) {
  const signal = failed ? timeLimit(AFTER_FAILURE_MS) : new AbortController().signal
  const restored = !failed || (await within(signal, pool?.restore()))
  const leftByClients = restored || !changesState(plan) ? 0 : operations
  if (plan.initialRegistrations === 0) return leftByClients
  let takenBack = 0
  const options = preloaded(signal, done => {
    takenBack = done
  })
  // what could not be taken back is counted
  await takeBack(options).catch(() => {})
  return leftByClients + plan.initialRegistrations - takenBack
}

/**
 * @param {AbortSignal} signal
 * @param {Promise<unknown> | undefined} work
 * @returns {Promise<boolean>} whether it was done in time
 */
async function within(signal, work) {
  const late = new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  return Promise.race([work, late]).then(
    () => true,
    () => false
  )
}
