// The server under test in a container.

import { atAddress, loopbackHost } from '../../kit/host-address.js'
import { attached, CONTAINER_USAGE, containerReadings, endOf, freeze, howItEnded } from '../container.js'
import { engineWords, labelsOf, removeRun } from '../docker-engine.js'
import { startJanitor } from '../docker-processes.js'
import { lastLines, readyLine, ServerControl, TargetError } from '../target.js'

/**
 * @typedef {import('dockerode').Container} DockerContainer
 * @typedef {import('../docker-engine.js').Engine} Engine
 * @typedef {import('../images.js').ServerImage} ServerImage
 *
 * @typedef {object} DockerTargetOptions
 * @property {Engine} engine
 * @property {ServerImage} image
 * @property {string} run - a name for network and container that no other run has
 * @property {Record<string, string | number | boolean>} settings - options of the server that differ from its defaults
 * @property {boolean} [inHostNetwork] - on this machine's loopback, where its peers keep the addresses that they have; default: a network
 *   of its own, in which all come from one
 * @property {number | null} cpus
 * @property {number | null} memoryBytes
 * @property {AbortSignal} signal
 * @property {(error: TargetError) => void} onFailed - the container ended without being asked
 */

/** In the image, from its working directory. */
const MAIN = 'src/server/main.js'
const LIBP2P_PORT = 8000
const HTTP_PORT = 8003
const GRACE_SECONDS = 5

/** Where it listens in this machine's network: ports are those that are free. */
const LOOPBACK = [
  `--listen=${atAddress(loopbackHost())}/tcp/0`,
  `--httpHost=${loopbackHost()}`,
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
    throw new TargetError(
      'SERVER_NOT_STARTED',
      'the Docker engine does not run on the kernel of this machine: a container cannot be in its network'
    )
  const janitor = startJanitor(run)
  const clearUp = async () => {
    await removeRun(engine.docker, run).finally(janitor.dismiss)
  }
  try {
    const server = await startServer(options)
    return {
      ...server,
      stop: () => server.stop().finally(clearUp)
    }
  } catch (error) {
    await clearUp().catch(() => {})
    options.signal.throwIfAborted()
    if (error instanceof TargetError) throw error
    const why = `the container could not be started: ${engineWords(error)}`
    throw new TargetError('SERVER_NOT_STARTED', why)
  }
}

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
    inHostNetwork ? life.listens : addressesOf(await container.inspect(), engine, run)
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
      pause: () => freeze(container),
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
        requireSame(await where(), { libp2p, http })
      },
      limitCpus: left => container.update(cpuLimit(left, cpus))
    },
    stop: async () => {
      life.end.isFailure = false
      await stopped(container).finally(life.close)
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
  const { stdout, stderr, closed, close } = await attached(engine.docker, container)
  await container.start()
  const end = watchEnd(container, { log: lastLines(stderr), closed, onFailed })
  const { multiaddr, http } = await readyLine(stdout, { exited: end.exited, signal })
  end.isFailure = true
  const readings = await containerReadings(container)
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

/** @typedef {ReturnType<typeof addressesOf>} Addresses */

/** Clients know the server by its first address. @param {Addresses} now @param {Addresses} before */
function requireSame(now, before) {
  if (now.libp2p !== before.libp2p || now.http !== before.http)
    throw new TargetError(
      'SERVER_NOT_STARTED',
      `the server's container came back at ${now.libp2p}, where it was at ${before.libp2p}: this engine gives it another address each time, so use --server process for a restart`
    )
}

/** The engine's period of a limit on CPU, µs. */
const CPU_PERIOD = 100_000

/**
 * What is changed of a container to limit its CPU. The engine takes one way of saying so only: the one that it was made with.
 *
 * @param {number | null} left - cores; null: what it was made with
 * @param {number | null} cpus - it was made with; null: all there are
 */
const cpuLimit = (left, cpus) =>
  cpus === null
    ? { CpuPeriod: CPU_PERIOD, CpuQuota: left === null ? -1 : Math.round(left * CPU_PERIOD) }
    : { NanoCpus: Math.round((left ?? cpus) * 1e9) }

/**
 * @param {DockerTargetOptions} options
 * @returns {Promise<string>} its subnet, as a multiaddr
 */
async function createNetwork({ engine: { docker }, run }) {
  const network = await docker.createNetwork({ Name: run, Driver: 'bridge', Labels: labelsOf(run) })
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
    Labels: labelsOf(run),
    Image: image.id,
    // V8 is left as it is
    ...(settings.stock === true && { Entrypoint: ['node', MAIN] }),
    Cmd: [...(inHostNetwork ? LOOPBACK : []), ...flags, '--control', '--stopWithInput', '--logLevel=warn'],
    OpenStdin: true,
    StdinOnce: true,
    // it would take CPU time from the server, in its own container, now and then
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
function addressesOf({ NetworkSettings: { Networks, Ports } }, { bridgesReachable }, network) {
  const host = bridgesReachable ? Networks[network].IPAddress : '127.0.0.1'
  const portOf = (/** @type {number} */ port) =>
    bridgesReachable ? port : Number(Ports[`${port}/tcp`][0].HostPort)
  return {
    libp2p: `/ip4/${host}/tcp/${portOf(LIBP2P_PORT)}`,
    http: `http://${host}:${portOf(HTTP_PORT)}`
  }
}

/**
 * Waits for the end of a container, and says why it came.
 *
 * @param {DockerContainer} container
 * @param {{ log: ReturnType<typeof lastLines>, closed: Promise<void>, onFailed: (error: TargetError) => void }} parts
 * @returns {{ exited: Promise<TargetError>, isFailure: boolean }} `isFailure`: whether an end from now on is told to `onFailed`
 */
function watchEnd(container, { log, closed, onFailed }) {
  const end = { exited: whenEnded(), isFailure: false }
  async function whenEnded() {
    const error = new TargetError('SERVER_DIED', `${await whyEnded(container, closed)}${log.words()}`)
    if (end.isFailure) onFailed(error)
    return error
  }
  return end
}

/** @param {DockerContainer} container @param {Promise<void>} closed */
async function whyEnded(container, closed) {
  try {
    const { StatusCode } = await endOf(container, closed)
    return `the server's container ended with ${await howItEnded(container, StatusCode, '--memory')}`
  } catch (error) {
    return `the Docker engine does not answer for the server's container any more: ${engineWords(error)}`
  }
}

/**
 * Stops a container, whatever has become of it: a paused one does not see the signal until it is continued.
 *
 * @param {DockerContainer} container
 */
async function stopped(container) {
  try {
    const { State } = await container.inspect()
    if (State.Paused) await container.unpause()
    if (State.Running) await container.stop({ t: GRACE_SECONDS })
  } catch (error) {
    // it may have ended, or have been removed, meanwhile
    if (![304, 404].includes(/** @type {{ statusCode: number }} */ (error).statusCode)) throw error
  }
}
