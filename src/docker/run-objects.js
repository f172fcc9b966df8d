import { randomBytes } from 'node:crypto'

/** @typedef {import('dockerode')} Docker */

const LABEL = 'libp2p-loadtest.run'

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
 */
export const labelsOf = run => ({ [LABEL]: run })

/**
 * removeRun removes every container and network of a run, running or not.
 *
 * @param {Docker} docker
 * @param {string} run
 */
export async function removeRun(docker, run) {
  const filters = { label: [`${LABEL}=${run}`] }
  const containers = await docker.listContainers({ all: true, filters })
  // each takes a quarter of a second, and there can be many
  await Promise.all(
    containers.map(({ Id }) => removed(docker.getContainer(Id).remove({ force: true, v: true })))
  )
  for (const { Id } of await docker.listNetworks({ filters })) await removed(docker.getNetwork(Id).remove())
}

/**
 * removeLeftovers removes what runs left behind that could not clear up: containers that have ended, and networks that no
 * container is on. A container of a run that is gone ends by itself.
 *
 * @param {Docker} docker
 * @param {number} [nowMs]
 */
export async function removeLeftovers(docker, nowMs = Date.now()) {
  const filters = { label: [LABEL] }
  for (const { Id, State, Created } of await docker.listContainers({ all: true, filters }))
    if (ENDED.includes(State) && nowMs - Created * 1000 > YOUNG_MS)
      await removed(docker.getContainer(Id).remove({ force: true, v: true }))
  for (const { Id, Created } of await docker.listNetworks({ filters }))
    if (nowMs - Date.parse(Created) > YOUNG_MS) await docker.getNetwork(Id).remove().catch(whenInUse)
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
