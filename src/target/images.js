// Builds the Docker images of our server and this tool from installed files. Also decides whether the server runs in
// Docker or a process.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { init, parse } from 'es-module-lexer'
import { omitMissing } from '../kit/collections.js'
import { findPackageFolder, findPackagesWithDependencies, readManifest } from '../kit/files.js'
import { DEFAULT_STACK, listMissingPackages, STACKS } from '../libp2p/stacks.js'
import { DockerError, describeEngineError, reachEngine, removeLeftovers } from './docker-engine.js'

/**
 * @typedef {object} ImageContext - the files that an image is built from
 * @property {string} root - folder that contains all of them
 * @property {string} app - the project's folder in `root`; `.` for a clone
 * @property {string} dockerfile - path from `root`
 * @property {string[]} paths - files, and folders of packages, from `root`
 * @property {string} hash - of its code and of the versions of its packages
 */

/** PROJECT is the folder of this project. */
export const PROJECT = resolve(fileURLToPath(new URL('../../', import.meta.url)))

/**
 * collectImageContext collects the files of an image. A container runs the same versions of packages as a process on this machine, and the build
 * needs no package registry.
 *
 * @param {object} parts
 * @param {string} parts.dockerfile - from the project's folder
 * @param {Iterable<string>} parts.files - paths
 * @param {Iterable<string>} parts.packages - folders of the needed packages; their dependencies are added
 * @returns {ImageContext}
 */
export function collectImageContext({ dockerfile, files, packages }) {
  const folders = [...findPackagesWithDependencies(packages)]
  const root = folders.reduce(findCommonFolder, PROJECT)
  const outermost = folders.filter(folder => !folders.some(other => folder.startsWith(other + sep)))
  const ours = [...new Set([join(PROJECT, dockerfile), ...files])]
  const manifests = ['package.json', 'package-lock.json'].map(name => join(PROJECT, name)).filter(existsSync)
  const hash = createHash('sha256')
  for (const file of ours.toSorted())
    hash.update(relative(PROJECT, file)).update('\0').update(readFileSync(file))
  const versions = folders.map(readManifest).map(({ name, version }) => `${name}@${version}`)
  for (const version of versions.sort()) hash.update(version).update('\0')
  return {
    root,
    app: relative(root, PROJECT) || '.',
    dockerfile: relative(root, join(PROJECT, dockerfile)),
    paths: [...new Set([...ours, ...manifests, ...outermost])].map(path => relative(root, path)).sort(),
    hash: hash.digest('hex').slice(0, 12)
  }
}

/**
 * findInstalledPackage finds the folder of a package that must be installed.
 *
 * @param {string} name
 * @param {string} from - folder of the importing module
 */
export function findInstalledPackage(name, from) {
  const folder = findPackageFolder(name, from)
  if (folder === null) throw new Error(`${name} is not installed: run npm ci`)
  return folder
}

/** @param {string} a @param {string} b @returns {string} at last the root, which ends with a separator of its own */
const findCommonFolder = (a, b) =>
  dirname(a) === a || `${b}${sep}`.startsWith(`${a}${sep}`) ? a : findCommonFolder(dirname(a), b)

/** SERVER_DOCKERFILE of the server, from the project's folder. */
export const SERVER_DOCKERFILE = 'src/server/Dockerfile'

/** The main module of the server, and the container's health check, which no module imports. */
const SERVER_ENTRIES = ['main.js', 'health-check.js'].map(name => join(PROJECT, 'src', 'server', name))

/**
 * collectServerContext collects the files of the server, or of another program: its modules, the modules they import, and the installed packages
 * they need.
 *
 * @param {readonly string[]} [entries] - paths of its first modules; default: the server's
 * @returns {Promise<ImageContext>}
 */
export async function collectServerContext(entries = SERVER_ENTRIES) {
  const { files, packages } = await findImports(...entries)
  // other stacks are optional: the server reports a missing one when it starts
  const otherStacks = [...STACKS.keys()].filter(name => name !== DEFAULT_STACK)
  const lacking = new Set(otherStacks.flatMap(name => listMissingPackages(name)))
  const needed = [...packages].filter(([name]) => !lacking.has(name))
  const folders = needed.map(([name, from]) => findInstalledPackage(name, from))
  return collectImageContext({ dockerfile: SERVER_DOCKERFILE, files, packages: folders })
}

/**
 * findImports finds the modules of ours that a program can load, and the packages they import.
 *
 * @param {...string} entries - paths: of the program, and of modules that no module imports
 * @returns {Promise<{ files: Set<string>, packages: Map<string, string> }>} `packages`: name, and a folder that imports it
 */
async function findImports(...entries) {
  await init()
  const files = new Set(entries)
  const packages = new Map()
  // the loop also visits files that are added to the Set meanwhile
  for (const file of files) {
    const [imports] = parse(readFileSync(file, 'utf8'))
    for (const { specifier: module } of imports) {
      if (module?.startsWith('.')) files.add(resolve(dirname(file), module))
      else if (module != null && !module.startsWith('node:'))
        packages.set(module.split('/', module.startsWith('@') ? 2 : 1).join('/'), dirname(file))
    }
  }
  return { files, packages }
}

/** Made by scripts/base-image.sh from this machine's own Node. */
const LOCAL_BASE = 'libp2p-loadtest-node:latest'

/** As in the Dockerfile. */
const OFFICIAL = 'node:22-slim'

const MAKE_ONE = 'scripts/base-image.sh makes one from the Node of this machine'

/**
 * findBaseImage finds an image with Node to build on: the requested one, else one made by scripts/base-image.sh, else the official one, which
 * is pulled if it is missing and `pull` allows it.
 *
 * @param {import('dockerode')} docker
 * @param {object} options
 * @param {string | null} options.nodeImage
 * @param {boolean} [options.pull] - a missing image may be pulled; default true
 * @param {AbortSignal} [options.signal]
 * @param {OnProgress} [options.onProgress]
 * @returns {Promise<string>} its name
 * @throws {DockerError} BASE_IMAGE_NOT_PULLED, NO_IMAGE
 */
export async function findBaseImage(docker, { nodeImage, pull = true, signal, onProgress }) {
  for (const name of nodeImage === null ? [LOCAL_BASE, OFFICIAL] : [nodeImage])
    if ((await inspectImage(docker, name)) !== null) return name
  const name = nodeImage ?? OFFICIAL
  if (!pull)
    throw new DockerError(
      'NO_IMAGE',
      `there is no base image to build on: --server docker pulls ${OFFICIAL}, ${MAKE_ONE}`
    )
  try {
    const stream = await docker.pull(name, { abortSignal: signal })
    await awaitEngineProgress(docker, stream, progress => onProgress?.(progress))
    return name
  } catch (cause) {
    signal?.throwIfAborted()
    const why = `the base image ${name} could not be pulled (${describeEngineError(cause)}): ${MAKE_ONE}`
    throw new DockerError('BASE_IMAGE_NOT_PULLED', why)
  }
}

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
 * @property {string} what - its name in messages
 * @property {() => Promise<ImageContext>} context - the files that they are built from
 */

/** @type {Program} */
const SERVER_IMAGE = {
  repository: 'libp2p-loadtest-server',
  what: "the server's image",
  context: collectServerContext
}
const BASE_LABEL = 'libp2p-loadtest.base'

/**
 * buildServerImage builds the image of the server, or of another program, unless it exists already.
 *
 * @param {Engine} engine
 * @param {object} [options]
 * @param {Program} [options.program]
 * @param {string | null} [options.nodeImage] - base; default: see findBaseImage
 * @param {boolean} [options.pull] - the base may be pulled; default true
 * @param {boolean} [options.force] - build in any case, and without the engine's cache
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
  const present = await readServerImage(docker, name)
  if (present !== null && !force && (nodeImage === null || nodeImage === present.base))
    return { image: present, built: false }
  const base = await findBaseImage(docker, { nodeImage, pull, signal, onProgress })
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
    await awaitEngineProgress(docker, await build, step => onProgress?.(step))
  } catch (cause) {
    signal?.throwIfAborted()
    throw new DockerError(
      'IMAGE_NOT_BUILT',
      `${program.what} could not be built: ${describeEngineError(cause)}`
    )
  }
  return { image: /** @type {ServerImage} */ (await readServerImage(docker, name)), built: true }
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
async function readServerImage(docker, name) {
  const info = await inspectImage(docker, name)
  if (info === null) return null
  const { Id, Config } = info
  const version = Config.Env?.find(entry => entry.startsWith('NODE_VERSION='))?.split('=')[1]
  return { name, id: Id, base: Config.Labels?.[BASE_LABEL] ?? 'unknown', node: version ?? 'unknown' }
}

/** @param {import('dockerode')} docker @param {string} name @returns {Promise<import('dockerode').ImageInspectInfo | null>} */
const inspectImage = (docker, name) =>
  docker
    .getImage(name)
    .inspect()
    .catch(error => {
      if (error.statusCode === 404) return null
      throw error
    })

/**
 * @typedef {Pick<import('../scenarios/rendezvous/options.js').Plan, 'server' | 'cpus' | 'memoryBytes' | 'faults'>} Plan
 * @typedef {{ engine: Engine, image: ServerImage, why: string | null }} DockerPlacement
 * @typedef {{ engine: null, image: null, why: string }} ProcessPlacement
 */

/**
 * chooseServer decides where our server runs. A missing image is built; only --server docker pulls its base. With --server auto the server
 * runs in a process if there is no engine, or no base image.
 *
 * @param {Plan} plan - with --server docker or auto
 * @param {Parameters<typeof buildServerImage>[1] & { fixedServer?: 'process' | 'docker' }} options - `held`: where it ran in an earlier run of the study
 * @returns {Promise<DockerPlacement | ProcessPlacement>}
 * @throws {DockerError} NO_ENGINE, NO_IMAGE, BASE_IMAGE_NOT_PULLED, IMAGE_NOT_BUILT
 */
export async function chooseServer(plan, { fixedServer, ...options }) {
  const requirement = plan.server === 'docker' ? '--server docker' : describeLimits(plan)
  const needed = requirement ?? (fixedServer === 'docker' ? 'a study whose first run had it there' : null)
  if (needed === null && fixedServer === 'process')
    return { engine: null, image: null, why: 'the first run of the study had it in a process' }
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

/** @param {Plan} plan @returns {string | null} limits of the plan that only a container can have */
function describeLimits({ cpus, memoryBytes, faults }) {
  const limits = omitMissing([
    cpus !== null && '--cpus',
    memoryBytes !== null && '--memory',
    faults.some(({ kind }) => kind === 'cpu') && '--fault with cpu'
  ])
  return limits.length === 0 ? null : limits.join(' and ')
}

/** TOOL_DOCKERFILE of this tool, from the project's folder. */
export const TOOL_DOCKERFILE = 'src/target/docker/tool.Dockerfile'

/** Of the project's folder. They are taken as a whole: scenarios and processes are loaded by path, not by import. */
const FOLDERS = ['src', 'benchmarks']

/** TOOL_PROGRAM is this tool as a program that runs in containers. @type {Program} */
export const TOOL_PROGRAM = Object.freeze({
  repository: 'libp2p-loadtest-tool',
  what: "the tool's image",
  context: collectToolContext
})

/**
 * collectToolContext collects the files of this tool, as npm would install it: its code and matrices, the packages it needs, and optional packages
 * that are installed.
 *
 * @returns {Promise<ImageContext>}
 */
async function collectToolContext() {
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(PROJECT, 'package.json'), 'utf8')
  )
  const needed = Object.keys(dependencies).map(name => findInstalledPackage(name, PROJECT))
  const more = Object.keys(optionalDependencies)
    .map(name => findPackageFolder(name, PROJECT))
    .filter(folder => folder !== null)
  const files = [join(PROJECT, 'index.js'), ...FOLDERS.flatMap(listFiles)]
  return collectImageContext({ dockerfile: TOOL_DOCKERFILE, files, packages: [...needed, ...more] })
}

/** @param {string} folder - of the project */
const listFiles = folder =>
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
 * awaitEngineProgress waits until an engine has finished a build or a pull.
 *
 * @param {import('dockerode')} docker
 * @param {NodeJS.ReadableStream} stream - of its messages
 * @param {OnProgress} onProgress
 * @throws {Error} the engine's reason
 */
export function awaitEngineProgress(docker, stream, onProgress) {
  const progressOf = makeProgressReader()
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
 * makeProgressReader reads progress from an engine's messages: steps of a build, layers of a pull.
 *
 * @returns {(message: Message) => Progress | null}
 */
export function makeProgressReader() {
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
    const text = `${id} ${status.toLowerCase()}`
    return { done: complete, total: layers.size, unit: 'layers of its base image', text }
  }
}
