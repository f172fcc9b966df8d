// Connects to the Docker engine of this machine, explains its errors, and removes containers of a run or left by earlier
// runs.

import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, readlinkSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isLoopbackHost } from '../kit/host-address.js'
import { parseStatFields } from '../kit/linux.js'
import { makeTimeLimit } from '../kit/time.js'

/**
 * DockerError says what cannot be done with Docker, and what to do about it; `code` is one of NO_ENGINE, NO_IMAGE,
 * BASE_IMAGE_NOT_PULLED, IMAGE_NOT_BUILT, NO_CONTAINER, LEFT_BEHIND.
 */
export class DockerError extends Error {
  name = 'DockerError'

  /**
   * @param {string} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message)
    this.code = code
  }
}

/**
 * describeEngineError reads the reason in an error of the engine.
 *
 * @param {unknown} error
 */
export function describeEngineError(error) {
  const { json, message, code } = /** @type {any} */ (error)
  return isEngineDown(error) ? `connection lost (${code})` : (json?.message ?? message).trim()
}

/** Errors of a socket whose engine has ended. */
const ENGINE_DOWN_CODES = ['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE']

/** isEngineDown says whether an error means that the engine has ended. @param {unknown} error */
export const isEngineDown = error =>
  ENGINE_DOWN_CODES.includes(/** @type {{ code?: string }} */ (error).code ?? '')

/**
 * @typedef {object} Engine - a Docker engine that answers
 * @property {import('dockerode')} docker
 * @property {Record<string, string>} versions
 * @property {boolean} bridgesReachable - whether a container's own address can be reached from here; otherwise only ports it
 *   publishes can, as where the engine runs in a virtual machine
 */

const ANSWER_MS = 2000

/**
 * reachEngine finds the Docker engine of this machine: DOCKER_HOST or the usual socket.
 *
 * @returns {Promise<Engine>}
 * @throws {DockerError} NO_ENGINE
 */
export async function reachEngine() {
  try {
    const docker = await loadDockerApi()
    const { host } = /** @type {{ host?: string }} */ (docker.modem)
    if (host && !isLoopbackHost(host)) throw new Error(`the one on ${host} is on another machine`)
    // its types do not know the option
    await docker.ping(/** @type {any} */ ({ abortSignal: makeTimeLimit(ANSWER_MS) }))
    const [version, info] = await Promise.all([docker.version(), docker.info()])
    return {
      docker,
      versions: { 'docker engine': version.Version, 'docker api': version.ApiVersion },
      bridgesReachable: areBridgesReachable(info)
    }
  } catch (cause) {
    throw new DockerError(
      'NO_ENGINE',
      `no Docker engine answers (${describeEngineProblem(/** @type {any} */ (cause))})`
    )
  }
}

/** Where its library looks unless DOCKER_HOST says otherwise. */
const SOCKETS = ['/var/run/docker.sock', join(homedir(), '.docker/run/docker.sock')]

/** The library is expensive to load: it is loaded only if there is a socket. */
async function loadDockerApi() {
  if (process.platform !== 'win32' && !process.env.DOCKER_HOST && !SOCKETS.some(path => existsSync(path)))
    throw Object.assign(new Error('no socket'), { code: 'ENOENT' })
  const { default: Docker } = await import('dockerode')
  return new Docker()
}

/** @param {{ OperatingSystem?: string, SecurityOptions?: string[] }} info */
const areBridgesReachable = ({ OperatingSystem = '', SecurityOptions = [] }) =>
  process.platform === 'linux' &&
  OperatingSystem !== 'Docker Desktop' &&
  !SecurityOptions.some(option => option.includes('rootless'))

/** @param {Error & { code?: string }} error */
function describeEngineProblem(error) {
  const { code, name } = error
  if (code === 'ENOENT') return 'it is not running'
  if (code === 'EACCES') return 'this user may not open its socket'
  if (name === 'AbortError' || code === 'ABORT_ERR') return `no answer within ${ANSWER_MS / 1000} s`
  return describeEngineError(error)
}

/** @typedef {import('dockerode')} Docker */

const LABEL = 'libp2p-loadtest.run'
const PROCESS_LABEL = 'libp2p-loadtest.process'
/** Field of /proc/<pid>/stat: start of the process, in ticks since the start of the machine. */
const STARTED = 19

/** Younger objects may be about to be used by the run that made them. */
const YOUNG_MS = 60_000

/** @type {readonly string[]} states of a container that nothing runs in */
const ENDED = ['created', 'exited', 'dead']

/** makeRunName makes a name that no other run has: ids are unique within one --outputDir only. @param {string} id */
export const makeRunName = id =>
  `libp2p-loadtest-${id.replace(/[^\w.-]/g, '-')}-${randomBytes(4).toString('hex')}`

/**
 * makeRunLabels makes the labels of a run's objects in Docker.
 *
 * @param {string} run - a name that no other run has
 * @returns {Record<string, string>}
 */
export const makeRunLabels = run => ({ [LABEL]: run, [PROCESS_LABEL]: readProcessMark(process.pid) })

/**
 * Makes a mark of a process that no other visible process has, before or after it; empty if the process has ended.
 *
 * @param {number} pid
 */
function readProcessMark(pid) {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
    const began = parseStatFields(readFileSync(`/proc/${pid}/stat`, 'latin1'))[STARTED]
    return [boot, readlinkSync('/proc/self/ns/pid'), pid, began].join(' ')
  } catch {
    return ''
  }
}

/** Says whether the process that made an object has ended. @param {Record<string, string>} [labels] */
function isOrphan(labels = {}) {
  const [boot, namespace, pid, began] = (labels[PROCESS_LABEL] ?? '').split(' ')
  const own = readProcessMark(process.pid).split(' ')
  // a process of another namespace may be running, and is not visible
  return (
    began !== undefined &&
    boot === own[0] &&
    namespace === own[1] &&
    readProcessMark(Number(pid)) !== labels[PROCESS_LABEL]
  )
}

/**
 * removeRun removes every container and network of a run, running or not.
 *
 * @param {Docker} docker
 * @param {string} run
 * @throws {DockerError} LEFT_BEHIND: the engine is gone
 */
export async function removeRun(docker, run) {
  const filters = { label: [`${LABEL}=${run}`] }
  try {
    const containers = await docker.listContainers({ all: true, filters })
    // in parallel: each takes a quarter of a second, and there can be many
    await Promise.all(containers.map(({ Id }) => ignoreRemoved(docker.getContainer(Id).remove(BY_FORCE))))
    for (const { Id } of await docker.listNetworks({ filters }))
      await ignoreRemoved(docker.getNetwork(Id).remove())
  } catch (error) {
    if (!isEngineDown(error)) throw error
    const why = `the Docker engine no longer responds: ${describeEngineError(error)}`
    const next = `what the run made there, ${run}, is cleared by the next run that uses it`
    throw new DockerError('LEFT_BEHIND', `${why}; ${next}`)
  }
}

const BY_FORCE = { force: true, v: true }

/**
 * removeLeftovers removes objects that earlier runs could not remove: all objects of processes of this machine that have ended; of other
 * processes, ended containers, and networks without containers.
 *
 * @param {Docker} docker
 * @param {number} [nowMs]
 */
export async function removeLeftovers(docker, nowMs = Date.now()) {
  const filters = { label: [LABEL] }
  for (const { Id, State, Created, Labels } of await docker.listContainers({ all: true, filters }))
    if (isOrphan(Labels) || (ENDED.includes(State) && nowMs - Created * 1000 > YOUNG_MS))
      await ignoreRemoved(docker.getContainer(Id).remove(BY_FORCE))
  for (const { Id, Created, Labels } of await docker.listNetworks({ filters }))
    if (isOrphan(Labels) || nowMs - Date.parse(Created) > YOUNG_MS)
      // the engine refuses with 403 to remove a network that has containers
      await ignoreRemoved(docker.getNetwork(Id).remove(), [...REMOVED, 403])
}

/** Statuses for an object that was removed already, or is being removed. */
const REMOVED = [404, 409]

/** @param {Promise<unknown>} removal @param {number[]} [accepted] - statuses of failures that do not matter */
const ignoreRemoved = (removal, accepted = REMOVED) =>
  removal.catch(error => {
    if (!accepted.includes(error.statusCode)) throw error
  })
