// Starts our rendezvous server in a Docker container, as the target of a run.

import { findLoopbackHost, formatMultiaddrHost } from '../../kit/host-address.js'
import {
  attachStreams,
  CONTAINER_USAGE,
  describeEnd,
  openContainerReadings,
  pauseContainer,
  waitForEnd
} from '../container.js'
import { describeEngineError, makeRunLabels, removeRun } from '../docker-engine.js'
import { startJanitor } from '../docker-processes.js'
import { collectLastLines, readReadyLine, ServerControl, TargetError } from '../target.js'

/**
 * @typedef {import('dockerode').Container} DockerContainer
 * @typedef {import('../docker-engine.js').Engine} Engine
 * @typedef {import('../images.js').ServerImage} ServerImage
 *
 * @typedef {object} DockerTargetOptions
 * @property {Engine} engine
 * @property {ServerImage} image
 * @property {string} run - name of network and container, of this run alone
 * @property {Record<string, string | number | boolean>} settings - options of the server that differ from its defaults
 * @property {boolean} [inHostNetwork] - it listens on this machine's loopback network, where its peers have addresses of their own; default:
 *   a network of its own, in which all peers have one address
 * @property {number | null} cpus
 * @property {number | null} memoryBytes
 * @property {AbortSignal} signal
 * @property {(error: TargetError) => void} onFailed - the container ended by itself
 */

/** From the working directory of the image. */
const MAIN = 'src/server/main.js'
const LIBP2P_PORT = 8000
const HTTP_PORT = 8003
const GRACE_SECONDS = 5

/** Flags for the network of this machine: it listens on free ports. */
const LOOPBACK = [
  `--listen=${formatMultiaddrHost(findLoopbackHost())}/tcp/0`,
  `--httpHost=${findLoopbackHost()}`,
  '--httpPort=0'
]

/**
 * startDockerTarget starts our rendezvous server in a container of its own.
 *
 * @param {DockerTargetOptions} options
 * @returns {Promise<import('../target.js').Target>}
 * @throws {TargetError} SERVER_NOT_STARTED
 */
export async function startDockerTarget(options) {
  const { engine, run, inHostNetwork } = options
  if (inHostNetwork && !engine.bridgesReachable)
    throw makeStartError(
      'the Docker engine does not run on the kernel of this machine: a container cannot be in its network'
    )
  const janitor = startJanitor(run)
  const clearUp = async () => {
    await removeRun(engine.docker, run).finally(janitor.dismiss)
  }
  try {
    const server = await startServer(options)
    return { ...server, stop: () => server.stop().finally(clearUp) }
  } catch (error) {
    await clearUp().catch(() => {})
    options.signal.throwIfAborted()
    if (error instanceof TargetError) throw error
    throw makeStartError(`the container could not be started: ${describeEngineError(error)}`)
  }
}

/** @param {string} why */
const makeStartError = why => new TargetError('SERVER_NOT_STARTED', why)

/**
 * @param {DockerTargetOptions} options
 * @returns {Promise<import('../target.js').Target>}
 */
async function startServer(options) {
  const { engine, image, run, inHostNetwork, signal, onFailed, cpus, memoryBytes } = options
  const settings = inHostNetwork
    ? options.settings
    : { ...options.settings, unlimitedFrom: await createNetwork(options) }
  signal.throwIfAborted()
  const container = await createContainer(options, settings)
  signal.throwIfAborted()
  const start = (/** @type {AbortSignal} */ signal) => startContainer(container, { engine, signal, onFailed })
  let life = await start(signal)
  const where = async () =>
    inHostNetwork ? life.listens : readContainerAddresses(await container.inspect(), engine, run)
  const { libp2p, http } = await where()
  const control = new ServerControl(http, () => life.end.exited)
  return {
    kind: 'docker',
    multiaddr: `${libp2p}/p2p/${life.peerId}`,
    pid: life.readings.pid,
    container: { id: container.id, name: run, image: image.name, imageId: image.id, cpus, memoryBytes },
    versions: { ...engine.versions, 'server image': image.id, 'server node': image.node },
    settings,
    nodeSettings: await control.settings(),
    control,
    reading: () => life.readings.reading(),
    memoryCountedAs: CONTAINER_USAGE,
    faults: {
      pause: () => pauseContainer(container),
      resume: () => container.unpause(),
      kill: () => container.kill({ signal: 'SIGKILL' }),
      down: async () => {
        life.end.isFailure = false
        await container.kill({ signal: 'SIGKILL' })
        await life.end.exited
        life.close()
      },
      up: async signal => {
        life = await start(signal)
        const now = await where()
        // clients know the server by its first address
        if (now.libp2p !== libp2p || now.http !== http)
          throw makeStartError(
            `the server's container came back at ${now.libp2p}, where it was at ${libp2p}: this engine gives it another address each time, so use --server process for a restart`
          )
      },
      limitCpus: left => container.update(makeCpuLimit(left, cpus))
    },
    stop: async () => {
      life.end.isFailure = false
      await stopContainer(container).finally(life.close)
    }
  }
}

/**
 * startContainer starts our server in its container, the first time or again.
 *
 * @param {DockerContainer} container - that does not run
 * @param {Pick<DockerTargetOptions, 'engine' | 'signal' | 'onFailed'>} options
 */
async function startContainer(container, { engine, signal, onFailed }) {
  const { stdout, stderr, closed, close } = await attachStreams(engine.docker, container)
  await container.start()
  const end = watchEnd(container, { log: collectLastLines(stderr), closed, onFailed })
  const { multiaddr, http } = await readReadyLine(stdout, { exited: end.exited, signal })
  end.isFailure = true
  const readings = await openContainerReadings(container)
  const [libp2p, peerId] = multiaddr.split('/p2p/')
  return {
    end,
    readings,
    listens: { libp2p, http },
    peerId,
    close() {
      readings.close()
      close()
    }
  }
}

/** The engine's period for a limit on CPU, µs. */
const CPU_PERIOD = 100_000

/**
 * Makes the update that limits the CPU of a container. The engine accepts only the kind of limit that the container was made with.
 *
 * @param {number | null} left - cores; null: as many as it was made with
 * @param {number | null} cpus - cores that it was made with; null: all
 */
const makeCpuLimit = (left, cpus) =>
  cpus === null
    ? { CpuPeriod: CPU_PERIOD, CpuQuota: left === null ? -1 : Math.round(left * CPU_PERIOD) }
    : { NanoCpus: Math.round((left ?? cpus) * 1e9) }

/**
 * @param {DockerTargetOptions} options
 * @returns {Promise<string>} its subnet, as a multiaddr
 */
async function createNetwork({ engine: { docker }, run }) {
  const network = await docker.createNetwork({ Name: run, Driver: 'bridge', Labels: makeRunLabels(run) })
  const { IPAM } = await network.inspect()
  const [address, bits] = IPAM?.Config?.[0]?.Subnet?.split('/') ?? []
  return `/ip4/${address}/ipcidr/${bits}`
}

/**
 * @param {DockerTargetOptions} options
 * @param {Record<string, string | number | boolean>} settings
 * @returns {Promise<DockerContainer>}
 */
function createContainer({ engine, image, run, inHostNetwork, cpus, memoryBytes }, settings) {
  const ports = [LIBP2P_PORT, HTTP_PORT].map(port => `${port}/tcp`)
  const flags = Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
  return engine.docker.createContainer({
    name: run,
    Labels: makeRunLabels(run),
    Image: image.id,
    // without our flags of V8
    ...(settings.stock === true && { Entrypoint: ['node', MAIN] }),
    Cmd: [...(inHostNetwork ? LOOPBACK : []), ...flags, '--control', '--stopWithInput', '--logLevel=warn'],
    OpenStdin: true,
    StdinOnce: true,
    // a health check would take CPU time from the server now and then
    Healthcheck: { Test: ['NONE'] },
    HostConfig: {
      NetworkMode: inHostNetwork ? 'host' : run,
      CapDrop: ['ALL'],
      ...(cpus !== null && { NanoCpus: Math.round(cpus * 1e9) }),
      // the same number for both: no swap
      ...(memoryBytes !== null && { Memory: memoryBytes, MemorySwap: memoryBytes }),
      ...(engine.bridgesReachable || inHostNetwork
        ? {}
        : { PortBindings: Object.fromEntries(ports.map(port => [port, [{ HostIp: '127.0.0.1' }]])) })
    }
  })
}

/**
 * @param {import('dockerode').ContainerInspectInfo} inspected
 * @param {Engine} engine
 * @param {string} network
 */
function readContainerAddresses({ NetworkSettings: { Networks, Ports } }, { bridgesReachable }, network) {
  const host = bridgesReachable ? Networks[network].IPAddress : '127.0.0.1'
  const portOf = (/** @type {number} */ port) =>
    bridgesReachable ? port : Number(Ports[`${port}/tcp`][0].HostPort)
  return {
    libp2p: `/ip4/${host}/tcp/${portOf(LIBP2P_PORT)}`,
    http: `http://${host}:${portOf(HTTP_PORT)}`
  }
}

/**
 * Waits for the end of a container, and makes an error with the reason.
 *
 * @param {DockerContainer} container
 * @param {{ log: ReturnType<typeof collectLastLines>, closed: Promise<void>, onFailed: (error: TargetError) => void }} parts
 * @returns {{ exited: Promise<TargetError>, isFailure: boolean }} `isFailure`: whether `onFailed` is called for an end from now on
 */
function watchEnd(container, { log, closed, onFailed }) {
  const why = waitForEnd(container, closed)
    .then(({ StatusCode }) => describeEnd(container, StatusCode, '--memory'))
    .then(
      how => `the server's container ended with ${how}`,
      error =>
        `the Docker engine no longer responds for the server's container: ${describeEngineError(error)}`
    )
  const end = { exited: whenEnded(), isFailure: false }
  async function whenEnded() {
    const error = new TargetError('SERVER_DIED', `${await why}${log.words()}`)
    if (end.isFailure) onFailed(error)
    return error
  }
  return end
}

/**
 * Stops a container in any state: a paused one receives the signal only after it is resumed.
 *
 * @param {DockerContainer} container
 */
async function stopContainer(container) {
  try {
    const { State } = await container.inspect()
    if (State.Paused) await container.unpause()
    if (State.Running) await container.stop({ t: GRACE_SECONDS })
  } catch (error) {
    // it may have ended, or have been removed, meanwhile
    if (![304, 404].includes(/** @type {{ statusCode: number }} */ (error).statusCode)) throw error
  }
}
