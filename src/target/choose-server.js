import { DockerError } from '../docker/docker-error.js'
import { reachEngine } from '../docker/engine.js'
import { removeLeftovers } from '../docker/run-objects.js'
import { BUILD_COMMAND, buildServerImage, findServerImage } from '../docker/server-image.js'
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
 * chooseServer decides where our server runs. With --server docker the image is built if it has to be; with --server auto
 * nothing is built: without an engine and an image the server runs in a process.
 *
 * @param {Plan} plan - with --server docker or auto
 * @param {Parameters<typeof buildServerImage>[1]} options - with --server docker
 * @returns {Promise<InDocker | InProcess>}
 * @throws {DockerError} NO_ENGINE, NO_IMAGE, BASE_IMAGE_NOT_PULLED, IMAGE_NOT_BUILT
 */
export async function chooseServer(plan, options) {
  const needed = plan.server === 'docker' ? '--server docker' : limitsOf(plan)
  try {
    const engine = await reachEngine()
    await removeLeftovers(engine.docker)
    return plan.server === 'docker' ? await builtImage(engine, options) : await readyImage(engine)
  } catch (error) {
    if (!(error instanceof DockerError)) throw error
    if (needed === null) return { engine: null, image: null, why: error.message }
    throw new DockerError(error.code, `${needed} needs the server in Docker, but ${error.message}`)
  }
}

/**
 * @param {Engine} engine
 * @param {Parameters<typeof buildServerImage>[1]} options
 * @returns {Promise<InDocker>}
 */
async function builtImage(engine, options) {
  const { image } = await buildServerImage(engine, options)
  return { engine, image, why: null }
}

/** @param {Engine} engine @returns {Promise<InDocker>} */
async function readyImage(engine) {
  const { image, missing } = await findServerImage(engine)
  if (image === null) throw new DockerError('NO_IMAGE', `${missing} (${BUILD_COMMAND} builds it)`)
  return { engine, image, why: 'an engine answers and the image is there' }
}

/** @param {Plan} plan @returns {string | null} what only a container can be limited by */
function limitsOf({ cpus, memoryBytes, faults }) {
  const limits = present([
    cpus !== null && '--cpus',
    memoryBytes !== null && '--memory',
    faults.some(({ kind }) => kind === 'cpu') && '--fault with cpu'
  ])
  return limits.length === 0 ? null : limits.join(' and ')
}
