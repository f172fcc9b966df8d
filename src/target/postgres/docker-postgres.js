// Starts a temporary PostgreSQL in a Docker container as the database of a run, reached only over a local socket.
import { chmod, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { makeTemporaryFolder } from '../../kit/files.js'
import { attachStreams, describeEnd, openContainerReadings, waitForEnd } from '../container.js'
import {
  DockerError,
  describeEngineError,
  makeRunLabels,
  makeRunName,
  reachEngine,
  removeLeftovers,
  removeRun
} from '../docker-engine.js'
import { startJanitor } from '../docker-processes.js'
import { collectLastLines, TargetError } from '../target.js'
import {
  INITDB_FLAGS,
  isReadyLine,
  makePostgresFlags,
  makePostgresUrl,
  readSyncedFiles
} from './installation.js'

/** Its images: one made by scripts/postgres-image.sh from a machine's own PostgreSQL, then the official one, of any version. */
const REPOSITORIES = ['libp2p-loadtest-postgres', 'postgres']

/** In the official image this folder belongs to the account `postgres`. It is a volume, so that its data are not in layers of the image. */
const HOME = '/var/lib/postgresql'
const DATA = `${HOME}/loadtest`
const SOCKET = '/loadtest'

/** Shared memory for parallel queries; the default of an engine is 64 MB. */
const SHARED_BYTES = 1024 ** 3

/** PostgreSQL replaces the shell, and gets SIGINT when the container's input ends: it never outlives the process that started it. */
const START = [
  'exec 3<&0',
  `initdb -D ${DATA} ${INITDB_FLAGS.join(' ')} >&2 || exit`,
  '{ read -r line <&3; kill -INT 1; } &',
  `exec postgres ${makePostgresFlags({ data: DATA, socket: SOCKET, permissions: '0777' }).join(' ')}`
].join('\n')

/**
 * @typedef {object} DockerPostgres - of a run, gone with it
 * @property {string} url
 * @property {number} checkpointFsyncs - files flushed by its checkpoints so far
 * @property {() => Promise<import('../../measure/series.js').ResourceReading>} reading - of its container
 * @property {Record<string, string>} versions
 * @property {() => Promise<void>} stop - resolves when everything of it is removed
 */

/**
 * startDockerPostgres starts a PostgreSQL in a container without a network: its socket is in a folder of this account alone.
 *
 * @returns {Promise<DockerPostgres>}
 * @throws {TargetError | DockerError} STORE_NOT_STARTED; NO_ENGINE, NO_IMAGE: there is none here
 */
export async function startDockerPostgres() {
  const engine = await reachEngine()
  if (!engine.bridgesReachable)
    throw new DockerError('NO_ENGINE', 'the Docker engine does not run on the kernel of this machine')
  await removeLeftovers(engine.docker)
  const image = await findPostgresImage(engine.docker)
  const run = makeRunName('postgres')
  const folder = await makeTemporaryFolder('libp2p-loadtest-postgres-')
  const janitor = startJanitor(run, folder)
  const stop = async () => {
    try {
      await removeRun(engine.docker, run)
    } finally {
      await rm(folder, { recursive: true, force: true })
      await janitor.dismiss()
    }
  }
  try {
    const started = await startContainer(engine.docker, { image: image.Id, run, folder })
    const versions = { ...engine.versions, 'PostgreSQL image': image.RepoTags?.[0] ?? image.Id }
    return Object.assign(started, { versions, stop: () => stop().finally(started.close) })
  } catch (error) {
    await stop()
    if (error instanceof TargetError) throw error
    throw notStarted(`the container could not be started: ${describeEngineError(error)}`)
  }
}

/** @param {string} why */
const notStarted = why => new TargetError('STORE_NOT_STARTED', `--store postgres: ${why}`)

/**
 * findPostgresImage finds the newest image of PostgreSQL.
 *
 * @param {import('dockerode')} docker
 * @returns {Promise<import('dockerode').ImageInfo>}
 * @throws {DockerError} NO_IMAGE
 */
export async function findPostgresImage(docker) {
  for (const repository of REPOSITORIES) {
    const images = await docker.listImages({ filters: { reference: [repository] } })
    const [newest] = images.toSorted((a, b) => b.Created - a.Created)
    if (newest !== undefined) return newest
  }
  throw new DockerError('NO_IMAGE', 'the Docker engine has no image postgres (docker pull postgres)')
}

/**
 * @param {import('dockerode')} docker
 * @param {{ image: string, run: string, folder: string }} options
 */
async function startContainer(docker, { image, run, folder }) {
  const socket = join(folder, 'socket')
  await mkdir(socket)
  // the container has another account; the folder around this one is closed to other accounts of the machine
  await chmod(socket, 0o777)
  const container = await docker.createContainer({
    name: run,
    Labels: makeRunLabels(run),
    Image: image,
    User: 'postgres',
    Entrypoint: ['sh', '-c', START],
    OpenStdin: true,
    StdinOnce: true,
    Volumes: { [HOME]: {} },
    HostConfig: {
      NetworkMode: 'none',
      CapDrop: ['ALL'],
      ShmSize: SHARED_BYTES,
      Binds: [`${socket}:${SOCKET}`]
    }
  })
  const { stdout, stderr, closed, close } = await attachStreams(docker, container)
  stdout.resume()
  const log = collectLastLines(stderr)
  let checkpointFsyncs = 0
  const ready = new Promise(resolve => {
    createInterface({ input: stderr }).on('line', line => {
      checkpointFsyncs += readSyncedFiles(line)
      if (isReadyLine(line)) resolve(undefined)
    })
  })
  await container.start()
  const ended = waitForEnd(container, closed).then(async ({ StatusCode }) => {
    const how = await describeEnd(container, StatusCode, 'the memory of the engine')
    throw notStarted(`its container ended with ${how}${log.words()}`)
  })
  ended.catch(() => {})
  await Promise.race([ready, ended])
  const readings = await openContainerReadings(container)
  return {
    url: makePostgresUrl(socket),
    get checkpointFsyncs() {
      return checkpointFsyncs
    },
    reading: readings.reading,
    close() {
      readings.close()
      close()
    }
  }
}
