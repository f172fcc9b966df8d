import { setTimeout as sleep } from 'node:timers/promises'
import { engineWords } from './docker-error.js'

const ATTEMPTS = 5
const AGAIN_AFTER_MS = 100

/**
 * freeze pauses a container. runc looks some times whether its processes stand still, and gives up ("unable to freeze") where they do not in
 * time, as on a machine whose cores are all busy; the container runs on then, and is asked again a few times.
 *
 * @param {Pick<import('dockerode').Container, 'pause'>} container
 * @returns {Promise<void>}
 * @throws {Error} what the engine says, of another reason at once
 */
export async function freeze(container) {
  for (let attempt = 1; ; attempt++)
    try {
      await container.pause()
      return
    } catch (error) {
      if (attempt === ATTEMPTS || !/unable to freeze/.test(engineWords(error))) throw error
      await sleep(AGAIN_AFTER_MS)
    }
}
