import { constants } from 'node:os'

/** Above this, an exit code stands for a signal. */
const SIGNALLED = 128

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
