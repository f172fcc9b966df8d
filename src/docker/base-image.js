import { DockerError, engineWords } from './docker-error.js'
import { followed } from './progress.js'

/** Made by scripts/base-image.sh from this machine's own Node. */
const HOME_MADE = 'libp2p-loadtest-node:latest'

/** As in the Dockerfile. */
const OFFICIAL = 'node:22-slim'

const MAKE_ONE = 'scripts/base-image.sh makes one from the Node of this machine'

/**
 * baseImage sees to it that an image with Node is there to build on: the one asked for, else one that scripts/base-image.sh has
 * made, else the official one, which is pulled if it is missing and may be.
 *
 * @param {import('dockerode')} docker
 * @param {object} options
 * @param {string | null} options.nodeImage
 * @param {boolean} [options.pull] - it may be; default true
 * @param {AbortSignal} [options.signal]
 * @param {import('./progress.js').OnProgress} [options.onProgress]
 * @returns {Promise<string>} its name
 * @throws {DockerError} BASE_IMAGE_NOT_PULLED, NO_IMAGE
 */
export async function baseImage(docker, { nodeImage, pull = true, signal, onProgress }) {
  for (const name of nodeImage === null ? [HOME_MADE, OFFICIAL] : [nodeImage])
    if (await isThere(docker, name)) return name
  const name = nodeImage ?? OFFICIAL
  if (!pull)
    throw new DockerError(
      'NO_IMAGE',
      `there is no base image to build on: --server docker pulls ${OFFICIAL}, ${MAKE_ONE}`
    )
  try {
    const stream = await docker.pull(name, { abortSignal: signal })
    await followed(docker, stream, progress => onProgress?.(progress))
    return name
  } catch (cause) {
    signal?.throwIfAborted()
    const why = `the base image ${name} could not be pulled (${engineWords(cause)}): ${MAKE_ONE}`
    throw new DockerError('BASE_IMAGE_NOT_PULLED', why)
  }
}

/** @param {import('dockerode')} docker @param {string} name */
const isThere = (docker, name) =>
  docker
    .getImage(name)
    .inspect()
    .then(
      () => true,
      error => {
        if (error.statusCode === 404) return false
        throw error
      }
    )
