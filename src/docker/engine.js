import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isLoopbackHost } from '../kit/ip-address.js'
import { timeLimit } from '../kit/time-limit.js'
import { DockerError, engineWords } from './docker-error.js'

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
    const docker = await dockerApi()
    const { host } = /** @type {{ host?: string }} */ (docker.modem)
    if (host && !isLoopbackHost(host)) throw new Error(`the one on ${host} is on another machine`)
    // its types do not know the option
    await docker.ping(/** @type {any} */ ({ abortSignal: timeLimit(ANSWER_MS) }))
    const [version, info] = await Promise.all([docker.version(), docker.info()])
    return {
      docker,
      versions: { 'docker engine': version.Version, 'docker api': version.ApiVersion },
      bridgesReachable: reachable(info)
    }
  } catch (cause) {
    throw new DockerError('NO_ENGINE', `no Docker engine answers (${why(/** @type {any} */ (cause))})`)
  }
}

/** Where its library looks unless DOCKER_HOST says otherwise. */
const SOCKETS = ['/var/run/docker.sock', join(homedir(), '.docker/run/docker.sock')]

/** The library is dear to load: not where there is nothing it could reach. */
async function dockerApi() {
  if (process.platform !== 'win32' && !process.env.DOCKER_HOST && !SOCKETS.some(path => existsSync(path)))
    throw Object.assign(new Error('no socket'), { code: 'ENOENT' })
  const { default: Docker } = await import('dockerode')
  return new Docker()
}

/** @param {{ OperatingSystem?: string, SecurityOptions?: string[] }} info */
const reachable = ({ OperatingSystem = '', SecurityOptions = [] }) =>
  process.platform === 'linux' &&
  OperatingSystem !== 'Docker Desktop' &&
  !SecurityOptions.some(option => option.includes('rootless'))

/** @param {Error & { code?: string }} error */
function why(error) {
  const { code, name } = error
  if (code === 'ENOENT') return 'there is none'
  if (code === 'EACCES') return 'its socket is not open to this user'
  if (name === 'AbortError' || code === 'ABORT_ERR') return `it was silent for ${ANSWER_MS / 1000} s`
  return engineWords(error)
}
