import { randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { statFields } from '../kit/proc-stat.js'
import { DockerError, engineWords, isEngineGone } from './docker-error.js'

/** @typedef {import('dockerode')} Docker */

const LABEL = 'libp2p-loadtest.run'
const PROCESS = 'libp2p-loadtest.process'
/** Of what the kernel tells of a process: when it was started, in ticks since the machine was. */
const STARTED = 19

/** What is younger may be about to be used by the run that made it. */
const YOUNG_MS = 60_000

/** @type {readonly string[]} states of a container that nothing runs in */
const ENDED = ['created', 'exited', 'dead']

/** nameOfRun is one that no other run has: ids are unique within one --outputDir only. @param {string} id */
export const nameOfRun = id =>
  `libp2p-loadtest-${id.replace(/[^\w.-]/g, '-')}-${randomBytes(4).toString('hex')}`

/**
 * labelsOf marks what a run makes in Docker.
 *
 * @param {string} run - a name that no other run has
 * @returns {Record<string, string>}
 */
export const labelsOf = run => ({ [LABEL]: run, [PROCESS]: markOf(process.pid) })

/**
 * What tells a process from all others that this one can see, before and after it; empty where the kernel does not tell, or it has ended.
 *
 * @param {number} pid
 */
function markOf(pid) {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
    const began = statFields(readFileSync(`/proc/${pid}/stat`, 'latin1'))[STARTED]
    return [boot, readlinkSync('/proc/self/ns/pid'), pid, began].join(' ')
  } catch {
    return ''
  }
}

/** Whether the process is gone that made something. @param {Record<string, string>} [labels] */
function isOrphan(labels = {}) {
  const [boot, namespace, pid, began] = (labels[PROCESS] ?? '').split(' ')
  const own = markOf(process.pid).split(' ')
  // one of another namespace may be there, and is not seen
  return (
    began !== undefined && boot === own[0] && namespace === own[1] && markOf(Number(pid)) !== labels[PROCESS]
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
  try {
    await removeAll(docker, run)
  } catch (error) {
    if (!isEngineGone(error)) throw error
    const why = `the Docker engine does not answer any more: ${engineWords(error)}`
    throw new DockerError(
      'LEFT_BEHIND',
      `${why}; what the run made there, ${run}, is cleared by the next run that uses it`
    )
  }
}

/** @param {Docker} docker @param {string} run */
async function removeAll(docker, run) {
  const filters = { label: [`${LABEL}=${run}`] }
  const containers = await docker.listContainers({ all: true, filters })
  // each takes a quarter of a second, and there can be many
  await Promise.all(
    containers.map(({ Id }) => removed(docker.getContainer(Id).remove({ force: true, v: true })))
  )
  for (const { Id } of await docker.listNetworks({ filters })) await removed(docker.getNetwork(Id).remove())
}

/**
 * removeLeftovers removes what runs left behind that could not clear up: all that is of a process of this machine that is gone; of others,
 * containers that have ended, and networks that no container is on.
 *
 * @param {Docker} docker
 * @param {number} [nowMs]
 */
export async function removeLeftovers(docker, nowMs = Date.now()) {
  const filters = { label: [LABEL] }
  for (const { Id, State, Created, Labels } of await docker.listContainers({ all: true, filters }))
    if (isOrphan(Labels) || (ENDED.includes(State) && nowMs - Created * 1000 > YOUNG_MS))
      await removed(docker.getContainer(Id).remove({ force: true, v: true }))
  for (const { Id, Created, Labels } of await docker.listNetworks({ filters }))
    if (isOrphan(Labels) || nowMs - Date.parse(Created) > YOUNG_MS)
      await docker.getNetwork(Id).remove().catch(whenInUse)
}

/** Somebody else was quicker: gone, or on its way. */
const REMOVED = [404, 409]

/** @param {Promise<unknown>} removal */
const removed = removal =>
  removal.catch(error => {
    if (!REMOVED.includes(error.statusCode)) throw error
  })

/** The engine refuses to remove a network that containers are on. @param {{ statusCode?: number }} error */
function whenInUse(error) {
  if (![...REMOVED, 403].includes(error.statusCode ?? 0)) throw error
}
