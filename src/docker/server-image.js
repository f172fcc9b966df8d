import { DockerError, engineWords } from './docker-error.js'
import { followed } from './progress.js'
import { serverContext } from './server-context.js'

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

/**
 * @typedef {import('./engine.js').Engine} Engine
 * @typedef {import('./progress.js').OnProgress} OnProgress
 *
 * @typedef {object} ServerImage
 * @property {string} name - with its tag
 * @property {string} id
 * @property {string} base - name of the image it was built on
 * @property {string} node - version in it; `unknown` where its base does not say
 */

/**
 * @typedef {object} Program - that runs in containers
 * @property {string} repository - of its images
 * @property {string} what - it is called in messages
 * @property {() => Promise<import('./image-context.js').ImageContext>} context - what it is built from
 */

/** @type {Program} */
const SERVER = { repository: 'libp2p-loadtest-server', what: "the server's image", context: serverContext }
const BASE_LABEL = 'libp2p-loadtest.base'

/**
 * buildServerImage builds the image of the server, or of another program, unless it is there already.
 *
 * @param {Engine} engine
 * @param {object} [options]
 * @param {Program} [options.program]
 * @param {string | null} [options.nodeImage] - base; default: see baseImage
 * @param {boolean} [options.pull] - the base may be pulled; default true
 * @param {boolean} [options.force] - build even so, and without the engine's cache
 * @param {AbortSignal} [options.signal]
 * @param {OnProgress} [options.onProgress]
 * @returns {Promise<{ image: ServerImage, built: boolean }>}
 * @throws {DockerError} NO_IMAGE, BASE_IMAGE_NOT_PULLED, IMAGE_NOT_BUILT
 */
export async function buildServerImage(
  engine,
  { program = SERVER, nodeImage = null, pull = true, force = false, signal, onProgress } = {}
) {
  const { docker } = engine
  const { root, app, dockerfile, paths, hash } = await program.context()
  const name = `${program.repository}:${hash}`
  const present = await inspected(docker, name)
  if (present !== null && !force && (nodeImage === null || nodeImage === present.base))
    return { image: present, built: false }
  const base = await baseImage(docker, { nodeImage, pull, signal, onProgress })
  const build = docker.buildImage(
    { context: root, src: paths },
    {
      t: name,
      dockerfile,
      buildargs: { NODE_IMAGE: base, APP: app },
      labels: { [BASE_LABEL]: base },
      nocache: force,
      rm: true,
      forcerm: true,
      abortSignal: signal
    }
  )
  try {
    await followed(docker, await build, step => onProgress?.(step))
  } catch (cause) {
    signal?.throwIfAborted()
    const why = `${program.what} could not be built: ${engineWords(cause)}`
    throw new DockerError('IMAGE_NOT_BUILT', why)
  }
  return { image: /** @type {ServerImage} */ (await inspected(docker, name)), built: true }
}

/**
 * tagImage gives an image a further name.
 *
 * @param {Engine} engine
 * @param {ServerImage} image
 * @param {string} name - with or without a tag
 */
export async function tagImage({ docker }, image, name) {
  const [, repo, tag = 'latest'] = /** @type {RegExpExecArray} */ (/^(.*?)(?::([^/:]+))?$/.exec(name))
  await docker.getImage(image.id).tag({ repo, tag })
}

/**
 * @param {import('dockerode')} docker
 * @param {string} name
 * @returns {Promise<ServerImage | null>}
 */
async function inspected(docker, name) {
  try {
    const { Id, Config } = await docker.getImage(name).inspect()
    const version = Config.Env?.find(entry => entry.startsWith('NODE_VERSION='))?.split('=')[1]
    return { name, id: Id, base: Config.Labels?.[BASE_LABEL] ?? 'unknown', node: version ?? 'unknown' }
  } catch (error) {
    if (/** @type {{ statusCode?: number }} */ (error).statusCode === 404) return null
    throw error
  }
}
