// Docker images of our programs: what goes into them, how they are built, whether the server runs from one.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { init, parse } from 'es-module-lexer'
import { present } from '../kit/collections.js'
import { manifestOf, packageFolder, withDependencies } from '../kit/files.js'
import { DEFAULT_STACK, missingPackages, STACKS } from '../libp2p/stacks.js'
import { DockerError, engineWords, reachEngine, removeLeftovers } from './docker-engine.js'

/**
 * @typedef {object} ImageContext - what an image is built from
 * @property {string} root - folder that everything is in
 * @property {string} app - the project's folder in `root`; `.` for a clone
 * @property {string} dockerfile - path from `root`
 * @property {string[]} paths - files, and folders of packages, from `root`
 * @property {string} hash - of its code and of the versions of its packages
 */

/** PROJECT is the folder of this project. */
export const PROJECT = resolve(fileURLToPath(new URL('../../', import.meta.url)))

/** What describes the project. */
const DESCRIPTION = ['package.json', 'package-lock.json'].map(name => join(PROJECT, name))

/**
 * imageContext collects what an image is made of. A container runs the very versions of packages that a process does, and building
 * needs no package registry.
 *
 * @param {object} parts
 * @param {string} parts.dockerfile - from the project's folder
 * @param {Iterable<string>} parts.files - paths
 * @param {Iterable<string>} parts.packages - folders of those it needs; what they need follows
 * @returns {ImageContext}
 */
export function imageContext({ dockerfile, files, packages }) {
  const folders = [...withDependencies(packages)]
  const root = folders.reduce(commonFolder, PROJECT)
  const outermost = folders.filter(folder => !folders.some(other => folder.startsWith(other + sep)))
  const ours = [...new Set([join(PROJECT, dockerfile), ...files])]
  const all = new Set([...ours, ...DESCRIPTION.filter(existsSync), ...outermost])
  return {
    root,
    app: relative(root, PROJECT) || '.',
    dockerfile: relative(root, join(PROJECT, dockerfile)),
    paths: [...all].map(path => relative(root, path)).sort(),
    hash: hashOf(ours, folders.map(versionOf))
  }
}

/**
 * installed is the folder of a package that has to be there.
 *
 * @param {string} name
 * @param {string} from - folder of what imports it
 */
export function installed(name, from) {
  const folder = packageFolder(name, from)
  if (folder === null) throw new Error(`${name} is not installed: run npm ci`)
  return folder
}

/** @param {string} a @param {string} b @returns {string} at last the root, which ends with a separator of its own */
const commonFolder = (a, b) =>
  dirname(a) === a || `${b}${sep}`.startsWith(`${a}${sep}`) ? a : commonFolder(dirname(a), b)

/** @param {string} folder */
function versionOf(folder) {
  const { name, version } = manifestOf(folder)
  return `${name}@${version}`
}

/** @param {string[]} files @param {string[]} versions */
function hashOf(files, versions) {
  const hash = createHash('sha256')
  for (const file of files.toSorted())
    hash.update(relative(PROJECT, file)).update('\0').update(readFileSync(file))
  for (const version of versions.toSorted()) hash.update(version).update('\0')
  return hash.digest('hex').slice(0, 12)
}

const SERVER_FOLDER = join(PROJECT, 'src', 'server')

/** SERVER_DOCKERFILE of the server, from the project's folder. */
export const SERVER_DOCKERFILE = 'src/server/Dockerfile'

/** What the server begins with, and a file that no import leads to: the container's health check. */
const SERVER_ENTRIES = ['main.js', 'health-check.js'].map(name => join(SERVER_FOLDER, name))

/**
 * serverContext collects what the server, or another program, needs to run: its files, whatever they import, and the installed packages
 * they need.
 *
 * @param {readonly string[]} [entries] - paths of what it begins with; default: the server's
 * @returns {Promise<ImageContext>}
 */
export async function serverContext(entries = SERVER_ENTRIES) {
  const { files, packages } = await importsOf(...entries)
  const lacking = new Set(otherStacks().flatMap(name => missingPackages(name)))
  const needed = [...packages].filter(([name]) => !lacking.has(name))
  const folders = needed.map(([name, from]) => installed(name, from))
  return imageContext({ dockerfile: SERVER_DOCKERFILE, files, packages: folders })
}

/** Stacks that what is in the image runs on where their packages are here. Which one is said when it starts. */
const otherStacks = () => [...STACKS.keys()].filter(name => name !== DEFAULT_STACK)

/**
 * importsOf gives every file of ours that a program can run, and the packages they import.
 *
 * @param {...string} entries - paths: of the program, and of files that no import leads to
 * @returns {Promise<{ files: Set<string>, packages: Map<string, string> }>} `packages`: name, and a folder that imports it
 */
async function importsOf(...entries) {
  await init()
  const files = new Set(entries)
  const packages = new Map()
  // a Set is walked to what is added meanwhile
  for (const file of files) {
    const [imports] = parse(readFileSync(file, 'utf8'))
    for (const { specifier: module } of imports) {
      if (module?.startsWith('.')) files.add(resolve(dirname(file), module))
      else if (module != null && !module.startsWith('node:')) packages.set(packageName(module), dirname(file))
    }
  }
  return { files, packages }
}

/** @param {string} module - such as `@libp2p/crypto/keys` */
const packageName = module =>
  module
    .split('/')
    .slice(0, module.startsWith('@') ? 2 : 1)
    .join('/')

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
 * @param {OnProgress} [options.onProgress]
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
 * @typedef {import('./docker-engine.js').Engine} Engine
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
 * @property {() => Promise<ImageContext>} context - what it is built from
 */

/** @type {Program} */
const SERVER_IMAGE = {
  repository: 'libp2p-loadtest-server',
  what: "the server's image",
  context: serverContext
}
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
  { program = SERVER_IMAGE, nodeImage = null, pull = true, force = false, signal, onProgress } = {}
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

/**
 * @typedef {Pick<import('../scenarios/rendezvous/options.js').Plan, 'server' | 'cpus' | 'memoryBytes' | 'faults'>} Plan
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

/** TOOL_DOCKERFILE of this tool, from the project's folder. */
export const TOOL_DOCKERFILE = 'src/target/docker/tool.Dockerfile'

/** Of the project's folder. Scenarios and processes are found by their paths, which no import leads to: all of it. */
const FOLDERS = ['src', 'benchmarks']

/** TOOL is this tool as a program that runs in containers. @type {Program} */
export const TOOL = Object.freeze({
  repository: 'libp2p-loadtest-tool',
  what: "the tool's image",
  context: toolContext
})

/**
 * toolContext collects what this tool needs to run, as npm would install it: its code and matrices, packages it needs, and those it can
 * do without that are here.
 *
 * @returns {Promise<ImageContext>}
 */
async function toolContext() {
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(PROJECT, 'package.json'), 'utf8')
  )
  const needed = Object.keys(dependencies).map(name => installed(name, PROJECT))
  const more = Object.keys(optionalDependencies)
    .map(name => packageFolder(name, PROJECT))
    .filter(folder => folder !== null)
  const files = [join(PROJECT, 'index.js'), ...FOLDERS.flatMap(filesIn)]
  return imageContext({ dockerfile: TOOL_DOCKERFILE, files, packages: [...needed, ...more] })
}

/** @param {string} folder - of the project */
const filesIn = folder =>
  readdirSync(join(PROJECT, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))

/**
 * @typedef {{ done: number, total: number, unit: string, text: string }} Progress
 * @typedef {(progress: Progress) => void} OnProgress
 *
 * @typedef {object} Message - of an engine that builds or pulls
 * @property {string} [stream]
 * @property {string} [status]
 * @property {string} [id] - of a layer
 * @property {string} [error]
 */

/** @type {readonly string[]} */
const LAYER_DONE = ['Pull complete', 'Already exists']

/**
 * followed waits until an engine has built or pulled something.
 *
 * @param {import('dockerode')} docker
 * @param {NodeJS.ReadableStream} stream - of its messages
 * @param {OnProgress} onProgress
 * @throws {Error} what the engine gives as the reason
 */
export function followed(docker, stream, onProgress) {
  const progressOf = progressReader()
  return new Promise((resolve, reject) => {
    /** @param {Error | null} error @param {Message[]} messages */
    function onFinished(error, messages) {
      const reason = messages.find(message => message.error)?.error
      if (error) reject(error)
      else if (reason) reject(new Error(reason.trim()))
      else resolve(undefined)
    }
    docker.modem.followProgress(stream, onFinished, message => {
      const progress = progressOf(message)
      if (progress !== null) onProgress(progress)
    })
  })
}

/**
 * progressReader makes progress of an engine's messages: steps of a build, layers of a pull.
 *
 * @returns {(message: Message) => Progress | null}
 */
export function progressReader() {
  const layers = new Map()
  return ({ stream, status = '', id }) => {
    const step = /^Step (\d+)\/(\d+) : (.*)/.exec(stream ?? '')
    if (step !== null)
      return { done: Number(step[1]), total: Number(step[2]), unit: 'steps of its image', text: step[3] }
    if (id === undefined || !/^[0-9a-f]{12}$/.test(id)) return null
    const done = LAYER_DONE.includes(status)
    if (layers.get(id) === done) return null
    layers.set(id, done)
    const complete = [...layers.values()].filter(Boolean).length
    return {
      done: complete,
      total: layers.size,
      unit: 'layers of its base image',
      text: `${id} ${status.toLowerCase()}`
    }
  }
}
