// Target for a server that the user runs at an address: nothing is started, and resources are read only if its process
// or container is known.
import { CONTAINER_USAGE, openContainerReadings } from './container.js'
import { DockerError, describeEngineError, reachEngine } from './docker-engine.js'
import { RESIDENT_SET, readProcess } from './target.js'

/** @typedef {Pick<import('./target.js').Target, 'pid' | 'container' | 'versions' | 'reading' | 'memoryCountedAs' | 'stop'>} SampledTarget */

/**
 * makeAddressTarget makes the target for a server that the user runs: nothing is started. Its CPU and memory are known only if its process or
 * container is given.
 *
 * @param {{ multiaddr: string, others?: readonly string[], pid: number | null, container: string | null }} options - `others`: addresses of further servers
 * @returns {Promise<import('./target.js').Target>}
 * @throws {DockerError} NO_ENGINE, NO_CONTAINER
 */
export async function makeAddressTarget({ multiaddr, others = [], pid, container }) {
  const sampled = container === null ? readProcessTarget(pid) : await readContainerTarget(container)
  return {
    kind: 'address',
    multiaddr,
    settings: {},
    nodeSettings: {},
    control: null,
    faults: null,
    ...sampled,
    ...(others.length > 0 && { members: [multiaddr, ...others].map(makeAddressMember) })
  }
}

/** @param {string} multiaddr @param {number} i */
const makeAddressMember = (multiaddr, i) => ({
  name: `server ${i + 1}`,
  multiaddr,
  control: null,
  reading: null,
  faults: null
})

/** @param {number | null} pid @returns {SampledTarget} */
const readProcessTarget = pid => ({
  pid,
  container: null,
  versions: {},
  reading: pid === null ? null : () => readProcess(pid),
  memoryCountedAs: pid === null ? null : RESIDENT_SET,
  stop: async () => {}
})

/** @param {string} name @returns {Promise<SampledTarget>} */
async function readContainerTarget(name) {
  const { docker, versions } = await reachEngine()
  const container = docker.getContainer(name)
  const { Id, Name, State, Config, Image, HostConfig } = await container.inspect().catch(cause => {
    throw new DockerError('NO_CONTAINER', `there is no container ${name} (${describeEngineError(cause)})`)
  })
  if (!State.Running)
    throw new DockerError('NO_CONTAINER', `the container ${name} is not running: ${State.Status}`)
  const { reading, pid, close } = await openContainerReadings(container)
  return {
    pid,
    container: {
      id: Id,
      name: Name.replace('/', ''),
      image: Config.Image,
      imageId: Image,
      cpus: HostConfig.NanoCpus ? HostConfig.NanoCpus / 1e9 : null,
      memoryBytes: HostConfig.Memory || null
    },
    versions,
    reading,
    memoryCountedAs: CONTAINER_USAGE,
    stop: async () => close()
  }
}
