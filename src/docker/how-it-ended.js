import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { isEngineGone } from './docker-error.js'

/** Above this, an exit code stands for a signal. */
const SIGNALLED = 128

/** An engine that is killed leaves its socket a little later, or is back. */
const LOOK_AFTER_MS = 500

/**
 * endOf waits for the end of a container. An engine that is gone leaves whoever waits waiting: that what was attached is closed tells of it.
 *
 * @param {import('dockerode').Container} container
 * @param {Promise<void>} closed - what was attached to it
 * @returns {Promise<{ StatusCode: number }>}
 * @throws {Error} the engine is gone
 */
export const endOf = (container, closed) =>
  new Promise((resolve, reject) => {
    container.wait().then(resolve, reject)
    closed
      .then(() => sleep(LOOK_AFTER_MS, undefined, { ref: false }))
      .then(() => container.inspect())
      .then(
        ({ State }) => {
          if (!State.Running) resolve({ StatusCode: State.ExitCode })
        },
        error => {
          if (isEngineGone(error)) reject(error)
        }
      )
  })

/**
 * howItEnded says what a container ended with.
 *
 * @param {import('dockerode').Container} container
 * @param {number} code - its exit code
 * @param {string} flag - that limits its memory
 * @returns {Promise<string>}
 */
export async function howItEnded(container, code, flag) {
  const inspected = await container.inspect().catch(() => null) // removed already
  if (inspected?.State.OOMKilled)
    return `no memory left: it needed more than it was allowed and was killed (raise ${flag})`
  const [signal] = Object.entries(constants.signals).find(([, number]) => number === code - SIGNALLED) ?? []
  return signal === undefined ? `exit code ${code}` : `signal ${signal}`
}
