import { setTimeout as sleep } from 'node:timers/promises'

/** Of an address that many connect from a server takes few connections a second. */
const TRIES = 20
const TRY_AGAIN_AFTER_MS = 250

/**
 * letIn does what needs a connection, again and again for a while: what a server refuses an address now it takes later.
 *
 * @template T
 * @param {() => Promise<T>} act
 * @returns {Promise<T>}
 */
export async function letIn(act) {
  for (let tries = 1; ; tries++) {
    try {
      return await act()
    } catch (error) {
      if (tries === TRIES) throw error
      await sleep(TRY_AGAIN_AFTER_MS)
    }
  }
}
