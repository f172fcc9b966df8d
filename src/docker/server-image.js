import { baseImage } from './base-image.js'
import { DockerError, engineWords } from './docker-error.js'
import { followed } from './progress.js'
import { serverContext } from './server-context.js'

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
