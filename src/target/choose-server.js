import { DockerError } from '../docker/docker-error.js'
import { reachEngine } from '../docker/engine.js'
import { removeLeftovers } from '../docker/run-objects.js'
import { buildServerImage } from '../docker/server-image.js'
import { present } from '../kit/lists.js'

/**
 * @typedef {Pick<import('../plan/plan.js').Plan, 'server' | 'cpus' | 'memoryBytes' | 'faults'>} Plan
 * @typedef {import('../docker/engine.js').Engine} Engine
 * @typedef {import('../docker/server-image.js').ServerImage} ServerImage
 *
 * @typedef {{ engine: Engine, image: ServerImage, why: string | null }} InDocker
 * @typedef {{ engine: null, image: null, why: string }} InProcess
 */

/**
 * chooseServer decides where our server runs. The image is built if it has to be; its base is pulled with --server docker alone. With
 * --server auto the server runs in a process where there is no engine, or no base to build on.
 *
 * @param {Plan} plan - with --server docker or auto
 * @param {Parameters<typeof buildServerImage>[1] & { held?: 'process' | 'docker' }} options - `held`: where an earlier run of the study had it
 * @returns {Promise<InDocker | InProcess>}
 * @throws {DockerError} NO_ENGINE, NO_IMAGE, BASE_IMAGE_NOT_PULLED, IMAGE_NOT_BUILT
 */
export async function chooseServer(plan, { held, ...options }) {
  const asked = plan.server === 'docker' ? '--server docker' : limitsOf(plan)
  const needed = asked ?? (held === 'docker' ? 'a study whose first run had it there' : null)
  if (needed === null && held === 'process') return { engine: null, image: null, why: HELD }
  try {
    const engine = await reachEngine()
    await removeLeftovers(engine.docker)
    const pull = plan.server === 'docker'
    const { image } = await buildServerImage(engine, { ...options, pull })
    return { engine, image, why: pull ? null : 'an engine answers' }
  } catch (error) {
    if (!(error instanceof DockerError)) throw error
    if (needed === null) return { engine: null, image: null, why: error.message }
    throw new DockerError(error.code, `${needed} needs the server in Docker, but ${error.message}`)
  }
}

const HELD = 'the first run of the study had it in a process'

/** @param {Plan} plan @returns {string | null} what only a container can be limited by */
function limitsOf({ cpus, memoryBytes, faults }) {
  const limits = present([
    cpus !== null && '--cpus',
    memoryBytes !== null && '--memory',
    faults.some(({ kind }) => kind === 'cpu') && '--fault with cpu'
  ])
  return limits.length === 0 ? null : limits.join(' and ')
}
