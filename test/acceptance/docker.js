import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { reachEngine } from '../../src/target/docker-engine.js'
import { buildServerImage } from '../../src/target/images.js'

const INSTALL = 'install and start Docker: apt-get install -y docker.io && dockerd &'
const LABEL = 'libp2p-loadtest.run'

/** engine is the Docker engine of this machine; null where there is none. */
export const engine = await reachEngine().catch(() => null)

/** Why the server cannot run in Docker here; null: it can. @type {string | null} */
const obstacle = engine === null ? INSTALL : await buildServerImage(engine).then(() => null, String)

/**
 * NEEDS_DOCKER are the options of tests that need an engine and the server's image. Without them they are skipped and said to be,
 * but fail where CI is set.
 */
export const NEEDS_DOCKER = Object.freeze({ skip: process.env.CI ? false : (obstacle ?? false) })

if (NEEDS_DOCKER.skip && process.env.SKIPPED_LOG)
  appendFileSync(process.env.SKIPPED_LOG, `the server in Docker: ${obstacle}\n`)

/** docker is the engine's client. @throws {Error} where the server cannot run in Docker */
export function docker() {
  if (engine === null || obstacle !== null) throw new Error(String(obstacle))
  return engine.docker
}

/**
 * leftInDocker lists what a run has made in Docker and not removed.
 *
 * @param {number} seed - of the run; no other run may have it
 * @param {string} [scenario]
 * @returns {Promise<string[]>}
 */
export async function leftInDocker(seed, scenario = 'rendezvous') {
  const filters = { label: [LABEL] }
  const containers = await docker().listContainers({ all: true, filters })
  const networks = await docker().listNetworks({ filters })
  const isOfRun = (/** @type {string | undefined} */ run) => run?.includes(`-${scenario}-${seed}-`)
  return [
    ...containers.filter(({ Labels }) => isOfRun(Labels[LABEL])).map(({ Names }) => `container ${Names[0]}`),
    ...networks.filter(({ Labels }) => isOfRun(Labels?.[LABEL])).map(({ Name }) => `network ${Name}`)
  ]
}

/**
 * leftInDockerAfter waits until a run has nothing left in Docker.
 *
 * @param {number} seed
 * @param {number} ms
 * @param {string} [scenario]
 * @returns {Promise<string[]>} what is still there
 */
export async function leftInDockerAfter(seed, ms, scenario) {
  const untilMs = performance.now() + ms
  for (;;) {
    const left = await leftInDocker(seed, scenario)
    if (left.length === 0 || performance.now() > untilMs) return left
    await sleep(100)
  }
}

/**
 * containerOf finds the container of a run.
 *
 * @param {number} seed
 * @returns {Promise<import('dockerode').Container>}
 */
export async function containerOf(seed) {
  const found = await docker().listContainers({ all: true, filters: { label: [LABEL] } })
  const one = found.find(({ Labels }) => Labels[LABEL].includes(`-rendezvous-${seed}-`))
  if (one === undefined) throw new Error(`no container of a run with seed ${seed}`)
  return docker().getContainer(one.Id)
}
