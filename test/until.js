import { setTimeout as sleep } from 'node:timers/promises'

/** Far beyond what a busy machine takes; what has not come by then does not come. */
const MAX_MS = 300_000

/**
 * until waits for what must come, and fails when it does not: a test that waited without end would hold up all others.
 *
 * @param {() => boolean | Promise<boolean>} done
 * @param {{ mostMs?: number, everyMs?: number }} [times]
 * @throws {Error} it did not come
 */
export async function until(done, { mostMs = MAX_MS, everyMs = 5 } = {}) {
  const since = performance.now()
  while (!(await done())) {
    if (performance.now() - since > mostMs) throw new Error(`not after ${mostMs} ms: ${done}`)
    await sleep(everyMs)
  }
}
